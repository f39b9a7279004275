"""What people, programs and workers do while the database's disk is full and afterwards: a process of its own, because
its database lies on that disk. Prints what each got as one line of JSON. Started by `test_full_disk`.
"""

from __future__ import annotations

import json
import logging
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.audit.chain import verify_chain
from submissions.documents import signing_keys
from submissions.jobs import sweep
from submissions.models import Attachment, Document, Event, Job, Person, StoredFile, Submission
from tests.portal.small_disk import filled
from tests.submissions.files import pdf
from tests.submissions.jobs.workers import apply_message
from tests.submissions.web.clients import browser

LEFT_FOR_HALF = 400 * 1024  # bytes: enough to take a job, not enough for its document


class Lines(logging.Handler):
    """What the log says."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(f"{record.getMessage()} {record.exc_text or ''}")


def steps(given: dict[str, Any], key: str = "one") -> dict[str, Callable[[], Any]]:
    """Who does what; each returns the response. `key`: the Idempotency-Key of the program's call."""
    preparer, manager = (
        browser(Person.objects.get(pk=given[who]), raise_request_exception=False) for who in ("preparer", "manager")
    )
    program = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {given['token']}"})
    checklist, filing = (reverse(name, args=[given[name]]) for name in ("checklist", "file"))
    answer = {"answer-abandoned_wagers": "yes", "seen-abandoned_wagers": "null"}
    signature = {"attested": "yes", "version": given["version"], "note": given["words"], "confirm_password": "of mine"}
    return {
        "read": lambda: preparer.get(checklist),
        "save": lambda: preparer.post(checklist, answer, headers={"HX-Request": "true"}),
        "upload": lambda: preparer.post(checklist, {"file-house_rules": large_pdf()}),
        "file": lambda: manager.post(filing, signature),
        "sign in": lambda: Client(raise_request_exception=False).post(
            reverse("account_login"), {"login": "someone@east.example.test", "password": "a wrong passphrase"}
        ),
        "create": lambda: program.post(
            "/api/v1/submissions/", {"chapter": "687a"}, "application/json", headers={"Idempotency-Key": key}
        ),
    }


def large_pdf() -> SimpleUploadedFile:
    """A file that no free space within the database's own files can take."""
    return SimpleUploadedFile("house rules.pdf", pdf(Padding=random.Random(1).randbytes(500_000)))


def answers(wanted: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    got = {}
    for name, step in wanted.items():
        response = step()
        got[name] = (response.status_code, response.headers.get("Retry-After"), response.content.decode())
    return got


def rows() -> dict[str, int]:
    kinds = (Submission, Event, Attachment, StoredFile, Document)
    return {kind.__name__: kind.objects.count() for kind in kinds}


def job(pk: int) -> tuple[str, int, str]:
    row = Job.objects.get(pk=pk)
    return row.state, row.attempts, row.message


def watched() -> tuple[Any, str]:
    return Client().get("/health/ready").json(), Client().get("/metrics").content.decode()


def use_room_of_log() -> None:
    """SQLite writes into its log as long as that has room."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_read_only(disk: Path) -> None:
    if connection.vendor == "sqlite":
        connections.close_all()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    else:
        connection.cursor().execute(
            f"ALTER DATABASE {connection.settings_dict['NAME']} SET default_transaction_read_only = on"
        )
        connections.close_all()


def main(given: dict[str, Any]) -> dict[str, Any]:
    disk, lines = Path(given["disk"]), Lines()
    logging.getLogger().addHandler(lines)
    wanted, others = steps(given), steps(given, "two")  # the answer to the first key is stored, and repeated
    result: dict[str, Any] = {"half": half_document(disk, given) if given["document"] else []}
    result["before"] = rows()
    use_room_of_log()
    with filled(disk, 0):
        result["full"] = answers(wanted)
        for _ in range(3):
            apply_message("mail", given["mail"])
        result |= {"job full": job(given["mail"]), "watched full": watched(), "after full": rows()}
    result |= {"room": answers(wanted), "watched room": watched()}
    run_again("mail", given["mail"])
    result |= {"job room": job(given["mail"]), "after room": rows(), "chain": verify_chain()}
    make_read_only(disk)
    result["read only"] = answers({name: others[name] for name in ("read", "save", "create")})
    return result | {"log": lines.texts}


def half_document(disk: Path, given: dict[str, Any]) -> list[Any]:
    """The document's job with and without enough room, and how many documents there are each time."""
    signing_keys.load_seal()
    use_room_of_log()
    with filled(disk, LEFT_FOR_HALF):
        apply_message("document", given["document"])
    without = (job(given["document"]), Document.objects.count())
    run_again("document", given["document"])
    return [without, (job(given["document"]), Document.objects.count())]


def run_again(kind: str, pk: int) -> None:
    """What sweeper and worker do when there is room and the job's pause is over."""
    time.sleep(settings.JOB_LEASE.total_seconds())
    sweep.sweep_due_jobs()
    Job.objects.filter(pk=pk).update(not_before=timezone.now())
    apply_message(kind, pk)


def print_result(given: str) -> None:
    """What the started process does."""
    settings.SECOND_FACTOR = False
    print("RESULT" + json.dumps(main(json.loads(given)), default=str))
