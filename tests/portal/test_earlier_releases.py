"""Data of earlier versions (`tests/fixtures`): databases since 0.9 are brought to the present version, older ones are
left alone, and all papers verify.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings

from portal import static_files

FIXTURES = Path(__file__).parent.parent / "fixtures"
SINCE_0_9 = sorted(FIXTURES.glob("release-0.*.tar.xz"))
STORED = ("keys/seal.key", "portal.sqlite3", "secret-key")
EXPORT = """
import sys
from pathlib import Path
import django
django.setup()
from submissions.models import Document, Paper
for row in [*Document.objects.order_by("pk"), *Paper.objects.order_by("pk")]:
    Path(sys.argv[1], f"{row.name}.pdf").write_bytes(bytes(row.signed.content))
"""

VERIFY = """
import io, json, sys
import django
django.setup()
from django.core.management import call_command
results = []
for file in sys.argv[1:]:
    out = io.StringIO()
    try:
        call_command("verify_document", file, stdout=out)
    except SystemExit as ended:
        results.append((ended.code, out.getvalue()))
print(json.dumps(results))
"""


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
    (var / "static" / static_files.COLLECTED).write_text(static_files.sources_digest())


def run(var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python on a machine where new files can be read by everyone, with the portal of this folder."""
    environment = {"PATH": os.environ["PATH"], "PORTAL_VAR": str(var), "DJANGO_SETTINGS_MODULE": "portal.settings"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, umask=0o022)


def manage(var: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(var, "manage.py", *arguments)


def verify(var: Path, *files: Path) -> list[tuple[int, str]]:
    """Return status and output of `manage.py verify_document` for each file; one process runs them all."""
    done = run(var, "-c", VERIFY, *map(str, files))
    assert done.returncode == 0, done.stderr
    results: list[tuple[int, str]] = json.loads(done.stdout)
    return results


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
    files = [tmp_path / f"{number}.pdf" for number in range(6)]
    for file, (content,) in zip(files, papers, strict=False):
        file.write_bytes(content)
    files[-1].write_bytes(papers[-1][0].replace(b"/Pages", b"/Pagez", 1))
    *good, (status, _) = verify(earlier, *files)
    assert [(code, ": good. Sealed by" in text) for code, text in good] == [(0, True)] * 5, good
    assert status == 1


@pytest.mark.slow
@pytest.mark.parametrize("release", SINCE_0_9, ids=lambda path: path.name)
def test_release_is_brought_to_the_present_version_with_its_history_and_papers(release: Path, tmp_path: Path) -> None:
    var, papers = unpacked(release, tmp_path / "var"), tmp_path / "papers"
    papers.mkdir()
    for name in STORED:
        (var / name).chmod(0o644)
    leave_static_files_out(var)
    prepared = manage(var, "prepare")
    assert prepared.returncode == 0, prepared.stderr
    readable = {name: (var / name).stat().st_mode & 0o077 for name in STORED}
    assert readable == dict.fromkeys(STORED, 0), "`prepare` takes stored files from others"
    exported = run(var, "-c", EXPORT, str(papers))
    assert exported.returncode == 0, exported.stderr
    files = sorted(papers.iterdir())
    assert len(files) == 5
    history = manage(var, "verify_history", "--against", *map(str, files))
    assert (history.returncode, "5 papers, each of this history" in history.stdout) == (0, True), history.stderr
    checkpoint = "in a checkpoint that DEMO timestamp authority"
    results = verify(var, *files)
    assert [(code, checkpoint in text) for code, text in results] == [(0, True)] * 5, results


def test_there_is_a_database_of_each_version_since_0_9() -> None:
    assert [path.name for path in SINCE_0_9] == ["release-0.9.tar.xz"]
