"""From `errata.toml` to the errata of a chapter, strictly: a note for each reading, and no other.

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
file is no part of the digest of the rules or of the words. Not here: the notes' records (`games.rules.errata`).
"""

import re
from collections.abc import Collection, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

from games.rules.errata import (
    BoardAnswer,
    ChapterErrata,
    Effect,
    ErrataNote,
    Grade,
    NoHold,
    NoteClass,
    NoteStatus,
    OtherPay,
    OtherRate,
    RecordedHold,
)
from games.rules.errors import RuleError
from games.rules.loading.cells import read_cell
from games.rules.loading.fields import Fields
from games.rules.loading.files import CHAPTERS, ERRATA, GENERAL_ERRATA, data_digest, label, read_toml
from games.rules.model import Chapter, Pay, Paytable, Reading

ALLOWED_PAYS = '"50 to 1", "25 for 1", "push", "loss", "$5,000", "10% of meter" or "$5,000/20% of meter"'
_ODDS = re.compile(r"([\d,]+) (to|for) ([\d,]+)")
_RATE = re.compile(r"(\d+(?:\.\d+)?)%")
_PERCENT = re.compile(r"-?\d+\.\d+")
_MONEY = re.compile(r"(?:\$([\d,]+(?:\.\d\d)?))?/?(?:(\d+(?:\.\d+)?)% of (.+))?")


def load_errata(chapter: Chapter, folder: Path) -> ChapterErrata:
    """The errata of the chapter in the folder; `RuleError` if the file is missing or does not fit the chapter."""
    return _errata(folder / ERRATA, chapter.number, chapter.readings, chapter.paytables)


def load_general_errata(notes: Collection[Reading], parent: Path = CHAPTERS) -> ChapterErrata:
    """The same for the notes on the general provisions, whose file is beside the chapters' folders."""
    return _errata(parent / GENERAL_ERRATA, "", notes, ())


def _errata(path: Path, number: str, readings: Collection[Reading], tables: Collection[Paytable]) -> ChapterErrata:
    data = read_toml(path)
    top = Fields(label(path), "top of the file", data, number)
    document, rows = top.text("document"), top.take("note", list, [])
    top.refuse_unknown()
    if not all(isinstance(row, dict) for row in rows):
        top.refuse("`note` is not a list of tables; tables headed [[note]] are allowed here")
    notes = tuple(_note(label(path), row, number, tables) for row in rows)
    _check_complete(label(path), [note.reading for note in notes], [reading.id for reading in readings])
    return ChapterErrata(number, document, notes, data_digest({ERRATA: data}))


def _check_complete(file: str, noted: list[str], readings: list[str]) -> None:
    """There is one note for each reading, and none for another."""
    for place, reading in enumerate(noted):
        if reading not in readings:
            raise RuleError(file, f"note `{reading}`", "there is no reading of this id")
        if reading in noted[:place]:
            raise RuleError(file, f"note `{reading}`", "is there twice; one note for each reading is allowed")
    missing = list(dict.fromkeys(reading for reading in readings if reading not in noted))
    if missing:
        raise RuleError(file, f"note `{missing[0]}`", f"is missing; readings without a note: {', '.join(missing)}")


