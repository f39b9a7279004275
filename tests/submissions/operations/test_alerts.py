"""Each occurrence is reported once: to administrators of the Board, in the log, and to the address of the settings."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone

from portal.processes import sweeper
from submissions.jobs import leases
from submissions.models import Alert, Event, Job, Mail, Notice, Person, ProcessReport
from submissions.operations import alerts
from submissions.operations.work_checks import report_process
from tests.submissions.operations.rows import WHY, stopped_job
from tests.submissions.operations.test_checks import seal_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator(director: Person, manager: Person, analyst: Person) -> Person:
    """An administrator of the Board; there are one of a licensee and an analyst, too."""
    Person.objects.filter(pk__in=(director.pk, manager.pk)).update(administrator=True)
    return Person.objects.get(pk=director.pk)


def raised(now: datetime | None = None) -> int:
    return alerts.raise_alerts(now or timezone.now())


def test_job_that_stopped_is_reported_once_and_again_when_it_stops_again(
    administrator: Person, caplog: pytest.LogCaptureFixture
) -> None:
    job = stopped_job()
    with caplog.at_level(logging.ERROR):
        assert [raised(), raised()] == [1, 0]
    notice = Notice.objects.get()
    assert (notice.person, WHY in notice.words, f"Job {job.pk} " in notice.words) == (administrator, True, True)
    assert Mail.objects.get().to == administrator
    assert [record.levelname for record in caplog.records if WHY in record.getMessage()] == ["ERROR"]
    assert leases.run_again(job.pk)
    assert raised() == 0
    Job.objects.filter(pk=job.pk).update(state=Job.State.ERRORED)
    assert raised() == 1
    assert Notice.objects.count() == 2


def test_many_jobs_that_stop_together_are_one_notice(administrator: Person) -> None:
    for subject in range(30):
        stopped_job(subject)
    assert raised() == 30
    assert Event.objects.filter(verb=alerts.RAISED).count() == Notice.objects.count() == Mail.objects.count() == 1
    assert "20 more" in Notice.objects.get().words


def test_person_without_mail_gets_the_notice_only(administrator: Person) -> None:
    Person.objects.filter(pk=administrator.pk).update(mails="none")
    stopped_job()
    raised()
    assert (Notice.objects.count(), Mail.objects.count()) == (1, 0)


def test_late_sweeper_is_noticed_by_a_worker_once_for_each_pause(settings: object) -> None:
    now = timezone.now()
    settings.PROCESS_LATE = timedelta(seconds=60)
    report_process("sweeper", now - timedelta(seconds=61))
    for _ in range(3):
        sweeper.look(now, own_process="worker")
    assert [alert.kind for alert in Alert.objects.all()] == ["sweep"]
    report_process("sweeper", now)
    sweeper.look(now + timedelta(seconds=61), own_process="worker")
    assert Alert.objects.count() == 2


@pytest.mark.parametrize(("stopped", "count"), [(True, 0), (False, 1)])
def test_sweeper_that_comes_back_reports_a_pause_that_nobody_asked_for(stopped: bool, count: int) -> None:
    now = timezone.now()
    report_process("sweeper", now - timedelta(hours=3), stopped=stopped)
    sweeper.Watch.begin("sweeper").turn()
    assert Alert.objects.count() == count
    assert ProcessReport.objects.get(process="sweeper").at >= now


def test_certificate_near_its_end_is_reported_once() -> None:
    seal_until(timezone.now() + timedelta(days=20))
    for days in (0, 3, 40):
        raised(timezone.now() + timedelta(days=days))
    assert "ends in 19 days" in Alert.objects.get(kind="certificate").message


def test_alert_that_cannot_be_stored_reports_nothing(administrator: Person) -> None:
    stopped_job()
    with transaction.atomic():
        raised()
        transaction.set_rollback(True)  # the process dies
    assert (Alert.objects.count(), Notice.objects.count(), Event.objects.count()) == (0, 0, 0)
    assert raised() == 1


def test_address_of_the_settings_gets_each_alert_once(settings: object) -> None:
    stopped_job()
    raised()
    assert alerts.mail_alerts(timezone.now()) == 0  # no address is set
    settings.ALERT_EMAIL = ["operators@agency.example.test"]
    assert [alerts.mail_alerts(timezone.now()) for _ in range(2)] == [1, 0]
    (message,) = mail.outbox
    assert (message.to, WHY in message.body) == (settings.ALERT_EMAIL, True)


def test_mail_to_the_address_is_tried_again_while_the_server_is_away(settings: object) -> None:
    stopped_job()
    raised()
    settings.ALERT_EMAIL = ["operators@agency.example.test"]
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = "django.core.mail.backends.smtp.EmailBackend", "127.0.0.1"
    settings.EMAIL_PORT = 1  # no server listens there
    assert alerts.mail_alerts(timezone.now()) == 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert alerts.mail_alerts(timezone.now()) == 1
