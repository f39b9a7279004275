"""One game of five cards and a draw against the dealer, as the rest of the portal meets it, and a round's steps.

The steps come from the round's cards: those dealt, drawn and revealed, with the decisions. Not here: the required wager
and the strategy in words (`required`), dealing (`rounds`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from games.maths.exchange.payouts import (
    COMBINATIONS,
    FIRST_FIVE_ROWS,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    Terms,
    all_ends,
    appraise,
    first_five_wager,
    hand_tables,
    lowest_ace_king,
    odds_of,
)
from games.maths.exchange.required import required_wager
from games.maths.exchange.rounds import NEW, ROOM, UP, deal_rounds, draw, force, new_deck, seen_of_up
from games.maths.exchange.rules import FORCED, FirstFive, Sections, Stakes
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    SIXTH,
    bets_after_draw,
    first_decision,
    highest_card_table,
)  # fmt: skip
from games.maths.published import compare_published
from games.maths.ranking import standard
from games.maths.results import LOST_OUTCOME, Step, Tally, WagerAnalysis, antes, net_of
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeGame:
    """The terms of one game: the stakes, the wagers, the notes on the required one, the sections.

    `ante` is the required wager; its paytable is the instant payout. `bet` is the wager decided with it, which has one
    paytable. Every optional wager is in `first_five`.
    """

    stakes: Stakes
    bet: str  # wager
    first_five: Mapping[str, FirstFive]  # wager → how the chapter says it
    notes: tuple[str, ...]  # on the required wager
    sections: Sections

    def __post_init__(self) -> None:
        if decided := {"ante", self.bet} & self.first_five.keys():
            raise ParameterError("first_five", f"has {min(decided)}, which is a required wager")

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager exactly, the required one under the strategy stated.

        For other stakes and odds than those of which counts are shipped (`drawn`), the required wager is in part an
        estimate.
        """
        tables = (chapter.paytable(wager, name) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, self._analyze(chapter, table)) for table in tables)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        tables = paytables_in_play(chapter, answers)
        terms = self.terms(chapter)
        settled = deal_rounds(terms, (seed, block, rounds), new_deck())
        ends = all_ends(terms, instant_payout(chapter.paytable("ante", tables.pop("ante"))), self.sections)
        tally: Tally = {"ante": {end.outcome: end.count(settled.ends) for end in ends}}
        rows = dict(zip((*FIRST_FIVE_ROWS, LOST_OUTCOME), map(int, settled.first_rows), strict=True))
        return tally | {wager: dict(rows) for wager in tables}

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the cards and decisions of one round."""
        deck, terms = new_deck(), self.terms(chapter)
        deal_rounds(terms, (seed, block, index + 1), deck)
        return tuple(round_steps(deck, terms, self.sections, answers))

    def terms(self, chapter: Chapter) -> Terms:
        """Return the stakes with what the chapter's one paytable of the Bet Wager pays."""
        (table,) = chapter.tables_of(self.bet)
        return Terms(odds_of(table), self.stakes)

    def _analyze(self, chapter: Chapter, table: Paytable) -> WagerAnalysis:
        if table.wager in self.first_five:
            return first_five_wager(table, self.first_five[table.wager])
        return required_wager(table.name, self.terms(chapter), instant_payout(table), self.sections, self.notes)


def instant_payout(table: Paytable) -> dict[int, Fraction]:
    """Return the net of a royal and of a straight flush in the first five cards on the Ante Wager."""
    pays = {line.outcome: net_of(line.pays[0], table) for line in table.rows}
    return {place: pays[COMBINATIONS[place]] for place in (STRAIGHT_FLUSH, ROYAL_FLUSH)}


Ints = NDArray[np.int64]


def round_steps(deck: Ints, terms: Terms, sections: Sections, answers: Answers) -> Iterator[Step]:
    """Yield the round at the front of the deck (`rounds.new_deck`)."""
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
    value, first, second = appraise(cards, count, lowest_ace_king(), hand_tables())
    if new:
        bets = bool(bets_after_draw(first, cards, count, deck[UP], seen_of_up(deck, new)))
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


def _revealed(deck: Ints, new: int, value: int, odds: int, terms: Terms, sections: Sections) -> Iterator[Step]:
    next_place = NEW + new
    yield Step("Dealer", "reveals all five cards", sections.revealed, _cards(deck[5:NEW]))
    if standard().value(deck[5:NEW].tolist()) >= lowest_ace_king() or odds < terms.stakes.least_forcing:
        return
    if int(force(deck, next_place, value, odds, terms.stakes.forcing, lowest_ace_king(), hand_tables())) in FORCED:
        yield Step("Player", "pays an Options fee to force the dealer to try to qualify", sections.forces)
        top = _cards(np.array([max(deck[5:NEW])]))
        yield Step("Dealer", "discards the highest card", sections.forces, top)
        yield Step("Dealer", "replaces it", sections.forces, _cards(deck[next_place : next_place + 1]))


def _cards(dealt: Ints) -> tuple[int, ...]:
    return tuple(map(int, dealt))
