"""Data of earlier versions (`tests/fixtures`): databases since 0.9 are brought to the present version, older ones are
left alone, and all papers verify.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tarfile
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from portal import storage
from submissions.audit.chain import link_of
from submissions.documents.checkpoints import NO_CHECKPOINT, PaperCheckpoint, check_paper
from submissions.documents.seal_certificate import certificates, fingerprints
from submissions.documents.verify import verify

FIXTURES = Path(__file__).parent.parent / "fixtures"
SINCE_0_9 = sorted(FIXTURES.glob("release-0.*.tar.xz"))
STORED = ("keys/seal.key", "portal.sqlite3", "secret-key")
SIGNED = (
    "SELECT content FROM submissions_storedfile WHERE sha256 IN "
    "(SELECT signed_id FROM submissions_document UNION SELECT signed_id FROM submissions_paper)"
)


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a portal as release 1 left it: database, keys, checkpoints."""
    return unpacked(FIXTURES / "release-1.tar.xz", tmp_path_factory.mktemp("earlier"))


def unpacked(release: Path, var: Path) -> Path:
    with tarfile.open(release) as archive:
        if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(var)  # noqa: S202  # the project's own file
    return var


def leave_static_files_out(var: Path) -> None:
    """Mark them as collected: this takes `prepare` longer than all else, and `test_static_files` looks at them."""
    (var / "static").mkdir()
    (var / "static" / storage.COLLECTED).write_text(storage.sources_digest())


def manage(var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command on a machine where new files can be read by everyone, with the portal of this folder."""
    environment = {"PATH": os.environ["PATH"], "PORTAL_VAR": str(var), "DJANGO_SETTINGS_MODULE": "portal.settings"}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, umask=0o022)


def query(var: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(var / "portal.sqlite3")) as database:
        return database.execute(statement, values).fetchall()


def signed_papers(var: Path) -> list[bytes]:
    """The signed PDFs as licensees hold them; later versions store them compressed."""
    stored = [content for (content,) in query(var, SIGNED)]
    papers = [content if content.startswith(b"%PDF") else zlib.decompress(content) for content in stored]
    assert len(papers) == 5
    return papers


def verified(var: Path, content: bytes) -> tuple[bool, PaperCheckpoint]:
    """Return whether root and seal of the folder verify a PDF, and the checkpoint in it."""
    roots, seal = certificates(var / "keys/root.crt"), fingerprints(certificates(var / "keys/seal.crt"))
    return verify(content, roots, seal).good, check_paper(content, roots, seal)


def test_database_of_an_earlier_release_is_refused_and_not_changed(earlier: Path) -> None:
    database = earlier / "portal.sqlite3"
    before = database.read_bytes()
    done = manage(earlier, "prepare")
    assert (done.returncode, "another version of the portal made this database" in done.stderr) == (1, True)
    assert database.read_bytes() == before


def test_papers_of_an_earlier_release_verify(earlier: Path) -> None:
    papers = signed_papers(earlier)
    assert [verified(earlier, paper) for paper in papers] == [(True, NO_CHECKPOINT)] * 5
    assert not verified(earlier, papers[-1].replace(b"/Pages", b"/Pagez", 1))[0]


@pytest.mark.slow
@pytest.mark.parametrize("release", SINCE_0_9, ids=lambda path: path.name)
def test_release_is_brought_to_the_present_version_with_its_history_and_papers(release: Path, tmp_path: Path) -> None:
    var = unpacked(release, tmp_path / "var")
    papers = signed_papers(var)
    for name in STORED:
        (var / name).chmod(0o644)
    leave_static_files_out(var)
    prepared = manage(var, "prepare")
    assert prepared.returncode == 0, prepared.stderr
    readable = {name: (var / name).stat().st_mode & 0o077 for name in STORED}
    assert readable == dict.fromkeys(STORED, 0), "`prepare` takes stored files from others"
    for paper in papers:
        is_good, checkpoint = verified(var, paper)
        assert (is_good, checkpoint.problem, checkpoint.authority) == (True, "", "DEMO timestamp authority")
        (event,) = query(var, "SELECT digest, mac FROM submissions_event WHERE sequence = ?", checkpoint.sequence)
        assert link_of(*event) == checkpoint.link
    files = [tmp_path / "first.pdf", tmp_path / "last.pdf"]  # the command opens each in two processes
    for file, paper in zip(files, (papers[0], papers[-1]), strict=True):
        file.write_bytes(paper)
    history = manage(var, "verify_history", "--against", *map(str, files))
    assert (history.returncode, "2 papers, each of this history" in history.stdout) == (0, True), history.stderr


def test_there_is_a_database_of_each_version_since_0_9() -> None:
    assert [path.name for path in SINCE_0_9] == ["release-0.9.tar.xz"]
