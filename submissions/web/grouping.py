"""The table groups of a draft on pages: the tabs above a checklist, and the form that adds, describes and removes one.

Not here: the checklist of a group (`checklist`), what makes a group (`submissions.actions.groups`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from games.rules.evaluate import effective, judge
from games.rules.model import Chapter
from submissions import tables
from submissions.access import may
from submissions.actions import groups
from submissions.actions.groups import Description
from submissions.errors import Conflict, Refusal
from submissions.models import Configuration, Person, Submission
from submissions.reopening import is_all_open
from submissions.web.guard import is_prepared_by, submission_of

FIELDS = ("name", "tables", "pit")


@dataclass(frozen=True, slots=True)
class Tab:
    """One configuration of a draft: what it is for, and how far it is."""

    position: int
    name: str
    tables: str  # in words; "" for all other tables
    answered: int
    asked: int
    wrong: int  # findings that block, unanswered lines not counted


def tabs(chapter: Chapter, rows: Sequence[Configuration]) -> list[Tab]:
    """A tab for each configuration, judged as filing judges; none as long as there is only one."""
    return [_tab(chapter, row) for row in rows] if len(rows) > 1 else []


def may_group(request: HttpRequest, submission: Submission) -> bool:
    return bool(may(request.user, "edit", submission)) and is_all_open(submission)


def address(submission: Submission, position: int, line: str = "") -> str:
    """The checklist of a configuration, at a line of it."""
    group = f"?group={position}" if position else ""
    return reverse("checklist", args=[submission.number]) + group + (f"#line-{line}" if line else "")


def position_in(text: str | None) -> int:
    """A position as a form or an address names it; what is none counts as −1, which no configuration has."""
    if not text:
        return 0
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1


def add(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the form of a new group. POST: add it, and go to its checklist."""
    submission = _prepared(request, number)
    if request.method != "POST":
        return _form(request, submission, None, {})
    try:
        row = groups.add(
            _person(request), submission, _described(request), copy_of=position_in(request.POST.get("copy_of"))
        )
    except Refusal as refusal:
        return _form(request, submission, None, request.POST.dict(), _about_a_field(refusal))
    messages.success(request, f"“{row.name}” was added. Change what is different at its tables.")
    return HttpResponseRedirect(address(submission, row.position))


def change(request: HttpRequest, number: str, group: int) -> HttpResponse:
    """GET: name, tables and pit of a group. POST: change them."""
    submission = _prepared(request, number)
    row = submission.configurations.filter(position=group).exclude(position=0).first()
    if row is None:
        raise Http404("There is no such group of tables, or it is no more.")
    if request.method != "POST":
        return _form(request, submission, row, asdict(groups.described(row)))
    seen = Description(*(request.POST.get(f"seen-{field}", "") for field in FIELDS))
    try:
        row = groups.describe(_person(request), submission, group, _described(request), seen=seen)
    except Conflict as conflict:  # theirs is told: who saves again has seen it
        return _form(request, submission, row, request.POST.dict(), _about_a_field(conflict))
    except Refusal as refusal:
        return _form(request, submission, row, request.POST.dict(), _about_a_field(refusal), seen)
    messages.success(request, f"Saved: “{row.name}”, {tables.in_words(row.tables, row.pit)}.")
    return HttpResponseRedirect(address(submission, group))


@require_POST
def remove(request: HttpRequest, number: str, group: int) -> HttpResponse:
    submission = submission_of(request, number)
    groups.remove(_person(request), submission, group)
    messages.success(request, "The group was removed. The history keeps what it answered.")
    return redirect("checklist", number)


def _prepared(request: HttpRequest, number: str) -> Submission:
    submission = submission_of(request, number)
    if request.method != "POST" and not is_prepared_by(request, submission):
        raise Http404("The answers of this submission are not being prepared.")
    return submission


def _tab(chapter: Chapter, row: Configuration) -> Tab:
    today = timezone.localdate()
    answers = effective(chapter, row.answers, today)
    judgement = judge(chapter, answers, today)
    return Tab(
        position=row.position,
        name=row.called(several=True),
        tables=tables.in_words(row.tables, row.pit) if row.tables else "",
        answered=len(answers),
        asked=len(judgement.asked),
        wrong=sum(not finding.unanswered for finding in judgement.blocking),
    )


def _described(request: HttpRequest) -> Description:
    return Description(*(request.POST.get(field, "") for field in FIELDS))


def _about_a_field(refusal: Refusal) -> Refusal:
    """The refusal if the form can show it beside what was typed; any other goes to its own page."""
    if refusal.option in FIELDS or refusal.code in ("group-changed-meanwhile", "too-many-groups"):
        return refusal
    raise refusal


def _form(
    request: HttpRequest,
    submission: Submission,
    row: Configuration | None,
    typed: Mapping[str, object],
    refusal: Refusal | None = None,
    seen: Description | None = None,
) -> HttpResponse:
    rows = list(submission.configurations.all())
    context = {
        "submission": submission,
        "group": row,
        "seen": seen or (groups.described(row) if row else None),
        "typed": typed,
        "copies": [(one.position, one.called(several=True)) for one in rows] if len(rows) > 1 else [],
        "copy_of": position_in(str(typed.get("copy_of", ""))),
        "refusal": refusal,
        "may_group": may_group(request, submission),
        "here": "home",
    }
    return render(request, "pages/group.html", context, status=refusal.status if refusal else 200)


def _person(request: HttpRequest) -> Person:
    return cast(Person, request.user)
