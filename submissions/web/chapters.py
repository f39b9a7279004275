"""The games: which chapters there are, and a chapter's rules, paytables and text. Public."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.rules import registry
from submissions import analysis
from submissions.web import present
from submissions.web.paytables import side_by_side


def index(request: HttpRequest) -> HttpResponse:
    return render(request, "public/chapters.html", {"chapters": registry.chapters(), "here": "chapters"})


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
    return render(
        request, "public/chapter.html", {"chapter": found, "wagers": wagers, "sections": sections, "here": "chapters"}
    )


def section(request: HttpRequest, place: str) -> HttpResponse:
    """The text of one section; for htmx without the page around it."""
    citation = f"§ {place}"
    text = present.section_text(citation)
    if not text:
        raise Http404(f"The portal does not hold {citation}.")
    page = "parts/section.html" if request.htmx else "public/section.html"  # type: ignore[attr-defined]
    return render(request, page, {"citation": citation, "paragraphs": present.paragraphs(text), "here": "chapters"})
