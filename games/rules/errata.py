"""What each interpretation note says of the official text: whether it should be amended, and how.

Here live the records of `errata.toml`, one note for each reading of a chapter. Not here: reading the file
(`loading.errata`), what a payout note changes of the hold and the report of all notes (`games.runs.errata`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

from games.rules.model import Pay

NoteClass = Literal["clerical", "cross-reference", "substantive"]
Effect = Literal["none", "procedure", "payout", "option"]
Grade = Literal["A", "B", "C", "D", "E"]
NoHold = Literal["envy", "source", "unsettled", "irregularity", "number", "mathematics"]
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
    """When the question was put to the Board, and when, by whom and how it was answered; None and "" until then."""

    asked_on: date | None = None
    answered_on: date | None = None
    answered_by: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class ErrataNote:
    """What the note says of the official text. `reading` is the reading's id, "683a.mini-royal-40".

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
    no_hold: NoHold | Literal[""] = ""
    hold_not_computed: str = ""
    status: NoteStatus = "open"
    board_answer: BoardAnswer = BoardAnswer()

    @property
    def by_play(self) -> bool:
        """Whether its holds are those of the chapter's `other_readings.py`."""
        return bool(self.other_reading) and not self.otherwise and not self.recorded

    @property
    def states_holds(self) -> bool:
        """Whether its holds by both readings are stated."""
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
