"""The errata report of a chapter: its interpretation notes in the Code's order, the hold with and without each payout
note, and the Board's printed figures with their verdicts.

A payout note names the cells that pay otherwise under the other reading; both holds are computed with the same
answers. Not here: the notes themselves (`games.rules.errata`), how a verdict is found (`games.maths.verdicts`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games import registry
from games.maths.export import digits_of, percent
from games.maths.published import Printed, printed
from games.maths.results import WagerAnalysis
from games.rules.errata import ErrataNote, OtherPay
from games.rules.errors import RuleError
from games.rules.loading.files import ERRATA
from games.rules.model import Answer, Answers, Chapter, Reading
from games.runs.engine import ENGINE, analyze

GENERAL = "general"
"""What the general provisions are called where a chapter's number is expected."""
GENERAL_TITLE = "General provisions"
PER_WAGER, PER_TOTAL, AT_RESET = "wager", "total wagered", "wager, at the reset amount"
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class HoldChange:
    """The hold of one wager under one paytable by both readings, in percent to the digits that are known."""

    wager: str
    name: str
    paytable: str
    per: str  # the denominator
    as_read_pct: float
    otherwise_pct: float
    digits: int = _DIGITS  # decimals of both


@dataclass(frozen=True, slots=True)
class ReportedNote:
    """A reading with its errata note, and the holds of a payout note."""

    reading: Reading
    note: ErrataNote
    holds: tuple[HoldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrataReport:
    """What the report says of one chapter, or of the general provisions (`number` is "general")."""

    number: str
    title: str
    document: str
    rules_digest: str  # "" for the general provisions
    errata_digest: str
    notes: tuple[ReportedNote, ...]  # in the Code's order
    figures: tuple[Printed, ...] = ()


def numbers() -> tuple[str, ...]:
    """What can be reported: every finished chapter in the Code's order, then the general provisions."""
    return (*(chapter.number for chapter in registry.chapters()), GENERAL)


def collect(wanted: Sequence[str], make: Callable[[str], ErrataReport]) -> tuple[list[ErrataReport], dict[str, str]]:
    """The reports that can be made, and number → why another cannot."""
    reports, refused = [], {}
    for number in wanted:
        try:
            reports.append(make(number))
        except RuleError as error:
            refused[number] = str(error)
    return reports, refused


def notes_of(number: str) -> ErrataReport:
    """The notes without anything computed; `RuleError` where the errata are missing or do not fit."""
    if number == GENERAL:
        readings = tuple(registry.general_notes().values())
        errata = registry.errata("")
        notes = tuple(ReportedNote(reading, errata.note(reading.id)) for reading in readings)
        return ErrataReport(GENERAL, GENERAL_TITLE, errata.document, "", errata.digest, notes)
    chapter, errata = registry.chapter(number), registry.errata(number)
    order = {citation: place for place, citation in enumerate(chapter.sections)}
    readings = tuple(sorted(chapter.readings, key=lambda reading: order[reading.citation]))
    notes = tuple(ReportedNote(reading, errata.note(reading.id)) for reading in readings)
    return ErrataReport(number, chapter.title, errata.document, chapter.digest, errata.digest, notes)


def compute_report(number: str) -> ErrataReport:
    """The notes with the holds of the payout notes and the verdicts on the printed figures: seconds."""
    report = notes_of(number)
    if number == GENERAL:
        return report
    chapter = registry.chapter(number)
    figures = tuple(printed(chapter, analyze(chapter).wagers)) if chapter.published else ()
    notes = tuple(replace(row, holds=tuple(hold_changes(chapter, row.note))) for row in report.notes)
    return replace(report, notes=notes, figures=figures)


def hold_changes(chapter: Chapter, note: ErrataNote) -> Iterator[HoldChange]:
    """Each paytable whose cells the note's other reading changes, with its hold by both readings; `RuleError` where
    it changes none."""
    for wager, paytable in dict.fromkeys((cell.wager, cell.paytable) for cell in note.otherwise):
        cells = [cell for cell in note.otherwise if (cell.wager, cell.paytable) == (wager, paytable)]
        answers = _answers(chapter, wager, paytable)
        as_read = _rows(chapter, answers, wager)
        otherwise = _rows(_with_cells(chapter, cells), answers, wager)
        changes = list(_changed_rows(chapter, as_read, otherwise))
        if not changes:
            raise RuleError(ERRATA, f"note `{note.reading}`", f"no hold changes with the cells of {wager}/{paytable}")
        yield from changes


def _answers(chapter: Chapter, wager: str, paytable: str) -> Answers:
    """The wager is offered with this paytable; of other optional wagers none."""
    offered = chapter.wager(wager)
    answers: dict[str, Answer] = {
        each.paytable_option: chapter.tables_of(each.key)[0].name
        for each in chapter.wagers
        if each.paytable_option and not each.offered_by and chapter.tables_of(each.key)
    }
    if offered.offered_by:
        answers[offered.offered_by] = True
    if offered.paytable_option:
        answers[offered.paytable_option] = paytable
    return answers


def _rows(chapter: Chapter, answers: Answers, wager: str) -> dict[tuple[str, str], WagerAnalysis]:
    """The analyses that the wager is part of, by key and paytable."""
    whole = chapter.wager(wager).part_of
    rows = analyze(chapter, answers).wagers
    return {(row.key, row.paytable): row for row in rows if row.wager in (wager, whole)}


def _with_cells(chapter: Chapter, cells: Sequence[OtherPay]) -> Chapter:
    """The chapter with these cells paid otherwise."""
    changed = {(cell.wager, cell.paytable, cell.outcome, cell.column): cell.pays for cell in cells}
    tables = tuple(
        replace(
            table,
            rows=tuple(
                replace(
                    row,
                    pays=tuple(
                        changed.get((table.wager, table.name, row.outcome, column), pay)
                        for column, pay in zip(table.columns or ("",), row.pays, strict=True)
                    ),
                )
                for row in table.rows
            ),
        )
        for table in chapter.paytables
    )
    return replace(chapter, paytables=tables)


def _changed_rows(
    chapter: Chapter,
    as_read: Mapping[tuple[str, str], WagerAnalysis],
    otherwise: Mapping[tuple[str, str], WagerAnalysis],
) -> Iterator[HoldChange]:
    """The holds that differ."""
    differing = [key for key, row in as_read.items() if row.hold != otherwise[key].hold]
    for key in differing:
        row, digits = as_read[key], min(digits_of(each[key], _DIGITS) for each in (as_read, otherwise))
        yield HoldChange(
            wager=row.wager,
            name=chapter.wager(row.wager).name,
            paytable=row.paytable,
            per=PER_TOTAL if row.required else AT_RESET if row.progressive else PER_WAGER,
            as_read_pct=percent(row.hold, digits),
            otherwise_pct=percent(otherwise[key].hold, digits),
            digits=digits,
        )


def summary(reports: Sequence[ErrataReport]) -> dict[str, Any]:
    """Numbers of notes by class and effect, by status, with and without a proposed wording; by chapter and in all."""
    notes = [row.note for report in reports for row in report.notes]
    return {
        "notes": len(notes),
        "by_class_and_effect": _nested(notes),
        "proposed": sum(bool(note.proposed) for note in notes),
        "by_status": dict(Counter(note.status for note in notes)),
        "by_grade": dict(sorted(Counter(note.grade for note in notes).items())),
        "by_chapter": {
            report.number: {
                "notes": len(report.notes),
                "by_class_and_effect": _nested([row.note for row in report.notes]),
            }
            for report in reports
        },
    }


def _nested(notes: Sequence[ErrataNote]) -> dict[str, dict[str, int]]:
    counted: dict[str, dict[str, int]] = {}
    for (name, effect), count in sorted(Counter((note.note_class, note.effect) for note in notes).items()):
        counted.setdefault(name, {})[effect] = count
    return counted


def report_data(report: ErrataReport) -> dict[str, Any]:
    """One chapter's report for programs."""
    return {
        "chapter": report.number,
        "title": report.title,
        "document": report.document,
        "rules_digest": report.rules_digest,
        "errata_digest": report.errata_digest,
        "engine": ENGINE,
        "notes": [note_data(report, row) for row in report.notes],
        "figures": [figure_data(figure) for figure in report.figures],
    }


def note_data(report: ErrataReport, row: ReportedNote) -> dict[str, Any]:
    """One note for programs; `hold` is the first of `holds`, null without one."""
    note, answer = row.note, row.note.board_answer
    holds = [_hold_data(hold) for hold in row.holds]
    return {
        "id": row.reading.id,
        "citation": row.reading.citation,
        "place": note.place,
        "printed": row.reading.printed,
        "reading": row.reading.reading,
        "evidence": row.reading.evidence,
        "touches": list(row.reading.touches),
        "class": note.note_class,
        "effect": note.effect,
        "grade": note.grade,
        "proposed": note.proposed,
        "no_change": note.no_change,
        "document": report.document,
        "status": note.status,
        "asked_on": answer.asked_on.isoformat() if answer.asked_on else None,
        "answered_on": answer.answered_on.isoformat() if answer.answered_on else None,
        "answered_by": answer.answered_by,
        "answer": answer.answer,
        "otherwise": [_cell_data(cell) for cell in note.otherwise],
        "hold": holds[0] if holds else None,
        "holds": holds,
        "hold_not_computed": note.hold_not_computed,
    }


def _cell_data(cell: OtherPay) -> dict[str, str]:
    keys = ("wager", "paytable", "outcome", "column")
    return {key: getattr(cell, key) for key in keys} | {"pays": cell.pays.printed}


def _hold_data(hold: HoldChange) -> dict[str, Any]:
    keys = ("wager", "paytable", "per", "as_read_pct", "otherwise_pct")
    return {key: getattr(hold, key) for key in keys}


def figure_data(figure: Printed) -> dict[str, Any]:
    keys = ("wager", "paytable", "figure", "source", "ours", "reproduced", "verdict", "evidence", "note")
    return {key: getattr(figure, key) for key in keys}
