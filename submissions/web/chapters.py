"""The games: which chapters there are, and a chapter's rules, paytables and text. Public."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.maths.published import printed
from games.rules import registry
from games.rules.model import Chapter
from submissions import analysis
from submissions.web import present
from submissions.web.paytables import side_by_side
from submissions.web.register import offered_by


@dataclass(frozen=True, slots=True)
class Row:
    """One game of the index; `offered_by` names the licensees with an approved version."""

    place: int  # in the Code's order
    chapter: Chapter
    offered_by: list[str]


@dataclass(frozen=True, slots=True)
class Column:
    """A heading of the index that sorts by it: `?by=key`."""

    key: str
    label: str
    order: Callable[[Row], Any]


COLUMNS: Mapping[str, Column] = {
    column.key: column
    for column in (
        Column("number", "Chapter", lambda row: row.place),
        Column("title", "Game", lambda row: row.chapter.title),
        Column("status", "Rules", lambda row: row.chapter.status),
        Column("text", "Text", lambda row: row.chapter.complete),
        Column("readings", "Open readings", lambda row: -len(row.chapter.readings)),
        Column("offered", "Offered by", lambda row: -len(row.offered_by)),
    )
}


def index(request: HttpRequest) -> HttpResponse:
    """Every game, in the Code's order or by one of the columns."""
    by = COLUMNS.get(request.GET.get("by", ""), COLUMNS["number"])
    offers = offered_by()
    rows = [Row(place, found, offers.get(found.number, [])) for place, found in enumerate(registry.chapters())]
    context = {"rows": sorted(rows, key=by.order), "columns": COLUMNS.values(), "by": by, "here": "chapters"}
    return render(request, "public/chapters.html", context)


def chapter(request: HttpRequest, number: str) -> HttpResponse:
    if not present.known(number):
        raise Http404(f"The portal does not hold chapter {number}.")
    found = registry.chapter(number)
    figures = analysis.of_every_paytable(found)
    wagers = [
        (
            wager,
            side_by_side(found, wager.key, figures),
            [row for row in (figures or {}).values() if row.wager == wager.key],
        )
        for wager in found.wagers
        if not wager.part_of
    ]
    sections = [
        present.paragraphs(text)
        for citation, text in found.sections.items()
        if citation.startswith(f"§ {number}.") and "(" not in citation
    ]
    context = {
        "chapter": found,
        "printed": printed(found, list((figures or {}).values())),
        "computing": figures is None,
        "offered_by": offered_by().get(number, []),
        "wagers": wagers,
        "sections": sections,
        "here": "chapters",
    }
    return render(request, "public/chapter.html", context)


def section(request: HttpRequest, place: str) -> HttpResponse:
    """The text of one section; for htmx without the page around it."""
    citation = f"§ {place}"
    text = present.section_text(citation)
    if not text:
        raise Http404(f"The portal does not hold {citation}.")
    page = "parts/section.html" if request.htmx else "public/section.html"  # type: ignore[attr-defined]
    return render(request, page, {"citation": citation, "paragraphs": present.paragraphs(text), "here": "chapters"})
