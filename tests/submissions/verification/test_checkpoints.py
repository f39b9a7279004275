"""The daily checkpoint finds what the chain alone cannot: a history rewritten from start to end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes

from portal.processes.daily import Daily
from submissions.audit import hash_chain
from submissions.audit.record import event_digest, event_mac
from submissions.audit.row_verification import begin_sealing
from submissions.core.errors import Refusal
from submissions.documents.seal_register import introduce_seal
from submissions.documents.signing_keys import demo_seal, load_seal
from submissions.documents.verify import run_in_thread
from submissions.filings import drafts, filing
from submissions.models import (
    Checkpoint,
    Event,
    LogCheckpoint,
    LogEntry,
    LogTile,
    Mail,
    Notice,
    Person,
    Tip,
    append_only,
)
from submissions.transparency.publishing import publish
from submissions.verification import checkpoints
from tests.submissions.seal_authority import Authority
from tests.submissions.web.conftest import complete

EAST = ZoneInfo("America/New_York")
FIRST = datetime(2026, 12, 1, 12, tzinfo=EAST)


class Undo(Exception):
    """Roll the change back."""


@pytest.fixture(autouse=True)
def _apart(settings: Any, tmp_path: Path) -> None:
    settings.CHECKPOINTS = tmp_path / "checkpoints"


@pytest.fixture
def three_days(preparer: Person, manager: Person) -> list[Checkpoint]:
    """The seal's event, then two events a day on three days, a checkpoint with its event in each following night."""
    with time_machine.travel(FIRST - timedelta(days=1), tick=False):
        load_seal()
    made = []
    for day in range(3):
        with time_machine.travel(FIRST + timedelta(days=day), tick=False):
            drafts.start_submission(preparer, "686a") if day else begin_sealing()
            drafts.start_submission(preparer, "686a")
        with time_machine.travel(night := FIRST + timedelta(days=day, hours=13), tick=False):
            made.append(checkpoints.make_checkpoint(night))
    return made


@contextmanager
def tampering() -> Iterator[None]:
    append_only.drop(connection)
    try:
        yield
    finally:
        append_only.create(connection)


def write_anew(reason: str, *, start: int = 1) -> None:
    """Change an event and seal it and every later one so that chain, tip and authentication codes are valid."""
    previous = Event.objects.get(sequence=start).previous
    for event in Event.objects.filter(sequence__gte=start):
        event.previous, event.reason = previous, reason if event.sequence == start else event.reason
        event.digest = previous = event_digest(event)
        event.mac = event_mac(event.digest, settings.SECRET_KEY)
        event.save()
    Tip.objects.update(digest=previous)


def said() -> tuple[int, str]:
    """The exit status and the words of `manage.py verify_history`."""
    words = StringIO()
    try:
        call_command("verify_history", stdout=words, stderr=words)
    except SystemExit as ended:
        return int(str(ended.code)), words.getvalue()
    return 0, words.getvalue()


def test_checkpoints_seal_the_ends_of_the_days(three_days: list[Checkpoint]) -> None:
    assert [(str(row.day), row.sequence) for row in three_days] == [
        ("2026-12-01", 3),
        ("2026-12-02", 6),
        ("2026-12-03", 9),
    ]
    status, words = said()
    first, *others = words.splitlines()
    assert (status, first) == (0, "10 events, each sealed with the one before; 3 checkpoints, the last of 2026-12-03")
    assert [line.split(" ", 1)[1] for line in others] == [
        "rows, each as the events sealed it",
        "of them not sealed when they were written, only as they were found later",
    ]


def test_checkpoint_is_made_once_a_day_and_for_nothing_not_at_all(preparer: Person) -> None:
    assert checkpoints.make_checkpoint(FIRST) is None
    with time_machine.travel(FIRST, tick=False):
        drafts.start_submission(preparer, "686a")
    assert checkpoints.make_checkpoint(FIRST + timedelta(hours=11, minutes=59)) is None  # the day is not over
    assert checkpoints.make_checkpoint(FIRST + timedelta(hours=12)) is not None
    assert checkpoints.make_checkpoint(FIRST + timedelta(hours=20)) is None


def test_history_written_anew_from_the_start_is_found(three_days: list[Checkpoint]) -> None:
    with tampering():
        write_anew("never so")
    assert hash_chain.verify_chain() == (10, None)  # by itself it holds
    status, words = said()
    assert (status, words.startswith("event 3: it or an event before it was rewritten")) == (1, True)


def test_history_written_anew_from_the_last_day_is_found_there(three_days: list[Checkpoint]) -> None:
    with tampering():
        write_anew("never so", start=8)
    assert said()[1].startswith("event 9: it or an event before it was rewritten since the checkpoint of 2026-12-03")


