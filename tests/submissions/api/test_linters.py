"""The description of the API by the recommended rules of Spectral and Redocly: no error and no warning.

Their files, `.spectral.yaml` and `redocly.yaml`, name each rule that is off, and why. Neither calls the network.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.health.files import ROOT

BIN = ROOT / "node_modules" / ".bin"
DESCRIPTION = "tests/recorded/openapi.yaml"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}
LINTERS = {
    "spectral": ("lint", DESCRIPTION, "--ruleset", ".spectral.yaml", "--fail-severity", "hint"),
    "redocly": ("lint", DESCRIPTION, "--config", "redocly.yaml", "--max-problems", "100", "--format", "json"),
}

pytestmark = pytest.mark.slow


def lint(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the linter that `package-lock.json` pins."""
    assert (BIN / name).exists(), f"{name} is not installed. Run: make test"
    return subprocess.run(
        [str(BIN / name), *arguments],
        cwd=ROOT,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_spectral_finds_nothing() -> None:
    done = lint("spectral", *LINTERS["spectral"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No results" in done.stdout


def test_redocly_finds_nothing() -> None:
    done = lint("redocly", *LINTERS["redocly"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"errors": 0' in done.stdout, done.stdout
    assert '"warnings": 0' in done.stdout, done.stdout


@pytest.mark.parametrize("name", LINTERS)
def test_linter_finds_what_is_wrong(name: str, tmp_path: object) -> None:
    """A description without its servers: else a linter that reads nothing would pass."""
    whole = (ROOT / DESCRIPTION).read_text(encoding="utf-8")
    broken = f"{tmp_path}/openapi.yaml"
    with open(broken, "w", encoding="utf-8") as file:
        file.write(whole.replace("\nservers:\n", "\nx-servers:\n"))
    arguments = [broken if argument == DESCRIPTION else argument for argument in LINTERS[name]]
    done = lint(name, *arguments)
    assert "servers" in done.stdout + done.stderr
    assert done.returncode != 0
