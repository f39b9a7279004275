"""The errata report of a chapter, and the report as plain data for programs.

It has the interpretation notes in the Code's order, the holds that the payout notes change, and the Board's printed
figures with their verdicts.

A payout note names the cells and rates that are otherwise, or its chapter's `other_readings.py` computes them, or they
are recorded where that takes minutes. Both holds are computed with the same answers: the wager is offered with that
paytable, and no other optional wager is. Not here: the notes themselves (`games.rules.errata`), the comparison of a
printed figure (`games.maths.published`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from importlib import import_module
from typing import Any

from games import registry
from games.maths.export import digits_of, percent
from games.maths.published import Printed, printed
from games.maths.results import WagerAnalysis
from games.other_readings import OTHER_READINGS, BothReadings, OtherReading, offered
from games.rules.errata import ChapterErrata, ErrataNote, OtherPay, OtherRate, RecordedHold
from games.rules.errors import RuleError
from games.rules.files import CHAPTERS, ERRATA, read_text
from games.rules.files import GENERAL as GENERAL_TEXT
from games.rules.model import Answers, Chapter, Reading
from games.runs.engine import ENGINE, analyze

PER_WAGER, PER_TOTAL, AT_RESET = "wager", "total wagered", "wager, at the reset amount"
LONG_RUN = "wager, in the long run"
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
class NoteHolds:
    """The holds that one payout note changes."""

    reading: str  # its id
    holds: tuple[HoldChange, ...]


def compute_holds(number: str) -> tuple[NoteHolds, ...]:
    """Return the holds of every payout note that states them, in seconds; `RuleError` as in `hold_changes`."""
    chapter = registry.chapter(number)
    notes = (note for note in registry.errata(number).notes if note.states_holds)
    return tuple(NoteHolds(note.reading, tuple(hold_changes(chapter, note))) for note in notes)


def hold_changes(chapter: Chapter, note: ErrataNote) -> Iterator[HoldChange]:
    """Yield each hold that the note's other reading changes, by both; `RuleError` if none is changed or computed."""
    yield from (_recorded(chapter, hold) for hold in note.recorded)
    if note.by_play:
        yield from _changes_of_play(chapter, note)
    for wager, paytable in dict.fromkeys((cell.wager, cell.paytable) for cell in note.otherwise):
        cells = [cell for cell in note.otherwise if (cell.wager, cell.paytable) == (wager, paytable)]
        answers = offered(chapter, wager, paytable)
        as_read = _rows(chapter, answers, wager)
        otherwise = _rows(_with_cells(chapter, cells), answers, wager)
        changes = list(_changed_rows(chapter, ((row, otherwise[key]) for key, row in as_read.items())))
        if not changes:
            raise RuleError(ERRATA, f"note `{note.reading}`", f"no hold changes with the cells of {wager}/{paytable}")
        yield from changes


def other_readings(number: str) -> Mapping[str, OtherReading]:
    """Return id of a payout note → its wagers by both readings, where no change of cells gives these.

    `RuleError` where the file has none. Empty for a chapter without the file.
    """
    folder = registry.folder_of(number)
    if not (folder / OTHER_READINGS).exists():
        return {}
    readings = vars(import_module(f"games.chapters.{folder.name}.other_readings")).get("OTHER_READINGS")
    if not isinstance(readings, Mapping):
        file = f"{folder.name}/{OTHER_READINGS}"
        raise RuleError(file, "OTHER_READINGS", "must be a mapping (games/other_readings.py)")
    return {f"{number}.{short}": reading for short, reading in readings.items()}


def _changes_of_play(chapter: Chapter, note: ErrataNote) -> Iterator[HoldChange]:
    where = f"note `{note.reading}`"
    reading = other_readings(chapter.number).get(note.reading)
    if reading is None:
        raise RuleError(ERRATA, where, "has `other_reading` without cells, but `other_readings.py` does not compute it")
    changes = list(_changed_rows(chapter, reading(chapter)))
    if not changes:
        raise RuleError(ERRATA, where, "no hold changes with its other reading")
    yield from changes


