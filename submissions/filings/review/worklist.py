"""The tasks of a person, and since when they wait: submissions, layout filings and batches, each in one query.

Here are also their details, and the Board's target days.

Details are read for the rows of one page by a few plain queries: as annotations, they would make the query of the list
expensive. The target is the setting `TARGET_DAYS`, a number of calendar days after the day of the latest filing,
Eastern Time; 0 means no target. It is no duty under the regulation: only layouts have statutory days (§ 601a.10,
`layouts.review_clock`). Not here: whether the person may take the step itself (`permissions`), the wording
(`review.pages.worklist`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from submissions.core.dates import date_text, start_of
from submissions.core.text import counted
from submissions.models import (
    LAYOUT_WAITS_ON,
    WAITS_ON,
    Batch,
    Decision,
    Event,
    Handover,
    Job,
    LayoutDecision,
    LayoutFiling,
    LayoutRevision,
    LayoutStatus,
    Party,
    Person,
    Remark,
    Role,
    Simulation,
    Status,
    Submission,
)
from submissions.permissions import (
    ReadScope,
    layouts_visible_to,
    may,
    read_scope_of,
    readable_within,
    stand_ins_on,
    visible_to,
)
from submissions.permissions.credentials import batches_visible_to
from submissions.permissions.workflow import TRANSITIONS

TURNS: Mapping[str, tuple[Party, ...]] = {  # what waits for an analyst, a director may do as well
    Role.PREPARER: (Party.LICENSEE,),
    Role.MANAGER: (Party.LICENSEE,),
    Role.ANALYST: (Party.ANALYST,),
    Role.DIRECTOR: (Party.ANALYST, Party.DIRECTOR),
}
AnnotatedRows = QuerySet[Any, Any]  # submissions with more than their fields
SENT = Q(handed=Handover.Kind.SENT)
SHOWN_OF_BATCH = (
    "number", "state", "signs", "total", "created_at", "by__name", "credential__name", "credential__live",
    "credential__prefix",
)  # fmt: skip
STEP_VERBS = tuple(step.done for step in TRANSITIONS.values())


class QueuedFiling(NamedTuple):
    """The values that are shown, counted, filtered and compared of a submission in the Board's queue."""

    pk: int
    latest: int  # primary key of its latest filing
    number: str
    chapter: str
    organization: int
    licensee: str  # slug
    licensee_name: str
    status: str
    filed_at: datetime
    since: datetime  # its last step
    assignee: int | None
    assignee_name: str | None
    answers: str | None = None  # digest of what its latest filing says; None: it is not compared
    may_be_grouped: bool = False  # it was simulated, all simulations passed, and no comment is open


QUEUED = (  # the fields of `QueuedFiling`, but for the last two
    "pk", "latest", "number", "chapter", "organization", "organization__slug", "organization__name", "status",
    "filed_at", "since", "assignment__person", "assignment__person__name",
)  # fmt: skip


# These query sets are put together once and narrowed for each call: composing one takes longer than asking it.
@lru_cache(maxsize=256)
def _listed(reach: ReadScope | None) -> AnnotatedRows:
    """Return what may be read, in no order, with `latest` and `filed_at` of the latest filing and `since`."""
    return with_since(with_latest(readable_within(reach, Submission.objects.order_by())))


@lru_cache(maxsize=256)
def _compared(reach: ReadScope) -> AnnotatedRows:
    """Return the values of `QueuedFiling` of what may be read, with those by which equal filings are found."""
    runs = Simulation.objects.filter(revision=OuterRef("latest"))
    unpassed, commented = runs.exclude(passed=True), unresolved_remarks().filter(revision__submission=OuterRef("pk"))
    rows = _listed(reach).annotate(
        answers=F("latest_filing__revision__answers_digest__sha256"),
        may_be_grouped=Q(Exists(runs) & ~Exists(unpassed) & ~Exists(commented)),
    )
    values: AnnotatedRows = rows.order_by("number").values_list(*QUEUED, "answers", "may_be_grouped")
    return values


def tasks_of(person: Person) -> QuerySet[Submission]:
    """Return the submissions that wait for a step of this person's role: longest waiting first, drafts last.

    With `latest` and `filed_at` (None for a draft) and `since`; for a licensee with `handed`: the kind of its last
    handover, or "". A submission that this person recommended waits for someone else. What is sent to the manager waits
    for managers; the other drafts that are a manager's tasks are those that they started.
    """
    tasks: AnnotatedRows = _turn_of_role(_listed(read_scope_of(person)), person).select_related("organization")
    if not person.at_licensee:
        return tasks.order_by("since", "pk")
    unsent_last = Case(When(~SENT, status=Status.DRAFT, then=1), default=0)
    tasks = tasks.annotate(handed=_handover()).exclude(_is_task_of_others(person))
    return tasks.order_by(unsent_last, "since", "pk")


def _turn_of_role(rows: AnnotatedRows, person: Person) -> AnnotatedRows:
    """Return those of `_listed` that wait for the person's role, without what the person recommended."""
    statuses = _statuses(WAITS_ON, person.role)
    turn = rows.filter(status__in=statuses)
    if Status.RECOMMENDED in statuses:
        own = Decision.objects.filter(revision=OuterRef("latest"), kind=Decision.Kind.RECOMMEND, by=person.pk)
        turn = turn.exclude(Q(status=Status.RECOMMENDED) & Exists(own))
    return turn


def _statuses(waits_on: Mapping[Any, Party], role: str) -> list[str]:
    """Return the statuses that wait for this role."""
    return [status for status, party in waits_on.items() if party in TURNS.get(role, ())]


