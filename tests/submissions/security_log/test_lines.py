"""The stream for other systems: every record once, in order, one line each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from threading import Thread

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connections

from portal import env
from submissions.models import AccessRecord, Person
from submissions.security_log.records import json_line, records_after, serialize_record
from tests.health.files import ROOT
from tests.portal.running import database_url
from tests.submissions.security_log.rows import fail, sign_in

pytestmark = pytest.mark.service("triggers")

FIELDS = {
    "cursor", "id", "at", "kind", "outcome", "reason", "count", "person", "person_id", "organization", "credential",
    "account", "account_digest", "address", "agent", "session", "request_id", "object", "details",
}  # fmt: skip


def stream(*arguments: str) -> list[dict[str, object]]:
    output = StringIO()
    call_command("security_log", *arguments, stdout=output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def test_command_continues_after_the_cursor_and_gives_each_record_once(manager: Person, preparer: Person) -> None:
    for _ in range(3):
        sign_in(manager)
    first = stream()
    sign_in(preparer)
    then = stream("--since", str(first[-1]["cursor"]))
    assert stream("--since", str(then[-1]["cursor"])) == []
    assert [line["id"] for line in (*first, *then)] == list(
        AccessRecord.objects.order_by("pk").values_list("reference", flat=True)
    )
    assert (then[0]["person"], then[0]["organization"], then[0]["kind"]) == (preparer.email, "east", "sign-in")


def test_line_has_every_documented_field(manager: Person) -> None:
    row = sign_in(manager)
    assert set(serialize_record(row)) == FIELDS
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page.split("## The security log\n", 1)[1].split("\n## ", 1)[0]
    assert {name for name in FIELDS if f"`{name}`" not in section} == set()
    assert {kind for kind in AccessRecord.Kind.values if f"`{kind}`" not in section} == set()


def test_line_is_one_line_of_ascii_whatever_a_caller_sends(manager: Person) -> None:
    row = sign_in(manager)
    row.agent = '“Evil”\r\n{"kind": "sign-out"}\u2028\x00'
    line = json_line(row)
    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert json.loads(line)["agent"] == row.agent


@pytest.mark.django_db(transaction=True)
def test_reader_who_follows_misses_nothing_that_others_write_meanwhile() -> None:
    """Numbers are in the order of commits: after a row that was read no lower number appears."""

    def work(number: int) -> None:
        try:
            fail(f"192.0.2.{number}", 15)
        finally:
            connections.close_all()

    threads = [Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    read: list[int] = []
    while any(thread.is_alive() for thread in threads):
        read += [row.pk for row in records_after(read[-1] if read else 0)]
    read += [row.pk for row in records_after(read[-1] if read else 0)]
    assert read == list(AccessRecord.objects.order_by("pk").values_list("pk", flat=True))
    assert len(read) == 60


def run_python(program: str, var: Path, security_log: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, on the test's database: the settings are read at its start."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "portal.settings", "PORTAL_VAR": str(var), "PORTAL_SECURITY_LOG": security_log,
        "DATABASE_URL": database_url(),
    }  # fmt: skip
    program = f"import django; django.setup()\n{program}"
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("target", ["-", "file"])
def test_setting_sends_each_record_to_a_file_or_to_standard_output(tmp_path: Path, target: str) -> None:
    file = tmp_path / "security.log"
    program = (
        "from django.db import transaction\n"
        "from submissions.models import AccessRecord\n"
        "from submissions.security_log.records import Access, Caller, record_access\n"
        "record_access(Caller('192.0.2.1'), Access(AccessRecord.Kind.SIGN_IN_FAILED, 'no-account'))\n"
        "try:\n"
        "    with transaction.atomic():\n"
        "        record_access(Caller('192.0.2.2'), Access(AccessRecord.Kind.SIGN_IN))\n"
        "        raise KeyError\n"
        "except KeyError: pass\n"
    )
    done = run_python(program, tmp_path / "var", "-" if target == "-" else str(file))
    lines = (done.stdout if target == "-" else file.read_text()).splitlines()
    assert [json.loads(line)["address"] for line in lines] == ["192.0.2.1"]  # not what was rolled back
    if target != "-":
        assert file.stat().st_mode & 0o077 == 0
        assert "192.0.2.1" not in done.stdout + done.stderr


def test_file_that_cannot_be_written_stops_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PORTAL_SECURITY_LOG", str(tmp_path / "missing" / "security.log"))
    with pytest.raises(ImproperlyConfigured, match=r"PORTAL_SECURITY_LOG is .*; allowed: a file in a folder"):
        env.log_file("PORTAL_SECURITY_LOG")


class Reader(StringIO):
    """Standard output, until its reader is done."""

    done = False

    def flush(self) -> None:
        if self.done:
            raise BrokenPipeError


@pytest.mark.django_db(transaction=True)
def test_command_that_follows_writes_new_records_as_they_come(manager: Person) -> None:
    output, cursor = Reader(), sign_in(manager).pk

    def follow() -> None:
        try:
            call_command("security_log", "--follow", "--since", str(cursor), stdout=output)
        finally:
            connections.close_all()

    thread = Thread(target=follow)
    thread.start()
    row = sign_in(manager)
    end = time.monotonic() + 20
    while row.reference not in output.getvalue() and time.monotonic() < end:
        time.sleep(0.1)
    output.done = True
    thread.join()
    assert [json.loads(line)["id"] for line in output.getvalue().splitlines()] == [row.reference]
