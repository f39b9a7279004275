"""Parts of a measurement: functions in a process and a portal of their own (`python -m bench.MODULE PART …`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any


def own_environment(folder: str, **others: str) -> dict[str, str]:
    """Return the environment of a new portal in this folder, on SQLite."""
    own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "DJANGO_SETTINGS_MODULE": "portal.settings"}
    return {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own | others


def start_part(module: str, environment: Mapping[str, str], *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"bench.{module}", *words]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run_part(module: str, environment: Mapping[str, str], *words: str) -> Any:
    """Return the result of the part. One that fails ends the measurement."""
    process = start_part(module, environment, *words)
    output, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"bench.{module} {' '.join(words)} ended with {process.returncode}")
    return json.loads(output.splitlines()[-1])


def main(*parts: Callable[..., Any]) -> None:
    """Run the part that the command line names, and print its result as JSON on the last line."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    name, *words = sys.argv[1:]
    print(json.dumps({part.__name__: part for part in parts}[name](*words)), flush=True)
