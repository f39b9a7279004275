"""Checkpoints find what the chain alone cannot: a history that was written again with the secret key."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from portal.processes.sweeper import Daily
from submissions.audit import chain
from submissions.audit.chain import GENESIS, link_of, move_tip, seal_event
from submissions.audit.row_verification import begin_sealing
from submissions.core import append_only
from submissions.core.errors import Refusal
from submissions.documents import checkpoints
from submissions.documents.checkpoints import check_seal, make_seal
from submissions.documents.signing_keys import demo_seal, load_seal
from submissions.filings import drafts, filing
from submissions.models import Checkpoint, Event, Mail, Notice, Person, Tip
from tests import cast
from tests.submissions.web.clients import complete

pytestmark = pytest.mark.service("triggers", "locks")

FIRST = datetime(2026, 12, 1, 12, tzinfo=ZoneInfo("America/New_York"))
HOUR = timedelta(hours=1)
NO_KEY = "0" * 64  # in place of a code that only the secret key makes


@pytest.fixture(scope="module")
def stored(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the history of `three_hours`; return the folder with the copies of its checkpoints."""
    folder, preparer = tmp_path_factory.mktemp("history") / "checkpoints", cast.preparer()
    cast.manager()
    with override_settings(CHECKPOINTS=folder):
        with time_machine.travel(FIRST - HOUR, tick=False):
            load_seal()
        for hour in range(3):
            with time_machine.travel(FIRST + hour * HOUR, tick=False):
                if not hour:
                    begin_sealing()
                drafts.start_submission(preparer, "686a")
                checkpoints.make_hourly_checkpoint(FIRST + hour * HOUR)
    return folder


@pytest.fixture
def three_hours(stored: Path, db: None, settings: Any, tmp_path: Path) -> list[Checkpoint]:
    """Events 1 to 3, then one in each hour; a checkpoint after each hour, which is an event as well: at 3, 5 and 7."""
    settings.CHECKPOINTS = shutil.copytree(stored, tmp_path / "checkpoints")
    return list(Checkpoint.objects.order_by("pk"))


@contextmanager
def tampering() -> Iterator[None]:
    append_only.drop(connection)
    try:
        yield
    finally:
        append_only.create(connection)


def write_again(reason: str, *, start: int = 1, has_key: bool = True) -> None:
    """Change an event and seal it and every later one, so that chain and tip fit; with the key, all codes as well."""
    link, event = Event.objects.get(sequence=start).previous, None
    for event in Event.objects.filter(sequence__gte=start):
        event.reason = reason if event.sequence == start else event.reason
        seal_event(event, link)
        event.mac = event.mac if has_key else NO_KEY
        link = link_of(event.digest, event.mac)
        event.save()
    assert event
    end_with(event, has_key=has_key)


def end_with(event: Event, *, has_key: bool = True) -> None:
    tip = Tip.objects.get()
    move_tip(tip, event)
    tip.mac = tip.mac if has_key else NO_KEY
    tip.save()


def verified() -> tuple[int, str]:
    """The exit status and the words of `manage.py verify_history`."""
    words = StringIO()
    try:
        call_command("verify_history", stdout=words, stderr=words)
    except SystemExit as ended:
        return int(str(ended.code)), words.getvalue()
    return 0, words.getvalue()


def test_checkpoints_are_at_the_last_changes_and_timestamped(three_hours: list[Checkpoint]) -> None:
    assert [row.sequence for row in three_hours] == [3, 5, 7]
    status, words = verified()
    assert (status, words.splitlines()[0]) == (
        0,
        "8 events, each sealed with the one before; 3 checkpoints, the last at event 7",
    )
    seal = load_seal()
    moment = check_seal(7, three_hours[2].link, three_hours[2].seal, seal.roots, [seal.sha256])
    assert (moment.at, moment.problem) == (FIRST + 2 * HOUR, "")
    assert moment.authority == "DEMO timestamp authority"


def test_history_written_again_from_the_start_is_found(three_hours: list[Checkpoint]) -> None:
    with tampering():
        write_again("never so")
    assert chain.verify_chain() == (8, None)  # by itself it holds
    assert verified()[1].startswith("event 3: it or an event before it was rewritten since the checkpoint at event 3")