def queued_filings(person: Person) -> list[QueuedFiling]:
    """Return the turn of a person of the Board, by number, with what equal filings are found by; one query."""
    reach = read_scope_of(person)
    if reach is None or person.role not in TURNS:
        return []
    return [QueuedFiling(*row) for row in _turn_of_role(_compared(reach), person)]


def filings_with_status(person: Person, status: str) -> list[QueuedFiling]:
    """Return all filings with the status, in no order, to be shown, counted and filtered; one query."""
    rows = _listed(read_scope_of(person)).filter(status=status).values_list(*QUEUED)
    return [QueuedFiling(*row) for row in rows]


def unresolved_remarks() -> QuerySet[Remark]:
    """Return the remarks that the Board has not resolved."""
    unresolved = [state for state in Remark.State if state != Remark.State.RESOLVED]
    return Remark.objects.filter(state__in=unresolved)  # by the index: after ten years nearly all are resolved


def with_latest(rows: AnnotatedRows) -> AnnotatedRows:
    """Annotate `latest` (primary key) and `filed_at` of the latest filing."""
    latest = F("latest_filing__revision")
    annotated: AnnotatedRows = rows.annotate(latest=latest, filed_at=F("latest_filing__revision__filed_at"))
    return annotated


def with_since(rows: AnnotatedRows) -> AnnotatedRows:
    """Annotate `since`: the moment of the last step."""
    steps = Event.objects.filter(submission=OuterRef("pk"), verb__in=STEP_VERBS).order_by("-sequence")
    annotated: AnnotatedRows = rows.annotate(since=Coalesce(Subquery(steps.values("at")[:1]), "created_at"))
    return annotated


def layout_tasks_of(person: Person) -> QuerySet[LayoutFiling]:
    """Return the layout filings that wait for a step of this person's role, but for those that they reported on.

    In no order: the due dates come from `layouts.review_clock`.
    """
    statuses = _statuses(LAYOUT_WAITS_ON, person.role)
    tasks = layouts_visible_to(person).filter(status__in=statuses)
    if LayoutStatus.RECOMMENDED not in statuses:
        return tasks
    latest = LayoutRevision.objects.filter(filing=OuterRef("pk")).order_by("-number").values("pk")[:1]
    report = LayoutDecision.Kind.RECOMMEND
    own = LayoutDecision.objects.filter(layout_revision=OuterRef("filed"), kind=report, by=person)
    return tasks.annotate(filed=Subquery(latest)).exclude(Q(status=LayoutStatus.RECOMMENDED) & Exists(own))


def batch_tasks_of(person: Person) -> QuerySet[Batch]:
    """Return the bulk updates that this person may confirm, longest waiting first."""
    may_confirm = [signs for signs, verb in ((False, "bulk"), (True, "sign-bulk")) if may(person, verb)]
    if not may_confirm:
        return Batch.objects.none()
    tasks = batches_visible_to(person).filter(state=Batch.State.UNCONFIRMED, signs__in=may_confirm).order_by("pk")
    return tasks.select_related(None).select_related("by", "credential").only(*SHOWN_OF_BATCH)


def count_tasks(person: Person) -> int:
    """Return how many submissions, layout filings and bulk updates wait for this person."""
    return tasks_of(person).count() + layout_tasks_of(person).count() + batch_tasks_of(person).count()


def other_drafts(person: Person) -> QuerySet[Submission]:
    """Return the licensee's drafts that are not tasks of this person, the latest change first."""
    drafts = visible_to(person).filter(status=Status.DRAFT).annotate(handed=_handover()).select_related("organization")
    return drafts.filter(_is_task_of_others(person)) if person.role in TURNS else drafts


def _handover() -> Coalesce:
    """Return how the present version was last handed over; "" if it was not."""
    rows = Handover.objects.filter(submission=OuterRef("pk"), version=OuterRef("version"))
    return Coalesce(Subquery(rows.order_by("-pk").values("kind")[:1]), Value(""))


def _is_task_of_others(person: Person) -> Q:
    """Return the licensee's filings that wait for its other side.

    For a preparer what is sent, for a manager drafts that are not. A stand-in, who prepares and files, has both.
    """
    if person.at_licensee and person.role == Role.MANAGER:
        return Q(status=Status.DRAFT) & ~SENT & ~Q(created_by=person)
    if person.at_licensee and person.role == Role.PREPARER:
        return SENT & ~Q(Exists(stand_ins_on(timezone.localdate()).filter(person=person)))
    return Q(pk__in=())


TASKS_ON_PAGE = 25  # submissions on a page of the list


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
    """Return the details of each row of a page with `latest`, by the submission's primary key.

    One query for the questions; with simulations one more, and another if any is running.
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


@dataclass(frozen=True, slots=True)
class Target:
    """The target day of a filing, as of `today`."""

    due: date
    today: date

    @property
    def days_left(self) -> int:
        """Return the days left, negative once the target day is past."""
        return (self.due - self.today).days

    @property
    def overdue(self) -> bool:
        return self.days_left < 0

    @property
    def words(self) -> str:
        """Return the target as "Target: November 30, 2026, 5 days left"."""
        left = self.days_left
        if left < 0:
            return f"Overdue: the target was {date_text(self.due)}, {counted(-left, 'day')} ago"
        return f"Target: {date_text(self.due)}, {counted(left, 'day') + ' left' if left else 'today'}"


def target_of(filed_at: datetime | None, today: date) -> Target | None:
    """Return the target of a filing; None without a filing, or where there is no target."""
    if filed_at is None or not settings.TARGET_DAYS:
        return None
    return Target(timezone.localdate(filed_at) + timedelta(settings.TARGET_DAYS), today)


def overdue_before(today: date) -> datetime | None:
    """Return the moment before which a filing was filed whose target day is past; None where there is no target."""
    if not settings.TARGET_DAYS:
        return None
    return start_of(today - timedelta(settings.TARGET_DAYS))
