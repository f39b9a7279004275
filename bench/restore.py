"""The restore drill, and what a portal needs.

The drill: a backup while filings are simulated and signed, restored elsewhere, compared and continued. Two portals with
a folder and a database each: beside SQLite, or on the PostgreSQL that DATABASE_URL names. Every part is the command
that an operator uses. `python -m bench restore`, or `make drill`.

Capacity: changes a second with one history, bytes of a filing in the database, memory of each process. Filings of one
chapter are simulated, approved and signed by `manage.py serve`. Memory is the proportional set size (pages that
processes share are divided among them), idle after the work. Ten years are 17 licensees × 21 games × 20 submissions.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from bench import jobs
from bench.parts import main, manage, own_environment, processes, run_part, serving, start_part
from tests.portal.running import descendants, share_of_memory

RESTORE_TITLE = "The restore drill: a backup under load (wall clock)"
FILINGS, ROUNDS = 10, 3_000_000
DEADLINE = 900.0  # seconds for one part


@dataclass(slots=True)
class Drill:
    """Figures of the drill. `lost`: rows of before the backup that are not in the restored portal."""

    figures: list[tuple[str, str]] = field(default_factory=list)
    lost: int = 0

    def add(self, label: str, figure: str) -> None:
        self.figures.append((label, figure))


def restore_rows() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        drill = run_drill(Path(folder), FILINGS, ROUNDS, os.environ.get("DATABASE_URL", ""))
    yield from drill.figures
    if drill.lost:
        raise SystemExit(f"lost {drill.lost}")


def run_drill(folder: Path, filings: int, rounds: int, server: str) -> Drill:
    """Run the drill; `server`: a PostgreSQL database beside which two others may be created; "" = SQLite."""
    drill = Drill()
    key, public = folder / "key.txt", folder / "public.txt"
    with new_portal(folder / "first", server, rounds) as first, new_portal(folder / "second", server, rounds) as second:
        manage(first, "prepare")
        public.write_text(manage(first, "backup", "--make-key", str(key)))
        with serving(first):
            before, backup, writer = _back_up_under_load(drill, first, folder / "drill.age", public, filings)
            manage(second, "backup", "--check", str(backup), "--identity", str(key))
            began = time.monotonic()
            said = manage(second, "restore", str(backup), "--identity", str(key), "--deep")
            drill.add("restored and verified, with every signature", f"{time.monotonic() - began:.1f} s")
            drill.add("  the command's last line", said.strip().splitlines()[-1])
            writer.communicate(timeout=DEADLINE)
            if writer.returncode:
                raise SystemExit("The filings did not end.")
        _compare(drill, before, run_part("restore", first, "facts"), run_part("restore", second, "facts"))
        began = time.monotonic()
        with serving(second):
            after = run_part("restore", second, "finish")
        drill.add("filings in the restored portal, each with its PDF", f"{after['documents']} of {after['filings']}")
        drill.add("  until the last of them was signed", f"{time.monotonic() - began:.1f} s")
        drill.lost += after["filings"] - after["documents"]
        manage(second, "verify_history")
    drill.add("lost", str(drill.lost))
    return drill


def _back_up_under_load(
    drill: Drill, portal: dict[str, str], target: Path, public: Path, filings: int
) -> tuple[dict[str, Any], Path, subprocess.Popen[str]]:
    """Return facts from right before the backup, the backup, and the process that still files and decides."""
    writer = start_part("restore", portal, "file", str(filings))
    before = run_part("restore", portal, "facts_under_load")
    began = time.monotonic()
    manage(portal, "backup", str(target), "--recipients", str(public))
    seconds, after = time.monotonic() - began, run_part("restore", portal, "facts")
    drill.add("backup while the portal works", f"{seconds:.1f} s")
    drill.add("  size of the file", f"{target.stat().st_size / (1 << 20):.2f} MiB")
    added = len(after["events"]) - len(before["events"])
    drill.add("  events written before, and during it", f"{len(before['events'])} + {added}")
    drill.add("  jobs running when it began", str(before["running"]))
    return before, target, writer


def _compare(drill: Drill, before: dict[str, Any], first: dict[str, Any], second: dict[str, Any]) -> None:
    """Compare: all of before the backup is in the restored portal, and nothing there differs from the first portal."""
    for kind, label in (("events", "events"), ("documents", "signed PDFs"), ("files", "stored files")):
        there = second[kind]
        lost = [name for name in before[kind] if name not in there]
        other = [name for name, digest in there.items() if first[kind].get(name) != digest]
        drill.add(f"{label}: before the backup, restored", f"{len(before[kind])}, {len(there)}")
        drill.add("  lost", str(len(lost)))
        drill.add("  differ from the first portal", str(len(other)))
        drill.lost += len(lost) + len(other)


@contextmanager
def new_portal(folder: Path, server: str, rounds: int) -> Iterator[dict[str, str]]:
    """Yield the environment of a portal with an empty database, which is deleted at the end."""
    var = folder / "var"
    name = f"drill_{os.getpid()}_{folder.name}"
    url = urlunsplit(urlsplit(server)._replace(path=f"/{name}")) if server else f"sqlite:///{var / 'portal.sqlite3'}"
    own = {"DATABASE_URL": url, "PORTAL_SIMULATION_ROUNDS": str(rounds), "PORTAL_LOG": "ERROR"}
    if server:
        _execute(server, f'CREATE DATABASE "{name}"')
    try:
        yield own_environment(str(var), **own)
    finally:
        if server:
            _execute(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def _execute(server: str, statement: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


PAUSE, LONGEST = 0.2, 900.0  # seconds between two looks, and for all


def file(filings: str) -> None:
    """File that many Rules Submissions of one chapter, and decide each as soon as its simulation is done."""
    from portal import demo
    from portal.demo import ANSWERS, CHAPTER
    from submissions.filings import drafts, filing

    demo.create_cast()
    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    preparer, manager = demo.person("preparer", "east"), demo.person("manager", "east")
    for _ in range(int(filings)):
        submission = drafts.start_submission(preparer, CHAPTER)
        drafts.save_answers(preparer, submission, answers, strict=True)
        filing.file_submission(manager, submission, version=submission.version, attested=True)
    draft = drafts.start_submission(preparer, CHAPTER)

    line = next(name for name, answer in answers.items() if isinstance(answer, bool))

    def save(turn: int) -> None:  # someone works on a draft all the time
        drafts.save_answers(preparer, draft, {line: bool(turn % 2)}, strict=True)

    finish(save)


def finish(work: Callable[[int], object] = lambda turn: None) -> dict[str, int]:
    """Decide until every filing has its PDF. `work` is called at each turn."""
    from submissions.models import Document, Revision

    deadline, turn = time.monotonic() + LONGEST, 0
    while (documents := Document.objects.count()) < Revision.objects.count() and time.monotonic() < deadline:
        _decide()
        work(turn := turn + 1)
        time.sleep(PAUSE)
    return {"documents": documents, "filings": Revision.objects.count()}


def _decide() -> None:
    from portal import demo
    from submissions.filings.review import decisions
    from submissions.models import Simulation, Status, Submission

    analyst, director = demo.person("analyst", "board"), demo.person("director", "board")
    for submission in Submission.objects.filter(status__in=(Status.FILED, Status.RECOMMENDED)):
        if not all(Simulation.objects.filter(revision__submission=submission).values_list("passed", flat=True)):
            continue
        if submission.status == Status.FILED:
            decisions.recommend_approval(analyst, submission, version=submission.version)
            submission.refresh_from_db()
        decisions.approve_submission(director, submission, version=submission.version, confirmed=True)


def facts() -> dict[str, Any]:
    """Return digests of all that may not be lost, in one transaction's view as far as the engine gives one."""
    from submissions.models import Document, Event, Job, StoredFile

    return {
        "events": {str(number): digest for number, digest in Event.objects.values_list("sequence", "digest")},
        "documents": dict(Document.objects.values_list("revision__receipt", "signed_id")),
        "files": {digest: digest for digest in StoredFile.objects.values_list("pk", flat=True)},
        "running": Job.objects.filter(state=Job.State.RUNNING).count(),
    }


