"""Pages of the evidence: one round of a filed simulation, and the errata, which are public.

A round shows the cards, the decisions, and the result of each wager by its subsection. The errata: how many notes each
chapter has, a chapter's notes by section, of one class or effect by a filter, with holds and verdicts as far as they
are computed; and as JSON and CSV.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.maths.cards import JOKER, RANK_NAMES, symbols
from games.rules.errata import CLASSES, EFFECTS, GRADES
from games.rules.errors import RuleError
from games.runs.engine import Replay, Settlement
from games.runs.errata import GENERAL, ErrataReport, HoldChange, ReportedNote, collect, notes_of, numbers, report_data
from submissions.core.configurations import evidence_index
from submissions.core.csv_export import csv_lines
from submissions.core.errors import Refusal
from submissions.documents.context_evidence import units
from submissions.filings.evidence import simulations
from submissions.filings.evidence.computations import stored_report
from submissions.models import Revision, Simulation
from submissions.web import formatting
from submissions.web.access_gate import submission_of
from submissions.web.responses import render_page, whole_number

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
RED = (1, 2)


def show_round(request: HttpRequest, number: str) -> HttpResponse:
    """Show round N of a configuration's run, counted from 0: `?configuration=0&round=N`."""
    submission = submission_of(request, number)
    simulation = _simulation(submission.revisions.first(), _whole(request, "configuration"))
    context = {
        "submission": submission,
        "simulation": simulation,
        "configuration": simulation.revision.content["configurations"][simulation.configuration],
        "several": len(simulation.revision.content["configurations"]) > 1,
        "entered": request.GET.get("round", "0"),
        "last": simulation.rounds - 1,
        "here": "home",
    }
    try:
        place = simulations.round_index(simulation, _whole(request, "round"))
        context |= {
            "place": place,
            "before": place.number - 1 if place.number else None,
            "after": place.number + 1 if place.number + 1 < simulation.rounds else None,
        }
        story = simulations.replayed_round(simulation, place)
    except Refusal as refusal:
        return render_page(request, "pages/round.html", context, refusal)
    return render_page(request, "pages/round.html", context | _shown(story, simulation))


def card_face(number: int) -> dict[str, object]:
    """Return a card as it is read, and as it is read aloud (`name`)."""
    if number == JOKER:
        return {"text": "Joker", "name": "joker", "red": False}
    rank, suit = divmod(number, 4)
    return {
        "text": symbols([number]),
        "name": f"{RANK_NAMES[rank]} of {SUIT_NAMES[suit]}",
        "red": suit in RED,
    }


def _simulation(revision: Revision | None, configuration: int) -> Simulation:
    if revision and 0 <= configuration < len(configurations := revision.content["configurations"]):
        runs = revision.simulations.select_related("revision__submission")
        if simulation := runs.filter(configuration=evidence_index(configurations, configuration)).first():
            return simulation
    raise Http404("This configuration has no simulation.")


def _whole(request: HttpRequest, name: str) -> int:
    """Return a whole number of the address; any other text counts as −1, which nothing has."""
    return whole_number(request.GET.get(name, "0").replace(",", "").strip(), digits=18)


def _shown(story: Replay | None, simulation: Simulation) -> dict[str, object]:
    if story is None:
        return {"being_dealt": True}
    wagers = simulation.revision.content["configurations"][simulation.configuration]["wagers"]
    names = {wager["key"]: wager["name"] for wager in wagers}
    return {
        "steps": [(step, [card_face(card) for card in step.cards]) for step in story.steps],
        "settlements": [_ended(settlement, names) for settlement in story.settlements],
    }


def _ended(settlement: Settlement, names: dict[str, str]) -> dict[str, str]:
    """Return how one wager ended; `net` and `wagered` in units."""
    wager, _, spot = settlement.wager.partition("/")
    return {
        "wager": f"{names.get(wager, wager)}{f': {spot}' if spot else ''}",
        "outcome": settlement.row.outcome,
        "pays": settlement.row.pays or "–",
        "wagered": units(str(settlement.row.wagered)).lstrip("+"),
        "net": units(str(settlement.row.net)),
        "section": settlement.section,
    }


ALLOWED: Mapping[str, Mapping[str, str]] = {
    "class": {str(name): text for name, text in CLASSES.items()},
    "effect": {str(name): text for name, text in EFFECTS.items()},
}


