"""A portal that rewrites its past is caught by the first witness: both are started, and talk over the loopback."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as live
from django.db import connection, transaction
from pytest_django import Settings

from submissions.audit.hash_chain import verify_chain
from submissions.audit.record import event_digest, event_mac, record_event
from submissions.models import Event, LogCheckpoint, LogEntry, LogTile, Organization, Tip, append_only
from submissions.transparency.log_verification import log_problems
from submissions.transparency.publishing import publish
from submissions.transparency.signed_note import open_note, read_checkpoint, read_key

EVENTS = 300


@pytest.fixture
def portal(transactional_db: None, live_server: Any, settings: Settings, tmp_path: Path) -> Any:
    """A running portal with a log of 300 entries."""
    settings.LOG_KEY = str(tmp_path / "log.pem")
    Organization.objects.create(kind="licensee", name="Casino", slug="casino")
    write(EVENTS)
    publish()
    return live_server


def write(number: int) -> None:
    with transaction.atomic():
        for _ in range(number):
            record_event(None, None, "saved", reason="As it was.")


def visit(portal: Any, state: Path, *options: str) -> tuple[int, str]:
    """The witness's exit status and words; it is a program of its own, with an empty database."""
    command = [sys.executable, "manage.py", "witness", f"{portal.url}/log/", "--state", str(state), *options]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=live.BASE_DIR, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def rewrite_history() -> None:
    """A step of the past is changed, and everything that the portal holds with it: digests, codes, tip, log, files."""
    shutil.rmtree(live.CHECKPOINTS)
    append_only.drop(connection)
    try:
        previous = Event.objects.get(sequence=40).previous
        for event in Event.objects.filter(sequence__gte=40):
            event.previous, event.reason = previous, "Never so." if event.sequence == 40 else event.reason
            event.digest = previous = event_digest(event)
            event.mac = event_mac(event.digest, live.SECRET_KEY)
            event.save()
        Tip.objects.update(digest=previous)
        for model in (LogEntry, LogTile, LogCheckpoint):
            model.objects.all().delete()
    finally:
        append_only.create(connection)
    publish()


def test_witness_follows_a_log_that_grows_and_cosigns_it(portal: Any, tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert visit(portal, state)[0] == 0
    write(250)
    publish()
    status, words = visit(portal, state, "--name", "witness")
    assert (status, "consistent, 550 leaves" in words) == (0, True)
    note = (state / "checkpoint").read_text("utf-8")
    for key in ((state / "log.key").read_text("utf-8"), words.rpartition(" ")[2]):
        assert read_checkpoint(open_note(note, read_key(key))).size == 550


@pytest.mark.parametrize("has_key", [False, True])
def test_witness_refuses_a_rewritten_past(portal: Any, tmp_path: Path, settings: Settings, has_key: bool) -> None:
    state = tmp_path / "state"
    assert visit(portal, state)[0] == 0
    if not has_key:
        settings.LOG_KEY = str(tmp_path / "new.pem")
    rewrite_history()
    assert verify_chain() == (EVENTS, None)  # the portal itself cannot tell
    assert list(log_problems()) == []
    write(10)
    publish()
    status, words = visit(portal, state)
    expected = "no longer begins with the 300 leaves" if has_key else "no valid signature"
    assert (status, expected in words) == (1, True), words
    assert visit(portal, tmp_path / "fresh")[0] == 0  # a witness that saw nothing before has nothing to compare


def test_witness_refuses_a_log_that_became_shorter(portal: Any, tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert visit(portal, state)[0] == 0
    shutil.rmtree(live.CHECKPOINTS)
    append_only.drop(connection)
    try:
        for model in (LogEntry, LogTile, LogCheckpoint):
            model.objects.all().delete()
        Event.objects.filter(sequence__gt=200).delete()
        Tip.objects.update(sequence=200, digest=Event.objects.get(sequence=200).digest)
    finally:
        append_only.create(connection)
    publish()
    status, words = visit(portal, state)
    assert (status, "has 200 leaves; it had 300" in words) == (1, True)


def test_witness_takes_no_other_address_and_says_when_nobody_answers(tmp_path: Path) -> None:
    class Nobody:
        url = "http://127.0.0.1:9"

    class Elsewhere:
        url = "http://portal.example"

    assert visit(Nobody(), tmp_path / "state")[0] == 2
    status, words = visit(Elsewhere(), tmp_path / "state")
    assert (status, "must begin with https://" in words) == (2, True)
