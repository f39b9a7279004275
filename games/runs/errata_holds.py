"""The hold of a wager by the reading of a payout note, and by its other reading: what the note changes.

A payout note names the cells and rates that are otherwise, or its chapter's `other_readings.py` computes them, or they
are recorded where that takes minutes. Both holds are computed with the same answers: the wager is offered with that
paytable, and no other optional wager is. Not here: the report of all notes (`errata`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module

from games import registry
from games.maths.export import digits_of, percent
from games.maths.results import WagerAnalysis
from games.other_readings import OTHER_READINGS, BothReadings, OtherReading, offered
from games.rules.errata import ErrataNote, OtherPay, OtherRate, RecordedHold
from games.rules.errors import RuleError
from games.rules.loading.files import ERRATA
from games.rules.model import Answers, Chapter
from games.runs.engine import analyze

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
    """Those of every payout note of the chapter that states holds: seconds. `RuleError` as in `hold_changes`."""
    chapter = registry.chapter(number)
    notes = (note for note in registry.errata(number).notes if note.states_holds)
    return tuple(NoteHolds(note.reading, tuple(hold_changes(chapter, note))) for note in notes)


def hold_changes(chapter: Chapter, note: ErrataNote) -> Iterator[HoldChange]:
    """Each hold that the note's other reading changes, by both readings; `RuleError` where it changes none, or where
    the chapter does not compute it."""
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
    """Id of a payout note → its wagers by both readings, where no change of cells says what changes; `RuleError` where
    the file has none. Empty for a chapter without the file."""
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
    """The analyses that the wager is part of, by key and paytable."""
    whole = chapter.wager(wager).part_of
    rows = analyze(chapter, answers).wagers
    return {(row.key, row.paytable): row for row in rows if row.wager in (wager, whole)}


def _with_cells(chapter: Chapter, cells: Sequence[OtherPay | OtherRate]) -> Chapter:
    """The chapter with these cells paid otherwise, and with these rates of progression."""
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
    """The holds that differ: at the reset amount of a progressive, else, where only that differs, in the long run."""
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
