"""The page of several equal filings: what is equal, what differs, and a form that decides on those that are chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import get_text_list

from submissions.accounts.pages import reauthentication
from submissions.core.configurations import tables_as_text
from submissions.core.errors import Refusal
from submissions.core.text import counted
from submissions.filings.answer_values import table_answers
from submissions.filings.hold_findings import filed_hold_findings
from submissions.filings.planned_day import approval_day
from submissions.filings.review.decisions import to_confirm
from submissions.filings.review.equal_filings import MOST, EqualGroup, Outcome, Terms, decide_together, equal_group
from submissions.filings.review.pages.decisions import entered_day
from submissions.models import Revision, Submission
from submissions.permissions import require, visible_to
from submissions.permissions.workflow import TRANSITIONS
from submissions.rules import filed_chapter
from submissions.web.access_gate import person_of
from submissions.web.forms import CONFIRMATION
from submissions.web.responses import render_page, whole_number

SEPARATOR = ":"  # between number and version in the value of a checkbox


@dataclass(frozen=True, slots=True)
class FilingRow:
    """The differences of one of the filings."""

    submission: Submission
    receipt: str
    filed_at: datetime
    tables: str
    is_chosen: bool
    table_lines: tuple[tuple[str, str], ...]  # question, answer: lines that list tables
    value: str  # of the checkbox: the number, and the version that the person saw


def page(request: HttpRequest, step: str, digest: str) -> HttpResponse:
    """Return the page; a post decides and returns to the queue, where the result is shown."""
    person = person_of(request)
    require(person, "oversee")
    group = equal_group(person, step, digest)
    if request.method != "POST":
        return _show(request, group)
    chosen = _chosen(request.POST.getlist("filing"))
    try:
        reauthentication.require_confirmation(request)
        outcomes = decide_together(person, step, digest, chosen, _terms(request.POST))
    except Refusal as refusal:
        if refusal.option == CONFIRMATION and not chosen:
            refusal.further = (Refusal("equal-filings-count", count=0, most=MOST),)
        return _show(request, group, refusal)
    _report(request, step, outcomes)
    return redirect("home")


def _show(request: HttpRequest, group: EqualGroup, refusal: Refusal | None = None) -> HttpResponse:
    rows = visible_to(request.user).filter(number__in=group.numbers).select_related("organization").order_by("number")
    revisions = [row.revisions.latest("number") for row in rows]
    chosen = request.POST.getlist("filing") if refusal else None
    first = revisions[0]
    content = first.content
    context = {
        "group": group,
        "rows": [_row(row, revision, chosen) for row, revision in zip(rows, revisions, strict=True)],
        "chapter": content["chapter"]["number"],
        "rules_on": date.fromisoformat(content["rules_on"]),
        "dealt": bool(filed_chapter(first).paytables),  # else no wager is made against the house
        "takes_effect": date.fromisoformat(content["takes_effect"]) if content.get("takes_effect") else None,
        "configurations": [
            {**row, "findings": [*row["findings"], *on_holds]}
            for row, on_holds in zip(content["configurations"], filed_hold_findings(first), strict=True)
        ],
        "to_confirm": to_confirm(first) if group.step == "approve" else (),
        "label": TRANSITIONS[group.step].label,
        "day": approval_day(content) or timezone.localdate(),
        "today": timezone.localdate(),
        "entered": request.POST if refusal else {},
        "error_fields": {
            "equal-filings-count": f"filing-{rows[0].pk}",
            "from_day": "from_day",
            "reason": "reason",
        },
        "here": "home",
    }
    return render_page(request, "pages/equal_filings.html", context, refusal)


def _row(submission: Submission, revision: Revision, chosen: Sequence[str] | None) -> FilingRow:
    configurations = revision.content["configurations"]
    tables = "; ".join(map(_tables, configurations))
    lines = tuple(pair for row in configurations for pair in table_answers(row).items())
    value = f"{submission.number}{SEPARATOR}{submission.version}"
    is_chosen = chosen is None or value in chosen
    return FilingRow(submission, revision.receipt, revision.filed_at, tables, is_chosen, lines, value)


def _tables(configuration: Mapping[str, Any]) -> str:
    tables, name = configuration["tables"], str(configuration["name"])
    return f"{name} ({tables_as_text(tables, configuration.get('pit', ''))})" if tables else name


def _chosen(values: Sequence[str]) -> list[tuple[str, int]]:
    """Return (number, version) of each checkbox; a version that nobody saw is refused as changed."""
    pairs = (value.partition(SEPARATOR) for value in values)
    return [(number, whole_number(version)) for number, _, version in pairs]


def _terms(sent: Mapping[str, str]) -> Terms:
    day = entered_day(sent.get("from_day", ""))
    return Terms(reason=sent.get("reason", ""), from_day=day, confirmed=sent.get("confirmed") == "yes")


def _report(request: HttpRequest, step: str, outcomes: Sequence[Outcome]) -> None:
    """Add messages that list the decided filings, and each refused one with its reason."""
    done = [outcome.number for outcome in outcomes if outcome.refusal is None]
    word = "Recommended" if step == "recommend" else "Approved"
    if done:
        messages.success(request, f"{word} {counted(len(done), 'filing')}: {get_text_list(done, 'and')}.")
    for outcome in outcomes:
        if outcome.refusal:
            words = f"{outcome.number} is not decided: {outcome.refusal.message} {outcome.refusal.fix}"
            messages.error(request, words)
