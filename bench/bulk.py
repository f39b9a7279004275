"""Measure how long batches of thousands of items take on SQLite, and how long others wait for the database.

The batches: 5,000 updates, 5,000 creates, and all-or-nothing batches of other kinds. Everything runs in processes of
their own over a database of their own (`parts`).
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from statistics import median
from typing import Any

from bench.parts import main, own_environment, run_part, start_part, timed

BULK_TITLE = "Batches of 5,000 updates, 5,000 creates, and other kinds (wall clock; wants an idle machine)"
ITEMS, CHAPTER, OTHER_CHAPTER = 5_000, "678a", "687a"
MODES = {
    "check": ("checked", "validate", False),
    "live": ("carried out, item by item", "live", False),
    "together": ("carried out, all or nothing", "live", True),
}
PLANNED = ("update", "create")
OTHERS = ("copy", "add-group", "remove-group", "file", "remark", "return", "answer", "withdraw")  # in this order
SAVED = "RS-2026-90000"  # the draft of the person who saves at the same time


def bulk_rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        environment = own_environment(folder, PORTAL_SECOND_FACTOR="0")
        run_part("bulk", environment, "prepare")
        for kind in PLANNED:
            for name, (label, _, _) in MODES.items():
                done, waited = _measured(environment, kind, name)
                yield f"{kind}, {label}", done["refused"] or f"{done['seconds']:.1f} s"
                yield "  items a second", f"{done['items'] / done['seconds']:.0f}"
                yield "  processor time", f"{done['processor']:.1f} s"
                yield "  most memory", f"{done['memory']:.0f} MB"
                yield "  the longest transaction", _locked(done)
                yield f"  a page's save at the same time, median of {len(waited)}", f"{median(waited):.2f} s"
                yield "  a page's save at the same time, the longest", f"{max(waited):.2f} s"
        for kind in OTHERS:
            done, waited = _measured(environment, kind, "together")
            label = f"{kind}, {done['items']} all or nothing: seconds of the transaction"
            yield label, done["refused"] or _locked(done)
            yield "  processor time for each item", f"{1000 * done['locked_processor'] / done['items']:.1f} ms"
            yield "  a page's save at the same time, the longest", f"{max(waited):.2f} s"


def _measured(environment: dict[str, str], kind: str, mode: str) -> tuple[dict[str, Any], list[float]]:
    """Return the measurements of the batch, and the durations of the saves made during it."""
    saving = start_part("bulk", environment, "save")
    done = run_part("bulk", environment, "work", kind, mode)
    return done, json.loads(saving.communicate("")[0].splitlines()[-1])


def _locked(done: dict[str, Any]) -> str:
    return f"{done['locked']:.2f} s ({done['locked_processor']:.2f} s of processor time)"


def prepare() -> None:
    """Create a casino with a manager and a program, the Board with an analyst, and drafts with every line answered."""
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    from submissions.accounts import api_credentials
    from submissions.models import Configuration, Organization, Person, Submission
    from tests.submissions.example_drafts import example

    call_command("migrate", verbosity=0)
    casino = Organization.objects.create(kind="licensee", name="Casino", slug="casino")
    board = Organization.objects.create(kind="regulator", name="Board", slug="board")
    fields = {"organization": casino, "role": "table_games_manager", "administrator": True}
    person = Person.objects.create_user("manager@casino.example.test", None, name="Manager", **fields)
    Person.objects.create_user("analyst@board.example.test", None, name="Analyst", organization=board, role="analyst")
    expires_at = timezone.now() + timedelta(days=1)
    api_credentials.issue_credential(person, name="Loader", scopes=["prepare"], live=True, expires_at=expires_at)
    numbers = [f"RS-2026-{place:05}" for place in range(ITEMS)] + [SAVED]
    for chapter, names in (
        (CHAPTER, numbers),
        (OTHER_CHAPTER, [f"RS-2026-8{place:04}" for place in range(4 * settings.BULK_TOGETHER)]),
    ):
        drafts = [Submission(number=name, organization=casino, chapter=chapter, created_by=person) for name in names]
        rows, answers = Submission.objects.bulk_create(drafts, batch_size=500), example(chapter)
        configurations = [Configuration(submission=row, answers=answers) for row in rows]
        Configuration.objects.bulk_create(configurations, batch_size=500)


def work(kind: str, name: str) -> dict[str, Any]:
    """Do the batch. `refused`: the code if it took too long together, as on a machine that is not idle; or ""."""
    items = list(_items(kind))
    (batch, locked), figures = timed(lambda: _carry_out(kind, name, items))
    refused = "too-many-together" if batch.items.filter(code="too-many-together").exists() else ""
    answered = set(batch.items.values_list("state", "code").order_by().distinct())
    assert refused or answered == {("passed" if name == "check" else "done", "")}, answered
    return {"items": len(items), "refused": refused, **figures, **locked}


def _carry_out(kind: str, name: str, items: list[dict[str, Any]]) -> tuple[Any, dict[str, float]]:
    """Send the batch as a program does, or as a person who confirms it; return it, and its longest transaction."""
    from submissions.bulk import intake
    from submissions.models import Credential, Person

    _, mode, atomic = MODES[name]
    upload = intake.Upload(items, "json", "0" * 64)
    if kind in PLANNED:
        program = Credential.objects.get()
        batch = intake.accept_upload(program.service_account, upload, mode=mode, atomic=atomic, credential=program)
        return batch, _run(batch)
    role = "analyst" if kind in ("remark", "return") else "table_games_manager"
    person = Person.objects.get(is_system=False, role=role)
    batch = intake.accept_upload(person, upload, mode=mode, atomic=atomic, needs_confirmation=True)
    _run(batch)
    return batch, _run(intake.confirm_batch(person, batch, attested=True))


def _run(batch: Any) -> dict[str, float]:
    """Run the job of the batch; the seconds of its longest transaction, and their processor time."""
    from submissions.jobs import leases
    from submissions.models import Job
    from submissions.tasks import run_task

    longest, commit = (0.0, 0.0), leases.Lease.commit

    @contextmanager
    def measured(lease: leases.Lease) -> Iterator[None]:
        nonlocal longest
        with commit(lease):  # from here on, it has the lock
            begun, spent = time.perf_counter(), time.process_time()
            yield
        longest = max(longest, (time.perf_counter() - begun, time.process_time() - spent))

    leases.Lease.commit = measured  # type: ignore[method-assign]
    try:
        job = Job.objects.filter(subject=batch.pk, kind__in=(Job.Kind.CHECK, Job.Kind.BULK)).latest("pk")
        run_task(job)
    finally:
        leases.Lease.commit = commit  # type: ignore[method-assign]
    return {"locked": longest[0], "locked_processor": longest[1]}


def _items(kind: str) -> Iterator[dict[str, Any]]:
    from django.conf import settings

    from submissions.models import Configuration, Remark, Submission
    from tests.submissions.example_drafts import example

    if kind == "create":
        answers = {key: answer for key, answer in example(CHAPTER).items() if not isinstance(answer, dict)}
        yield from ({"action": "create", "chapter": CHAPTER, "answers": answers} for _ in range(ITEMS))
    elif kind == "update":
        known = Configuration.objects.order_by("pk").values_list("submission__number", "version", "answers")[:ITEMS]
        for number, version, answers in known:
            yield {"action": kind, "submission": number, "version": version, "answers": _other(answers)}
    else:
        remarks = dict(Remark.objects.values_list("revision__submission__number", "pk"))
        named = Submission.objects.filter(number__startswith="RS-2026-8").order_by("pk")
        rows = named[: settings.BULK_TOGETHER] if kind in ("file", "remark", "return", "answer") else named
        for row in rows:
            last = row.configurations.last()
            fields = {
                "add-group": {"name": "Pit 3", "tables": "12-15"},
                "remove-group": {"group": last.position, "version": last.version},
                "remark": {"revision": 1, "audience": "licensee", "text": "Why so many?"},
                "answer": {"remark": remarks.get(row.number), "kind": "answered", "text": "As it was."},
                "withdraw": {"reason": "Not offered"},
            }.get(kind, {})
            yield {"action": kind, "submission": row.number, "version": row.version, **fields}


def _other(answers: dict[str, Any]) -> dict[str, str]:
    """Return one changed line: the least wager."""
    return {"minimum_wager": "25.00" if answers["minimum_wager"] == "15.00" else "15.00"}


def save() -> list[float]:
    """Return the durations of the saves of a person who saves five times a second, until the input ends."""
    import select

    from submissions.filings import drafts
    from submissions.models import Person, Submission

    person, draft = Person.objects.get(role="table_games_manager"), Submission.objects.get(number=SAVED)
    waited = []
    while not select.select([sys.stdin], [], [], 0.2)[0]:
        answers = draft.configurations.get().answers
        begun = time.perf_counter()
        drafts.save_answers(person, draft, _other(answers), seen=answers)
        waited.append(time.perf_counter() - begun)
    return waited


if __name__ == "__main__":
    main(prepare, save, work)
