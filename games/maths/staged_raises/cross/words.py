"""The best play on a cross in words, from its decisions: the ranks in the sentences are theirs.

The first bet's exceptions are named or counted; those of the second bet are in its tables (`tables`). The third bet is
counted again in every round, so its sentences say how.
"""

from collections.abc import Callable, Iterator

from games.maths.cards import RANK_NAMES
from games.maths.staged_raises.cross.best_play import Play
from games.maths.staged_raises.cross.starts import Start, starts
from games.maths.staged_raises.streets.best_play import FOLD, ONCE, THRICE

Sentences = dict[int, str]
"""Decision → the hands."""

MOST_NAMED = 6  # hands beyond a rule that a sentence names one by one
MAKES_NOTHING = "that form nothing with the cards of the row: the tables show which"
THIRD: Sentences = {
    THRICE: "Count the 46 cards unseen: the odds of the better line for each that makes one, nothing for a pair of "
    "6s to 10s, less one for each other card: not below nothing. So with a pair of 6s or better in either line",
    ONCE: "The count is below nothing",
    FOLD: "It is, and all wagers together, counted so, lose more than the 46 times what is placed already",
}


def sentences(play: Play) -> tuple[Sentences, Sentences, Sentences]:
    """By bet."""
    return _first(play), _second(play), THIRD


def _first(play: Play) -> Sentences:
    decided = [(start, int(play.first[start.place])) for start in starts()]
    low = _fewest(lambda rank: sum(_is_low(start, rank) != (at == FOLD) for start, at in decided))
    stayed = [start for start, at in decided if _is_low(start, low) and at != FOLD]
    folded = [start for start, at in decided if not _is_low(start, low) and at == FOLD]
    pairs = _fewest(lambda rank: sum(_is_pair(start, rank) != (at == THRICE) for start, at in decided))
    raised = [start for start, at in decided if not _is_pair(start, pairs) and at == THRICE]
    smaller = [start for start, at in decided if _is_pair(start, pairs) and at != THRICE]
    pair = "A pair" if pairs == 0 else f"A pair of {RANK_NAMES[pairs]}s or better"
    return {
        THRICE: pair + _but(smaller) + _or(raised),
        ONCE: "Any other hand",
        FOLD: f"Two different cards from 2 to {RANK_NAMES[low]}, of two suits{_but(stayed)}{_or(folded)}",
    }


def _second(play: Play) -> Sentences:
    """The lowest suited cards are those by which the fewest deals are bet otherwise."""
    not_folded = [start for start in starts() if play.first[start.place] != FOLD and not _paired(start)]
    decided = [(start, play.second[start.place, start.pairs[:, 0]]) for start in not_folded]
    low = _fewest(
        lambda rank: sum(
            start.orbit_size * int(((decisions == THRICE) != (_suited(start) and _ranks(start)[1] >= rank)).sum())
            for start, decisions in decided
        )
    )
    folding = [_ranks(start)[1] for start, decisions in decided if (decisions == FOLD).any()]
    return {
        THRICE: f"A pair, or two of one suit from {RANK_NAMES[low]} up, but where the tables say otherwise",
        ONCE: "Any other hand, but where the tables say otherwise",
        FOLD: f"Some hands with a card from 2 to {RANK_NAMES[max(folding)]} {MAKES_NOTHING}" if folding else "No hand",
    }


def _fewest(exceptions: Callable[[int], int]) -> int:
    """The rank with the fewest exceptions, the lowest of several."""
    return min(range(len(RANK_NAMES)), key=exceptions)


def _but(hands: list[Start]) -> str:
    return f", but not {', '.join(_named(hands))}" if hands else ""


def _or(hands: list[Start]) -> str:
    named = list(_named(hands))
    return f", {', '.join([*named[:-1], f'or {named[-1]}'])}" if named else ""


def _named(hands: list[Start]) -> Iterator[str]:
    """ "queen and jack of one suit", the highest first; beyond `MOST_NAMED` how many more."""
    ordered = sorted(hands, key=lambda start: (*_ranks(start), _suited(start)), reverse=True)
    for start in ordered[:MOST_NAMED]:
        high, low = (RANK_NAMES[rank] for rank in _ranks(start))
        yield f"{high} and {low} of {'one suit' if _suited(start) else 'two suits'}"
    if len(ordered) > MOST_NAMED:
        yield f"{len(ordered) - MOST_NAMED} more hands of the table"


def _ranks(start: Start) -> tuple[int, int]:
    """The higher, the lower."""
    high, low = sorted((card // 4 for card in start.own), reverse=True)
    return high, low


def _suited(start: Start) -> bool:
    return start.own[0] % 4 == start.own[1] % 4


def _paired(start: Start) -> bool:
    return _ranks(start)[0] == _ranks(start)[1]


def _is_pair(start: Start, least: int) -> bool:
    return _paired(start) and _ranks(start)[0] >= least


def _is_low(start: Start, highest: int) -> bool:
    """Two different cards up to the rank, of two suits."""
    return not _paired(start) and not _suited(start) and _ranks(start)[0] <= highest
