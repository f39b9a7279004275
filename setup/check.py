"""`python setup/check.py`: style, spelling, types, layers, migrations and vulnerabilities; every failure, then exit 1.

Each check runs to its end, also when another one fails. Not here: the tests (`make test`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON = (sys.executable, "-m")
CHECKS: dict[str, tuple[str, ...]] = {
    "lint": (*PYTHON, "ruff", "check", "."),
    "format": (*PYTHON, "ruff", "format", "--check", "."),
    "spelling": (str(BIN / "codespell"),),
    "types": (*PYTHON, "mypy", "games", "submissions", "portal"),
    "layers": (str(BIN / "lint-imports"),),
    "migrations": (sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"),
}
LOCKS = ("requirements.txt", "requirements-dev.txt")
AUDIT = ("pip_audit", "--format", "json", "--progress-spinner", "off", "--require-hashes", "--disable-pip")
AUDIT_SECONDS = 180  # for all packages together; a registry that answers needs about 30
SILENT = re.compile(r"requests\.exceptions|urllib3\.exceptions|ServiceError|[Cc]onnect|blocking this service")


def main() -> int:
    with ThreadPoolExecutor(3) as pool:  # two of them compute, while the registry is waited for
        vulnerabilities = pool.submit(_is_safe)
        ended = pool.map(_run, CHECKS.values())
        failed = [name for name, done in zip(CHECKS, ended, strict=True) if not _passes(name, done)]
        failed += [] if vulnerabilities.result() else ["vulnerabilities"]
    print(f"check     failed: {', '.join(failed)}" if failed else "check     all passed", flush=True)
    return 1 if failed else 0


def _run(command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _passes(name: str, done: subprocess.CompletedProcess[str]) -> bool:
    print(f"check     {name}\n{done.stdout}", end="", flush=True)
    return not done.returncode


def _is_safe() -> bool:
    """Return False if a pinned package has a known vulnerability; a registry that does not answer is no failure."""
    locks = [word for lock in LOCKS for word in ("--requirement", lock)]
    try:
        audit = subprocess.run(
            (*PYTHON, *AUDIT, *locks), cwd=HERE, capture_output=True, text=True, timeout=AUDIT_SECONDS
        )
    except subprocess.TimeoutExpired:
        print(f"audit     not checked: the registry did not answer within {AUDIT_SECONDS} seconds", flush=True)
        return True
    if not audit.stdout.strip():
        reason = (audit.stderr.strip().splitlines() or [f"exit status {audit.returncode}"])[-1]
        print(f"audit     not checked: {reason}", flush=True)
        return bool(SILENT.search(audit.stderr))
    return _report(json.loads(audit.stdout)["dependencies"])


def _report(packages: list[dict[str, Any]]) -> bool:
    """Print the vulnerabilities, and how many packages the registry knows nothing about."""
    for package in packages:
        for found in package.get("vulns", ()):
            fixed = ", ".join(found["fix_versions"]) or "no version yet"
            print(f"{package['name']} {package['version']}: {found['id']}, fixed in {fixed}", flush=True)
    unknown = sum("skip_reason" in package for package in packages)
    if unknown:
        print(
            f"audit     not checked: the registry has no answer for {unknown} of {len(packages)} packages", flush=True
        )
    return not any(package.get("vulns") for package in packages)


if __name__ == "__main__":
    sys.exit(main())
