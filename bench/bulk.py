"""A batch of 5,000 updates: checked, carried out item by item and all together, on SQLite; and how long others wait.

Everything runs in processes of its own over a database of its own: `python -m bench.bulk PART` is one of them.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

TITLE = "A batch of 5,000 updates (wall clock; wants an idle machine)"
ITEMS, CHAPTER = 5_000, "678a"
MODES = {
    "check": ("checked", "validate", False),
    "live": ("carried out, item by item", "live", False),
    "together": ("carried out, all or nothing", "live", True),
}


def rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        given = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "DJANGO_SETTINGS_MODULE": "portal.settings"}
        environment = given | own
        _part("prepare", environment).communicate()
        for name, (label, _, _) in MODES.items():
            saving = _part("save", environment)
            done = json.loads(_part(name, environment).communicate()[0])
            waited = sorted(json.loads(saving.communicate("")[0]))
            yield label, f"{done['seconds']:.1f} s"
            yield "  items a second", f"{ITEMS / done['seconds']:.0f}"
            yield "  processor time", f"{done['processor']:.1f} s"
            yield "  most memory", f"{done['memory']:.0f} MB"
            yield f"  a page's save at the same time, median of {len(waited)}", f"{waited[len(waited) // 2]:.2f} s"
            yield "  a page's save at the same time, the longest", f"{waited[-1]:.2f} s"


def _part(name: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.bulk", name]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def prepare() -> None:
    """A casino with a preparer and a program, and drafts in which every line is answered."""
    from django.core.management import call_command
    from django.utils import timezone

    from submissions.accounts import api_credentials
    from submissions.models import Configuration, Organization, Person, Submission
    from tests.submissions.example_drafts import example

    call_command("migrate", verbosity=0)
    casino = Organization.objects.create(kind="licensee", name="Casino", slug="casino")
    fields = {"organization": casino, "role": "preparer", "administrator": True}
    person = Person.objects.create_user("preparer@casino.example.test", None, name="Preparer", **fields)
    expires_at = timezone.now() + timedelta(days=1)
    api_credentials.issue_credential(person, name="Loader", scopes=["prepare"], live=True, expires_at=expires_at)
    drafts = [
        Submission(number=f"RS-2026-{place:05}", organization=casino, chapter=CHAPTER, created_by=person)
        for place in range(ITEMS + 1)
    ]
    rows = Submission.objects.bulk_create(drafts, batch_size=500)
    answers = example(CHAPTER)
    Configuration.objects.bulk_create([Configuration(submission=row, answers=answers) for row in rows], batch_size=500)


def work(mode: str, *, atomic: bool) -> dict[str, float]:
    """Take the batch in and do what the worker does, from the first item to the last."""
    from submissions import tasks
    from submissions.bulk import intake
    from submissions.jobs import leases
    from submissions.models import Configuration, Credential, Job

    program = Credential.objects.get()
    known = Configuration.objects.order_by("pk").values_list("submission__number", "version", "answers")[:ITEMS]
    items = [
        {"action": "update", "submission": number, "version": version, "answers": _other(answers)}
        for number, version, answers in known
    ]
    parcel = intake.Upload(items, "json", "0" * 64)
    begun, spent = time.perf_counter(), time.process_time()
    batch = intake.accept_upload(program.service_account, parcel, mode=mode, atomic=atomic, credential=program)
    job = Job.objects.get(subject=batch.pk, kind__in=(Job.Kind.CHECK, Job.Kind.BULK))
    leases.run_leased(job.pk, tasks.EXECUTORS)
    answered = {state for (state,) in batch.items.values_list("state").distinct().order_by()}
    assert answered == {"done" if mode == "live" else "passed"}, answered
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - begun
    return {"seconds": seconds, "processor": time.process_time() - spent, "memory": memory}


def _other(answers: dict[str, Any]) -> dict[str, str]:
    """One line changed: the least wager."""
    return {"minimum_wager": "25.00" if answers["minimum_wager"] == "15.00" else "15.00"}


def save() -> list[float]:
    """How long each save of a person took who saves five times a second, until the input ends."""
    import select

    from submissions.filings import drafts
    from submissions.models import Person, Submission

    person, draft = Person.objects.get(is_system=False), Submission.objects.get(number=f"RS-2026-{ITEMS:05}")
    waited = []
    while not select.select([sys.stdin], [], [], 0.2)[0]:
        answers = draft.configurations.get().answers
        begun = time.perf_counter()
        drafts.save_answers(person, draft, _other(answers), seen=answers)
        waited.append(time.perf_counter() - begun)
    return waited


def main(part: str) -> None:
    import django

    django.setup()
    parts: dict[str, Callable[[], Any]] = {"prepare": prepare, "save": save}
    if part in MODES:
        _, mode, atomic = MODES[part]
        print(json.dumps(work(mode, atomic=atomic)))
    else:
        print(json.dumps(parts[part]()))


if __name__ == "__main__":
    main(sys.argv[1])