def _note(file: str, table: Mapping[str, Any], number: str, tables: Collection[Paytable]) -> ErrataNote:
    row = Fields(file, f"note `{table.get('id')}`", table, number)
    short = row.text("id")
    status = row.one_of("status", get_args(NoteStatus), "open")
    note = ErrataNote(
        reading=f"{number}.{short}" if number else short,
        note_class=row.one_of("class", get_args(NoteClass)),
        effect=row.one_of("effect", get_args(Effect)),
        grade=row.one_of("grade", get_args(Grade)),
        proposed=row.text("proposed", ""),
        no_change=row.text("no_change", ""),
        place=row.text("place", ""),
        other_reading=row.text("other_reading", ""),
        otherwise=_otherwise(row, tables),
        recorded=_recorded(row),
        no_hold=row.one_of("no_hold", get_args(NoHold), ""),
        hold_not_computed=row.text("hold_not_computed", ""),
        status=status,
        board_answer=_board_answer(row, status),
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
        row.refuse(
            f"`hold_not_computed` needs its reason in `no_hold`, one of {', '.join(get_args(NoHold))}, and only it"
        )
    if note.recorded and not note.other_reading:
        row.refuse("[[note.recorded]] needs `other_reading`, what the other reading is")


def _board_answer(row: Fields, status: NoteStatus) -> BoardAnswer:
    """What the status demands, and nothing else."""
    needed = {"open": (), "asked": ("asked_on",)}.get(status, ("asked_on", "answered_on", "answered_by", "answer"))
    for key in ("asked_on", "answered_on", "answered_by", "answer"):
        if row.has(key) != (key in needed):
            row.refuse(f"`status` is {status}: `{key}` {'is missing' if key in needed else 'is not allowed'}")
    board_answer = BoardAnswer(
        asked_on=row.take("asked_on", date, None),
        answered_on=row.take("answered_on", date, None),
        answered_by=row.text("answered_by", ""),
        answer=row.text("answer", ""),
    )
    asked_on, answered_on = board_answer.asked_on, board_answer.answered_on
    if asked_on and answered_on and answered_on < asked_on:
        row.refuse(f"`answered_on` is {answered_on}, before `asked_on` {asked_on}")
    if status == "answered" and not (board_answer.answered_by.strip() and board_answer.answer.strip()):
        row.refuse("`answered_by` or `answer` is empty; both must say something")
    return board_answer


def _recorded(row: Fields) -> tuple[RecordedHold, ...]:
    holds = []
    for count, table in enumerate(row.take("recorded", list, []), start=1):
        each = Fields(row.file, f"{row.where}, recorded {count}", table)
        hold = RecordedHold(
            *(each.text("wager"), each.text("play", ""), each.text("as_read"), each.text("otherwise")),
            command=each.text("command"),
        )
        each.refuse_unknown()
        for figure in (hold.as_read, hold.otherwise):
            if not _PERCENT.fullmatch(figure):
                each.refuse(f"{figure!r} is no percentage such as 3.947 or -2.36")
        if len(hold.as_read.partition(".")[2]) != len(hold.otherwise.partition(".")[2]):
            each.refuse("`as_read` and `otherwise` must have as many decimals")
        holds.append(hold)
    return tuple(holds)


def _otherwise(row: Fields, tables: Collection[Paytable]) -> tuple[OtherPay | OtherRate, ...]:
    cells: list[OtherPay | OtherRate] = []
    for count, table in enumerate(row.take("otherwise", list, []), start=1):
        if not isinstance(table, dict):
            row.refuse("`otherwise` is not a list of tables; tables headed [[note.otherwise]] are allowed here")
        fields = Fields(row.file, f"{row.where}, otherwise {count}", table)
        cell = _other_rate(fields, tables) if fields.has("rate") else _other_pay(fields, tables)
        if any(_place(cell) == _place(earlier) for earlier in cells):
            row.refuse(f"otherwise {count}: the cell {' / '.join(_place(cell))} is there twice")
        cells.append(cell)
    return tuple(cells)


def _place(cell: OtherPay | OtherRate) -> tuple[str, ...]:
    if isinstance(cell, OtherRate):
        return cell.wager, cell.paytable, "rate"
    return cell.wager, cell.paytable, cell.outcome, cell.column


def _other_rate(row: Fields, tables: Collection[Paytable]) -> OtherRate:
    """The rate of progression of a paytable of the chapter, if it were another."""
    wager, name, printed = row.text("wager"), row.text("paytable"), row.text("rate")
    row.refuse_unknown()
    table = _table(row, tables, wager, name)
    if table.rate is None:
        row.refuse(f"{wager}/{name} has no rate of progression")
    if not (match := _RATE.fullmatch(printed)):
        row.refuse(f"`rate` is {printed!r}; a percentage such as 45.5% is allowed here")
    rate = Fraction(match[1]) / 100
    if rate == table.rate:
        row.refuse(f"`rate` is {printed!r}, which the paytable has already; the other reading must have another")
    return OtherRate(wager, name, rate, printed)


def _table(row: Fields, tables: Collection[Paytable], wager: str, name: str) -> Paytable:
    table = next((each for each in tables if (each.wager, each.name) == (wager, name)), None)
    if table is None:
        known = ", ".join(sorted(f"{each.wager}/{each.name}" for each in tables))
        row.refuse(f"there is no paytable {wager}/{name}; known are {known or 'none'}")
    return table


def _other_pay(row: Fields, tables: Collection[Paytable]) -> OtherPay:
    """A cell of a paytable of the chapter that would pay something else."""
    wager, name, outcome, column = row.text("wager"), row.text("paytable"), row.text("outcome"), row.text("column", "")
    printed = row.text("pays")
    row.refuse_unknown()
    table = _table(row, tables, wager, name)
    paid = {(each, of): pay for each, of, pay in table.lines()}
    if (outcome, column) not in paid:
        cells = ", ".join(f"{each} ({of})" if of else each for each, of in paid)
        row.refuse(f"there is no cell {outcome!r} in column {column!r}; the cells of {wager}/{name} are {cells}")
    pays = _read_pays(printed, row)
    if _amounts(pays) == _amounts(paid[outcome, column]):
        row.refuse(f"`pays` is {printed!r}, which the paytable has already; the other reading must pay otherwise")
    return OtherPay(wager, name, outcome, pays, column)


def _amounts(pay: Pay) -> tuple[object, ...]:
    return pay.odds, pay.per, pay.amount, pay.meter, pay.jackpot, pay.push, pay.na, pay.loss


def _read_pays(printed: str, row: Fields) -> Pay:
    """The cell that the text says, as `cells.read_cell` reads it from a paytable."""
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
