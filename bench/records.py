"""Records: a Rules Submission laid out, sealed and verified; the history of 100,000 events; a rulemaking on the state.

The submission is of chapter 687a with every wager offered. The rulemaking changes every chapter, and is tried twice on
17 licensees with 21 games, by generated versions: the first trial also compiles and enumerates what the games need.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import django

from bench.parts import main, own_environment, run_part, seconds
from games import registry
from games.rules.changes import toml_text
from games.rules.files import PAYTABLES, RULES

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
        written, verified = (run_part("records", own_environment(folder), name) for name in ("write", "verify"))
        yield f"{EVENTS:,} events written, each", f"{written['seconds'] / EVENTS * 1000:.2f} ms"
        yield f"{verified['events']:,} events and {verified['rows']:,} rows verified", f"{verified['seconds']:.1f} s"
        yield "  processor time", f"{verified['processor']:.1f} s"
        yield "  most memory", f"{verified['memory']:.0f} MB"


def _timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """Return the result, and the seconds, processor seconds and most megabytes so far of this process."""
    start, processor = time.perf_counter(), time.process_time()
    result = work()
    figures = {"seconds": time.perf_counter() - start, "processor": time.process_time() - processor}
    return result, figures | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


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

    report, figures = _timed(verify_history)
    if not report.good:
        raise SystemExit(f"the history is not as it was written: {report}")
    return figures | {"events": report.count, "rows": report.sealed}


RULEMAKING_TITLE = "A rulemaking on the whole state (wall clock on two cores; wants an idle machine)"
AHEAD = timedelta(days=60)


def rulemaking_rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        done = run_part("records", own_environment(folder), "try_rulemaking")
    yield f"{done['groups']} table groups of {done['versions']} versions, {done['chapters']} chapters", ""
    yield "  with another hold", f"{done['changed']}"
    yield "  distinct configurations computed", f"{done['computed']}"
    for name, label in (("first", "first trial of a process"), ("second", "with the figures computed")):
        yield label, f"{done[name]['seconds']:.1f} s"
        yield "  processor time", f"{done[name]['processor']:.1f} s"
    yield "most memory", f"{done['second']['memory']:.0f} MB"


def try_rulemaking() -> dict[str, Any]:
    """Build the state, write the rulemaking, try it twice."""
    from django.core.management import call_command
    from django.db import transaction

    from submissions.audit.chain import move_tip
    from submissions.models import Event, Rulemaking, Tip
    from submissions.rulemakings.trials import changes_of, run_trial
    from tests.submissions import full_portal

    call_command("migrate", verbosity=0)
    with transaction.atomic():
        people = full_portal.build()
        tip = Tip(pk=1)
        move_tip(tip, Event.objects.latest("sequence"))  # the events were written as rows
        tip.save()
    rulemaking = _rulemaking(people)
    done: dict[str, Any] = {"chapters": rulemaking.changes.count()}
    for name in ("first", "second"):
        row = Rulemaking.objects.get(pk=rulemaking.pk)
        changes = changes_of(row)
        trial, done[name] = _timed(partial(run_trial, row.number, changes, lambda finished, total: None))
    lines = [row for change in trial.changes for row in change.rows]
    done |= {
        "groups": len(lines),
        "versions": len({row.version for row in lines}),
        "changed": sum(bool(row.holds) for row in lines),
        "computed": sum(change.computed for change in trial.changes),
    }
    return done


def _rulemaking(people: Any) -> Any:
    """Return a change in each chapter: the highest odds of each paytable one higher; without paytables, its status."""
    from django.utils import timezone

    from submissions.rulemakings import drafting

    day = timezone.localdate() + AHEAD
    rulemaking = drafting.start_rulemaking(people.analyst, title="Every chapter", source="57 Pa.B. 1001")
    for number in registry.folders():
        text = toml_text(_change(number, day))
        drafting.write_change(people.analyst, rulemaking, text, version=rulemaking.version)
        rulemaking.refresh_from_db()
    return rulemaking


def _change(number: str, day: date) -> dict[str, Any]:
    data = registry.chapter_data(number, day)
    head: dict[str, Any] = {"number": number, "effective": day, "title": "Odds", "source": "57 Pa.B. 1001"}
    tables = [row for row in map(_raised, data.files[PAYTABLES].get("paytable", [])) if row]
    if tables:
        return head | {"paytable": tables}
    status = "final" if data.files[RULES]["status"] != "final" else "temporary"
    return head | {"chapter": {"status": status}}


def _raised(table: dict[str, Any]) -> dict[str, Any] | None:
    """Return the paytable with its first row of odds above 5 to 1 one higher; None where no row is of odds."""
    for outcome, *pays in table.get("rows", []):
        place = next((at for at, pay in enumerate(pays) if isinstance(pay, list) and pay[0] > 5 and pay[1] == 1), None)
        if place is not None:
            cells = [outcome, *pays]
            cells[place + 1] = [pays[place][0] + 1, 1]
            return {"wager": table["wager"], "name": table["name"], "changed_rows": [cells]}
    return None


if __name__ == "__main__":
    main(write, verify, try_rulemaking)
