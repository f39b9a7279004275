"""The checklist as a page shows it: groups of lines, each with its answer, its findings and the notes on it.

Pure: from a chapter, answers and their judgment. Not here: saving (`checklist`), the paytables (`paytables`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType

from games.rules.model import Answer, Answers, Chapter, Finding, Judgment, Option, Reading
from games.rules.phrases import in_words
from games.runs.used_figures import FigureTable
from submissions.audit.timeline import LastChange
from submissions.core.errors import Refusal
from submissions.filings import answer_values
from submissions.filings.answer_values import format_answer
from submissions.filings.pages.paytables import HouseWayChoice, SideBySide, house_way_choices, side_by_side
from submissions.filings.review.comments import Thread
from submissions.models import Attachment, LineComment

Pointer = tuple[str, str]  # a line that shows a finding on another line, too: its key, its question
ANOTHER_USER = "Another user"  # who changed a line, where no event names them


@dataclass(frozen=True, slots=True)
class Choice:
    """One radio button."""

    value: str
    label: str
    way: HouseWayChoice | None = None  # the house way that it chooses


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """One line of the checklist on the page."""

    option: Option
    is_asked: bool
    value: str  # what the input shows
    seen: str  # what the page will say it saw
    words: str  # the answer in words
    findings: tuple[Finding, ...]  # those that this line shows in full
    readings: tuple[Reading, ...]
    tables: SideBySide | None = None
    ways: Mapping[str, HouseWayChoice] = field(default_factory=dict)
    attachment: Attachment | None = None
    other_answer: str = ""  # what all other tables have, where this group has something else
    clash: Mapping[str, object] | None = None  # as `clash_view` has it
    refusal: Refusal | None = None
    notice: str = ""
    closed: bool = False  # stays as filed: the Board did not ask about it
    questions: tuple[Thread, ...] = ()
    pointers: tuple[Pointer, ...] = ()  # to the findings on this line that other lines show
    last_change: LastChange | None = None
    comments: tuple[LineComment, ...] = ()  # among people of the licensee
    unsaved_comment: str = ""

    @property
    def choices(self) -> tuple[Choice, ...]:
        if self.option.kind == "yes_no":
            return (Choice("yes", "Yes"), Choice("no", "No"))
        return tuple(Choice(choice.value, choice.label, self.ways.get(choice.value)) for choice in self.option.choices)

    @property
    def changed_by(self) -> str:
        return self.last_change.name if self.last_change else ANOTHER_USER

    @property
    def computing_ways(self) -> bool:
        return any(way.computing for way in self.ways.values())

    @property
    def is_answered(self) -> bool:
        return self.attachment is not None or self.seen != answer_values.serialize_answer(None)

    @property
    def is_kept(self) -> bool:
        """Answered, but not asked now: shown, and not filed."""
        return self.is_answered and not self.is_asked

    @property
    def blocked(self) -> bool:
        return self.refusal is not None or any(finding.severity == "blocking" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Checklist:
    """The whole checklist, with the judgment of the answers."""

    judgment: Judgment
    lines: Mapping[str, ChecklistLine]
    shown_keys: frozenset[str]  # of the lines that are asked, or answered

    @property
    def groups(self) -> list[tuple[str, list[ChecklistLine]]]:
        """Consecutive lines under their heading, in the form's order."""
        by_heading = groupby(self.lines.values(), key=lambda line: line.option.group)
        return [(group, list(lines)) for group, lines in by_heading]

    @property
    def asked_lines(self) -> list[ChecklistLine]:
        return [line for line in self.lines.values() if line.is_asked]

    @property
    def kept_lines(self) -> list[ChecklistLine]:
        return [line for line in self.lines.values() if line.is_kept]

    @property
    def answered_count(self) -> int:
        return sum(line.is_answered for line in self.asked_lines)

    @property
    def blocking(self) -> list[Finding]:
        """The findings that are wrong, without lines that are not answered yet."""
        return [finding for finding in self.judgment.blocking if not finding.unanswered]

    @property
    def differing(self) -> list[ChecklistLine]:
        """The lines that this group answers otherwise than all other tables."""
        return [line for line in self.asked_lines if line.other_answer]

    @property
    def general(self) -> list[Finding]:
        """The findings on the configuration, not on a line."""
        return [finding for finding in self.judgment.findings if not finding.options]

    @property
    def open(self) -> list[ChecklistLine]:
        """The lines that still want an answer."""
        wanting = {finding.line_among(self.shown_keys) for finding in self.judgment.blocking if finding.unanswered}
        return [line for line in self.asked_lines if line.option.key in wanting]

    @property
    def notes(self) -> list[Finding]:
        return [finding for finding in self.judgment.findings if finding.severity != "blocking"]


