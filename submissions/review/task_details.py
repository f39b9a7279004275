"""What the task list shows of a submission beyond its fields: its simulations, and the questions to the licensee.

Read for the rows of one page by a few plain queries: as annotations, they would make the query of the list expensive.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from submissions.models import Decision, Job, Remark, Simulation

PAGE = 25  # submissions on a page of the list


@dataclass(slots=True)
class TaskDetails:
    """The simulations of the latest filing with their progress in rounds, and the numbers of questions."""

    running: bool = False
    failed: bool = False
    dealt: int = 0
    to_deal: int = 0  # 0 = no job has begun, or nothing is running
    to_answer: int = 0  # by the licensee
    to_resolve: int = 0  # not resolved by the Board


def task_details(rows: Iterable[Any], *, with_simulations: bool) -> Mapping[int, TaskDetails]:
    """Submission (primary key) → its details, of the rows of a page, with `latest`. One query for the questions; with
    simulations one more, and another if any is running.
    """
    listed = list(rows)
    details: dict[int, TaskDetails] = defaultdict(TaskDetails)
    if with_simulations:
        _add_simulations(details, {row.latest: row.pk for row in listed if row.latest})
    _add_questions(details, [row.pk for row in listed])
    return details


def _add_simulations(details: Mapping[int, TaskDetails], latest: Mapping[int, int]) -> None:
    runs: dict[int, int] = {}  # simulation → submission
    simulations = Simulation.objects.filter(revision__in=latest)
    for pk, revision, passed in simulations.values_list("pk", "revision", "passed"):
        runs[pk] = latest[revision]
        details[latest[revision]].running |= passed is None
        details[latest[revision]].failed |= passed is False
    running = [pk for pk, submission in runs.items() if details[submission].running]
    if not running:
        return
    jobs = Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=running)
    for subject, dealt, to_deal in jobs.values_list("subject", "done_units", "total_units"):
        details[runs[subject]].dealt += dealt
        details[runs[subject]].to_deal += to_deal


def _add_questions(details: Mapping[int, TaskDetails], submissions: Iterable[int]) -> None:
    questions = Remark.objects.filter(revision__submission__in=submissions, shown_with__kind=Decision.Kind.RETURN)
    states = Counter(questions.order_by().values_list("revision__submission", "state"))
    for (submission, state), count in states.items():
        details[submission].to_answer += count if state == Remark.State.OPEN else 0
        details[submission].to_resolve += count if state != Remark.State.RESOLVED else 0
