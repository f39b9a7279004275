"""The system's packages: installed where we may, else the one command to run is named."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path


def demand_pango() -> None:
    """Install Pango, which draws the text of the PDF, where it is missing."""
    if not (_loads("libpango-1.0.so.0") and _loads("libpangoft2-1.0.so.0")):
        install("Pango", "libpango-1.0-0", "libpangoft2-1.0-0")


def demand_chromium() -> None:
    """Install the browser of the tests where it is missing."""
    if not shutil.which("chromium"):
        install("Chromium", "chromium")


def offer_tesseract() -> None:
    """Install the reader of the letters of scanned drawings; the portal does without it."""
    if not shutil.which("tesseract"):
        try:
            install("Tesseract", "tesseract-ocr")
        except SystemExit as missing:
            print(f"{missing}\nWithout it drawings are read as SVG and PDF, not as pictures.", flush=True)


def demand_services() -> None:
    """Install PostgreSQL, Redis and nginx, for the tests of the service mode, where they are missing."""
    if not postgresql():
        install("PostgreSQL", "postgresql")
    if not redis():
        install("Redis", "redis-server")
    if not shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
        install("nginx", "nginx-light")


def demand_compiler() -> None:
    """Install a compiler for the clocks of the cluster's machines."""
    if not shutil.which("cc"):
        install("A C compiler", "gcc", "libc6-dev")


def postgresql() -> Path | None:
    """Return the folder with PostgreSQL's own programs, the newest; Debian keeps them off the PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).resolve().parent if elsewhere else None


def redis() -> str | None:
    return shutil.which("redis-server") or shutil.which("valkey-server")


def install(what: str, *packages: str) -> None:
    """Run `apt-get install` as root or by a sudo that asks nothing; else stop with the line to run."""
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    rights = _rights()
    if rights is None or not shutil.which("apt-get"):
        sys.exit(f"{what} is missing, and this user may not install it. Run:\n  sudo {' '.join(command)}")
    print(f"system    installing {what}", flush=True)
    quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
    if subprocess.run([*rights, *command], **quiet, stderr=subprocess.DEVNULL).returncode:
        subprocess.run([*rights, "apt-get", "update"], **quiet)  # the list of packages was missing or old
        if subprocess.run([*rights, *command], **quiet).returncode:
            sys.exit(f"{what} could not be installed. Run:\n  sudo {' '.join(command)}")


def _rights() -> list[str] | None:
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and not subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode:
        return ["sudo", "-n"]
    return None


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