class ErrataFilter:
    """`entered`: what the address asks for, by field; `faults`: what no note can be, by field; links have `query`."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        self.entered = {name: parameters.get(name, "").strip() for name in ALLOWED}
        self.faults = {
            name: Refusal("unknown-filter/errata", what=name, text=text[:40], known=", ".join(ALLOWED[name]))
            for name, text in self.entered.items()
            if text and text not in ALLOWED[name]
        }
        self.status = 400 if self.faults else 200
        self.wanted = {name: text for name, text in self.entered.items() if text and name not in self.faults}
        self.query = f"?{urlencode(self.wanted)}" if self.wanted else ""
        self.query_of_chapter = self.query.replace("?", "&", 1)  # after another parameter
        self.fields = [(name, values.items()) for name, values in ALLOWED.items()]

    def matches(self, report: ErrataReport) -> list[ReportedNote]:
        """Return the notes of the report that the filter leaves; a field with a fault leaves all."""
        note_class, effect = self.wanted.get("class"), self.wanted.get("effect")
        return [
            row
            for row in report.notes
            if note_class in (None, row.note.note_class) and effect in (None, row.note.effect)
        ]


@require_safe
def show_errata(request: HttpRequest) -> HttpResponse:
    """Return the number of notes of each chapter, and the chapters whose errata are not complete."""
    chosen = ErrataFilter(request.GET)
    reports, refused = collect(numbers(), notes_of)
    rows = [_counts(report.number, report.title, chosen.matches(report)) for report in reports]
    matching = [row for report in reports for row in chosen.matches(report)]
    context = {
        "chosen": chosen,
        "rows": [row for row in rows if row["notes"]],
        "total": _counts("", "All", matching),
        "classes": [name.capitalize() for name in CLASSES],
        "effects": [name.capitalize() for name in EFFECTS],
        "refused": refused,
        "here": "chapters",
    }
    return render(request, "public/errata.html", context, status=chosen.status)


@require_safe
def show_chapter_errata(request: HttpRequest, number: str) -> HttpResponse:
    """Return the notes of one chapter, or of the general provisions, by section."""
    if number not in numbers():
        raise Http404(f"The portal has no errata of {number}.")
    chosen = ErrataFilter(request.GET)
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


def _sections(rows: Iterable[ReportedNote], *, computing: bool) -> list[tuple[str, list[dict[str, object]]]]:
    return [
        (heading, [_block(row, computing=computing) for row in notes])
        for heading, notes in groupby(rows, key=lambda row: row.section)
    ]


def _block(row: ReportedNote, *, computing: bool) -> dict[str, object]:
    """Return a note with its grade in words and its holds."""
    return {
        "row": row,
        "grade": f"{row.note.grade}, {GRADES[row.note.grade]}",
        "holds": [_hold(hold) for hold in row.holds],
        "awaits_holds": computing and row.note.states_holds and not row.holds,
    }


def _hold(hold: HoldChange) -> dict[str, str]:
    """Return the hold of one wager by both readings, as text."""
    change = hold.otherwise_pct - hold.as_read_pct
    sign = "+" if change > 0 else ""
    return {
        "name": f"{hold.name}, {hold.paytable}" if hold.paytable else hold.name,
        "per": hold.per,
        "as_read": formatting.number(hold.as_read_pct, hold.digits),
        "otherwise": formatting.number(hold.otherwise_pct, hold.digits),
        "change": sign + formatting.number(change, hold.digits),
    }


def _counts(number: str, title: str, rows: Sequence[ReportedNote]) -> dict[str, Any]:
    """Return the counts of a chapter's notes: in total, by class and by effect."""
    classes, effects = [row.note.note_class for row in rows], [row.note.effect for row in rows]
    return {
        "number": number,
        "is_general": number == GENERAL,
        "title": title,
        "notes": len(rows),
        "by_class": [(name.capitalize(), classes.count(name)) for name in CLASSES],
        "by_effect": [(name.capitalize(), effects.count(name)) for name in EFFECTS],
    }


COLUMNS = (
    "chapter", "citation", "place", "id", "class", "effect", "status", "grade", "printed", "reading", "evidence",
    "proposed", "no_change", "hold_as_read_and_otherwise_pct", "hold_not_computed", "document", "asked_on",
    "answered_on", "answered_by", "answer",
)  # fmt: skip


@require_safe
def errata_json(request: HttpRequest) -> HttpResponse:
    """Return every report with its notes; `computing` says that holds or verdicts of it are still to come."""
    chapters, refused = _wanted_reports(request)
    content = {
        "day": timezone.localdate().isoformat(),
        "chapters": chapters,
        "problems": refused,
    }
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False})
    return _as_file(request, response, "json")


@require_safe
def errata_csv(request: HttpRequest) -> HttpResponse:
    """Return a line for each note."""
    chapters, _ = _wanted_reports(request)
    rows = (row for chapter in chapters for row in _rows(chapter))
    response = HttpResponse("".join(csv_lines(COLUMNS, rows)), content_type="text/csv; charset=utf-8")
    return _as_file(request, response, "csv")


def _wanted_reports(request: HttpRequest) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the reports asked for with the notes that the filter leaves, and the incomplete ones with the reason.

    The first fault of the filter is raised, so that nothing else is taken away instead.
    """
    chosen = ErrataFilter(request.GET)
    for fault in chosen.faults.values():
        raise fault
    asked_number = request.GET.get("chapter", "")
    if asked_number and asked_number not in numbers():
        raise Http404(f"The portal has no errata of {asked_number}.")
    reports, refused = [], {}
    for number in [asked_number] if asked_number else numbers():
        try:
            stored = stored_report(number)
        except RuleError as error:
            refused[number] = str(error)
            continue
        content, kept_ids = report_data(stored.report), {row.reading.id for row in chosen.matches(stored.report)}
        notes = [note for note in content["notes"] if note["id"] in kept_ids]
        reports.append({**content, "notes": notes, "computing": stored.computing})
    return reports, refused


def _rows(report: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for note in report["notes"]:
        holds = "\n".join(
            f"{hold['name']} {hold['paytable']} (per {hold['per']}): {hold['as_read_pct']} / {hold['otherwise_pct']}"
            for hold in note["holds"]
        )
        cells = {**note, "chapter": report["chapter"], "hold_as_read_and_otherwise_pct": holds}
        yield tuple(str(cells[column] or "") for column in COLUMNS)


def _as_file(request: HttpRequest, response: HttpResponse, ending: str) -> HttpResponse:
    number = request.GET.get("chapter", "")
    name = f"errata-{number + '-' if number else ''}{timezone.localdate():%Y-%m-%d}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
