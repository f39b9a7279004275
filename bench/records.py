"""Records: a Rules Submission laid out, sealed and verified; the history of 100,000 events.

The submission is of chapter 687a with every wager offered.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import django

from bench.parts import main, own_environment, run_part, seconds, timed

DOCUMENTS_TITLE = "Seconds for one document"


def documents_rows() -> Iterator[tuple[str, str]]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    os.environ.setdefault("PORTAL_LOG", "ERROR")
    django.setup()
    from submissions.documents import signing_keys
    from submissions.documents.signed_pdf import sign_pdf
    from submissions.documents.submission_document import render_document
    from submissions.documents.verify import verify
    from tests.submissions.documents import sample

    record = sample.record()
    rendered = render_document(record)
    with tempfile.TemporaryDirectory() as folder:
        seal = signing_keys.demo_seal(Path(folder) / "keys")
    parts = (f"Rules Submission {record['snapshot']['receipt']}", record["approved"]["by"], seal)
    signed = sign_pdf(rendered.content, *parts)
    yield f"render, {rendered.pages} pages, PDF/A-3a", f"{seconds(lambda: render_document(record)):.2f} s"
    yield "sign, PAdES B-LTA", f"{seconds(lambda: sign_pdf(rendered.content, *parts)):.2f} s"
    verifying = seconds(lambda: verify(signed, seal.roots, [seal.sha256]))
    yield "verify, with every later change analyzed", f"{verifying:.2f} s"


HISTORY_TITLE = "The history (wall clock; wants an idle machine)"
EVENTS, DRAFTS, BATCH, CHAPTER = 100_000, 2_000, 1_000, "686a"


def history_rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        written, verified = (run_part("records", own_environment(folder), name) for name in ("write", "verify"))
        yield f"{EVENTS:,} events written, each", f"{written['seconds'] / EVENTS * 1000:.2f} ms"
        yield f"{verified['events']:,} events and {verified['rows']:,} rows verified", f"{verified['seconds']:.1f} s"
        yield "  processor time", f"{verified['processor']:.1f} s"
        yield "  most memory", f"{verified['memory']:.0f} MB"


def write() -> dict[str, float]:
    """Save the answers of drafts again and again, in no order."""
    from django.core.management import call_command
    from django.db import transaction

    from submissions.audit.record import record_event
    from submissions.audit.row_verification import begin_sealing
    from submissions.filings import drafts
    from submissions.models import Configuration, Event, Organization, Person, Role

    call_command("migrate", verbosity=0)
    casino = Organization.objects.create(kind=Organization.Kind.LICENSEE, name="Casino", slug="casino")
    preparer = Person.objects.create_user(
        "preparer@casino.test", name="Preparer", organization=casino, role=Role.PREPARER
    )
    begin_sealing()
    with transaction.atomic():
        for _ in range(DRAFTS):
            drafts.start_submission(preparer, CHAPTER)
    configurations, chance = list(Configuration.objects.select_related("submission")), Random(1)
    start, first = time.perf_counter(), Event.objects.count()
    for _ in range(first, EVENTS, BATCH):
        with transaction.atomic():
            for row in chance.choices(configurations, k=BATCH):
                row.version += 1
                row.answers = {"ante_minimum": chance.randint(5, 500), "note": "The answer of a line. " * 8}
                row.save(update_fields=["answers", "version"])
                record_event(preparer, row.submission, "saved", before={}, after=row.answers, seals=(row,))
    return {"seconds": time.perf_counter() - start}


def verify() -> dict[str, float]:
    from submissions.audit.row_verification import verify_history

    report, figures = timed(verify_history)
    if not report.good:
        raise SystemExit(f"the history is not as it was written: {report}")
    return figures | {"events": report.count, "rows": report.sealed}


if __name__ == "__main__":
    main(write, verify)
