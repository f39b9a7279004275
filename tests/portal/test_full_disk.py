"""A full disk, for real: a small file system that the database lies on. What is refused says so, nothing is half done,
and everything goes on by itself when there is room. Then the same disk, read-only.
"""

from __future__ import annotations

import html
import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

from submissions.filings import drafts
from submissions.jobs import leases
from submissions.models import Job, Mail, Organization, Person
from tests.portal.running import clean_environment, database_url, shared_environment
from tests.portal.small_disk import small_disk
from tests.soak import SOAK
from tests.submissions.api.clients import made
from tests.submissions.signed_documents import approved, filed  # noqa: F401  fixtures
from tests.submissions.web.clients import complete

pytestmark = [
    pytest.mark.xdist_group("processes"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="needs root to mount a small file system"),
]
WORDS = "Which tables are these, and “why”?"
PROGRAM = """
import sys, django
django.setup()
from tests.portal.full_disk_steps import print_result
print_result(sys.argv[1])
"""
MADE = {"save": 200, "upload": 302, "file": 302, "create": 201}


@contextmanager
def database_on(disk: Path) -> Iterator[str]:
    """The address of a copy of the test's database that lies on the disk."""
    url = database_url()
    connections.close_all()
    if connection.vendor == "sqlite":
        copy = disk / "portal.sqlite3"
        shutil.copyfile(connection.settings_dict["NAME"], copy)
        yield f"sqlite:///{copy}"
        return
    folder, name, parts = disk / "tablespace", f"copy_{os.getpid()}", urlsplit(url)
    folder.mkdir(mode=0o700)
    owner = pwd.getpwnam("postgres")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    with closing(_maintenance()) as server:
        server.execute(f"CREATE TABLESPACE {name} LOCATION '{folder}'")
        server.execute(f'CREATE DATABASE {name} TEMPLATE "{parts.path[1:]}" TABLESPACE {name}')
        with closing(_maintenance(name)) as copy:
            copy.execute("VACUUM FULL")  # earlier tests deleted rows, whose room would take what must not fit
        try:
            yield urlunsplit(parts._replace(path=f"/{name}"))
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
            server.execute(f"DROP TABLESPACE {name}")


def _maintenance(database: str = "postgres") -> Any:
    import psycopg

    given = connection.settings_dict
    return psycopg.connect(
        host=given["HOST"], port=given["PORT"], user=given["USER"], password=given["PASSWORD"], dbname=database,
        autocommit=True,
    )  # fmt: skip


@pytest.fixture
def got(
    request: pytest.FixtureRequest, casino: Organization, preparer: Person, manager: Person, tmp_path: Path
) -> dict[str, Any]:
    """What each got, as `full_disk_steps` prints it."""
    signed = request.getfixturevalue("approved") if SOAK else None  # half a minute of two cores
    token = made(casino, scopes=["read", "prepare"]).token
    started, finished = drafts.start_submission(preparer, "688a"), complete(preparer, "687a")
    Job.objects.all().delete()
    mail = Mail.objects.create(to=manager, subject="A step", body="A step.", message_id="1", made_at=timezone.now())
    document = leases.enqueue(Job.Kind.DOCUMENT, signed.pk).pk if signed else None
    given = {
        "preparer": preparer.pk, "manager": manager.pk, "token": token, "document": document,
        "mail": leases.enqueue(Job.Kind.MAIL, mail.pk).pk, "words": WORDS,
        "checklist": started.number, "file": finished.number, "version": finished.version,
    }  # fmt: skip
    with small_disk() as disk, database_on(disk) as url:
        environment = {
            **clean_environment(), **shared_environment(), "DATABASE_URL": url, "PORTAL_VAR": str(tmp_path / "var"),
            "DJANGO_SETTINGS_MODULE": "portal.settings", "PORTAL_SECOND_FACTOR": "0",
            "PORTAL_JOB_LEASE_SECONDS": "2",
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, json.dumps({**given, "disk": str(disk)})],
            cwd=settings.BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout.rpartition("RESULT")[2]))


