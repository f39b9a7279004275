"""Records: a Rules Submission of realistic size laid out, sealed and verified; and the history of 100,000 events.

The submission is of chapter 687a with every wager offered. Of the history: how long an event takes, and how long and
with how much memory `manage.py verify_history`.

The history is a process of its own over a database of its own: `python -m bench.records PART` is one of them.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import django

from bench.timing import seconds

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
    yield (
        "verify, with every later change analysed",
        f"{seconds(lambda: verify(signed, seal.roots, [seal.sha256])):.2f} s",
    )


HISTORY_TITLE = "The history (wall clock; wants an idle machine)"
EVENTS, DRAFTS, BATCH, CHAPTER = 100_000, 2_000, 1_000, "686a"


def history_rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "DJANGO_SETTINGS_MODULE": "portal.settings"}
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own
        written, verified = (_part(name, environment) for name in ("write", "verify"))
        yield f"{EVENTS:,} events written, each", f"{written['seconds'] / EVENTS * 1000:.2f} ms"
        yield f"{verified['events']:,} events and {verified['rows']:,} rows verified", f"{verified['seconds']:.1f} s"
        yield "  processor time", f"{verified['processor']:.1f} s"
        yield "  most memory", f"{verified['memory']:.0f} MB"


def _part(name: str, environment: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.records", name]
    answer: dict[str, Any] = json.loads(subprocess.check_output(command, env=environment, text=True))
    return answer


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

    start = time.perf_counter()
    report = verify_history()
    seconds = time.perf_counter() - start
    if not report.good:
        raise SystemExit(f"the history is not as it was written: {report}")
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "seconds": seconds,
        "processor": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss / 1024,
        "events": report.count,
        "rows": report.sealed,
    }


if __name__ == "__main__":
    import django

    django.setup()
    print(json.dumps({"write": write, "verify": verify}[sys.argv[1]]()))
