"""The strategy of Lunar Poker in words and tables that a person can check, and what plain rules are compared with it.

The first line that fits a hand decides. A test compares every line to `strategy`.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Final

from games.maths.cards import RANKS
from games.maths.exchange.strategy import HIGHEST_CARD, LEAST_FORCING
from games.maths.results import StrategyTable

FOLD, BET, SIXTH, EXCHANGE, INSTANT = (
    "Fold", "Bet", "Buy a sixth card", "Exchange", "Declare the hand",
)  # fmt: skip
BET_AFTER_DRAW, FOLD_AFTER_DRAW, FORCE = "Bet after a draw", "Fold after a draw", "Force the dealer"

FIRST_DECISIONS: Final = (
    ("Royal flush, straight flush", "any", INSTANT),
    ("Four-of-a-kind", "any", BET),
    ("Full house", "of a rank in the hand", BET),
    ("Full house", "any other", SIXTH),
    ("Flush, straight", "any", SIXTH),
    ("Three-of-a-kind", "of the same rank", BET),
    ("Three-of-a-kind with ace-king", "any other", SIXTH),
    ("Three-of-a-kind", "any other", "Exchange the other two"),
    ("Two pair", "any", BET),
    ("Four cards of one suit", "any", SIXTH),
    ("Two straights or more that lack one rank each", "any", SIXTH),
    ("A pair, and a straight that lacks one rank", "any", SIXTH),
    ("A pair", "of the pair's rank or lower", BET),
    ("A pair of jacks or better", "higher, of the rank of another card in the hand", BET),
    ("A pair of 8s to 10s", "queen or lower, of the rank of another card in the hand", BET),
    ("A pair with ace-king", "higher, of the rank of another card in the hand", BET),
    ("A pair of 4s or better with ace-king", "any other", BET),
    ("A pair of 2s or 3s with ace-king", "any other", "Exchange all but ace and king"),
    ("A pair of 10s or jacks with an ace or a king", "queen or lower, of a rank not in the hand", BET),
    ("Any other pair", "any other", "Exchange the other three"),
    ("Ace-king, and a straight that lacks one rank", "ace or king", SIXTH),
    ("Ace-king with a queen, jack or 10, exactly these three of one suit", "any other", "Exchange the other two"),
    ("Ace-king", "any other", "Exchange the other three"),
    ("Exactly three cards of a suit, all 10 or higher", "any", "Exchange the other two"),
    ("No ace; exactly three of a suit, in sequence", "any", "Exchange the other two"),
    ("No ace; exactly three of a suit, the king and two of 9 or higher", "any", "Exchange the other two"),
    ("No ace, no king; exactly three of a suit, the highest three ranks above the lowest", "2 to 7",
     "Exchange the other two"),
    ("The two highest cards of one suit, both 10 or higher", "2 to 10", "Exchange the other three"),
    ("Anything else", "by the table of highest cards", "Exchange all but the highest card, or fold"),
)  # fmt: skip
"""(hand, the dealer's up card, decision): the first that fits."""

SECOND: Final = (
    ("Two pair or better, a pair of 3s or better", "any", "any number", "Bet"),
    ("A pair of 2s", "king or ace", "any number", "Bet"),
    ("A pair of 2s", "2 to queen", "one or more", "Bet"),
    ("A pair of 2s", "2 to queen", "none", "Fold"),
    ("Ace-king with a queen or a jack", "king or ace", "any number", "Bet"),
    ("Ace-king", "2 to queen", "one or more", "Bet"),
    ("Nothing", "2 to queen", "two or more", "Bet"),
    ("Any other", "any", "any number", "Fold"),
)
"""(hand, up card, cards of the up card's rank among all that one has held, decision): the first that fits."""

WORDS: Final[Mapping[str, str]] = {
    INSTANT: "A royal flush or a straight flush in the first five cards",
    BET: "Four-of-a-kind, two pair; a full house, three-of-a-kind or a pair of 8s or better that the up card matches; "
    "a pair against an up card of its rank or lower; most pairs beside an ace-king",
    SIXTH: "A flush, a straight, any other full house; four cards to a flush, or to a straight in two ways; a pair "
    "with four to any straight",
    "Exchange two": "Three-of-a-kind; three to a royal flush; three of a suit in sequence",
    "Exchange three": "Any other pair; ace-king; two high cards of a suit",
    "Exchange four": "Nothing but a high card, against the up cards of the table of highest cards",
    FOLD: "Anything else",
    BET_AFTER_DRAW: "A pair or better; an ace-king or nothing where cards of the up card's rank have been seen",
    FOLD_AFTER_DRAW: "Anything else",
    FORCE: f"Odds of {LEAST_FORCING} to 1 or more in all: twice the odds for each unseen card with which the dealer "
    "would qualify and lose, less three for each with which he would win, make at least twice the number of them all",
}
"""Decision → when, in short; the tables say it in full."""


def strategy_tables(odds: tuple[int, ...]) -> tuple[StrategyTable, ...]:
    """All decisions, where combinations pay `odds` to 1."""
    highest = tuple(
        (RANK_NAMES[card], *(_up_cards(up) for up in columns)) for card, columns in HIGHEST_CARD.items()
    )  # fmt: skip
    paid = sorted(
        {first + second for first in odds for second in (*odds, 0) if first and first + second >= LEAST_FORCING}
    )
    forcing = tuple((f"{total} to 1", str(ceil(Fraction(42, total))), str(ceil(Fraction(37, total)))) for total in paid)
    return (
        StrategyTable(
            "With the first five cards: the first line that fits", ("Hand", "Up card", "Decision"), FIRST_DECISIONS
        ),
        StrategyTable(
            "Highest card: kept, and four cards exchanged, against these up cards; else folded",
            ("Highest card", "Up card of a rank not in the hand", "Up card of a rank in the hand"),
            highest,
        ),
        StrategyTable(
            "After a draw: the first line that fits",
            ("Hand", "Up card", "Other cards of its rank seen", "Decision"),
            SECOND,
        ),
        StrategyTable(
            "Forcing, if no card lets the dealer win: cards that qualify him and lose, at least",
            ("Odds in all", "of 42 unseen", "of 37 unseen"),
            forcing,
        ),
    )


RANK_NAMES: Final = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"} | {
    digit: digit for digit in RANKS[:8]
}


def _up_cards(names: str) -> str:
    return ", ".join(RANK_NAMES[name].lower() for name in names) or "none"
