"""The checklist as a page shows it: groups of lines, each with its answer, findings and whatever touches it.

Pure: from a chapter, answers and their judgement. Not here: saving (`saving`), the paytables (`paytables`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from django.utils import timezone

from games.rules.compare import in_words
from games.rules.evaluate import effective, judge
from games.rules.model import Answer, Answers, Chapter, Finding, Judgement, Option, Reading
from submissions.analysis import Figures
from submissions.errors import Refusal
from submissions.models import Attachment
from submissions.talks import Talk
from submissions.typed import shown
from submissions.web import fields
from submissions.web.house_ways import Way, ways_of
from submissions.web.paytables import SideBySide, side_by_side
from submissions.web.saving import Clash, Outcome


@dataclass(frozen=True, slots=True)
class Choice:
    """One radio button."""

    value: str
    label: str
    way: Way | None = None  # the house way that it chooses


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the checklist on the page."""

    option: Option
    asked: bool
    value: str  # what the input shows
    seen: str  # what the page will say it saw
    words: str  # the answer in words
    findings: tuple[Finding, ...]
    readings: tuple[Reading, ...]
    tables: SideBySide | None = None
    ways: Mapping[str, Way] = field(default_factory=dict)
    attachment: Attachment | None = None
    others: str = ""  # what all other tables have, where this group has something else
    clash: ClashInWords | None = None
    refusal: Refusal | None = None
    notice: str = ""
    closed: bool = False  # stays as filed: the Board did not ask about it
    questions: tuple[Talk, ...] = ()

    @property
    def choices(self) -> tuple[Choice, ...]:
        if self.option.kind == "yes_no":
            return (Choice("yes", "Yes"), Choice("no", "No"))
        return tuple(Choice(one.value, one.label, self.ways.get(one.value)) for one in self.option.choices)

    @property
    def computing_ways(self) -> bool:
        return any(way.computing for way in self.ways.values())

    @property
    def answered(self) -> bool:
        return self.attachment is not None or self.seen != fields.remember(None)

    @property
    def blocked(self) -> bool:
        return self.refusal is not None or any(finding.severity == "blocking" for finding in self.findings)


@dataclass(frozen=True, slots=True)
class ClashInWords:
    """Two answers to one line: in words for the reader, remembered for the form."""

    mine: str
    theirs: str
    remember_mine: str
    remember_theirs: str
    by: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Checklist:
    """All of it, with the judgement that it was built from."""

    chapter: Chapter
    judgement: Judgement
    lines: Mapping[str, Line]

    @property
    def groups(self) -> list[tuple[str, list[Line]]]:
        """Consecutive lines under their heading, in the form's order."""
        found = groupby(self.lines.values(), key=lambda line: line.option.group)
        return [(group, list(lines)) for group, lines in found]

    @property
    def asked(self) -> list[Line]:
        return [line for line in self.lines.values() if line.asked]

    @property
    def answered(self) -> int:
        return sum(line.answered for line in self.asked)

    @property
    def blocking(self) -> list[Finding]:
        """What is wrong, as against what is merely not answered yet."""
        return [one for one in self.judgement.blocking if not one.unanswered]

    @property
    def differing(self) -> list[Line]:
        """The lines that this group answers otherwise than all other tables."""
        return [line for line in self.asked if line.others]

    @property
    def open(self) -> list[Line]:
        """The lines that still want an answer."""
        wanting = {one.options[0] for one in self.judgement.blocking if one.unanswered}
        return [line for line in self.asked if line.option.key in wanting]

    @property
    def others(self) -> list[Finding]:
        return [finding for finding in self.judgement.findings if finding.severity != "blocking"]


def checklist(
    chapter: Chapter,
    answers: Answers,
    figures: Figures | None,
    attachments: Mapping[str, Attachment],
    outcome: Outcome | None = None,
    typed: Answers | None = None,
    first: Answers | None = None,
) -> Checklist:
    """The page's lines. `outcome` and `typed`: what was not saved just now, and what the person had typed there.

    `first`: of a group, the answers for all other tables.
    """
    outcome, typed = outcome or Outcome(), typed or {}
    today = timezone.localdate()
    # As filing judges: by the rules of the day, and what is not asked is kept, not used.
    judgement = judge(chapter, effective(chapter, answers, today), today)
    asked = set(judgement.asked)
    lines = {}
    for option in chapter.options:
        answer = answers.get(option.key)
        refusal = outcome.refusals.get(option.key)
        lines[option.key] = Line(
            option=option,
            asked=option.key in asked,
            value=shown(typed.get(option.key) if refusal else answer),
            seen=fields.remember(answer),
            words=in_words(chapter, option, answer),
            findings=tuple(one for one in judgement.of(option.key) if not one.unanswered),
            readings=readings_of(chapter, option),
            tables=side_by_side(chapter, option.wager, figures) if option.kind == "paytable" else None,
            ways=ways_of(chapter, option, figures),
            attachment=attachments.get(option.key) if answer else None,
            others=_others(chapter, option, answer, first),
            clash=_in_words(chapter, option, outcome.clashes.get(option.key)),
            refusal=refusal,
        )
    return Checklist(chapter, judgement, lines)


def _others(chapter: Chapter, option: Option, answer: Answer, first: Answers | None) -> str:
    if first is None or first.get(option.key) == answer:
        return ""
    return _said(chapter, option, first.get(option.key))


def readings_of(chapter: Chapter, option: Option) -> tuple[Reading, ...]:
    """The readings that touch this line: its key, or a paytable of the wager that it chooses for."""
    table = f"{option.wager}/"
    return tuple(
        reading
        for reading in chapter.readings
        if option.key in reading.touches or (option.wager and any(one.startswith(table) for one in reading.touches))
    )


def _in_words(chapter: Chapter, option: Option, clash: Clash | None) -> ClashInWords | None:
    if clash is None:
        return None
    return ClashInWords(
        mine=_said(chapter, option, clash.mine),
        theirs=_said(chapter, option, clash.theirs),
        remember_mine=fields.remember(clash.mine),
        remember_theirs=fields.remember(clash.theirs),
        by=clash.by or "somebody else",
        at=clash.at,
    )


def _said(chapter: Chapter, option: Option, answer: Answer) -> str:
    return in_words(chapter, option, answer) or "not answered"
