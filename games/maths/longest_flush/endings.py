"""What each end of a round wins: Ante and Raise Wager as outcome rows.

Not here: how often each end occurs (`exact`, `rounds`), the optional wagers (`bonuses`).
"""

from collections.abc import Iterator

from games.maths.longest_flush.exact import CYCLE
from games.maths.longest_flush.holdings import Ints
from games.maths.longest_flush.rules import LOSE, TIE, UNQUALIFIED, WIN, Rules, Sections
from games.maths.results import OutcomeRow
from games.maths.wagers import row

INITIAL = 1  # the Ante Wager
FOLDED = "Folded"
ENDINGS = {
    UNQUALIFIED: ("dealer does not qualify", "Ante 1 to 1, Raise returned"),
    WIN: ("wins", "1 to 1"),
    TIE: ("ties", ""),
    LOSE: ("loses", ""),
}
"""What is said of it, and what it pays."""


def net(raised: int, end: int) -> int:
    """In Antes."""
    return {UNQUALIFIED: 1, WIN: 1 + raised, TIE: 0, LOSE: -1 - raised}[end]


def outcome(raised: int, end: int) -> str:
    return f"Raised {raised}×, {ENDINGS[end][0]}"


def counts_by_outcome(rules: Rules, counts: Ints) -> dict[str, int]:
    """From counts by [raised, end]."""
    return {FOLDED: int(counts[0].sum())} | {outcome(*key): int(counts[key]) for key in _raised(rules)}


def outcome_rows(rules: Rules, counts: Ints, sections: Sections) -> list[OutcomeRow]:
    """Of `CYCLE` pairs of hands."""
    named = counts_by_outcome(rules, counts)
    rows = [row(FOLDED, named[FOLDED], CYCLE, -INITIAL, INITIAL, section=sections.folded)]
    for raised, end in _raised(rules):
        words = outcome(raised, end)
        pays, section = ENDINGS[end][1], sections.ends[end]
        rows.append(row(words, named[words], CYCLE, net(raised, end), INITIAL + raised, pays, section))
    return rows


def _raised(rules: Rules) -> Iterator[tuple[int, int]]:
    return ((raised, end) for raised in rules.amounts for end in ENDINGS)
