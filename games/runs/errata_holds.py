"""The hold of a wager by the reading of a payout note, and by its other reading: what the note changes.

A payout note names the cells that pay otherwise. Both holds are computed with the same answers: the wager is offered
with that paytable, and no other optional wager is. Not here: the report of all notes (`errata`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games import registry
from games.maths.export import digits_of, percent
from games.maths.results import WagerAnalysis
from games.rules.errata import ErrataNote, OtherPay
from games.rules.errors import RuleError
from games.rules.loading.files import ERRATA
from games.rules.model import Answer, Answers, Chapter
from games.runs.engine import analyze

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
class NoteHolds:
    """The holds that one payout note changes."""

    reading: str  # its id
    holds: tuple[HoldChange, ...]


def compute_holds(number: str) -> tuple[NoteHolds, ...]:
    """Those of every payout note of the chapter that names cells: seconds. `RuleError` as in `hold_changes`."""
    chapter = registry.chapter(number)
    notes = (note for note in registry.errata(number).notes if note.otherwise)
    return tuple(NoteHolds(note.reading, tuple(hold_changes(chapter, note))) for note in notes)


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
        name = chapter.wager(row.wager).name
        yield HoldChange(
            wager=row.wager,
            name=f"{name} ({row.spot})" if row.spot else name,
            paytable=row.paytable,
            per=PER_TOTAL if row.required else AT_RESET if row.progressive else PER_WAGER,
            as_read_pct=percent(row.hold, digits),
            otherwise_pct=percent(otherwise[key].hold, digits),
            digits=digits,
        )