def build_checklist(
    chapter: Chapter,
    answers: Answers,
    judgment: Judgment,
    figures: FigureTable | None,
    attachments: Mapping[str, Attachment],
    *,
    first: Answers | None = None,
    changes: Mapping[str, LastChange] = MappingProxyType({}),
) -> Checklist:
    """Return the page's lines.

    `first`: of a table group, the answers for all other tables. `changes`: who changed each line last.
    """
    asked_keys, shown = set(judgment.asked_keys), shown_keys(judgment, answers)
    lines = {}
    for option in chapter.options:
        answer = answers.get(option.key)
        findings, pointers = line_findings(chapter, judgment, shown, option.key)
        elsewhere = answer if first is None else first.get(option.key)
        lines[option.key] = ChecklistLine(
            option=option,
            is_asked=option.key in asked_keys,
            value=format_answer(answer),
            seen=answer_values.serialize_answer(answer),
            words=in_words(chapter, option, answer),
            findings=findings,
            pointers=pointers,
            readings=readings_of(chapter, option),
            tables=side_by_side(chapter, option.wager, figures) if option.kind == "paytable" else None,
            ways=house_way_choices(chapter, option, figures),
            attachment=attachments.get(option.key) if answer else None,
            other_answer=_answer_text(chapter, option, elsewhere) if elsewhere != answer else "",
            last_change=changes.get(option.key),
        )
    return Checklist(judgment, lines, shown)


def shown_keys(judgment: Judgment, answers: Answers) -> frozenset[str]:
    """Return the lines that are asked, or answered."""
    return frozenset((*judgment.asked_keys, *(key for key, answer in answers.items() if answer is not None)))


def line_findings(
    chapter: Chapter, judgment: Judgment, shown: frozenset[str], key: str
) -> tuple[tuple[Finding, ...], tuple[Pointer, ...]]:
    """Return the findings that a line has in full, and pointers to the lines that have the others, each once.

    A finding that only says that the line is not answered is not among them.
    """
    placed = [(finding.line_among(shown), finding) for finding in judgment.of(key) if not finding.unanswered]
    elsewhere = dict.fromkeys(line for line, _ in placed if line != key)
    return (
        tuple(finding for line, finding in placed if line == key),
        tuple((line, chapter.option(line).question) for line in elsewhere),
    )


def readings_of(chapter: Chapter, option: Option) -> tuple[Reading, ...]:
    """Return the readings that touch this line: its key, or a paytable of the wager that it chooses for."""
    table = f"{option.wager}/"
    return tuple(
        reading
        for reading in chapter.readings
        if option.key in reading.touches or (option.wager and any(touch.startswith(table) for touch in reading.touches))
    )


def clash_view(chapter: Chapter, line: ChecklistLine, mine: Answer, theirs: Answer) -> Mapping[str, object]:
    """Return the two answers to a line: as text for the reader, serialized for the form."""
    return {
        "mine": _answer_text(chapter, line.option, mine),
        "theirs": _answer_text(chapter, line.option, theirs),
        "remember_mine": answer_values.serialize_answer(mine),
        "remember_theirs": answer_values.serialize_answer(theirs),
        "by": line.changed_by,
        "at": line.last_change.at if line.last_change else None,
    }


def _answer_text(chapter: Chapter, option: Option, answer: Answer) -> str:
    return in_words(chapter, option, answer) or "not answered"
