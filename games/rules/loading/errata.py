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

from collections.abc import Collection, Mapping
from datetime import date
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
)
from games.rules.errors import RuleError
from games.rules.loading.errata_otherwise import read_otherwise, read_recorded
from games.rules.loading.fields import Fields
from games.rules.loading.files import CHAPTERS, ERRATA, GENERAL_ERRATA, data_digest, label, read_toml
from games.rules.model import Chapter, Paytable, Reading


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
        otherwise=read_otherwise(row, tables),
        recorded=read_recorded(row),
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
