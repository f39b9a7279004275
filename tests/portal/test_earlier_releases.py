"""The databases of earlier releases (`tests/fixtures`): brought to the present version, nothing in them is lost."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

FIXTURES = Path(__file__).parent.parent / "fixtures"
RELEASES = sorted(FIXTURES.glob("release-*.tar.xz"))
# As `manage.py prepare` does it, but for the static files; then every check of history and documents.
UPDATE = """
import json
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.documents.seal_certificate import certificates
from submissions.documents.seal_register import introduce_seal
from submissions.documents.signing_keys import load_seal, pinned_seals, root_file, settings_seal
from submissions.documents.verify import verify
from submissions.models import Document, Paper, StoredFile, append_only
from submissions.verification import checkpoints
from submissions.verification.examine import examine_stored
call_command("migrate", interactive=False, verbosity=0)
begin_sealing()
introduce_seal(settings_seal().signer.signing_cert)
load_seal()
rows, wrong = checkpoints.checked_checkpoints()
report = verify_history(rows)
roots, seals = certificates(root_file()), pinned_seals()
signed = [*Document.objects.order_by("pk"), *Paper.objects.order_by("pk")]
stored = [row.name for row in signed if not examine_stored(row).good]
invalid = {row.name: faults for row in signed if (faults := verify(bytes(row.signed.content), roots, seals).problems)}
append_only.drop(connection, ("submissions_storedfile",))
StoredFile.objects.filter(pk=signed[0].signed_id).update(packed=b"%PDF-1.7", packing="")
print(json.dumps({
    "events": report.count,
    "problems": [wrong, str(report.broken or ""), *map(str, report.differences), *report.uncovered],
    "checkpoints": len(rows),
    "documents": len(signed),
    "invalid": invalid,
    "not_good": stored,
    "changed": [difference.key for difference in verify_history(rows).differences] == [signed[0].signed_id],
}))
"""


def counts(var: Path) -> dict[str, int]:
    """Rows of each table of the release that still exists under this name."""
    with closing(sqlite3.connect(var / "portal.sqlite3")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
            for name in names
            if name.startswith("submissions_")
        }


def update(var: Path, *, first_code: int) -> dict[str, Any]:
    environment = {"PATH": os.environ["PATH"], "PORTAL_VAR": str(var), "DJANGO_SETTINGS_MODULE": "portal.settings"}
    environment["PORTAL_EVENT_CODES_FROM"] = str(first_code)
    done = subprocess.run(
        [sys.executable, "-c", UPDATE], cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def unpacked(release: Path, var: Path) -> dict[str, int]:
    with tarfile.open(release) as archive:
        if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(var)  # noqa: S202  # the project's own file
    return counts(var)


def test_there_is_a_fixture_of_the_first_release() -> None:
    assert FIXTURES / "release-1.tar.xz" in RELEASES


@pytest.mark.slow  # all migrations, and each signature: some seconds
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_release_is_brought_to_the_present_version_with_its_history_and_documents(
    release: Path, tmp_path: Path
) -> None:
    before = unpacked(release, tmp_path)
    result = update(tmp_path, first_code=before["submissions_event"] + 1)  # the first release wrote no codes
    after = counts(tmp_path)
    assert set(result["problems"]) == {""}
    assert result["events"] == after["submissions_event"] > before["submissions_event"]
    assert result["checkpoints"] == before["submissions_checkpoint"] > 0
    assert result["documents"] == before["submissions_document"] + before["submissions_paper"] > 0
    assert (result["invalid"], result["not_good"]) == ({}, [])
    assert result["changed"], "a document with other bytes is not noticed"
    grown = {"submissions_event", "submissions_tip"}
    assert {name: after[name] for name in before if name in after and name not in grown} == {
        name: count for name, count in before.items() if name in after and name not in grown
    }
