"""One game of five cards and a draw against the dealer, as the rest of the portal meets it, and a round's steps.

The steps come from the round's cards: those dealt, drawn and revealed, with the decisions. Not here: the required wager
and the strategy in words (`required`), dealing (`games.second.exchange`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from games.maths.cards import FULL_DECK
from games.maths.exchange.payouts import (
    COMBINATIONS,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    Terms,
    appraise,
    first_five_wager,
    hand_tables,
    lowest_ace_king,
    odds_of,
)
from games.maths.exchange.required import required_wager
from games.maths.exchange.rules import FirstFive, Sections, Stakes
from games.maths.exchange.strategy import (
    BET,
    FOLD,
    INSTANT,
    KEEP_ALL,
    SIXTH,
    Decisions,
    bets_after_draw,
    decisions_as_data,
    first_decision,
    forces,
    highest_card_table,
)
from games.maths.ranking import standard
from games.maths.results import Step, WagerAnalysis, antes, net_of
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable


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

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures, those of the required one under the strategy stated.

        For other stakes and odds than those of which counts are shipped (`drawn`), the required wager is in part an
        estimate.
        """
        table = chapter.paytable(wager, name)
        if wager in self.first_five:
            yield first_five_wager(table, self.first_five[wager])
        else:
            yield required_wager(name, self.terms(chapter), instant_payout(table), self.sections, self.notes)

    def strategy(self, chapter: Chapter, answers: Answers) -> Decisions:
        """Return the player's decisions, as `games.second.exchange` reads them."""
        return decisions_as_data(self.stakes.forcing)

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the cards and decisions of one round."""
        return tuple(round_steps(dealt, self.terms(chapter), self.sections, answers))

    def terms(self, chapter: Chapter) -> Terms:
        """Return the stakes with what the chapter's one paytable of the Bet Wager pays."""
        (table,) = chapter.tables_of(self.bet)
        return Terms(odds_of(table), self.stakes)


def instant_payout(table: Paytable) -> dict[int, Fraction]:
    """Return the net of a royal and of a straight flush in the first five cards on the Ante Wager."""
    pays = {line.outcome: net_of(line.pays[0], table) for line in table.rows}
    return {place: pays[COMBINATIONS[place]] for place in (STRAIGHT_FLUSH, ROYAL_FLUSH)}


UP, NEW = 9, 10  # of the cards dealt: the dealer's up card, the last of five; those drawn, then one for the dealer


def round_steps(deck: Sequence[int], terms: Terms, sections: Sections, answers: Answers) -> Iterator[Step]:
    """Yield the round of these cards: one's own five, the dealer's five, those drawn, the dealer's new one."""
    own, up, dealt = tuple(deck[:5]), deck[UP], way_dealt(sections.dealt, answers)
    yield Step("Player", "is dealt five cards", dealt, own)
    yield Step("Dealer", "turns the last of the five cards face up", dealt, (up,))
    decision = int(first_decision(np.array(own), up, highest_card_table()))
    yield _first_step(decision, own, terms, sections)
    if decision in (FOLD, INSTANT):
        return
    places = KEEP_ALL if decision == SIXTH else decision
    own_kept = tuple(card for place, card in enumerate(own) if places >> place & 1)
    new = tuple(deck[NEW : NEW + (1 if decision == SIXTH else 5 - len(own_kept))])
    hand = np.array([*own_kept, *new])
    value, first, second = appraise(hand, len(hand), lowest_ace_king(), hand_tables())
    if new:
        section = sections.sixth_card if decision == SIXTH else sections.exchange
        yield Step("Player", "is dealt in return", section, new)
        seen = sum(card >> 2 == up >> 2 for card in (*own, *new))
        bets = bool(bets_after_draw(first, hand, len(hand), up, seen))
        yield Step("Player", _bet(terms) if bets else "folds", sections.decides_after_draw)
        if not bets:
            return
    yield from _revealed(deck, len(new), int(value), terms.odds[first] + terms.odds[second], terms, sections)


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


def _revealed(deck: Sequence[int], new: int, value: int, odds: int, terms: Terms, sections: Sections) -> Iterator[Step]:
    dealer = tuple(deck[5:NEW])
    yield Step("Dealer", "reveals all five cards", sections.revealed, dealer)
    if standard().value(dealer) >= lowest_ace_king() or odds < terms.stakes.least_forcing:
        return
    top, unseen = max(dealer), set(range(FULL_DECK)).difference(deck[: NEW + new])
    tried = [standard().value([card for card in dealer if card != top] + [new_card]) for new_card in unseen]
    wins = sum(lowest_ace_king() <= dealers < value for dealers in tried)
    losses = sum(lowest_ace_king() <= dealers > value for dealers in tried)
    if forces(odds, wins, losses, len(unseen), terms.stakes.forcing):
        yield Step("Player", "pays an Options fee to force the dealer to try to qualify", sections.forces)
        yield Step("Dealer", "discards the highest card", sections.forces, (top,))
        yield Step("Dealer", "replaces it", sections.forces, (deck[NEW + new],))
