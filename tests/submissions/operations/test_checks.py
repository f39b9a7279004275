"""Each check is good where all is well, and wrong where something is not, with value, limit and the next step."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from submissions.audit.record import record_event
from submissions.models import Checkpoint, Event, Job, ProcessReport, SealCertificate
from submissions.operations import checks, work_checks
from submissions.operations.checks import Check
from submissions.operations.work_checks import report_process
from tests.portal.broker import real_broker, speaking_to
from tests.submissions.operations.rows import done_job, job, stopped_job

pytestmark = [pytest.mark.django_db, pytest.mark.service("queries")]
EASTERN = ZoneInfo("America/New_York")


def wrong(found: list[Check]) -> list[str]:
    assert all(check.value and check.limit for check in found)
    assert all(check.fix for check in found if not check.is_good)
    return [check.name for check in found if not check.is_good]


def event_at(moment: datetime) -> None:
    """The first event of a history that began then. Rows of events are never changed, so it is written so."""
    Event.objects.create(sequence=1, at=moment, verb="founded", previous="", digest="0" * 64)


def checkpoint(day: datetime) -> None:
    Checkpoint.objects.create(sequence=1, link="0" * 64, seal="", made_at=day)


def seal_until(moment: datetime) -> None:
    SealCertificate.objects.create(
        sha256="a" * 64, subject="Seal", pem="", valid_from=timezone.now(), valid_until=moment, introduced_at=moment
    )


def test_broker_that_is_away_is_wrong_and_one_that_answers_is_good() -> None:
    with speaking_to("redis://127.0.0.1:1"):
        assert not checks.check_broker().is_good
    with real_broker():
        assert checks.check_broker().is_good


def test_missing_migration_is_named() -> None:
    assert checks.check_migrations().is_good
    MigrationRecorder(connection).record_unapplied("submissions", "0002_views_and_triggers")
    check = checks.check_migrations()
    assert (check.is_good, check.value) == (False, "1 missing: submissions.0002_views_and_triggers")
    rows_are_left_out = work_checks.all_checks(timezone.now())
    assert not [name for name in wrong(rows_are_left_out) if name not in ("migrations", "broker")]


def test_migration_of_another_version_is_named() -> None:
    MigrationRecorder(connection).record_applied("submissions", "0099_of_tomorrow")
    check = checks.check_migrations()
    assert (check.is_good, check.value) == (False, "submissions.0099_of_tomorrow is of another version")


def test_key_that_cannot_be_read_is_named(settings: object, tmp_path: Path) -> None:
    present, missing = tmp_path / "seal.p12", tmp_path / "passphrase"
    present.write_bytes(b"key")
    settings.SIGNING_PKCS12 = settings.SIGNING_ROOT = settings.SIGNING_SEALS = str(present)
    settings.SIGNING_PASSPHRASE_FILE = str(missing)
    check = checks.check_keys()
    assert (check.is_good, str(missing) in check.value, str(present) in check.value) == (False, True, False)
    missing.write_bytes(b"words")
    assert checks.check_keys().is_good


def test_disk_is_wrong_below_the_setting(settings: object) -> None:
    assert checks.check_disk().is_good
    settings.DISK_FREE = 1 << 60
    assert wrong([checks.check_disk()]) == ["disk"]


def test_static_files_must_have_been_collected(settings: object, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    assert wrong([checks.check_static_files()]) == ["static files"]
    (tmp_path / "staticfiles.json").write_text("{}")
    assert checks.check_static_files().is_good


def test_job_that_stopped_by_an_error_is_wrong_and_a_refused_one_is_not() -> None:
    job(Job.Kind.MAIL, state=Job.State.FAILED)
    assert work_checks.check_given_up().is_good
    stopped_job()
    assert (work_checks.check_given_up().is_good, work_checks.check_given_up().value) == (False, "1")


def test_oldest_due_job_of_each_queue_is_compared_with_the_setting(settings: object) -> None:
    now = timezone.now()
    settings.JOB_LATE = timedelta(minutes=10)
    job(Job.Kind.MAIL, 1, not_before=now - timedelta(minutes=3))
    job(Job.Kind.SIMULATE, 1, not_before=now - timedelta(minutes=2))
    job(Job.Kind.VERIFY, 1, not_before=now - timedelta(minutes=11))
    job(Job.Kind.DRAFT, 1, not_before=now + timedelta(minutes=11))  # rests
    done_job(Job.Kind.DRAFT, 2, 1.0, now - timedelta(days=1))
    found = work_checks.check_oldest_due(now)
    assert [check.name for check in found] == [
        "oldest due job, queue long",
        "oldest due job, queue outbound",
        "oldest due job, queue verification",
    ]
    assert wrong(found) == ["oldest due job, queue verification"]
    assert [check.value.partition(" (")[0] for check in found] == ["2 min", "3 min", "11 min"]


def test_processes_must_report_in_time(settings: object) -> None:
    now = timezone.now()
    settings.PROCESS_LATE = timedelta(seconds=60)
    assert wrong(work_checks.check_processes(now)) == ["last report, sweeper", "last report, worker"]
    report_process("sweeper", now - timedelta(seconds=30))
    report_process("worker", now - timedelta(seconds=61))
    assert wrong(work_checks.check_processes(now)) == ["last report, worker"]
    ProcessReport.objects.create(process="worker", host="another", at=now)
    assert wrong(work_checks.check_processes(now)) == []
    report_process("sweeper", now, stopped=True)
    assert wrong(work_checks.check_processes(now)) == ["last report, sweeper"]


def test_checkpoint_is_late_an_hour_after_it_was_due() -> None:
    begun = datetime(2026, 3, 2, 22, tzinfo=EASTERN)
    late = begun + settings.CHECKPOINT_EVERY + settings.CHECKPOINT_LATE + timedelta(minutes=1)
    assert work_checks.late_checkpoint_event(late) is None  # there is no history
    event_at(begun)
    assert work_checks.late_checkpoint_event(late - timedelta(minutes=1)) is None
    event = work_checks.late_checkpoint_event(late)
    assert event
    assert event.sequence == 1
    checkpoint(begun)
    assert work_checks.late_checkpoint_event(late + timedelta(days=1)) is None


def test_history_of_the_portal_itself_begins_with_an_event() -> None:
    record_event(None, None, "founded")
    assert Event.objects.filter(sequence=1).exists()


def test_certificate_is_wrong_when_less_than_the_days_of_the_setting_are_left(settings: object) -> None:
    settings.CERTIFICATE_DAYS = 30
    now = timezone.now()
    assert work_checks.check_certificates(now) == []
    seal_until(now + timedelta(days=31))
    (check,) = work_checks.check_certificates(now)
    assert check.is_good
    assert check.value.startswith("31 days left")
    assert wrong(work_checks.check_certificates(now + timedelta(days=2))) == ["seal certificate"]


DURATIONS = [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_800, "2 days")]


@pytest.mark.parametrize(("seconds", "words"), DURATIONS)
def test_durations_in_words(seconds: int, words: str) -> None:
    assert work_checks.duration_words(timedelta(seconds=seconds)) == words
