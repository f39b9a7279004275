"""A version approved after a rulemaking was published, under the rules before it: the same task as an older version."""

from __future__ import annotations

from datetime import timedelta

import pytest

from submissions.audit.row_seals import rows_in
from submissions.models import ChangeEffect, Event, Job, Notice, Person
from submissions.rulemakings.refiling import AFFECTS, RefilingProgress, refiling_tasks_of, refilings_of
from submissions.tasks import run_task
from tests.submissions.approved import Cast
from tests.submissions.workbench.steps import CELL, first_day, head, published


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def run_effects() -> list[Job]:
    jobs = list(Job.objects.filter(kind=Job.Kind.RULE_EFFECTS))
    for job in jobs:
        run_task(job)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.message
    return jobs


def test_version_approved_after_the_publication_gives_the_task_with_its_day(cast: Cast, preparer: Person) -> None:
    rulemaking = published(cast.analyst, cast.director, head() + CELL)
    assert refilings_of(rulemaking) == []
    cast.version("687a", trips_paytable="DJWT-05")
    assert len(run_effects()) == 1
    (task,) = refiling_tasks_of(preparer)
    assert (task.change.rulemaking, task.due, task.progress) == (rulemaking, first_day(), RefilingProgress.NONE)
    assert task.affected.effects == ["hold", "sign", "guide"]
    words = Notice.objects.get(person=preparer, event__verb=AFFECTS).words
    assert "-R1 was approved under rules that the Board has already changed" in words
    assert "refile by" in words


def test_version_of_another_paytable_has_nothing_to_do_and_no_notice(cast: Cast, preparer: Person) -> None:
    rulemaking = published(cast.analyst, cast.director, head() + CELL)
    cast.version("687a", trips_paytable="DJWT-04")
    run_effects()
    assert [row.progress for row in refilings_of(rulemaking)] == [RefilingProgress.NOTHING_TO_DO]
    assert refiling_tasks_of(preparer) == []
    assert not Notice.objects.filter(person=preparer, event__verb=AFFECTS).exists()


def test_effect_is_stored_once_with_one_sealed_event(cast: Cast) -> None:
    published(cast.analyst, cast.director, head() + CELL)
    cast.version("687a", trips_paytable="DJWT-05")
    (job,) = run_effects()
    Job.objects.filter(pk=job.pk).update(state=Job.State.DUE, attempts=0)  # the message comes again
    run_task(job)
    (row,) = ChangeEffect.objects.all()
    event = Event.objects.get(verb=AFFECTS)
    assert (event.actor, event.organization) == (None, row.version.organization)
    assert event.after["changes"] == [[row.change.rulemaking.number, "687a", first_day().isoformat(), row.effects]]
    assert {table: list(sealed) for table, sealed in rows_in(event.rows).items()} == {
        "submissions_changeeffect": [str(row.pk)]
    }


def test_no_job_where_no_published_change_begins_later(cast: Cast) -> None:
    published(cast.analyst, cast.director, head("583") + '[chapter]\ntitle = "Flop Poker"\nstatus = "final"\n')
    cast.version("687a")
    assert not Job.objects.filter(kind=Job.Kind.RULE_EFFECTS).exists()


def test_version_that_replaces_an_affected_one_decides_the_task(cast: Cast, preparer: Person) -> None:
    """The version at the publication used the changed paytable; its amendment, approved later, does not."""
    revision = cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = published(cast.analyst, cast.director, head() + CELL)
    assert len(refiling_tasks_of(preparer)) == 1
    cast.amend(revision.submission, first_day() - timedelta(days=1), trips_paytable="DJWT-04")
    run_effects()
    assert [row.progress for row in refilings_of(rulemaking)] == [RefilingProgress.NOTHING_TO_DO]
    assert refiling_tasks_of(preparer) == []
