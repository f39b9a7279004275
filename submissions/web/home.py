"""The first page: what waits on whom. A licensee's submissions, the Board's queue, or the public's entrance."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.rules.model import Chapter
from games.rules.registry import chapters
from submissions.access import may, visible_to
from submissions.models import Decision, Person, Simulation, Status, Submission
from submissions.web import present

PAGE = 50
OPEN = (Status.FILED, Status.RECOMMENDED, Status.RETURNED)
AT_LICENSEE = (Status.RETURNED, Status.DRAFT)


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "public/home.html", {"chapters": chapters(), "here": "home"})
    person = request.user
    return queue(request, person) if person.at_regulator else mine(request, person)


def mine(request: HttpRequest, person: Person) -> HttpResponse:
    """A licensee's submissions: what waits on this person first, what the Board returned before all else."""
    rows = visible_to(person)
    open_rows = rows.filter(status__in=AT_LICENSEE).order_by("-status", "-changed_at", "-pk")
    waiting = [row for row in open_rows[:PAGE] if present.is_mine_to_do(person, row)]
    context = {"page": _page(request, rows), "waiting": waiting, "games": _games(), "may_start": may(person, "start")}
    return render(request, "pages/mine.html", {**context, "here": "home"})


def queue(request: HttpRequest, person: Person) -> HttpResponse:
    """The Board's queue: what waits on this person, oldest first, then the rest."""
    rows = _with_evidence(visible_to(person), person)
    open_rows = rows.filter(status__in=OPEN).order_by("changed_at", "pk")
    waiting = [row for row in open_rows.exclude(status=Status.RETURNED)[:PAGE] if _waits(person, row)]
    page = _page(request, rows)
    return render(request, "pages/queue.html", {"page": page, "waiting": waiting, "here": "home"})


def _games() -> list[tuple[str, list[Chapter]]]:
    """What can be started, by the status of its rules, in the Code's order."""
    return [
        (status, [one for one in chapters() if one.status == status]) for status in ("final", "temporary", "proposed")
    ]


def _with_evidence(rows: QuerySet[Submission], person: Person) -> QuerySet[Submission]:
    """Each with `passed` (of its latest revision's simulation) and `recommended_by_me`."""
    latest = Simulation.objects.filter(revision__submission=OuterRef("pk")).order_by("-revision__number", "passed")
    mine = Decision.objects.filter(revision__submission=OuterRef("pk"), kind=Decision.Kind.RECOMMEND, by=person)
    return rows.select_related("organisation").annotate(
        passed=Subquery(latest.values("passed")[:1], output_field=BooleanField(null=True)),
        recommended_by_me=Exists(mine),
    )


def _waits(person: Person, row: Submission) -> bool:
    own = row.status == Status.RECOMMENDED and row.recommended_by_me  # type: ignore[attr-defined]
    return present.is_mine_to_do(person, row) and not own


def _page(request: HttpRequest, rows: QuerySet[Submission]) -> Page[Submission]:
    return Paginator(rows.select_related("organisation"), PAGE).get_page(request.GET.get("page"))
