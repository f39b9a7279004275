"""The best play of two own and three community cards in words, for each of three paytables.

The tests compare them to the computed decisions, hand by hand. Not here: the decisions themselves (`streets`).
"""

from dataclasses import dataclass

from games.maths.staged_raises.streets import FOLD, ONCE, THRICE

POINTS = "A jack or higher counts two points, a 6 to 10 one, a 2 to 5 none."
STAGE_NAMES = ("with two cards", "after the first community card", "after the second community card")
DECISIONS = {THRICE: "Raises three Antes", ONCE: "Raises one Ante", FOLD: "Folds"}


@dataclass(frozen=True, slots=True)
class Words:
    """(decision, the hands) for each stage: the first line that fits decides, the last fits all. `equal`: the hands
    that another decision would serve as well."""

    lines: tuple[tuple[tuple[int, str], ...], ...]
    equal: str


def _words(once: tuple[str, ...], one_gap: str, two_gaps: str, sequence: str, equal: str) -> Words:
    """The lines that all paytables share, with those that differ."""
    two_cards = ((THRICE, "A pair"), *((ONCE, hands) for hands in once))
    three_cards = (
        (THRICE, "A pair of 6s or better"),
        (THRICE, "Three to a royal flush"),
        (THRICE, "Three of one suit in sequence, 5-6-7 or higher"),
        (THRICE, f"Three to a straight flush with one gap, the ace only high, {one_gap}"),
        (THRICE, f"Three to a straight flush with two gaps, {two_gaps}"),
        (ONCE, "Any other three of one suit"),
        (ONCE, "A pair of 2s to 5s"),
        (ONCE, "Three points or more"),
        (ONCE, "Three in sequence, 4-5-6 or higher"),
        (ONCE, "Three to a straight with one gap, two of them 6 to 10"),
    )
    four_cards = (
        (THRICE, "A pair of 6s or better"),
        (THRICE, "Four of one suit"),
        (THRICE, f"Four in sequence, {sequence}"),
        (ONCE, "Any other four to a straight, the ace high or low"),
        (ONCE, "A pair of 2s to 5s"),
        (ONCE, "Four points or more"),
        (ONCE, "Three cards from 6 to 10, where a raise before was of three Antes"),
    )
    stages = (two_cards, three_cards, four_cards)
    return Words(tuple((*lines, (FOLD, "Anything else")) for lines in stages), equal)


FOUR_POINTS = "exactly four points and no pair or draw, three Antes wagered: a fold is as good as a raise of one Ante"
PAYTABLE_A = _words(
    ("Two points or more", "6 and 5 of one suit"),
    "one of them a jack or higher",
    "two of them a jack or higher",
    "8 high to king high",
    FOUR_POINTS,
)
PAYTABLE_B = _words(
    ("Two points or more, but not 10 and 6 of two suits",),
    "none of them lower than a 6",
    "two of them a jack or higher",
    "8 high to king high",
    FOUR_POINTS,
)
PAYTABLE_C = _words(
    ("Two points or more", "6 and 5 of one suit"),
    "none of them lower than a 6",
    "one of them a jack or higher",
    "6 high or higher",
    f"{FOUR_POINTS}; ace, king, queen and jack: every raise is as good",
)
"""Two pair, straight, flush and full house: 2, 4, 6 and 10 to 1 (A); 3 to 2, 4, 7 and 11 to 1 (B); 3 to 2, 5, 7 and 11
to 1 (C)."""