def _recorded(chapter: Chapter, hold: RecordedHold) -> HoldChange:
    name = chapter.wager(hold.wager).name
    return HoldChange(
        wager=hold.wager,
        name=f"{name} ({hold.play})" if hold.play else name,
        paytable="",
        per=PER_TOTAL,
        as_read_pct=float(hold.as_read),
        otherwise_pct=float(hold.otherwise),
        digits=len(hold.as_read.partition(".")[2]),
    )


def _rows(chapter: Chapter, answers: Answers, wager: str) -> dict[tuple[str, str], WagerAnalysis]:
    """Return the analyses that the wager is part of, by key and paytable."""
    whole = chapter.wager(wager).part_of
    rows = analyze(chapter, answers).wagers
    return {(row.key, row.paytable): row for row in rows if row.wager in (wager, whole)}


def _with_cells(chapter: Chapter, cells: Sequence[OtherPay | OtherRate]) -> Chapter:
    """Return the chapter with these cells paid otherwise, and with these rates of progression."""
    changed = {
        (cell.wager, cell.paytable, cell.outcome, cell.column): cell.pays
        for cell in cells
        if isinstance(cell, OtherPay)
    }
    rates = {(cell.wager, cell.paytable): cell.rate for cell in cells if isinstance(cell, OtherRate)}
    tables = tuple(
        replace(
            table,
            rate=rates.get((table.wager, table.name), table.rate),
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


def _changed_rows(chapter: Chapter, pairs: Iterable[BothReadings]) -> Iterator[HoldChange]:
    """Yield the holds that differ, of a progressive at its reset amount; in the long run, if only that differs."""
    for as_read, otherwise in pairs:
        per = PER_TOTAL if as_read.required else AT_RESET if as_read.progressive else PER_WAGER
        digits = min(digits_of(row, _DIGITS) for row in (as_read, otherwise))
        if as_read.hold != otherwise.hold:
            yield _change(chapter, as_read, per, digits, (as_read.hold, otherwise.hold))
            continue
        both = [row.progressive.long_run_return if row.progressive else None for row in (as_read, otherwise)]
        if both[0] is not None and both[1] is not None and both[0] != both[1]:
            yield _change(chapter, as_read, LONG_RUN, digits, (1 - both[0], 1 - both[1]))


def _change(
    chapter: Chapter, row: WagerAnalysis, per: str, digits: int, holds: tuple[Fraction, Fraction]
) -> HoldChange:
    name = chapter.wager(row.wager).name
    as_read_pct, otherwise_pct = (percent(hold, digits) for hold in holds)
    return HoldChange(
        wager=row.wager,
        name=f"{name} ({row.spot})" if row.spot else name,
        paytable=row.paytable,
        per=per,
        as_read_pct=as_read_pct,
        otherwise_pct=otherwise_pct,
        digits=digits,
    )


GENERAL = "general"
"""The name of the general provisions where a chapter's number is expected."""
GENERAL_TITLE = "General provisions"


@dataclass(frozen=True, slots=True)
class ReportedNote:
    """A reading with its errata note, and the holds of a payout note."""

    reading: Reading
    section: str  # "§ 683a.12. Payout odds; payout limitation."
    note: ErrataNote
    holds: tuple[HoldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrataReport:
    """The report on one chapter, or on the general provisions (`number` is "general")."""

    number: str
    title: str
    document: str
    rules_digest: str  # "" for the general provisions
    errata_digest: str
    notes: tuple[ReportedNote, ...]  # in the Code's order
    figures: tuple[Printed, ...] = ()


def numbers() -> tuple[str, ...]:
    """Return the names of all reports: every finished chapter in the Code's order, then the general provisions."""
    return (*(chapter.number for chapter in registry.chapters()), GENERAL)


def collect(wanted: Sequence[str], make: Callable[[str], ErrataReport]) -> tuple[list[ErrataReport], dict[str, str]]:
    """Return the reports that can be made, and number → why another cannot."""
    reports, refused = [], {}
    for number in wanted:
        try:
            reports.append(make(number))
        except RuleError as error:
            refused[number] = str(error)
    return reports, refused


def notes_of(number: str) -> ErrataReport:
    """Return the notes without anything computed; `RuleError` where the errata are missing or do not fit."""
    if number == GENERAL:
        readings = tuple(registry.general_notes().values())
        errata = registry.errata("")
        notes = _in_order(readings, errata, read_text(CHAPTERS / GENERAL_TEXT))
        return ErrataReport(GENERAL, GENERAL_TITLE, errata.document, "", errata.digest, notes)
    chapter, errata = registry.chapter(number), registry.errata(number)
    notes = _in_order(chapter.readings, errata, chapter.sections)
    return ErrataReport(number, chapter.title, errata.document, chapter.digest, errata.digest, notes)


def _in_order(
    readings: Sequence[Reading], errata: ChapterErrata, sections: Mapping[str, str]
) -> tuple[ReportedNote, ...]:
    """Return the notes in the order of the text, which is the Code's."""
    order = {citation: place for place, citation in enumerate(sections)}
    return tuple(
        ReportedNote(reading, _heading(reading.citation, sections), errata.note(reading.id))
        for reading in sorted(readings, key=lambda reading: order[reading.citation])
    )


def _heading(citation: str, sections: Mapping[str, str]) -> str:
    """Return the heading of the section in which the citation is."""
    section = citation.partition("(")[0]
    return sections[section].partition("\n")[0].lstrip("# ") if section in sections else section


def compute_report(number: str) -> ErrataReport:
    """Return the notes with the holds of the payout notes and the verdicts on the printed figures: seconds."""
    report = notes_of(number)
    if number == GENERAL:
        return report
    chapter = registry.chapter(number)
    figures = tuple(printed(chapter, analyze(chapter).wagers)) if chapter.published else ()
    return complete(report, compute_holds(number), figures)


def complete(report: ErrataReport, holds: Collection[NoteHolds], figures: Collection[Printed]) -> ErrataReport:
    """Return the report with what was computed for it."""
    of_notes = {row.reading: row.holds for row in holds}
    notes = tuple(replace(row, holds=of_notes.get(row.reading.id, ())) for row in report.notes)
    return replace(report, notes=notes, figures=tuple(figures))


def report_summary(reports: Sequence[ErrataReport]) -> dict[str, Any]:
    """Return numbers of notes by class and effect, by status, and with and without a wording; by chapter and in all."""
    notes = [row.note for report in reports for row in report.notes]
    return {
        "notes": len(notes),
        "by_class_and_effect": _nested(notes),
        "proposed": sum(bool(note.proposed) for note in notes),
        "payout": {
            "with_both_holds": sum(note.states_holds for note in notes),
            "without_hold": dict(sorted(Counter(note.no_hold for note in notes if note.no_hold).items())),
        },
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
    """Return one chapter's report for programs."""
    return {
        "chapter": report.number,
        "title": report.title,
        "document": report.document,
        "rules_digest": report.rules_digest,
        "errata_digest": report.errata_digest,
        "engine": ENGINE,
        "notes": [note_data(report, row) for row in report.notes],
        "figures": [asdict(figure) for figure in report.figures],
    }


def note_data(report: ErrataReport, row: ReportedNote) -> dict[str, Any]:
    """Return one note for programs; `hold` is the first of `holds`, null without one."""
    note, answer = row.note, row.note.board_answer
    holds = [asdict(hold) for hold in row.holds]
    return {
        "id": row.reading.id,
        "citation": row.reading.citation,
        "section": row.section,
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
        "other_reading": note.other_reading,
        "otherwise": [_cell_data(cell) for cell in note.otherwise],
        "hold": holds[0] if holds else None,
        "holds": holds,
        "no_hold": note.no_hold or None,
        "hold_not_computed": note.hold_not_computed,
    }


def _cell_data(cell: OtherPay | OtherRate) -> dict[str, str]:
    if isinstance(cell, OtherRate):
        return {"wager": cell.wager, "paytable": cell.paytable, "rate": cell.printed}
    keys = ("wager", "paytable", "outcome", "column")
    return {key: getattr(cell, key) for key in keys} | {"pays": cell.pays.printed}
