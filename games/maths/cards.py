"""A card as a number, and its name both ways; exact analysis and simulation share this.

Card = 4 × rank + suit for 0 … 51, with rank 0 = deuce … 12 = ace; 52 = the joker.
Not here: what a hand is worth (`ranking`).
"""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DEUCE, FIVE, TEN, ACE = 0, 3, 8, 12
JOKER = 52
JOKER_NAME = "Jk"
FULL_DECK = 52
JOKER_DECK = 53

SYMBOLS = "♣♦♥♠"

RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")


def with_article(rank: int) -> str:
    """Return the rank with its article: "a jack", "an 8"."""
    return f"{'an' if RANK_NAMES[rank] in ('8', 'ace') else 'a'} {RANK_NAMES[rank]}"


def card(name: str) -> int:
    """Return the card called `As`, `Td` or `Jk`; `ValueError` otherwise."""
    if name == JOKER_NAME:
        return JOKER
    if len(name) != 2 or name[0] not in RANKS or name[1] not in SUITS:
        raise ValueError(
            f"{name!r} is not a card; allowed are a rank of {RANKS} with a suit of {SUITS}, or {JOKER_NAME}"
        )
    return 4 * RANKS.index(name[0]) + SUITS.index(name[1])


def name(card: int) -> str:
    """Return the card's name: `As`, `Td`, `Jk`."""
    return JOKER_NAME if card == JOKER else RANKS[card // 4] + SUITS[card % 4]


def cards(names: str) -> tuple[int, ...]:
    """Return the cards of `"As Kd Jk"`."""
    return tuple(card(part) for part in names.split())


def names(cards: Iterable[int]) -> str:
    """Return the cards' names in the order given: `"As Kd Jk"`."""
    return " ".join(name(card) for card in cards)


def symbols(cards: Iterable[int]) -> str:
    """Return the cards as people read them: `"A♠ 10♦ Joker"`."""
    return " ".join(
        "Joker" if card == JOKER else RANKS[card // 4].replace("T", "10") + SYMBOLS[card % 4] for card in cards
    )
