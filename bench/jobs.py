"""Jobs: how many a second are claimed, and how much faster several processes simulate.

`balance` is what is left if the cores had nothing else to do: the processor time of one process, by that of the one of
several that had most. It needs no idle machine; the times of the clock do.

The processes, also those of `capacity`, share a new SQLite file, or the empty database that DATABASE_URL names:
`setup/services.py` starts a PostgreSQL for one command. There is no broker: an idle process looks for a due job every
few milliseconds, where a worker would be woken.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.parts import main, processes, run_part, start_part
from games.registry import chapter as chapter_of
from games.registry import folders, play
from games.rules.wagers_in_play import covering
from games.runs.dealing import deal_block

CLAIMS_TITLE = "Jobs claimed and completed (wall clock; wants an idle machine; DATABASE_URL for PostgreSQL)"
JOBS = 1_000


def claims_rows() -> Iterator[tuple[str, str]]:
    with database() as environment:
        for count in (1, 2, 4, 8):
            run_part("jobs", environment, "enqueue", str(JOBS))
            taken, processor = together(environment, count, "work", "short")
            yield f"{engine()}, {processes(count)}", f"{JOBS / taken:.0f}/s"
            yield "  processor time of one job", f"{sum(processor) / JOBS * 1000:.1f} ms"


SPREAD_TITLE = "Simulations on several processes (wall clock; wants an idle machine)"
LONG_GAME, LONG_ROUNDS = "687a", 10**9


def spread_rows() -> Iterator[tuple[str, str]]:
    with database() as environment:
        yield from _compared(environment, f"{LONG_ROUNDS:,} rounds of {LONG_GAME}", (1, 2), str(LONG_ROUNDS), LONG_GAME)
        games = [number for number in folders() if play(number).deals_rounds]
        yield from _compared(environment, f"filings of {len(games)} games", (1, 2, 4), "0", *games)


def _compared(
    environment: dict[str, str], label: str, counts: tuple[int, ...], rounds: str, *chapters: str
) -> Iterator[tuple[str, str]]:
    first, one = 0.0, 0.0  # seconds of one process, by the clock and of the processor
    for count in counts:
        run_part("jobs", environment, "file", rounds, *chapters)
        load = os.getloadavg()[0]
        taken, processor = together(environment, count, "work", "long", *chapters)
        first, one = first or taken, one or processor[0]
        yield f"{label}, {processes(count)} (load before {load:.1f})", f"{taken:.1f} s"
        if count > 1:
            yield "  times as fast as one", f"{first / taken:.2f}"
            yield "  balance", f"{one / max(processor):.2f}"


IDLE_S = 0.005


@contextmanager
def database() -> Iterator[dict[str, str]]:
    """Yield the environment of processes that share a migrated database; no broker listens."""
    with tempfile.TemporaryDirectory() as folder:
        own = {"PORTAL_VAR": folder, "PORTAL_LOG": "CRITICAL", "REDIS_URL": "redis://127.0.0.1:1"}
        environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "portal.settings"}
        run_part("jobs", environment, "migrate")
        yield environment


def engine() -> str:
    return "PostgreSQL" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "SQLite"


def together(environment: dict[str, str], count: int, *words: str) -> tuple[float, list[float]]:
    """Start `count` processes of a part at one moment; return the seconds of all, and the processor seconds of each."""
    workers: list[Any] = [start_part("jobs", environment, *words) for _ in range(count)]
    for worker in workers:
        if worker.stdout.readline() != "ready\n":
            raise RuntimeError("a process did not start")
    begun = time.perf_counter()
    for worker in workers:
        worker.stdin.close()  # the sign to begin
    processor = [float(worker.stdout.readline()) for worker in workers]
    taken = time.perf_counter() - begun  # without the end of the processes, which takes longer than many a job
    for worker in workers:
        worker.wait()
    return taken, processor


def migrate() -> None:
    """Create the tables, a casino and a manager who files."""
    from django.core.management import call_command

    from submissions.models import Organization, Person, Role

    call_command("migrate", verbosity=0)
    casino = Organization.objects.create(kind=Organization.Kind.LICENSEE, name="Casino", slug="casino")
    for name, role in (("preparer", Role.PREPARER), ("manager", Role.MANAGER)):
        Person.objects.create_user(f"{name}@casino.test", name=name, organization=casino, role=role)


def enqueue(count: str) -> None:
    """Jobs without work."""
    from django.utils import timezone

    from submissions.jobs.queues import PLACES
    from submissions.models import Job

    place, now = PLACES[Job.Kind.CHECK], timezone.now()
    Job.objects.all().delete()
    Job.objects.bulk_create(
        Job(kind=Job.Kind.CHECK, subject=subject, queue=place.queue, urgency=place.urgency, not_before=now)
        for subject in range(int(count))
    )


def file(rounds: str, *chapters: str) -> None:
    """File each chapter; with `rounds` 0, the simulation has as many rounds as the chapter says."""
    from django.conf import settings

    from submissions.filings import filing
    from submissions.models import Job, Person
    from tests.submissions.example_drafts import ready_to_file

    settings.SIMULATION_ROUNDS = int(rounds)
    preparer, manager = (Person.objects.get(name=name) for name in ("preparer", "manager"))
    for chapter in chapters:
        filing.file_submission(manager, ready_to_file(preparer, chapter), version=1, attested=True)
    Job.objects.exclude(kind=Job.Kind.SIMULATE).delete()


def work(queue: str, *chapters: str) -> float:
    """Do what is due until nothing is open, with the mathematics loaded before; return the processor seconds."""
    from submissions import tasks
    from submissions.jobs import leases, queues
    from submissions.models import Job

    for number in chapters:
        deal_block(chapter_of(number), covering(chapter_of(number))[0], 1, 0, 1)
    open_jobs = Job.objects.filter(queue=queue).exclude(state__in=leases.ENDED)
    open_jobs.exists()  # connected
    begun = _begin()
    while True:
        if job := queues.due_jobs(queue).first():
            if chapters:
                tasks.run_task(job)
            else:
                leases.run_leased(job.pk, lambda lease: None)
        elif open_jobs.exists():
            time.sleep(IDLE_S)
        else:
            break
    if stopped := list(Job.objects.filter(state__in=leases.STOPPED).values_list("message", flat=True)):
        raise RuntimeError(stopped[0])
    return time.process_time() - begun


def _begin() -> float:
    """Wait for the sign to begin; return the processor seconds until then."""
    print("ready", flush=True)
    sys.stdin.readline()
    return time.process_time()


def save(count: str) -> float:
    """Save one line of a draft of its own, each time as an event of the history, as often as the count says."""
    from django.db import connection

    from submissions.filings import drafts
    from submissions.models import Person

    preparer = Person.objects.get(name="preparer")
    connection.ensure_connection()
    draft = drafts.start_submission(preparer, "683a")
    begun = _begin()
    for turn in range(int(count)):
        drafts.save_answers(preparer, draft, {"minimum_wager": ("15.00", "25.00")[turn % 2]}, strict=True)
    return time.process_time() - begun


if __name__ == "__main__":
    main(migrate, enqueue, file, work, save)
