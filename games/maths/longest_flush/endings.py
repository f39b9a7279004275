"""What each end of a round wins and which subsection settles it: Ante and Raise Wager as outcome rows.

Not here: how often each end occurs (`exact`, `rounds`), the optional wagers (`play.py`).
"""

from collections.abc import Iterator

from games.maths.longest_flush.exact import CYCLE, LOSE, TIE, UNQUALIFIED, WIN
from games.maths.longest_flush.holdings import Ints
from games.maths.results import OutcomeRow
from games.maths.wagers import row

INITIAL = 1  # the Ante Wager, § 678a.7(d)(1)
FOLDED = "Folded"
ENDS = {
    UNQUALIFIED: ("dealer does not qualify", "Ante 1 to 1, Raise returned", "§ 678a.11(d)(1)"),
    WIN: ("wins", "1 to 1", "§ 678a.11(d)(2)(ii)(A)"),
    TIE: ("ties", "", "§ 678a.11(d)(2)(ii)(B)"),
    LOSE: ("loses", "", "§ 678a.11(d)(2)(ii)(C)"),
}
"""What is said of it, what it pays, and the subsection."""


def net(raised: int, end: int) -> int:
    """In Antes, § 678a.12(a); reading `winning-ante-no-comparison`."""
    return {UNQUALIFIED: 1, WIN: 1 + raised, TIE: 0, LOSE: -1 - raised}[end]


def outcome(raised: int, end: int) -> str:
    return f"Raised {raised}×, {ENDS[end][0]}"


def counts_by_outcome(counts: Ints) -> dict[str, int]:
    """From counts by [raised, end]."""
    return {FOLDED: int(counts[0].sum())} | {outcome(*key): int(counts[key]) for key in _raised()}


def outcome_rows(counts: Ints) -> list[OutcomeRow]:
    """Of `CYCLE` pairs of hands."""
    named = counts_by_outcome(counts)
    rows = [row(FOLDED, named[FOLDED], CYCLE, -INITIAL, INITIAL, section="§ 678a.11(c)(2)")]
    for raised, end in _raised():
        words = outcome(raised, end)
        _, pays, section = ENDS[end]
        rows.append(row(words, named[words], CYCLE, net(raised, end), INITIAL + raised, pays, section))
    return rows


def _raised() -> Iterator[tuple[int, int]]:
    return ((raised, end) for raised in (1, 2, 3) for end in ENDS)