def facts_under_load() -> dict[str, Any]:
    """Return the `facts` of a moment at which a document is signed and a job runs."""
    deadline = time.monotonic() + LONGEST
    while not ((found := facts())["documents"] and found["running"]):
        if time.monotonic() > deadline:
            raise SystemExit("No document was signed while a job was running.")
        time.sleep(PAUSE)
    return found


def sizes() -> dict[str, int]:
    """Return the bytes of each table of the portal with its indexes."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'")
        else:
            cursor.execute(
                "SELECT tbl_name, sum(pgsize) FROM dbstat JOIN sqlite_schema USING (name) "
                "WHERE aggregate GROUP BY tbl_name"
            )
        return {name: size for name, size in cursor.fetchall() if name.startswith("submissions_")}


CAPACITY_TITLE = "Capacity (wall clock; wants an idle machine; DATABASE_URL for PostgreSQL)"
FILED, DEALT, SAVES = 20, 1_000_000, 400
DECADE = 17 * 21 * 20
PROGRAMS = ("processes.web", "sweep", "valkey", "redis", "serve")


def capacity_rows() -> Iterator[tuple[str, str]]:
    with jobs.database() as environment:
        for count in (1, 2, 4, 8):
            taken, _ = jobs.together(environment, count, "save", str(SAVES // count))
            yield f"{jobs.engine()}, answers saved, an event each: {processes(count)}", f"{SAVES / taken:.0f}/s"
    server = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as folder, new_portal(Path(folder) / "capacity", server, DEALT) as portal:
        manage(portal, "prepare")
        yield from _filings(portal)


def _filings(portal: dict[str, str]) -> Iterator[tuple[str, str]]:
    with serving(portal) as (_, supervisor):
        before = run_part("restore", portal, "sizes")
        run_part("restore", portal, "file", str(FILED))
        after = run_part("restore", portal, "sizes")
        yield from _memory(supervisor)
    grown = {table: (size - before.get(table, 0)) / FILED for table, size in after.items()}
    each = sum(grown.values())
    yield f"a filing with its signed document, of {FILED}", f"{each / 1000:.0f} kB"
    for table, size in sorted(grown.items(), key=lambda item: -item[1])[:6]:
        yield f"  {table}", f"{size / 1000:.1f} kB"
    yield f"ten years: {DECADE:,} filings", f"{each * DECADE / 1e9:.1f} GB"


def _memory(supervisor: int) -> Iterator[tuple[str, str]]:
    sizes: dict[str, list[int]] = defaultdict(list)
    for process in descendants(supervisor):
        sizes[_service(process.command.split())].append(share_of_memory(process.pid))
    sizes["serve"].append(share_of_memory(supervisor))
    for name, each in sorted(sizes.items(), key=lambda item: -sum(item[1])):
        yield f"memory of {len(each)} × {name}", f"{sum(each) >> 20} MiB"
    yield "memory of the whole portal", f"{sum(map(sum, sizes.values())) >> 20} MiB"


def _service(words: list[str]) -> str:
    """Return the program; of a Celery worker, the name that its supervisor gave it."""
    if "--hostname" in words:
        return words[words.index("--hostname") + 1].partition("@")[0]
    return next((name for name in PROGRAMS if any(name in word for word in words)), Path(words[0]).name)


if __name__ == "__main__":
    main(file, finish, facts, facts_under_load, sizes)
