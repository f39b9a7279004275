"""The errata: how many notes each chapter has, and a chapter's notes by section. Public.

Holds and verdicts are shown as far as they are computed. Not here: the downloads (`errata_downloads`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.rules.errata import CLASSES, EFFECTS, GRADES
from games.rules.errors import RuleError
from games.runs.errata import GENERAL, ReportedNote, collect, notes_of, numbers
from games.runs.errata_holds import HoldChange
from submissions.core.errors import Refusal
from submissions.evidence.errata_reports import stored_report
from submissions.web import formatting
from submissions.web.filings.errata_filter import errata_filter


@dataclass(frozen=True, slots=True)
class CountRow:
    """One chapter of the index: how many of its notes match, by class and by effect."""

    number: str
    title: str
    notes: int
    by_class: list[tuple[str, int]]
    by_effect: list[tuple[str, int]]

    @property
    def is_general(self) -> bool:
        return self.number == GENERAL


@dataclass(frozen=True, slots=True)
class NoteHoldRow:
    """The hold of one wager by both readings, as text."""

    name: str
    per: str
    as_read: str
    otherwise: str
    change: str


@dataclass(frozen=True, slots=True)
class NoteBlock:
    """One note as the page shows it; `grade`: "A, the official text"."""

    row: ReportedNote
    grade: str
    holds: list[NoteHoldRow]
    awaits_holds: bool


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The number of notes of each chapter, and the chapters whose errata are not complete."""
    chosen = errata_filter(request.GET)
    reports, refused = collect(numbers(), notes_of)
    rows = [_counts(report.number, report.title, chosen.matches(report)) for report in reports]
    matching = [row for report in reports for row in chosen.matches(report)]
    context = {
        "chosen": chosen,
        "rows": [row for row in rows if row.notes],
        "total": _counts("", "All", matching),
        "classes": [name.capitalize() for name in CLASSES],
        "effects": [name.capitalize() for name in EFFECTS],
        "refused": refused,
        "here": "chapters",
    }
    return render(request, "public/errata.html", context, status=chosen.status)


@require_safe
def chapter(request: HttpRequest, number: str) -> HttpResponse:
    """The notes of one chapter, or of the general provisions, by section."""
    if number not in numbers():
        raise Http404(f"The portal has no errata of {number}.")
    chosen = errata_filter(request.GET)
    try:
        stored = stored_report(number)
    except RuleError as error:
        raise Refusal("errata-missing", number=number, problem=str(error)) from None
    matches = chosen.matches(stored.report)
    context = {
        "report": stored.report,
        "is_general": number == GENERAL,
        "chosen": chosen,
        "computing": stored.computing,
        "stopped": stored.stopped,
        "sections": _sections(matches, computing=stored.computing),
        "matching": len(matches),
        "figures": stored.report.figures,
        "here": "chapters",
    }
    return render(request, "public/errata_chapter.html", context, status=chosen.status)


def _sections(rows: Iterable[ReportedNote], *, computing: bool) -> list[tuple[str, list[NoteBlock]]]:
    return [
        (heading, [_block(row, computing=computing) for row in notes])
        for heading, notes in groupby(rows, key=lambda row: row.section)
    ]


def _block(row: ReportedNote, *, computing: bool) -> NoteBlock:
    grade = f"{row.note.grade}, {GRADES[row.note.grade]}"
    holds = [_hold(hold) for hold in row.holds]
    return NoteBlock(row, grade, holds, awaits_holds=computing and row.note.states_holds and not holds)


def _hold(hold: HoldChange) -> NoteHoldRow:
    change = hold.otherwise_pct - hold.as_read_pct
    sign = "+" if change > 0 else ""
    return NoteHoldRow(
        name=f"{hold.name}, {hold.paytable}" if hold.paytable else hold.name,
        per=hold.per,
        as_read=formatting.number(hold.as_read_pct, hold.digits),
        otherwise=formatting.number(hold.otherwise_pct, hold.digits),
        change=sign + formatting.number(change, hold.digits),
    )


def _counts(number: str, title: str, rows: Sequence[ReportedNote]) -> CountRow:
    classes, effects = [row.note.note_class for row in rows], [row.note.effect for row in rows]
    return CountRow(
        number,
        title,
        len(rows),
        [(name.capitalize(), classes.count(name)) for name in CLASSES],
        [(name.capitalize(), effects.count(name)) for name in EFFECTS],
    )
