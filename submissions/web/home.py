"""The first page: what waits on whom. A licensee's submissions, the Board's queue, or the public's entrance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.rules.model import Chapter
from games.rules.registry import chapters
from submissions.access import may, visible_to
from submissions.actions import versions
from submissions.models import Organisation, Person, Role, Status, Submission
from submissions.waiting import batches_waiting_on, waiting_on
from submissions.web import layout_lists

PAGE = 50


@dataclass(frozen=True, slots=True)
class Waiting:
    """One row of what waits: since when, what for, and where its simulation stands."""

    submission: Submission
    since: datetime
    what: str
    simulation: str
    dealt: int = 0
    to_deal: int = 0  # 0 = nothing is running


def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "public/home.html", {"chapters": chapters(), "here": "home"})
    person = request.user
    return queue(request, person) if person.at_regulator else mine(request, person)


def mine(request: HttpRequest, person: Person) -> HttpResponse:
    """A licensee's submissions: what waits on this person, what the Board returned before all else, then all."""
    games = _games(versions.offered(cast(Organisation, person.organisation)))
    context = {**_lists(request, person), "games": games, "may_start": may(person, "start"), "here": "home"}
    return render(request, "pages/mine.html", context)


def queue(request: HttpRequest, person: Person) -> HttpResponse:
    """The Board's queue: what waits on this person, oldest first, then everything."""
    return render(request, "pages/queue.html", {**_lists(request, person), "here": "home"})


def _lists(request: HttpRequest, person: Person) -> dict[str, object]:
    page = _page(request, "waiting", waiting_on(person))
    rows = visible_to(person).select_related("organisation")
    found = {"waiting": page, "rows": list(_told(person, page)), "page": _page(request, "page", rows)}
    to_confirm = {"batches": batches_waiting_on(person)}
    return {**found, **to_confirm, **layout_lists.waiting(request, person), **layout_lists.everything(request, person)}


def _games(offered: Mapping[str, str]) -> list[tuple[str, list[tuple[Chapter, str]]]]:
    """What can be started, by the status of its rules, in the Code's order; with the number of what is amended."""
    return [
        (status, [(one, offered.get(one.number, "")) for one in chapters() if one.status == status])
        for status in ("final", "temporary", "proposed")
    ]


def _told(person: Person, page: Page[Submission]) -> Iterator[Waiting]:
    row: Any  # a submission with what `waiting_on` adds to it
    for row in page:
        running = row.running and row.to_deal
        yield Waiting(
            submission=row,
            since=row.since,
            what=_what_for(person, row),
            simulation="Running" if row.running else "Does not agree" if row.failed else "Passed",
            dealt=row.dealt if running else 0,
            to_deal=row.to_deal if running else 0,
        )


def _what_for(person: Person, row: Any) -> str:
    """What this person is to do about it, in a few words."""
    if row.status == Status.DRAFT:
        return "Complete it and file" if person.role == Role.MANAGER else "Complete it"
    if row.status == Status.RETURNED:
        filing = "File it again" if person.role == Role.MANAGER else "Have it filed again"
        return f"Answer {_questions(row.to_answer)}" if row.to_answer else filing
    if row.status == Status.RECOMMENDED:
        return "Decide"
    if row.failed:
        return "Return it: the simulation does not agree"
    if row.to_settle:
        return f"Answers to {_questions(row.to_settle)}"
    return "Read it while it is simulated" if row.running else "Recommend or return"


def _questions(count: int) -> str:
    return f"{count} question{'s' if count > 1 else ''}"


def _page(request: HttpRequest, parameter: str, rows: QuerySet[Submission]) -> Page[Submission]:
    return Paginator(rows, PAGE).get_page(request.GET.get(parameter))
