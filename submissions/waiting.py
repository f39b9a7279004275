"""What waits on a person, and since when: the Board's queue and the licensee's list, each in one query; so for layouts.

Not here: whether the person may take the step itself (`access`), how it is worded (`web.home`).
"""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from submissions.access import layouts_visible_to, may, visible_to
from submissions.access.programs import batches_visible_to
from submissions.models import (
    Batch,
    Decision,
    Event,
    Job,
    LayoutDecision,
    LayoutFiling,
    LayoutRevision,
    LayoutStatus,
    Person,
    Remark,
    Revision,
    Role,
    Simulation,
    Status,
    Submission,
)
from submissions.workflow import TRANSITIONS

TURNS: dict[str, tuple[Status, ...]] = {
    Role.PREPARER: (Status.RETURNED, Status.DRAFT),
    Role.MANAGER: (Status.RETURNED, Status.DRAFT),
    Role.ANALYST: (Status.FILED,),
    Role.DIRECTOR: (Status.RECOMMENDED, Status.FILED),
}
LAYOUT_TURNS: dict[str, tuple[LayoutStatus, ...]] = {
    Role.PREPARER: (LayoutStatus.DEFICIENT, LayoutStatus.DRAFT),
    Role.MANAGER: (LayoutStatus.DEFICIENT, LayoutStatus.DRAFT),
    Role.ANALYST: (LayoutStatus.FILED,),
    Role.DIRECTOR: (LayoutStatus.RECOMMENDED, LayoutStatus.FILED),
}
MOVES = tuple(step.done for step in TRANSITIONS.values())


def waiting_on(person: Person) -> QuerySet[Submission]:
    """Each submission that waits on somebody with this person's role, the longest first, drafts after all else.

    With `since`; `running` and `failed`, of its simulation; `dealt` of `to_deal` rounds; `to_answer`, questions of
    the return; `to_settle`, questions that the Board has not resolved. What this person recommended waits on others.
    """
    latest = Revision.objects.filter(submission=OuterRef("pk")).order_by("-number").values("pk")[:1]
    own = Decision.objects.filter(revision=OuterRef("latest"), kind=Decision.Kind.RECOMMEND, by=person)
    last_move = Event.objects.filter(submission=OuterRef("pk"), verb__in=MOVES).order_by("-sequence").values("at")[:1]
    return (
        visible_to(person)
        .filter(status__in=TURNS.get(person.role, ()))
        .annotate(latest=Subquery(latest))
        .exclude(Q(status=Status.RECOMMENDED) & Exists(own))
        .annotate(since=Coalesce(Subquery(last_move), "created_at"), **_evidence(), **_questions())
        .select_related("organisation")
        .order_by(Case(When(status=Status.DRAFT, then=1), default=0), "since", "pk")
    )


def layouts_waiting_on(person: Person) -> QuerySet[LayoutFiling]:
    """Each filing of a layout that waits on somebody with this person's role; what this person reported on, on others.

    In no order: which is due first, its clock tells (`layout_clock`).
    """
    latest = LayoutRevision.objects.filter(filing=OuterRef("pk")).order_by("-number").values("pk")[:1]
    report = LayoutDecision.Kind.RECOMMEND
    own = LayoutDecision.objects.filter(layout_revision=OuterRef("filed"), kind=report, by=person)
    return (
        layouts_visible_to(person)
        .filter(status__in=LAYOUT_TURNS.get(person.role, ()))
        .annotate(filed=Subquery(latest))
        .exclude(Q(status=LayoutStatus.RECOMMENDED) & Exists(own))
    )


def batches_waiting_on(person: Person) -> QuerySet[Batch]:
    """Each bulk update that waits for a confirmation which this person may give, the longest first."""
    gives = [signs for signs, verb in ((False, "bulk"), (True, "sign-bulk")) if may(person, verb)]
    waiting = batches_visible_to(person).filter(state=Batch.State.WAITING)
    return waiting.filter(signs__in=gives).order_by("pk")


def _evidence() -> dict[str, Any]:
    runs = Simulation.objects.filter(revision=OuterRef("latest"))
    of_runs = Simulation.objects.filter(revision=OuterRef(OuterRef("latest"))).values("pk")
    jobs = Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=of_runs).order_by().values("kind")
    return {
        "running": Exists(runs.filter(passed=None)),
        "failed": Exists(runs.filter(passed=False)),
        "dealt": Subquery(jobs.values(sum=Sum("done_units"))),
        "to_deal": Subquery(jobs.values(sum=Sum("total_units"))),
    }


def _questions() -> dict[str, Any]:
    """How many are open now for the licensee, and how many the Board has not resolved."""
    asked = Remark.objects.filter(revision__submission=OuterRef("pk"), shown_with__kind=Decision.Kind.RETURN)
    counted = asked.order_by().values("revision__submission")
    return {
        "to_answer": Coalesce(Subquery(_count(counted.filter(state=Remark.State.OPEN))), 0),
        "to_settle": Coalesce(Subquery(_count(counted.exclude(state=Remark.State.RESOLVED))), 0),
    }


def _count(rows: Any) -> Any:
    return rows.annotate(count=Count("pk")).values("count")
