"""The games: which chapters there are, and a chapter's rules, paytables and text. Public."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from games.maths.published import printed
from games.rules.model import Chapter
from games.rules.text_diff import word_diff
from submissions.evidence import analysis_cache
from submissions.filings.versions import versions_in_effect
from submissions.rules.effective_rules import chapter_on, chapters_on, days_of_change
from submissions.web import formatting
from submissions.web.asked_day import requested_day
from submissions.web.filings.chapter_text import marked_text
from submissions.web.filings.paytables import side_by_side


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of the index; `approved_at` names the licensees with an approved version."""

    place: int  # in the Code's order
    chapter: Chapter
    approved_at: list[str]


@dataclass(frozen=True, slots=True)
class IndexColumn:
    """A heading of the index that sorts by it: `?by=key`."""

    key: str
    label: str
    order: Callable[[GameRow], Any]
    direction: str = "ascending"  # as `aria-sort` has it


COLUMNS: Mapping[str, IndexColumn] = {
    column.key: column
    for column in (
        IndexColumn("number", "Chapter", lambda row: row.place),
        IndexColumn("title", "Game", lambda row: row.chapter.title),
        IndexColumn("status", "Rules", lambda row: row.chapter.status),
        IndexColumn("text", "Text", lambda row: row.chapter.complete),
        IndexColumn("readings", "Interpretation notes", lambda row: -len(row.chapter.readings), "descending"),
        IndexColumn("offered", "Approved at", lambda row: -len(row.approved_at), "descending"),
    )
}


def index(request: HttpRequest) -> HttpResponse:
    """Every game, in the Code's order or by one of the columns."""
    by = COLUMNS.get(request.GET.get("by", ""), COLUMNS["number"])
    approvals = _approved_at()
    rows = [
        GameRow(place, game, approvals.get(game.number, []))
        for place, game in enumerate(chapters_on(timezone.localdate()))
    ]
    context = {"rows": sorted(rows, key=by.order), "columns": COLUMNS.values(), "by": by, "here": "chapters"}
    return render(request, "public/chapters.html", context)


def chapter(request: HttpRequest, number: str) -> HttpResponse:
    if not formatting.is_known_chapter(number):
        raise Http404(f"The portal does not have chapter {number}.")
    requested = requested_day(request)
    game = chapter_on(number, requested.day)
    figures = analysis_cache.figures_of(game, {})
    analyses = list((figures or {}).values())
    wagers = [
        (wager, side_by_side(game, wager.key, figures), [row for row in analyses if row.wager == wager.key])
        for wager in game.wagers
        if not wager.part_of or wager.paytable_option
    ]
    sections = [
        formatting.paragraphs(text)
        for citation, text in game.sections.items()
        if citation.startswith(f"§ {number}.") and "(" not in citation
    ]
    context = {
        "chapter": game,
        "printed": printed(game, analyses),
        "computing": figures is None,
        "requested": requested,
        "rules_on": requested.day if requested.text else None,
        "coming": [day for day in days_of_change(number) if day > requested.day],
        "approved_at": _approved_at().get(number, []),
        "wagers": wagers,
        "marked": marked_text(game.number),
        "sections": sections,
        "here": "chapters",
    }
    return render(request, "public/chapter.html", context, status=requested.status)


def section(request: HttpRequest, place: str) -> HttpResponse:
    """The text of one section on `?on=` (a filing's day), with every change of it marked; for htmx without the page
    around it."""
    citation, requested = f"§ {place}", requested_day(request)
    text = formatting.section_text(citation, requested.day)
    if not text:
        raise Http404(f"The portal does not have {citation}.")
    page = "parts/section.html" if request.htmx else "public/section.html"  # type: ignore[attr-defined]
    changes = formatting.section_changes(citation)
    context = {
        "citation": citation,
        "paragraphs": formatting.paragraphs(text),
        "day": requested.day,
        "changes": [(day, day > requested.day, word_diff(before, after)) for day, before, after in changes],
        "here": "chapters",
    }
    return render(request, page, context, status=requested.status)


def _approved_at() -> dict[str, list[str]]:
    """Chapter → the licensees with a version of it in effect today, by name."""
    approvals: dict[str, list[str]] = {}
    rows = versions_in_effect(timezone.localdate()).order_by("organization__name")
    for chapter, name in rows.values_list("chapter", "organization__name"):
        approvals.setdefault(chapter, []).append(name)
    return approvals