def test_end_cut_off_with_its_tip_is_found(three_days: list[Checkpoint]) -> None:
    with tampering():
        Event.objects.filter(sequence__gt=4).delete()
        Tip.objects.update(sequence=4, digest=Event.objects.get(sequence=4).digest)
    assert said()[1].startswith("event 5: it is missing; there were 9 at the checkpoint of 2026-12-03")


def change_digest() -> None:
    Checkpoint.objects.filter(day="2026-12-02").update(digest="0" * 64)


def change_count() -> None:
    Checkpoint.objects.filter(day="2026-12-02").update(sequence=4)


def spoil_seal() -> None:
    Checkpoint.objects.filter(day="2026-12-02").update(signature=b"\x30\x03rubbish")


def take_out_the_first() -> None:
    Checkpoint.objects.filter(day="2026-12-01").delete()


@pytest.mark.parametrize("tamper", [change_digest, change_count, spoil_seal, take_out_the_first])
def test_changed_checkpoint_is_found(three_days: list[Checkpoint], tamper: Callable[[], None]) -> None:
    with tampering():
        tamper()
    assert said()[0] == 1
    assert "checkpoint of 2026-12-02: its seal does not hold" in said()[1]


def test_checkpoint_by_another_seal_is_found(three_days: list[Checkpoint], tmp_path: Path) -> None:
    row, before = three_days[2], three_days[1]
    signer = demo_seal(tmp_path / "other-keys").signer
    forged = run_in_thread(signer.async_sign_general_data(checkpoints._content(row, before), "sha256")).dump()
    with tampering():
        Checkpoint.objects.filter(pk=row.pk).update(signature=forged)
    assert "checkpoint of 2026-12-03: its seal does not hold" in said()[1]


@pytest.mark.parametrize(
    ("signer", "accepted"), [("seal", True), ("past", True), ("customer", False), ("clock", False)]
)
def test_checkpoint_is_accepted_by_a_pinned_seal_only(
    three_days: list[Checkpoint], settings: Any, tmp_path: Path, signer: str, accepted: bool
) -> None:
    """All four are valid below the one trusted root; the database names the customer's, the settings do not."""
    authority = Authority()
    for name, value in authority.write(tmp_path / "service", authority.seal, [authority.seal, authority.past]).items():
        setattr(settings, name.removeprefix("PORTAL_"), value)
    introduce_seal(authority.customer.asn1)
    with tampering():
        for row, before in zip(three_days, [None, *three_days[:2]], strict=True):
            keys = authority.keys(authority.seal if row != three_days[2] else getattr(authority, signer))
            content, at = checkpoints._content(row, before), PdfCMSSignedAttributes(signing_time=row.made_at)
            made = run_in_thread(keys.signer.async_sign_general_data(content, "sha256", signed_attr_settings=at))
            Checkpoint.objects.filter(pk=row.pk).update(signature=made.dump(), made_at=authority.now)
    assert (said()[0] == 0) is accepted
    assert ("checkpoint of 2026-12-03: its seal does not hold" in said()[1]) is not accepted


def test_checkpoints_taken_out_at_the_end_are_missed_by_their_copies(three_days: list[Checkpoint]) -> None:
    with tampering():
        Checkpoint.objects.filter(day__gt="2026-12-01").delete()
        write_anew("never so", start=5)
    status, words = said()
    assert (status, "checkpoint of 2026-12-02: it is not in the database as it was kept" in words) == (1, True)


def test_checkpoint_taken_out_with_its_copies_is_missed_by_its_event(three_days: list[Checkpoint]) -> None:
    """On another machine than the one that made it, for example."""
    shutil.rmtree(settings.CHECKPOINTS)
    with tampering():
        Checkpoint.objects.filter(day="2026-12-03").delete()
    assert said() == (1, "checkpoint of 2026-12-03: it is not in the database as event 10 recorded it\n")


def test_emptied_codes_are_found_before_and_after_the_last_checkpoint(
    three_days: list[Checkpoint], subtests: pytest.Subtests
) -> None:
    """One, all, all since the last checkpoint; with the checkpoints and their copies, and without."""
    for name, chosen, first in (
        ("all", Event.objects.all(), 1),
        ("one before", Event.objects.filter(sequence=5), 5),
        ("since", Event.objects.filter(sequence__gt=9), 10),
    ):
        for deleted in (False, True):
            with subtests.test(name, deleted=deleted), tampering(), suppress(Undo), transaction.atomic():
                chosen.update(mac="")
                if deleted:
                    Checkpoint.objects.all().delete()
                status, words = said()
                assert status == 1
                assert words.startswith(f"event {first}: this portal did not write it: its message authentication code")
                assert ("checkpoint of 2026-12-01: it is not in the database" in words) is deleted
                raise Undo


