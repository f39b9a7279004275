"""The errata of a chapter: one note for each reading of its text, whether and how the official text should be amended.

Here are the records, and strict reading of `errata.toml`.

    document = "49 Pa.B., Doc. No. 19-659 (May 3, 2019), Annex A"

    [[note]]
    id = "mini-royal-40"            # the reading's id
    class = "substantive"           # clerical, cross-reference, substantive
    effect = "payout"               # none, procedure, payout, option
    proposed = "In § 683a.12(c), …" # the wording to amend; or `no_change`, why nothing should be amended
    grade = "B"                     # of the evidence, A to E
    place = "Paytable A, row 1"     # inside the citation; optional
    status = "open"                 # asked: with asked_on; answered: also with answered_on, answered_by, answer

    [[note.otherwise]]              # of a payout note: each cell that pays otherwise under the other reading
    wager = "board_bonus"
    paytable = "Paytable A"
    outcome = "Mini-royal"
    pays = "50 to 1"                # or "25 for 1", "push", "loss", "$5,000", "10% of meter", "$5,000/20% of meter"
    column = "With Wild"            # where the paytable has several
    rate = "45%"                    # instead of outcome, pays and column: the rate of progression

    other_reading = "…"             # of a payout note: the other reading in words. Without cells, the chapter's
                                    # `other_readings.py` computes its holds
    [[note.recorded]]               # …or they are recorded, where that takes minutes: wager, play, as_read, otherwise
                                    # (percent) and the command that repeats the computation

A payout note without holds says why in `hold_not_computed`, with one of the reasons of `NO_HOLDS` in `no_hold`. The
file is not part of the digest of the rules or of the words. Not here: the holds that a payout note changes, and the
report of all notes (`games.runs.errata`).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args

from games.rules.errors import RuleError
from games.rules.files import CHAPTERS, ERRATA, GENERAL_ERRATA, TOP, Fields, data_digest, label, read_toml
from games.rules.model import Chapter, Pay, Paytable, Reading
from games.rules.records import read_cell

NoteClass = Literal["clerical", "cross-reference", "substantive"]
Effect = Literal["none", "procedure", "payout", "option"]
Grade = Literal["A", "B", "C", "D", "E"]
NoHold = Literal["", "envy", "source", "unsettled", "irregularity", "number", "mathematics"]
NoteStatus = Literal["open", "asked", "answered"]

CLASSES: dict[NoteClass, str] = {
    "clerical": "A slip of the pen: every reader reads it the same way.",
    "cross-reference": "A section is cited that does not exist or is not the one that is meant.",
    "substantive": "The words allow more than one meaning, or leave out what is needed.",
}
EFFECTS: dict[Effect, str] = {
    "none": "Nothing changes with the reading.",
    "procedure": "What the dealer or the licensee does changes with it.",
    "payout": "What a wager pays changes with it, and so does its hold.",
    "option": "What a licensee may choose in its Rules Submission changes with it.",
}
GRADES: dict[Grade, str] = {
    "A": "the official text, of this chapter or another",
    "B": "the Board's documents: preambles, printed figures, forms",
    "C": "another state's regulation",
    "D": "general use",
    "E": "an inference of this portal",
}
NO_HOLDS: dict[NoHold, str] = {
    "envy": "The hold of a player's own wager does not include what other players are paid.",
    "source": "The regulation's own words are not available.",
    "unsettled": "The other reading leaves hands without a settlement or without odds.",
    "irregularity": "It concerns a hand dealt wrongly, which no figure counts.",
    "number": "The text prints no number to compute with.",
    "mathematics": "The program has no mathematics for the other reading.",
}
"""Why a payout note states no hold by its other reading."""
STATUSES: dict[NoteStatus, str] = {
    "open": "Not asked of the Board.",
    "asked": "Asked of the Board.",
    "answered": "Answered by the Board.",
}


@dataclass(frozen=True, slots=True)
class OtherPay:
    """One cell of a paytable as it pays under the other reading. `column` is "" where the paytable has one."""

    wager: str
    paytable: str
    outcome: str
    pays: Pay
    column: str = ""


@dataclass(frozen=True, slots=True)
class OtherRate:
    """The rate of progression of a paytable under the other reading."""

    wager: str
    paytable: str
    rate: Fraction  # share of the wager
    printed: str  # "45%"


@dataclass(frozen=True, slots=True)
class RecordedHold:
    """The hold of a wager by both readings, in percent, of a computation that takes minutes: `command` repeats it."""

    wager: str
    play: str  # how the player or the dealer plays, "" if there is one way
    as_read: str  # "3.947"
    otherwise: str
    command: str


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """The day of the question to the Board, and the day, person and text of the answer; None and "" until then."""

    asked_on: date | None = None
    answered_on: date | None = None
    answered_by: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class ErrataNote:
    """A note on the official text; `reading` is the reading's id, "683a.mini-royal-40".

    Exactly one of `proposed` (the wording to amend) and `no_change` (why nothing should be amended) says something.
    Of a payout note exactly one of these says what changes, of others none: `otherwise` (cells and rates), `recorded`,
    `hold_not_computed` with its `no_hold`, or else the chapter's `other_readings.py`. `other_reading` says what the
    other reading is; it is needed where no cell or rate says so.
    """

    reading: str
    note_class: NoteClass
    effect: Effect
    grade: Grade
    proposed: str = ""
    no_change: str = ""
    place: str = ""  # inside the citation: "paytable A, row 1"
    other_reading: str = ""
    otherwise: tuple[OtherPay | OtherRate, ...] = ()
    recorded: tuple[RecordedHold, ...] = ()
    no_hold: NoHold = ""
    hold_not_computed: str = ""
    status: NoteStatus = "open"
    board_answer: BoardAnswer = BoardAnswer()

    @property
    def by_play(self) -> bool:
        """True if its holds are those of the chapter's `other_readings.py`."""
        return bool(self.other_reading) and not self.otherwise and not self.recorded

    @property
    def states_holds(self) -> bool:
        """True if its holds by both readings are stated."""
        return bool(self.otherwise or self.recorded or self.by_play)


