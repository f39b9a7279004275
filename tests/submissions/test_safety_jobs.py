"""Clocks that were wrong, and authorities that were away for longer than we try: a job is never lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from submissions.jobs import leases, sweep
from submissions.models import Job
from tests.portal.broker import speaking_to

pytestmark = pytest.mark.django_db
NOBODY = "redis://127.0.0.1:1"
HOURS = timedelta(hours=5)


def job(**fields: object) -> Job:
    return Job.objects.create(**{"kind": Job.Kind.DOCUMENT, "subject": 7, "not_before": timezone.now(), **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"state": Job.State.RUNNING, "lease_until": timezone.now() + HOURS},
        {"state": Job.State.DUE, "lease_until": timezone.now() + HOURS},
        {"state": Job.State.DUE, "not_before": timezone.now() + HOURS},
    ],
    ids=["held", "sent", "waiting"],
)
def test_clock_that_was_hours_ahead_holds_up_no_job(fields: dict[str, object]) -> None:
    """A lease lasts seconds and a pause a minute: what reaches further was written by a wrong clock."""
    waiting = job(**fields)
    with speaking_to(NOBODY):
        sweep.sweep_due_jobs()
    lease = leases.take_lease(waiting.pk)
    assert lease is not None
    lease.beat(1, 3)


def test_lease_of_a_clock_a_little_ahead_is_respected() -> None:
    held = job(state=Job.State.RUNNING, lease_until=timezone.now() + timedelta(minutes=2))
    assert leases.take_lease(held.pk) is None


@pytest.mark.parametrize("state", [Job.State.ERRORED, Job.State.FAILED])
def test_stopped_job_is_run_again_by_command(state: Job.State, capsys: pytest.CaptureFixture[str]) -> None:
    stopped = job(state=state, attempts=8, fence=16, message="ConnectionError: timestamp authority")
    with speaking_to(NOBODY):
        call_command("run_again", str(stopped.pk))
    lease = leases.take_lease(stopped.pk)
    assert lease is not None
    assert lease.fence == 18


def test_stopped_jobs_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    stopped = job(state=Job.State.FAILED, message="The sealed document does not verify.")
    call_command("run_again")
    assert f"{stopped.pk}  Signed document of 7  Failed: The sealed document" in capsys.readouterr().out


@pytest.mark.parametrize("state", [Job.State.DONE, Job.State.RUNNING])
def test_job_that_did_not_stop_is_not_run_again(state: Job.State) -> None:
    going = job(state=state)
    with pytest.raises(CommandError, match="has not stopped"):
        call_command("run_again", str(going.pk))
