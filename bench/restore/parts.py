"""What the processes of the drill and of `capacity` do in one portal: file and decide, finish, state facts as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

PAUSE, LONGEST = 0.2, 900.0  # seconds between two looks, and for all


def file(filings: int) -> None:
    """File so many Rules Submissions of one chapter, and decide each as soon as its simulation is done."""
    from portal.demo import cast
    from portal.demo.example import ANSWERS, CHAPTER
    from submissions.filings import drafts, filing

    cast.create()
    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    preparer, manager = cast.person("preparer", "east"), cast.person("manager", "east")
    for _ in range(filings):
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
    from portal.demo import cast
    from submissions.models import Simulation, Status, Submission
    from submissions.review import decisions

    analyst, director = cast.person("analyst", "board"), cast.person("director", "board")
    for submission in Submission.objects.filter(status__in=(Status.FILED, Status.RECOMMENDED)):
        if not all(Simulation.objects.filter(revision__submission=submission).values_list("passed", flat=True)):
            continue
        if submission.status == Status.FILED:
            decisions.recommend_approval(analyst, submission, version=submission.version)
            submission.refresh_from_db()
        decisions.approve_submission(director, submission, version=submission.version, confirmed=True)


def facts() -> dict[str, Any]:
    """Digests of what may not be lost, in one transaction's view as far as the engine gives one."""
    from submissions.models import Document, Event, Job, StoredFile

    return {
        "events": {str(number): digest for number, digest in Event.objects.values_list("sequence", "digest")},
        "documents": dict(Document.objects.values_list("revision__receipt", "signed_id")),
        "files": {digest: digest for digest in StoredFile.objects.values_list("pk", flat=True)},
        "running": Job.objects.filter(state=Job.State.RUNNING).count(),
    }


def facts_under_load() -> dict[str, Any]:
    """`facts` of a moment at which a document is signed and a job runs."""
    deadline = time.monotonic() + LONGEST
    while not ((found := facts())["documents"] and found["running"]):
        if time.monotonic() > deadline:
            raise SystemExit("No document was signed while a job was running.")
        time.sleep(PAUSE)
    return found


def sizes() -> dict[str, int]:
    """Bytes of each table of the portal with its indexes."""
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


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    parts = {part.__name__: part for part in (file, finish, facts, facts_under_load, sizes)}
    print(json.dumps(parts[sys.argv[1]](*map(int, sys.argv[2:]))))