@dataclass(frozen=True, slots=True)
class ChapterErrata:
    """The errata of one chapter: the official document that its text is from, and a note for each reading."""

    number: str  # "683a"; "" for the general provisions
    document: str
    notes: tuple[ErrataNote, ...]
    digest: str  # SHA-256 of what the file says

    def note(self, reading: str) -> ErrataNote:
        return next(note for note in self.notes if note.reading == reading)


def load_errata(chapter: Chapter, folder: Path) -> ChapterErrata:
    """Return the errata of the chapter in the folder; `RuleError` if the file is missing or does not fit it."""
    return _errata(folder / ERRATA, chapter.number, chapter.readings, chapter.paytables)


def load_general_errata(notes: Collection[Reading], parent: Path = CHAPTERS) -> ChapterErrata:
    """Return the errata of the general provisions, whose file is beside the chapters' folders."""
    return _errata(parent / GENERAL_ERRATA, "", notes, ())


def _errata(path: Path, number: str, readings: Collection[Reading], tables: Collection[Paytable]) -> ChapterErrata:
    data = read_toml(path)
    top = Fields(label(path), TOP, data, number)
    document, notes = top.text("document"), top.each("note", lambda row: _note(row, tables))
    top.refuse_unknown()
    _check_complete(label(path), [note.reading for note in notes], [reading.id for reading in readings])
    return ChapterErrata(number, document, notes, data_digest({ERRATA: data}))


def _check_complete(file: str, noted: list[str], readings: list[str]) -> None:
    """Refuse a note without a reading, two notes of one reading, and a reading without a note."""
    for place, reading in enumerate(noted):
        if reading not in readings:
            raise RuleError(file, f"note `{reading}`", "there is no reading of this id")
        if reading in noted[:place]:
            raise RuleError(file, f"note `{reading}`", "is there twice; one note for each reading is allowed")
    missing = list(dict.fromkeys(reading for reading in readings if reading not in noted))
    if missing:
        raise RuleError(file, f"note `{missing[0]}`", f"is missing; readings without a note: {', '.join(missing)}")


def _note(row: Fields, tables: Collection[Paytable]) -> ErrataNote:
    note = row.record(
        ErrataNote,
        reading=row.full_id(),
        note_class=row.one_of("class", get_args(NoteClass)),
        otherwise=read_otherwise(row, tables),
        recorded=row.each("recorded", _recorded),
        board_answer=_board_answer(row),
    )
    row.refuse_unknown()
    _check_exclusive(row, note)
    return note


def _check_exclusive(row: Fields, note: ErrataNote) -> None:
    if bool(note.proposed.strip()) == bool(note.no_change.strip()):
        row.refuse("one of `proposed` (the wording to amend) and `no_change` (why none) must say something, not both")
    holds = "[[note.otherwise]], [[note.recorded]], `other_reading` and `hold_not_computed`"
    given = bool(note.otherwise) + bool(note.recorded) + note.by_play + bool(note.hold_not_computed.strip())
    if note.effect == "payout" and given != 1:
        row.refuse(f"`effect` is payout: one of {holds} must be there, not both")
    if note.effect != "payout" and given:
        row.refuse(f"`effect` is {note.effect}; {holds} are for payout")
    if bool(note.hold_not_computed) != bool(note.no_hold):
        row.refuse(f"`hold_not_computed` needs its reason in `no_hold`, one of {', '.join(NO_HOLDS)}, and only it")
    if note.recorded and not note.other_reading:
        row.refuse("[[note.recorded]] needs `other_reading`, what the other reading is")


def _board_answer(row: Fields) -> BoardAnswer:
    """Return the Board's answer with exactly the fields that the status demands."""
    status = row.one_of("status", tuple(STATUSES), "open")
    needed = {"open": (), "asked": ("asked_on",)}.get(status, ("asked_on", "answered_on", "answered_by", "answer"))
    for key in ("asked_on", "answered_on", "answered_by", "answer"):
        if row.has(key) != (key in needed):
            row.refuse(f"`status` is {status}: `{key}` {'is missing' if key in needed else 'is not allowed'}")
    board_answer = row.record(BoardAnswer)
    asked_on, answered_on = board_answer.asked_on, board_answer.answered_on
    if asked_on and answered_on and answered_on < asked_on:
        row.refuse(f"`answered_on` is {answered_on}, before `asked_on` {asked_on}")
    if status == "answered" and not (board_answer.answered_by.strip() and board_answer.answer.strip()):
        row.refuse("`answered_by` or `answer` is empty; both must say something")
    return board_answer