def test_first_event_with_a_code_is_a_setting(three_days: list[Checkpoint], settings: Any) -> None:
    """Of a history that began under a release without codes; a row cannot say so."""
    with tampering():
        Event.objects.filter(sequence__lte=5).update(mac="")
    assert said()[0] == 1
    settings.EVENT_CODES_FROM = 6
    assert said()[0] == 0
    with tampering():
        Event.objects.filter(sequence=6).update(mac="")
    assert said()[1].startswith("event 6: this portal did not write it")


@pytest.mark.parametrize("copies", [True, False])
def test_all_that_write_access_to_the_database_can_take_away_is_named(
    three_days: list[Checkpoint], settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any, copies: bool
) -> None:
    """Codes are emptied, the end rewritten, checkpoints and log deleted; no key and no file is touched.

    Without the copies outside, as on a second machine, the codes still show it.
    """
    settings.LOG_KEY = str(tmp_path / "log.pem")
    with django_capture_on_commit_callbacks(execute=True):
        publish()
    assert said()[0] == 0
    with tampering():
        write_anew("never so", start=2)
        Event.objects.update(mac="")
        for model in (Checkpoint, LogEntry, LogTile, LogCheckpoint):
            model.objects.all().delete()
    if not copies:
        shutil.rmtree(settings.CHECKPOINTS)
    status, words = said()
    assert status == 1
    assert "event 1: this portal did not write it: its message authentication code is wrong or missing" in words
    assert "checkpoint of 2026-12-01: it is not in the database as " in words
    if copies:
        for part in ("event 10", "public log, entry 10", "public log, checkpoint of size 10"):
            assert f"{part}: it is not in the database as it was published and kept in " in words


def test_broken_history_is_not_sealed(three_days: list[Checkpoint], preparer: Person) -> None:
    with tampering():
        Event.objects.filter(sequence=5).update(reason="never so")
    with time_machine.travel(FIRST + timedelta(days=3), tick=False):
        drafts.start_submission(preparer, "686a")
    with pytest.raises(Refusal, match="event 5: its content is not what was sealed"):
        checkpoints.make_checkpoint(FIRST + timedelta(days=3, hours=13))
    assert Checkpoint.objects.count() == 3


def test_checkpoint_is_neither_changed_nor_deleted(three_days: list[Checkpoint]) -> None:
    for attempt in (lambda: Checkpoint.objects.update(sequence=1), Checkpoint.objects.all().delete):
        with pytest.raises(DatabaseError, match="submissions_checkpoint is append-only"), transaction.atomic():
            attempt()


def test_sweeper_makes_digests_and_checkpoint_once(preparer: Person, manager: Person) -> None:
    with time_machine.travel(FIRST, tick=False):
        submission = drafts.start_submission(preparer, "686a")
        filing.withdraw_submission(manager, submission, version=submission.version, reason="A mistake.")
    daily, found = Daily(), []
    for hours in (0, 11, 13, 18, 20, 44):  # noon, 11 PM, 1 AM, 6 AM, 8 AM, 8 AM of the day after
        with time_machine.travel(FIRST + timedelta(hours=hours), tick=False):
            daily.turn()
        found.append((Checkpoint.objects.count(), Mail.objects.count()))
    assert found == [(0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (2, 1)]


def test_duty_that_fails_is_told_and_does_not_hold_up_the_other(
    three_days: list[Checkpoint], preparer: Person, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    now = FIRST + timedelta(days=3)
    with time_machine.travel(now, tick=False):
        submission = drafts.start_submission(preparer, "686a")
        filing.withdraw_submission(manager, submission, version=submission.version, reason="A mistake.")
    with tampering():
        Event.objects.filter(sequence=5).update(reason="never so")
    with time_machine.travel(now + timedelta(days=1), tick=False):
        Daily().turn()
    assert (Checkpoint.objects.count(), Mail.objects.count()) == (3, 1)
    assert "checkpoint: not made" in caplog.text
    assert "event 5: its content" in caplog.text


def test_filing_without_its_event_is_found_where_the_chain_was_mended(
    three_days: list[Checkpoint], preparer: Person, manager: Person
) -> None:
    with time_machine.travel(FIRST + timedelta(days=3), tick=False):
        submission = complete(preparer)
        filing.file_submission(manager, submission, version=submission.version, attested=True)
    assert said()[0] == 0
    filed = Event.objects.get(verb="filed")
    with tampering():
        Notice.objects.all().delete()
        before = Event.objects.get(sequence=filed.sequence - 1)
        filed.delete()
        Tip.objects.update(sequence=before.sequence, digest=before.digest)
    status, words = said()
    assert (status, f"the filing {submission.number}-R1: no event records it" in words.splitlines()) == (1, True)
    assert f"submissions_revision {submission.revisions.get().pk}: no event seals this row" in words.splitlines()
