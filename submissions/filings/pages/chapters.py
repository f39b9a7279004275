"""The games: the index of chapters; a chapter's rules, paytables and text. Public, the same for everyone.

Beside each sentence of the text stands the data that implements it, or the reason why no data needs to; and the other
way. Not here: the sentences of each record (`games.rules.coverage`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from games.checking.chapter_coverage import ChapterCoverage, coverage
from games.maths.published import printed
from games.rules.coverage import REASONS, AccountedSentence, title
from games.rules.differences import text_diff
from games.rules.errors import RuleError
from games.rules.implementations import BY_SECTION, KINDS
from games.rules.model import Chapter
from games.rules.sections import PrintedSentence
from submissions.filings.evidence import computations
from submissions.filings.pages.paytables import side_by_side
from submissions.filings.pages.versions import requested_day
from submissions.filings.versions import versions_in_effect
from submissions.rules import chapter_on, chapters_on, days_of_change
from submissions.web import formatting


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
    """Show every game, in the Code's order or by one of the columns."""
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
    figures = computations.figures_of(game, {})
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
    """Return the text of one section on `?on=` with every change marked; for htmx without the page around it."""
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
        "changes": [(day, day > requested.day, text_diff(before, after)) for day, before, after in changes],
        "here": "chapters",
    }
    return render(request, page, context, status=requested.status)


def _approved_at() -> dict[str, list[str]]:
    """Return the licensees with a version in effect today, by name, for each chapter."""
    approvals: dict[str, list[str]] = {}
    rows = versions_in_effect(timezone.localdate()).order_by("organization__name")
    for chapter, name in rows.values_list("chapter", "organization__name"):
        approvals.setdefault(chapter, []).append(name)
    return approvals


KIND_NAMES: Mapping[str, tuple[str, str]] = {
    "option": ("Option", "Options of the checklist"),
    "requirement": ("Requirement", "Requirements of the answers"),
    "wager": ("Wager", "Wagers"),
    "paytable": ("Paytable", "Paytables"),
    "replay": ("Step of a round", "Steps and settlements of a round"),
    "element": ("Layout", "Elements of layout and table"),
    "play": ("Mathematics", "The mathematics as a whole"),
    "reading": ("Note", "Interpretation notes"),
    "guide": ("Guide", "Sentences of the guide for players"),
}
_STEP = re.compile(r"\(([^)]+)\)")


@cache
def marked_text(number: str) -> SafeString:
    """Return the chapter's sections with marks as HTML, made once per process; "" if the marks' data is wrong."""
    try:
        covered = coverage(number)
    except RuleError:
        return SafeString("")
    context = {"sections": list(_sections(covered.accounted)), "kinds": list(_implementations(covered))}
    reasons = [(title(key).capitalize(), words) for key, words in REASONS.items() if key != "heading"]
    return SafeString(render_to_string("parts/marked_text.html", context | {"reasons": reasons}))


def _sections(accounted: tuple[AccountedSentence, ...]) -> Iterator[dict[str, object]]:
    """Yield each section: its heading, and its paragraphs."""
    for _, rows in groupby(accounted, key=lambda row: row.sentence.citation.partition("(")[0]):
        heading, *rest = rows
        by_place = groupby(rest, key=lambda row: row.sentence.citation)
        yield {
            "heading": heading.sentence.text,
            "paragraphs": [_paragraph(*place) for place in by_place],
        }


def _paragraph(citation: str, rows: Iterable[AccountedSentence]) -> dict[str, object]:
    """Return the sentences of a citation; `label` is its last step, "(a)", and `level` its depth below the section."""
    steps = _STEP.findall(citation)
    return {
        "label": f"({steps[-1]})" if steps else "",
        "level": max(len(steps) - 1, 0),
        "sentences": [_marked(row) for row in rows],
    }


def _marked(row: AccountedSentence) -> dict[str, object]:
    """Return a sentence with its marks; without any, the reason why nothing needs to implement it, as words."""
    account, sentence = row.account, row.sentence
    marks = [_mark(name, sentence.citation.partition(".")[0]) for name in account.by]
    reason = "" if account.needs_nothing == "heading" else title(account.kind).capitalize()
    if account.why or account.gap:
        reason = f"{reason}: {account.why or account.gap}"
    return {
        "anchor": _sentence_anchor(sentence),
        "words": sentence.text,
        "marks": marks,
        "reason": "" if marks else reason,
    }


def _mark(name: str, chapter: str) -> dict[str, str]:
    """Return the link to an implementation, with its kind and name in words; `chapter` is "§ 687a"."""
    kind, _, key = name.partition(":")
    return {
        "kind": KIND_NAMES[kind][0],
        "name": _name_in_words(kind, key, chapter),
        "anchor": _anchor(name),
    }


def _name_in_words(kind: str, key: str, chapter: str) -> str:
    if kind in BY_SECTION:
        return f"{chapter}{key}"
    return re.sub(r"[_-]", " ", key).replace("/", ", ") or "decks, values, ranks and hands"


def _sentence_anchor(sentence: PrintedSentence) -> str:
    return _anchor(f"sentence{sentence.citation.removeprefix('§ ')}--{sentence.ordinal}")


def _anchor(name: str) -> str:
    """Return an id of the page: letters, digits, dots and hyphens; an underscore for a label that is printed twice."""
    return re.sub(r"[^\w.$-]", "-", name.replace("[", "_"))


def _implementations(covered: ChapterCoverage) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Yield the heading of each kind with all that the chapter has of it, in the order of the text or data files.

    Each has links (anchor, citation) to the sentences that it implements; it may have none.
    """
    chapter, sentences = covered.chapter, covered.sentences_of
    words = _words(chapter)
    for name in sentences:
        words.setdefault(name, _mark(name, f"§ {chapter.number}")["name"])
    for kind in KINDS:
        rows: list[dict[str, object]] = [
            {"anchor": _anchor(name), "words": said, "sentences": _links(sentences.get(name, []))}
            for name, said in words.items()
            if name.partition(":")[0] == kind
        ]
        if rows:
            yield KIND_NAMES[kind][1], rows


def _links(sentences: list[PrintedSentence]) -> list[tuple[str, str]]:
    """Return (anchor, citation) of each place, once."""
    first: dict[str, str] = {}
    for sentence in sentences:
        first.setdefault(sentence.citation, _sentence_anchor(sentence))
    return [(anchor, citation) for citation, anchor in first.items()]


def _words(chapter: Chapter) -> dict[str, str]:
    """Return what each record of the chapter is, by its name."""
    number = f"{chapter.number}."
    wagers = {wager.key: wager.name for wager in chapter.wagers}
    named: list[tuple[str, str]] = [("play", "Decks, values, ranks and hands, which every figure depends on")]
    named += [(f"option:{option.key}", option.question) for option in chapter.options]
    named += [(f"requirement:{rule.id.removeprefix(number)}", rule.fix) for rule in chapter.requirements]
    named += [(f"wager:{wager.key}", wager.name) for wager in chapter.wagers]
    for table in chapter.paytables:
        named.append((f"paytable:{table.key}", f"{wagers[table.wager]}, {table.name}"))
    named += [(f"element:{element.key}", element.element) for element in chapter.layout]
    named += [(f"reading:{note.id.removeprefix(number)}", note.reading) for note in chapter.readings]
    return dict(named)
