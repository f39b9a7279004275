"""The virtual environment `.venv` with exactly the packages of the lock files, each checked by its hash."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

import system


def install(here: Path, *, tests: bool) -> None:
    """Create `.venv` and install what its lock files say, if that is not what is there."""
    python = here / ".venv" / "bin" / "python"
    if not _works(python):
        _create(here / ".venv")
    for lock in ("requirements.txt", *(["requirements-dev.txt"] if tests else [])):
        pip(here, here / lock)


def pip(here: Path, lock: Path) -> None:
    """Install one lock file, unless its stamp says that it is in."""
    venv = here / ".venv"
    stamp, digest = venv / f"stamp-{lock.name}", hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    print(f"packages  installing {lock.relative_to(here)}", flush=True)
    command = [venv / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # Everything is pinned: nothing to resolve. Bytecode is written when a module is first used.
    if subprocess.run([*command, "--require-hashes", "--no-deps", "--no-compile", "--requirement", lock]).returncode:
        sys.exit(f"{lock.name} could not be installed; pip says why above.")
    stamp.write_text(digest)


def _works(python: Path) -> bool:
    """Return whether there is an environment whose interpreter still runs and is new enough."""
    if not python.exists():
        return False
    asked = [python, "-c", "import sys, pip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))"]
    return not subprocess.run(asked, capture_output=True).returncode


def _create(venv: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        system.install("Python's venv module", f"python3.{sys.version_info.minor}-venv")
    print("packages  creating .venv", flush=True)
    if subprocess.run([sys.executable, "-m", "venv", "--clear", venv]).returncode:
        sys.exit(f"{venv.name} could not be created; Python says why above.")
