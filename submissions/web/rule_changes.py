"""What changes of a chapter from one day to another, as pages show it: by kind of record, texts marked by
word.

Not here: what differs (`games.rules.chapter_diff`), what it does to a configuration (`filings.rule_effects`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from games.rules.chapter_diff import RuleDifference
from games.rules.text_diff import TextPart, word_diff
from submissions.filings.rule_effects import HoldChange
from submissions.web.formatting import MINUS, SPACE

NOT_OFFERED, BEING_COMPUTED = "not offered", "being computed"
DIGITS = 4  # of a hold in percent
_WORDED = ("section", "label", "guide", "reading")  # kinds whose texts are long: marked word by word


@dataclass(frozen=True, slots=True)
class RuleChangeRow:
    """One part of one record; `words` is its text word by word where that is easier to read than before and after."""

    citation: str
    subject: str
    part: str
    before: str
    after: str
    words: tuple[TextPart, ...] = ()


@dataclass(frozen=True, slots=True)
class HoldRow:
    """A hold before and after in percent with four decimals, and the difference in percentage points."""

    wager: str
    paytable: str
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class RuleChangeList:
    """The rows by kind, in the order of the chapter, and the holds that they move."""

    kinds: tuple[tuple[str, tuple[RuleChangeRow, ...]], ...]
    holds: tuple[HoldRow, ...]
    is_computing: bool  # whether a job still computes one of the holds

    @property
    def count(self) -> int:
        return sum(len(rows) for _, rows in self.kinds)


def rule_change_list(differences: Sequence[RuleDifference], holds: Iterable[HoldChange] = ()) -> RuleChangeList:
    """The differences for a page."""
    kinds, moved = groupby(differences, key=lambda difference: difference.kind_name), tuple(holds)
    return RuleChangeList(
        tuple((name, tuple(map(_row, rows))) for name, rows in kinds),
        tuple(map(_hold_row, moved)),
        any(hold.is_computing for hold in moved),
    )


def _row(difference: RuleDifference) -> RuleChangeRow:
    is_worded = difference.kind in _WORDED and difference.before and difference.after
    return RuleChangeRow(
        difference.citation,
        "" if difference.kind == "section" else difference.subject,
        difference.part,
        difference.before or "none",
        difference.after or "none",
        word_diff(difference.before, difference.after) if is_worded else (),
    )


def _hold_row(hold: HoldChange) -> HoldRow:
    absent = BEING_COMPUTED if hold.is_computing else NOT_OFFERED
    before, after = (absent if side is None else _percent(side) for side in (hold.before, hold.after))
    change = "–" if hold.change is None else f"{'+' if hold.change > 0 else ''}{_points(hold.change)}"
    return HoldRow(hold.name, hold.paytable, before, after, change)


def _percent(share: Fraction) -> str:
    return f"{_points(share)}{SPACE}%"


def _points(share: Fraction) -> str:
    return f"{float(share) * 100:.{DIGITS}f}".replace("-", MINUS)