def test_history_written_again_from_the_last_hour_is_found_there(three_hours: list[Checkpoint]) -> None:
    with tampering():
        write_again("never so", start=6)
    assert verified()[1].startswith("event 7: it or an event before it was rewritten since the checkpoint at event 7")


def test_history_written_again_without_the_key_is_found_without_any_checkpoint(three_hours: list[Checkpoint]) -> None:
    """With database and files, and with every checkpoint deleted; blanked codes do not help."""
    shutil.rmtree(settings.CHECKPOINTS)
    for code in (NO_KEY, ""):
        with tampering():
            Checkpoint.objects.all().delete()
            write_again("never so", has_key=False)
            Event.objects.filter(mac=NO_KEY).update(mac=code)
            link = GENESIS
            for event in Event.objects.order_by("sequence"):
                event.previous = link
                seal_event(event, link)
                event.mac = code
                event.save()
                link = link_of(event.digest, event.mac)
            Tip.objects.update(link=link, mac=code)
        status, words = verified()
        assert status == 1
        assert words.startswith("event 1: this portal did not write it: its message authentication code is wrong")


def test_end_cut_off_with_its_tip_is_found(three_hours: list[Checkpoint]) -> None:
    with tampering():
        Event.objects.filter(sequence__gt=4).delete()
        end_with(Event.objects.get(sequence=4))
    assert verified()[1].startswith("event 5: it is missing; there were 7 at the checkpoint at event 7")


def test_end_cut_off_with_checkpoints_and_copies_is_found_without_the_key(three_hours: list[Checkpoint]) -> None:
    shutil.rmtree(settings.CHECKPOINTS)
    with tampering():
        Checkpoint.objects.filter(pk__gt=3).delete()
        Event.objects.filter(sequence__gt=4).delete()
        end_with(Event.objects.get(sequence=4), has_key=False)
    assert verified()[1].startswith("event 4: this portal did not end the history with it")


def test_end_that_the_portal_did_not_write_is_not_continued(three_hours: list[Checkpoint], preparer: Person) -> None:
    """With the next event the portal would give the end a code of its own, and the cut would be unseen."""
    shutil.rmtree(settings.CHECKPOINTS)
    with tampering():
        Checkpoint.objects.filter(pk__gt=3).delete()
        Event.objects.filter(sequence__gt=4).delete()
        end_with(Event.objects.get(sequence=4), has_key=False)
    for act in (
        lambda: drafts.start_submission(preparer, "686a"),
        lambda: checkpoints.checkpoint_at(Event.objects.get(sequence=4)),
    ):
        with pytest.raises(Refusal, match="event 4: this portal did not end it there"):
            act()
    assert (Event.objects.count(), Checkpoint.objects.count()) == (4, 1)
    assert verified()[1].startswith("event 4: this portal did not end the history with it")


