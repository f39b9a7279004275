"""`manage.py verify_document`: exit status 0 good, 1 not, 2 bad use; no database, no network."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.submissions.signed_documents import Example


def status(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        call_command("verify_document", *arguments)
    return ended.value.code


@pytest.fixture
def path(tmp_path: Path, example: Example) -> Path:
    path = tmp_path / "RS-2026-00001-R1.pdf"
    path.write_bytes(example.signed)
    return path


def test_untouched_file_is_good(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(str(path)) == 0
    assert capsys.readouterr().out.startswith(
        "RS-2026-00001-R1.pdf: good. Sealed by DEMO seal of the Rules Submission Portal at "
    )


def test_changed_file_is_not(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = bytearray(path.read_bytes())
    content[5000] ^= 1
    path.write_bytes(content)
    assert status(str(path), "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["good"], found["intact"]) == (False, False)
    assert "The sealed bytes are not those that were sealed." in found["problems"]


def test_root_or_seals_that_are_no_certificates_are_bad_use(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for certificates in (["--root", str(path)], ["--root", str(path), "--seals", str(path)], ["--seals", str(path)]):
        assert status(str(path), *certificates) == 2
        assert f"{path} is not a PEM file of certificates" in capsys.readouterr().err


def test_file_that_is_not_there_is_bad_use(tmp_path: Path) -> None:
    assert status(str(tmp_path / "none.pdf")) == 2
