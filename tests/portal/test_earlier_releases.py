"""What earlier releases left (`tests/fixtures`): version 0.9 leaves their databases alone and verifies their papers."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

RELEASE = Path(__file__).parent.parent / "fixtures" / "release-1.tar.xz"


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a portal as release 1 left it: database, keys, checkpoints."""
    var = tmp_path_factory.mktemp("earlier")
    with tarfile.open(RELEASE) as archive:
        if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(var)  # noqa: S202  # the project's own file
    return var


def manage(var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "PORTAL_VAR": str(var)}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True)


def test_database_of_an_earlier_release_is_refused_and_not_changed(earlier: Path) -> None:
    database = earlier / "portal.sqlite3"
    before = database.read_bytes()
    done = manage(earlier, "prepare")
    assert (done.returncode, "another version of the portal made this database" in done.stderr) == (1, True)
    assert database.read_bytes() == before


def test_papers_of_an_earlier_release_verify(earlier: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(earlier / "portal.sqlite3")) as database:
        papers = database.execute(
            "SELECT content FROM submissions_storedfile WHERE sha256 IN "
            "(SELECT signed_id FROM submissions_document UNION SELECT signed_id FROM submissions_paper)"
        ).fetchall()
    assert len(papers) == 5
    for number, (content,) in enumerate(papers):
        file = tmp_path / f"{number}.pdf"
        file.write_bytes(content)
        done = manage(earlier, "verify_document", str(file))
        assert (done.returncode, ": good. Sealed by" in done.stdout) == (0, True), done.stdout
        file.write_bytes(content.replace(b"/Pages", b"/Pagez", 1))
        assert manage(earlier, "verify_document", str(file)).returncode == 1
