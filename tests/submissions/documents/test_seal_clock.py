"""A machine with a wrong clock seals nothing: its job waits, and the attempt does not count."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from submissions.core.errors import Refusal
from submissions.documents.seal_conditions import CLOCK_TOLERANCE, clock_difference_words, correct_clock
from submissions.documents.submission_document import produce_document
from submissions.jobs.leases import LeaseLost, TryLater
from submissions.models import Alert, Document, Job, Revision
from submissions.operations import alerts
from submissions.operations.checks import check_clock
from submissions.tasks import run_task
from tests.submissions.signed_documents import lease_on

HOUR = timedelta(hours=1)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _server_with_a_clock(settings: Settings) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite is a file of this machine, whose clock is the process's")
    settings.JOB_CLOCK = "database"


@pytest.mark.parametrize(
    "wrong_by", [HOUR, -HOUR, 2 * CLOCK_TOLERANCE], ids=["hour ahead", "hour behind", "seconds ahead"]
)
def test_document_waits_for_a_correct_clock(approved: Revision, wrong_by: timedelta) -> None:
    lease = lease_on(approved)
    with time_machine.travel(timezone.now() + wrong_by):
        with pytest.raises(TryLater, match="seals nothing"):
            produce_document(lease)
        assert not check_clock().is_good
    assert not Document.objects.exists()
    produce_document(lease)
    assert Document.objects.get().verification["good"] is True
    assert check_clock().is_good


def test_administrators_are_alerted_once_a_day_for_each_machine() -> None:
    with time_machine.travel(timezone.now() + HOUR):
        (occurrence,) = alerts.wrong_clock(timezone.now())
        assert "3,600 seconds ahead" in occurrence.message
        assert [alerts.raise_alert(Alert.Kind.CLOCK, [occurrence], timezone.now()) for _ in range(2)] == [1, 0]
    assert alerts.wrong_clock(timezone.now()) == []


def test_attempt_with_a_wrong_clock_does_not_count(approved: Revision) -> None:
    job = Job.objects.create(kind=Job.Kind.DOCUMENT, subject=approved.pk, not_before=timezone.now())
    with time_machine.travel(timezone.now() + HOUR):
        run_task(job)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DUE, 0)
    assert "3,600 seconds ahead" in job.message


def test_wrong_clock_takes_precedence_over_a_refusal() -> None:
    with pytest.raises(TryLater):
        _clock_goes_wrong(Refusal("seal-not-verified", problems=""))


def test_with_a_correct_clock_a_refusal_stays_one() -> None:
    with pytest.raises(Refusal), correct_clock():
        raise Refusal("seal-not-verified", problems="")


def test_lost_lease_takes_precedence_over_a_wrong_clock() -> None:
    with pytest.raises(LeaseLost):
        _clock_goes_wrong(LeaseLost())


def test_words_say_ahead_behind_or_the_same() -> None:
    assert clock_difference_words(HOUR) == "3,600 seconds ahead of the database's"
    assert clock_difference_words(-HOUR) == "3,600 seconds behind the database's"
    assert clock_difference_words(timedelta(seconds=0.5)) == "the same as the database's"


def _clock_goes_wrong(error: Exception) -> None:
    with time_machine.travel(timezone.now()) as travel, correct_clock():
        travel.shift(-HOUR)
        raise error
