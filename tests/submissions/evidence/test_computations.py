"""Figures of a chapter: computed once by a job, the same after they were stored, none where the job stopped."""

from __future__ import annotations

import pytest

from games.maths.export import exact_data, exact_reader
from games.maths.results import WagerAnalysis
from games.registry import chapter
from games.runs.engine import analyze
from submissions.filings.evidence import computations
from submissions.models import Computation, Job
from submissions.tasks import run_task

pytestmark = [pytest.mark.django_db, pytest.mark.service("locks", "constraints")]
NUMBER = "585"  # the quickest


def the_job() -> Job:
    return Job.objects.get(kind=Job.Kind.ANALYZE)


def test_figures_are_computed_by_one_job_and_are_exact() -> None:
    assert computations.figures_of(chapter(NUMBER), {}) is None
    assert computations.figures_of(chapter(NUMBER), {}) is None
    run_task(the_job())
    figures = computations.figures_of(chapter(NUMBER), {})
    assert figures is not None
    assert tuple(figures.values()) == analyze(chapter(NUMBER), None).wagers
    assert the_job().state == Job.State.DONE


def test_figures_computed_beforehand_need_no_job() -> None:
    computed = computations.compute_figures(chapter(NUMBER))
    assert computations.has_figures(chapter(NUMBER))
    assert computations.figures_of(chapter(NUMBER), {}) == computed
    assert not Job.objects.exists()


def test_job_leaves_a_result_that_came_first() -> None:
    computations.figures_of(chapter(NUMBER), {})
    Computation.objects.update(result=[])
    run_task(the_job())
    assert Computation.objects.get().result == []


def test_there_are_no_figures_where_the_job_stopped() -> None:
    computations.figures_of(chapter(NUMBER), {})
    Job.objects.update(state=Job.State.ERRORED)
    assert computations.figures_of(chapter(NUMBER), {}) == {}


def test_job_does_not_store_figures_of_other_rules() -> None:
    computations.figures_of(chapter(NUMBER), {})
    Computation.objects.update(key="analysis:585:another digest")
    run_task(the_job())
    assert Computation.objects.get().result is None
    assert the_job().state == Job.State.DUE  # tried again, by a worker that has these rules


@pytest.mark.parametrize("number", ["585", "686a"])
def test_records_come_back_as_they_were(number: str) -> None:
    wagers = analyze(chapter(number), None).wagers
    assert exact_reader(tuple[WagerAnalysis, ...])(exact_data(wagers)) == wagers
