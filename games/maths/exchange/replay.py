"""The steps of a round, from its cards: what was dealt, drawn, decided and revealed.

Not here: what the wagers win, which follows from the tallies (`runs.replay`).
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from games.maths.exchange.combinations import appraise, lowest_ace_king, tables
from games.maths.exchange.rounds import NEW, ROOM, UP, draw, force
from games.maths.exchange.rules import FORCED, Sections
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    SIXTH,
    bets_after_draw,
    first_decision,
    highest_card_table,
)  # fmt: skip
from games.maths.exchange.terms import Terms
from games.maths.in_words import antes
from games.maths.ranking import standard
from games.maths.results import Step
from games.rules.dealing import way_dealt
from games.rules.model import Answers

Ints = NDArray[np.int64]


def round_steps(deck: Ints, terms: Terms, sections: Sections, answers: Answers) -> Iterator[Step]:
    """The round at the front of the deck (`rounds.new_deck`)."""
    own, dealt = _cards(deck[:5]), way_dealt(sections.dealt, answers)
    yield Step("Player", "is dealt five cards", dealt, own)
    yield Step("Dealer", "turns the last of the five cards face up", dealt, _cards(deck[UP : UP + 1]))
    decision = int(first_decision(deck, deck[UP], highest_card_table()))
    yield _first_step(decision, own, terms, sections)
    if decision in (FOLD, INSTANT):
        return
    cards, count, new = np.zeros(ROOM, np.int64), 5, 0
    cards[:5] = deck[:5]
    if decision != BET:
        count, new = draw(deck, decision, cards)
        section = sections.sixth_card if decision == SIXTH else sections.exchange
        yield Step("Player", "is dealt in return", section, _cards(deck[NEW : NEW + new]))
    value, first, second = appraise(cards, count, lowest_ace_king(), tables())
    if new:
        bets = _bets(deck, cards, count, new, int(first))
        yield Step("Player", _bet(terms) if bets else "folds", sections.decides_after_draw)
        if not bets:
            return
    yield from _revealed(deck, new, int(value), terms.odds[first] + terms.odds[second], terms, sections)


def _first_step(decision: int, own: tuple[int, ...], terms: Terms, sections: Sections) -> Step:
    if decision == FOLD:
        return Step("Player", "folds", sections.folds)
    if decision == BET:
        return Step("Player", _bet(terms), sections.bets)
    if decision == INSTANT:
        return Step("Player", "declares the hand for the instant payout", sections.bets)
    if decision == SIXTH:
        return Step("Player", "pays an Options fee to buy a sixth card", sections.draws)
    out = tuple(card for place, card in enumerate(own) if not decision >> place & 1)
    return Step("Player", f"pays an Options fee to exchange {len(out)} cards", sections.draws, out)


def _bet(terms: Terms) -> str:
    return f"places a Bet Wager of {antes(terms.stakes.bet)}"


def _bets(deck: Ints, cards: Ints, count: int, new: int, first: int) -> bool:
    seen = sum(card >> 2 == deck[UP] >> 2 for card in (*deck[:5], *deck[NEW : NEW + new]))
    return bool(bets_after_draw(first, cards, count, deck[UP], seen))


def _revealed(deck: Ints, new: int, value: int, odds: int, terms: Terms, sections: Sections) -> Iterator[Step]:
    next_place = NEW + new
    yield Step("Dealer", "reveals all five cards", sections.revealed, _cards(deck[5:NEW]))
    if standard().value(deck[5:NEW].tolist()) >= lowest_ace_king() or odds < terms.stakes.least_forcing:
        return
    if int(force(deck, next_place, value, odds, terms.stakes.forcing, lowest_ace_king(), tables())) in FORCED:
        yield Step("Player", "pays an Options fee to force the dealer to try to qualify", sections.forces)
        top = _cards(np.array([max(deck[5:NEW])]))
        yield Step("Dealer", "discards the highest card", sections.forces, top)
        yield Step("Dealer", "replaces it", sections.forces, _cards(deck[next_place : next_place + 1]))


def _cards(dealt: Ints) -> tuple[int, ...]:
    return tuple(map(int, dealt))