def test_copy_outside_that_cannot_be_read_is_named(three_hours: list[Checkpoint]) -> None:
    path = settings.CHECKPOINTS / "checkpoints.jsonl"
    whole = path.read_bytes()
    for damaged in (whole[:-30], whole + b"\n", whole + b"[]\n", whole + b"{}\n", whole + b"\xff\n"):
        path.write_bytes(damaged)
        number = len(damaged.splitlines())
        assert verified() == (1, f"line {number} of {path} cannot be read\n")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE submissions_checkpoint SET made_at = '2026-99-99 00:00:00' WHERE sequence = 7",
        "UPDATE submissions_checkpoint SET sequence = 'abc' WHERE sequence = 7",
        "UPDATE submissions_checkpoint SET seal = x'ff' WHERE sequence = 7",
        "UPDATE submissions_event SET reason = CAST(x'ff' AS text) WHERE sequence = 2",
        "UPDATE submissions_person SET name = CAST(x'ff' AS text)",
        "UPDATE submissions_tip SET sequence = 'abc'",
    ],
)
def test_value_that_cannot_be_read_ends_the_check_with_a_sentence(three_hours: list[Checkpoint], change: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL takes no value of another kind")
    with tampering(), connection.cursor() as cursor:
        cursor.execute(change)
    status, words = verified()
    assert (status, "The history could not be read to its end (" in words) == (1, True)


def change_link() -> None:
    Checkpoint.objects.filter(pk=7).update(link="0" * 64)


def change_number() -> None:
    Checkpoint.objects.filter(pk=7).update(sequence=6)


def damage_seal() -> None:
    Checkpoint.objects.filter(pk=7).update(seal="MDM=")


def take_the_seal_of_another() -> None:
    Checkpoint.objects.filter(pk=7).update(seal=Checkpoint.objects.get(pk=5).seal)


def take_out_the_first() -> None:
    Checkpoint.objects.filter(pk=3).delete()


def take_out_the_last() -> None:
    Checkpoint.objects.filter(pk=7).delete()


@pytest.mark.parametrize(
    "tamper",
    [change_link, change_number, damage_seal, take_the_seal_of_another, take_out_the_first, take_out_the_last],
)
def test_changed_checkpoint_is_found_in_database_and_copy(
    three_hours: list[Checkpoint], tamper: Callable[[], None]
) -> None:
    with tampering():
        tamper()
    assert verified()[1].startswith("checkpoint at event ")
    shutil.rmtree(settings.CHECKPOINTS)
    status, words = verified()
    assert (status, "submissions_checkpoint" in words) == (1, True)


def test_history_verifies_without_the_old_key_after_a_rotation_while_nothing_else_changed(
    three_hours: list[Checkpoint], settings: Any, preparer: Person
) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of more than forty characters"
    words = StringIO()
    call_command("rotate_secrets", stdout=words)
    assert "until there is a checkpoint at event 9 or later" in words.getvalue()
    row = checkpoints.make_hourly_checkpoint(FIRST + 4 * HOUR)
    settings.SECRET_KEY_FALLBACKS = []
    assert row
    assert (row.sequence, verified()[0]) == (9, 0)
    drafts.start_submission(preparer, "686a")


def test_checkpoint_by_another_seal_is_found(three_hours: list[Checkpoint], tmp_path: Path) -> None:
    other = demo_seal(tmp_path / "other-keys")
    with tampering():
        Checkpoint.objects.filter(pk=7).update(seal=make_seal(7, three_hours[2].link, other))
    assert "checkpoint at event 7: its timestamp is not valid" in verified()[1]


def test_broken_history_is_not_sealed(three_hours: list[Checkpoint], preparer: Person) -> None:
    with time_machine.travel(FIRST + 3 * HOUR, tick=False):
        drafts.start_submission(preparer, "686a")
    with tampering():
        Event.objects.filter(sequence=9).update(reason="never so")
    with pytest.raises(Refusal, match="event 9: its content is not what was sealed"):
        checkpoints.make_hourly_checkpoint(FIRST + 4 * HOUR)
    assert Checkpoint.objects.count() == 3


def test_checkpoint_is_neither_changed_nor_deleted(three_hours: list[Checkpoint]) -> None:
    for attempt in (lambda: Checkpoint.objects.update(link=""), Checkpoint.objects.all().delete):
        with pytest.raises(DatabaseError, match="submissions_checkpoint is append-only"), transaction.atomic():
            attempt()


def test_daily_check_that_fails_is_logged_and_does_not_hold_up_the_others(
    three_hours: list[Checkpoint], preparer: Person, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    now = FIRST + timedelta(days=3)
    with time_machine.travel(now, tick=False):
        submission = drafts.start_submission(preparer, "686a")
        filing.withdraw_submission(manager, submission, version=submission.version, reason="A mistake.")
    with tampering():
        Event.objects.filter(sequence=5).update(reason="never so")
    with time_machine.travel(now + timedelta(days=1), tick=False):
        Daily().turn()
    assert Mail.objects.count() == 1
    assert "history: not made" in caplog.text
    assert "event 5: its content" in caplog.text


def test_filing_without_its_event_is_found_where_the_chain_was_mended(
    three_hours: list[Checkpoint], preparer: Person, manager: Person
) -> None:
    with time_machine.travel(FIRST + timedelta(days=3), tick=False):
        submission = complete(preparer)
        filing.file_submission(manager, submission, version=submission.version, attested=True)
    assert verified()[0] == 0
    filed = Event.objects.get(verb="filed")
    with tampering():
        Notice.objects.all().delete()
        before = Event.objects.get(sequence=filed.sequence - 1)
        filed.delete()
        end_with(before)
    status, words = verified()
    assert (status, f"the filing {submission.number}-R1: no event records it" in words.splitlines()) == (1, True)
    assert f"submissions_revision {submission.revisions.get().pk}: no event seals this row" in words.splitlines()
