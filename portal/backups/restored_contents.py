"""The check whether a restored portal has what was backed up: history, documents, checkpoints, jobs, secret key.

Runs with the restored keys. Not here: the number of rows of each table (`databases`).
"""

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from portal.backups.archive import Manifest, Progress
from portal.backups.backup import secret_key_fingerprint
from submissions.audit import row_verification
from submissions.audit.row_verification import verify_history
from submissions.documents import checkpoints
from submissions.documents.seal_certificate import certificates
from submissions.documents.signing_keys import pinned_seals, root_file
from submissions.documents.verify import verify
from submissions.jobs.sweep import release_leases
from submissions.models import Document, Paper
from submissions.security_log.daily_seals import security_log_problems

SIGNED = (Document, Paper)
MOST = 20  # problems of a kind


class Figure(NamedTuple):
    """A line of the table: how many there should be, and how many of them are good."""

    name: str
    expected: int
    good: int


def verify_contents(manifest: Manifest, *, deep: bool) -> tuple[list[Figure], list[str]]:
    """Return the figures, and a text for each problem. Jobs that were running become due."""
    problems: list[str] = []
    figures = [*_history(manifest, problems), *_documents(manifest, problems, deep=deep)]
    figures.append(Figure("jobs that were running, due again", manifest.figures.running_jobs, release_leases()))
    if manifest.secret_key != secret_key_fingerprint():
        problems.append(
            "The secret key is not that of the backup: secrets of second factors and webhooks cannot be read. Set "
            "PORTAL_SECRET_KEY to the one of then."
        )
    return figures, problems


def _history(manifest: Manifest, problems: list[str]) -> Iterator[Figure]:
    rows, wrong = checkpoints.checked_checkpoints()
    report = verify_history(rows, most=MOST)
    number, _ = manifest.figures.tip
    yield Figure("events, each sealed with the one before", number, min(report.count, number))
    expected = manifest.figures.tables.get("submissions_checkpoint", 0)
    yield Figure("checkpoints, the last with a valid seal", expected, len(rows))
    yield Figure("rows as the events sealed them", report.sealed, report.sealed - len(report.differences))
    problems += filter(None, [wrong])
    problems += [f"event {report.broken.sequence}: {report.broken.problem}"] if report.broken else []
    problems += map(str, report.differences)
    problems += [f"{change}: no event records it" for change in row_verification.unrecorded_changes()]
    problems += list(islice(security_log_problems(), MOST))


def _documents(manifest: Manifest, problems: list[str], *, deep: bool) -> Iterator[Figure]:
    roots, seals = (certificates(root_file()), pinned_seals()) if deep else ([], frozenset())
    progress = Progress("documents")
    intact = valid = 0
    for model in SIGNED:
        for row in model.objects.select_related("signed").order_by("pk").iterator(chunk_size=10):
            content = bytes(row.signed.content)
            progress.add(len(content))
            if hashlib.sha256(content).hexdigest() != row.signed_id:
                problems.append(f"{row.name}: its bytes are not those of its digest")
                continue
            intact += 1
            if deep and (wrong := verify(content, roots, seals).problems):
                problems.append(f"{row.name}: {wrong[0]}")
            else:
                valid += 1
    progress.end()
    count = sum(manifest.figures.tables.get(model._meta.db_table, 0) for model in SIGNED)
    yield Figure("signed documents with the bytes of their digest", count, intact)
    if deep:
        yield Figure("signed documents whose signature is valid", count, valid)