ALLOWED_PAYS = '"50 to 1", "25 for 1", "push", "loss", "$5,000", "10% of meter" or "$5,000/20% of meter"'
_ODDS = re.compile(r"([\d,]+) (to|for) ([\d,]+)")
_RATE = re.compile(r"(\d+(?:\.\d+)?)%")
_PERCENT = re.compile(r"-?\d+\.\d+")
_MONEY = re.compile(r"(?:\$([\d,]+(?:\.\d\d)?))?/?(?:(\d+(?:\.\d+)?)% of (.+))?")


def _recorded(row: Fields) -> RecordedHold:
    hold = row.record(RecordedHold, play=row.text("play", ""))
    for figure in (hold.as_read, hold.otherwise):
        if not _PERCENT.fullmatch(figure):
            row.refuse(f"{figure!r} is not a percentage such as 3.947 or -2.36")
    if len(hold.as_read.partition(".")[2]) != len(hold.otherwise.partition(".")[2]):
        row.refuse("`as_read` and `otherwise` must have as many decimals")
    return hold


def read_otherwise(row: Fields, tables: Collection[Paytable]) -> tuple[OtherPay | OtherRate, ...]:
    """Return the cells and rates of `[[note.otherwise]]`, of these paytables."""
    cells = row.each("otherwise", lambda cell: _other_cell(cell, tables))
    for count, place in enumerate(map(_place, cells), start=1):
        if place in map(_place, cells[: count - 1]):
            row.refuse(f"otherwise {count}: the cell {' / '.join(place)} is there twice")
    return cells


def _place(cell: OtherPay | OtherRate) -> tuple[str, ...]:
    if isinstance(cell, OtherRate):
        return cell.wager, cell.paytable, "rate"
    return cell.wager, cell.paytable, cell.outcome, cell.column


def _other_cell(row: Fields, tables: Collection[Paytable]) -> OtherPay | OtherRate:
    """Return a cell, or the rate of progression, of a paytable of the chapter as it would be otherwise."""
    by_name = {table.key: table for table in tables}
    name = f"{row.text('wager')}/{row.text('paytable')}"
    row.names("the paytable", [name], by_name)
    return _other_rate(row, by_name[name]) if row.has("rate") else _other_pay(row, by_name[name])


def _other_rate(row: Fields, table: Paytable) -> OtherRate:
    printed = row.text("rate")
    if table.rate is None:
        row.refuse(f"{table.key} has no rate of progression")
    if not (match := _RATE.fullmatch(printed)):
        row.refuse(f"`rate` is {printed!r}; a percentage such as 45.5% is allowed here")
    rate = Fraction(match[1]) / 100
    if rate == table.rate:
        row.refuse(f"`rate` is {printed!r}, which the paytable has already; the other reading must have another")
    return OtherRate(table.wager, table.name, rate, printed)


def _other_pay(row: Fields, table: Paytable) -> OtherPay:
    cell = row.record(OtherPay, pays=_read_pays(row.text("pays"), row))
    paid = {(outcome, column): pay for outcome, column, pay in table.lines()}
    if (cell.outcome, cell.column) not in paid:
        cells = ", ".join(f"{outcome} ({column})" if column else outcome for outcome, column in paid)
        row.refuse(
            f"there is no cell {cell.outcome!r} in column {cell.column!r}; the cells of the paytable are {cells}"
        )
    if replace(cell.pays, printed="") == replace(paid[cell.outcome, cell.column], printed=""):
        row.refuse(f"`pays` is {cell.pays}, which the paytable has already; the other reading must pay otherwise")
    return cell


def _read_pays(printed: str, row: Fields) -> Pay:
    """Return the cell that the text says, as `records.read_cell` reads it from a paytable."""
    if printed in ("push", "n/a"):
        return read_cell(printed, row)
    if printed == "loss":
        return read_cell({"loss": "Loss"}, row)
    if odds := _ODDS.fullmatch(printed):
        pair = [int(part.replace(",", "")) for part in (odds[1], odds[3])]
        return read_cell(pair if odds[2] == "to" else {"for": pair}, row, commas="," in printed or pair[0] >= 1000)
    money = _MONEY.fullmatch(printed)
    if not money or not (money[1] or money[2]):
        row.refuse(f"`pays` is {printed!r}; {ALLOWED_PAYS} is allowed here")
    cell: dict[str, Any] = {}
    if money[1]:
        cell["amount"] = str(Decimal(money[1].replace(",", "")))
    if money[2]:
        cell |= {"meter": money[2]} | ({} if money[3] == "meter" else {"jackpot": money[3]})
    return read_cell(cell, row)
