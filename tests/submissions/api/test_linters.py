"""The description of the API by the recommended rules of Spectral and Redocly: no error and no warning.

Their files, `.spectral.yaml` and `redocly.yaml`, name each rule that is off, and why. Neither calls the network.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.health.files import ROOT

BIN = ROOT / "node_modules" / ".bin"
DESCRIPTION = "tests/recorded/openapi.yaml"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}
# Without servers: a linter that reads nothing would find nothing in the portal's own, either.
BROKEN = """
openapi: 3.1.0
info: {title: Broken, version: "1"}
paths: {}
"""

pytestmark = pytest.mark.slow


@pytest.fixture
def broken(tmp_path: Path) -> str:
    file = tmp_path / "broken.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    return str(file)


def lint(name: str, broken: str, *rules: str) -> str:
    """What the linter that `package-lock.json` pins prints of the portal's description and the broken one."""
    assert (BIN / name).exists(), f"{name} is not installed. Run: make test"
    done = subprocess.run(
        [str(BIN / name), "lint", DESCRIPTION, broken, "--format", "json", *rules],
        cwd=ROOT,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_spectral_finds_only_what_is_broken(broken: str) -> None:
    problems = json.loads(lint("spectral", broken, "--quiet", "--ruleset", ".spectral.yaml", "--fail-severity", "hint"))
    assert [problem for problem in problems if problem["source"] != broken] == []
    assert "oas3-api-servers" in {problem["code"] for problem in problems}


def test_redocly_finds_only_what_is_broken(broken: str) -> None:
    """It prints one report for each file."""
    printed = lint("redocly", broken, "--config", "redocly.yaml", "--max-problems", "100")
    own, other = json.loads(f"[{printed.replace('}{', '},{')}]")
    assert (own["totals"], own["problems"]) == ({"errors": 0, "warnings": 0, "ignored": 0}, [])
    assert [problem["ruleId"] for problem in other["problems"]] == ["no-empty-servers"]
