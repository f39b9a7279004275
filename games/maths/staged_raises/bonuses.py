"""The optional wagers beside the raises, exactly: two, three, five and six cards.

Each set of cards is counted once, in plain combinations.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

from games.maths import hands
from games.maths.cards import ACE, FIVE, FULL_DECK, SUITS

POCKETS, BOARDS, FIVES, SIXES = (comb(FULL_DECK, size) for size in (2, 3, 5, 6))
PAIR_OF_ACES, SUITED_ACE, UNSUITED_ACE, PAIR, NO_POCKET = range(5)
SIX_CLASSES = (*hands.STANDARD, "Six-card royal flush", "Six-card royal flush of diamonds")
SIX_ROYAL, SIX_ROYAL_DIAMONDS = len(hands.STANDARD), len(hands.STANDARD) + 1
SIX, SEVEN, JACK = 4, 5, 9
RANKS = range(ACE + 1)
STRAIGHTS = tuple(hands.straight_ranks(top) for top in range(FIVE, ACE + 1))
HIGHEST = hands.straight_ranks(ACE)


@cache
def pockets() -> Counter[int]:
    """Return the player's two cards from `PAIR_OF_ACES` to `NO_POCKET`, of `POCKETS`."""
    return Counter(_pocket(*pair) for pair in combinations(range(FULL_DECK), 2))


def _pocket(a: int, b: int) -> int:
    ranks = {a // 4, b // 4}
    if len(ranks) == 1:
        return PAIR_OF_ACES if ranks == {ACE} else PAIR
    if ACE in ranks and min(ranks) >= JACK:
        return SUITED_ACE if a % 4 == b % 4 else UNSUITED_ACE
    return NO_POCKET


@cache
def boards() -> Counter[str]:
    """Return the three community cards by class, of `BOARDS`."""
    return Counter(hands.THREE_CARD_CLASSES[place] for place in hands.three_card_classes())


@cache
def lows() -> Counter[int]:
    """Return five cards without a pair, straight or flush by their highest rank, of `FIVES`."""
    counts: Counter[int] = Counter()
    for ranks in combinations(RANKS, 5):
        if hands.straight_top(ranks) is None:
            counts[ranks[-1]] += 4**5 - 4
    return counts


@cache
def fives() -> Counter[str]:
    """Return five cards by class, of `FIVES`."""
    counts: Counter[str] = Counter()
    for ranks, ways in _multisets(5):
        counts[_unsuited(ranks)] += ways
    for ranks in combinations(RANKS, 5):
        _suit(counts, ranks, ranks, 4)
    return +counts


def pairs_from_six() -> int:
    """Return the number of five cards whose best is a pair of 6s or better: nine ranks of thirteen, all alike."""
    return fives()[hands.PAIR] // len(RANKS) * sum(rank >= SIX for rank in RANKS)


@cache
def sixes() -> Counter[str]:
    """Return six cards by the best class among them, of `SIXES`; the six-card royal flushes apart."""
    counts: Counter[str] = Counter()
    for ranks, ways in _multisets(6):
        counts[_unsuited(ranks)] += ways
    for ranks in combinations(RANKS, 6):
        if ranks == tuple(range(ACE - 5, ACE + 1)):
            counts[_unsuited(ranks)] -= len(SUITS)
            counts[SIX_CLASSES[SIX_ROYAL]] += len(SUITS) - 1
            counts[SIX_CLASSES[SIX_ROYAL_DIAMONDS]] += 1
        else:
            _suit(counts, ranks, ranks, len(SUITS))
    for ranks, sixth in product(combinations(RANKS, 5), RANKS):
        _suit(counts, ranks, (*ranks, sixth), len(SUITS) * (len(SUITS) - 1))
    return +counts


def _multisets(size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every multiset of ranks, with the number of ways to suit it."""
    for ranks in combinations_with_replacement(RANKS, size):
        if ways := prod(comb(len(SUITS), count) for count in Counter(ranks).values()):
            yield ranks, ways


def _unsuited(ranks: tuple[int, ...]) -> str:
    """Return the best class of five cards among these, for any suits that make no flush."""
    largest, second = sorted(Counter(ranks).values(), reverse=True)[:2]
    kind = hands.KINDS[largest, 1 if largest == 4 else min(second, 2)]
    straight = any(straight <= set(ranks) for straight in STRAIGHTS)
    return max(kind, hands.STRAIGHT, key=hands.STANDARD.index) if straight else kind


def _suit(counts: Counter[str], suited: tuple[int, ...], ranks: tuple[int, ...], ways: int) -> None:
    """Move `ways` hands of these ranks, those in `suited` of one suit, from their unsuited class to the flush's."""
    straights = [straight for straight in STRAIGHTS if straight <= set(suited)]
    flush = hands.FLUSH if not straights else hands.ROYAL_FLUSH if HIGHEST in straights else hands.STRAIGHT_FLUSH
    counts[_unsuited(ranks)] -= ways
    counts[flush] += ways


CLASS_OF = dict(zip(hands.PRINTED[:1:-1], hands.STANDARD[:1:-1], strict=True))
"""Row of a paytable → class of the hand, from a royal flush to two pair."""
