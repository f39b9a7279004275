"""The steps of a round of Lunar Poker, from its cards: what was dealt, drawn, decided and revealed.

Not here: what the wagers win, which follows from the tallies (`runs.replay`).
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.exchange import ends as ways
from games.maths.exchange.combinations import appraise, lowest_ace_king, tables
from games.maths.exchange.rounds import NEW, UP, draw, reveal
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    SIXTH,
    bets_after_draw,
    first_decision,
    highest_card_table,
)  # fmt: skip
from games.maths.results import Step

Ints = NDArray[np.int64]

_FIRST: Final = {
    FOLD: ("folds", "§ 589.11(b)(1)"),
    BET: ("places a Bet Wager of two Antes", "§ 589.11(b)(2)"),
    INSTANT: ("declares the hand for the instant payout", "§ 589.11(b)(2)"),
    SIXTH: ("pays an Options fee to buy a sixth card", "§ 589.11(b)(3)"),
}


def round_steps(deck: Ints, odds: tuple[int, ...], dealt: str) -> Iterator[Step]:
    """The round at the front of the deck (`rounds.new_deck`), dealt by subsection `dealt`."""
    own = _cards(deck[:5])
    yield Step("Player", "is dealt five cards", dealt, own)
    yield Step("Dealer", "turns the last of his five cards face up", dealt, _cards(deck[UP : UP + 1]))
    decision = int(first_decision(deck, deck[UP], highest_card_table()))
    cards, count, new = np.zeros(6, np.int64), 5, 0
    if decision < BET:
        out = tuple(card for place, card in enumerate(own) if not decision >> place & 1)
        yield Step("Player", f"pays an Options fee to exchange {len(out)} cards", "§ 589.11(b)(3)", out)
    else:
        what, section = _FIRST[decision]
        yield Step("Player", what, section)
    if decision in (FOLD, INSTANT):
        return
    cards[:5] = deck[:5]
    if decision != BET:
        count, new = draw(deck, decision, cards)
        label = "A" if decision == SIXTH else "B"
        yield Step("Player", "is dealt in return", f"§ 589.11(d)(2)(i)({label})", _cards(deck[NEW : NEW + new]))
    value, first, second = appraise(cards, count, lowest_ace_king(), tables())
    if new:
        bets = _bets(deck, cards, count, new, int(first))
        yield Step("Player", "places a Bet Wager of two Antes" if bets else "folds", "§ 589.11(d)(2)(iii)")
        if not bets:
            return
    yield from _revealed(deck, new, int(value), odds[first] + odds[second])


def _bets(deck: Ints, cards: Ints, count: int, new: int, first: int) -> bool:
    seen = sum(card >> 2 == deck[UP] >> 2 for card in (*deck[:5], *deck[NEW : NEW + new]))
    return bool(bets_after_draw(first, cards, count, deck[UP], seen))


def _revealed(deck: Ints, new: int, value: int, odds: int) -> Iterator[Step]:
    next_place = NEW + new
    way = int(reveal(deck, next_place, value, odds, lowest_ace_king(), tables()))
    yield Step("Dealer", "reveals his five cards", "§ 589.11(e)", _cards(deck[5:NEW]))
    if way >= ways.FORCED_NOT_QUALIFIED:
        yield Step("Player", "pays an Options fee to force the dealer to try to qualify", "§ 589.11(e)(2)(ii)")
        top = _cards(np.array([max(deck[5:NEW])]))
        yield Step("Dealer", "discards his highest card", "§ 589.11(e)(2)(ii)", top)
        yield Step("Dealer", "replaces it", "§ 589.11(e)(2)(ii)", _cards(deck[next_place : next_place + 1]))


def _cards(dealt: Ints) -> tuple[int, ...]:
    return tuple(map(int, dealt))