def test_full_disk_loses_nothing_and_all_goes_on_when_there_is_room(got: dict[str, Any]) -> None:
    """One test: each needs the disk for itself."""
    _check_answers(got)
    _check_what_is_kept(got)
    _check_jobs(got)
    _check_watching(got)
    _check_read_only(got)


def _check_answers(got: dict[str, Any]) -> None:
    statuses = {name: status for name, (status, *_) in got["full"].items()}
    assert statuses.pop("read") == 200
    if connection.vendor == "sqlite":
        assert statuses.pop("sign in") in (429, 507)  # attempts that cannot be counted are refused
        assert set(statuses.values()) == {507}
        assert got["after full"] == got["before"]
    else:  # what fits into the free space of its own files is stored
        assert statuses["upload"] == 507
        assert all(status in (507, 429, MADE.get(name, 200)) for name, status in statuses.items())
    for name, (status, retry, content) in got["full"].items():
        if status == 507:
            assert retry == "60", name
            assert "disk is full. Nothing of this request was stored" in html.unescape(content), name
            assert "Traceback" not in content
    was_filed = got["full"]["file"][0] == MADE["file"]  # it fit; the second time it is a conflict
    assert {name: got["room"][name][0] for name in MADE} == MADE | ({"file": 409} if was_filed else {})
    assert got["after room"]["Submission"] == got["before"]["Submission"] + 1
    assert got["chain"][1] is None
    assert not [line for line in got["log"] if "Traceback" in line]
    assert len([line for line in got["log"] if "jobs wait" in line]) <= 3


def _check_what_is_kept(got: dict[str, Any]) -> None:
    """On the page: what was entered, to be sent again; never a secret."""
    status, _, page = got["full"]["file"]
    if status != 507:
        return
    for kept in (f'name="note" value="{html.escape(WORDS)}"', 'name="attested" value="yes"', "Send it again"):
        assert kept in page
    assert "confirm_password" not in page
    assert 'name="login"' not in got["full"]["sign in"][2]
    assert json.loads(got["full"]["create"][2])["code"] == "disk-full"


def _check_jobs(got: dict[str, Any]) -> None:
    """A document that does not fit is not stored in part; jobs wait without using up their attempts."""
    assert (got["job full"][0], got["job full"][1] <= 1) == ("due", True)
    assert got["job room"][0] == "done"
    if SOAK:
        (before, none), (after, one) = got["half"]
        assert (before[0] in ("due", "running"), before[1] <= 1, none) == (True, True, 0)
        assert (after[0], one) == ("done", 1)


def _check_watching(got: dict[str, Any]) -> None:
    """Probe and figures name the disk until there is room."""
    ready, figures = got["watched full"]
    assert ready["checks"]["database disk"] == "failed"
    assert "portal_database_disk_up 0.0" in figures
    ready, figures = got["watched room"]
    assert ready["checks"]["database disk"] == "ok"
    assert "portal_database_disk_up 1.0" in figures


def _check_read_only(got: dict[str, Any]) -> None:
    assert {got["read only"][name][0] for name in ("save", "create")} == {507}
    assert json.loads(got["read only"]["create"][2])["code"] == "disk-read-only"
    assert "is read-only. Nothing of this request was stored" in html.unescape(got["read only"]["save"][2])
    assert got["read only"]["read"][0] == (507 if connection.vendor == "sqlite" else 200)


COUNT = """
import os, sys
from django.conf import settings
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_FOLDER)
os.makedirs(settings.METRICS_FOLDER)
import django
django.setup()
from submissions.operations.prometheus_figures import count_request
from tests.portal.small_disk import filled
with filled(settings.VAR, 0):
    for number in range(3000):
        count_request("GET", f"route-{number}", 200, 0.1)
import shutil
shutil.rmtree(settings.METRICS_FOLDER)
"""


def test_web_process_that_counts_requests_survives_a_full_disk() -> None:
    """A file that is mapped into memory would end it with SIGBUS."""
    with small_disk() as disk:
        given = {"PORTAL_VAR": str(disk), "DJANGO_SETTINGS_MODULE": "portal.settings"}
        counted = subprocess.run(
            [sys.executable, "-c", COUNT], cwd=settings.BASE_DIR, env={**os.environ, **given}, capture_output=True
        )
    assert counted.returncode == 0, counted.stderr.decode()
