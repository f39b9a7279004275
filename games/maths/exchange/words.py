"""The strategy in words and tables that a person can check, and what plain rules are compared with it.

The first line that fits a hand decides. A test compares every line to `strategy`.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Final

from games.maths.cards import RANKS
from games.maths.exchange.strategy import HIGHEST_CARD
from games.maths.exchange.terms import Terms
from games.maths.in_words import NUMBERS, times
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
}
"""Decision → when, in short; the tables say it in full."""


def sentences(terms: Terms) -> dict[str, str]:
    """Decision → when, in short, also when to force."""
    stakes = terms.stakes
    if stakes.force_fee is None:
        return dict(WORDS)
    bet, at_stake, gain = stakes.bet, stakes.bet + 1, stakes.force_fee + 1
    force = (
        f"Odds of {stakes.least_forcing} to 1 or more in all: {times(bet)}the odds for each unseen card with which "
        f"the dealer would qualify and lose, less {NUMBERS[at_stake]} for each with which the dealer would win, make "
        f"at least {times(gain)}the number of them all"
    )
    return {**WORDS, FORCE: force}


def strategy_tables(terms: Terms) -> tuple[StrategyTable, ...]:
    """All decisions."""
    highest = tuple(
        (RANK_NAMES[card], *(_up_cards(up) for up in columns)) for card, columns in HIGHEST_CARD.items()
    )  # fmt: skip
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
        *_forcing(terms),
    )


def _forcing(terms: Terms) -> tuple[StrategyTable, ...]:
    """Where the dealer can be forced: how many cards it takes."""
    stakes = terms.stakes
    if stakes.force_fee is None:
        return ()
    sums = {first + second for first in terms.odds for second in terms.odds if first}
    gain = Fraction(1 + stakes.force_fee, stakes.bet)
    rows = tuple(
        (f"{total} to 1", *(str(ceil(gain * unseen / total)) for unseen in (42, 37)))
        for total in sorted(sums)
        if total >= stakes.least_forcing
    )
    title = "Forcing, if no card lets the dealer win: cards that qualify the dealer and lose, at least"
    return (StrategyTable(title, ("Odds in all", "of 42 unseen", "of 37 unseen"), rows),)


RANK_NAMES: Final = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"} | {
    digit: digit for digit in RANKS[:8]
}


def _up_cards(names: str) -> str:
    return ", ".join(RANK_NAMES[name].lower() for name in names) or "none"
