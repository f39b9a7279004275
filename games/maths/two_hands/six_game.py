"""One game of six cards a side as the rest of the portal meets it, and the steps of a round.

Six cards go to each of six positions and the dealer; by exchangeability a player's results depend on the own six cards
and the dealer's six alone, so only these twelve are dealt. Every round starts from a full deck of 53. Not here: the
wagers (`six_wagers`), dealing (`games.second.six_cards`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from games.compiled import Ints
from games.maths.cards import JOKER
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.results import Step, WagerAnalysis
from games.maths.two_hands import six_cards
from games.maths.two_hands.pairs import SIX, suited_ranks
from games.maths.two_hands.ranking import JOKER_RANK, high_value
from games.maths.two_hands.six_cards import BEST, REGULATION, Settings, high_hands, high_of, line_of, low_of, settings
from games.maths.two_hands.six_pairs import best_low_hands, best_settings
from games.maths.two_hands.six_wagers import (
    SixCardWording,
    best_thresholds,
    double_down_wager,
    hand_wager,
    least_doubled,
    metered,
    required_wager,
)
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, HouseWay
from games.rules.wagers_in_play import paytables_in_play

Strategy = tuple[Ints, Ints, Ints, tuple[tuple[int, int] | None, ...]]
"""The player's settings (`best_low_hands`) and doubles (`least_doubled`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardGame:
    """The terms of one game: the required wager, the chapter's wording.

    The dealer sets by the chapter's only house way. `double_down` doubles the required wager; every other wager is one
    on the player's own cards.
    """

    wager: str  # the required one
    wording: SixCardWording

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; the player sets in the best way and doubles where that wins."""
        if wager == self.wager:
            yield required_wager(wager, chapter.house_ways[0], self.wording)
        elif wager == "double_down":
            yield double_down_wager(wager, chapter.wager(self.wager).name, self.wording)
        else:
            table = chapter.paytable(wager, name)
            yield hand_wager(metered(chapter, table, answers) if wager == "progressive" else table, self.wording)

    def strategy(self, chapter: Chapter, answers: Answers) -> Strategy:
        """Return the best settings of the player, and when to double."""
        ranks, outside, lows = best_low_hands()
        return ranks, outside, lows, least_doubled(BEST)

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the decisions of a round; dealt are the player's six cards, then the dealer's."""
        doubles = best_thresholds(BEST) if "double_down" in paytables_in_play(chapter, answers) else None
        player, dealer, section = np.array(dealt[:6]), np.array(dealt[6:]), way_dealt(self.wording.dealt, answers)
        return round_steps(player, dealer, section, doubles, chapter.house_ways[0], self.wording)


def code_of(cards: Ints, way: Settings | None = None) -> int:
    """Return the code of six cards in the tables of a way of setting; of the house way if none is given."""
    way, key = way or settings(REGULATION), int(KEYS[cards].sum())
    if flush_part(key):
        return int(way.by_suit[suited_ranks(cards)])
    return int(way.by_form[forms(SIX).low[low_part(key)] + forms(SIX).high[high_part(key)]])


def round_steps(
    player: Ints, dealer: Ints, dealt: str, doubles: Sequence[int] | None, way: HouseWay, wording: SixCardWording
) -> tuple[Step, ...]:
    """Return the steps of a round; `dealt`: the deal's section; `doubles`: the least high hand by low hand, or None."""
    code, by_house_way = code_of(player, best_settings()), code_of(player)
    steps = [Step("Player", "is dealt six cards", dealt, _cards(player))]
    steps.append(Step("Dealer", "is dealt six cards", dealt, _cards(dealer)))
    if doubles is not None:
        places = "places the" if high_of(code) >= doubles[low_of(code)] else "does not place a"
        steps.append(Step("Player", f"{places} Double Down Wager", wording.doubles[six_cards.NOT_PLACED]))
    how = "as the house way would" if code == by_house_way else "so that the low hand is higher than the house way's"
    steps += _sets("Player", player, code, how, wording.player_sets)
    line = way.rules[line_of(code_of(dealer))][0]
    return (*steps, *_sets("Dealer", dealer, code_of(dealer), f"by the line “{line}”", wording.dealer_sets))


def _sets(who: str, cards: Ints, code: int, how: str, section: str) -> tuple[Step, Step]:
    high, low = split(_cards(cards), code)
    return Step(who, f"sets the high hand {how}", section, high), Step(who, "sets the low hand", section, (low,))


def split(cards: tuple[int, ...], code: int) -> tuple[tuple[int, ...], int]:
    """Return the high hand and the low hand that the code means."""
    for low in cards:
        high = tuple(card for card in cards if card != low)
        if _rank(low) == low_of(code) and _value(high) == high_hands()[high_of(code)]:
            return high, low
    raise ValueError(f"no card of {cards} leaves the hands of code {code}")


def _value(high: Sequence[int]) -> int:
    ranks = sorted(_rank(card) for card in high if card != JOKER)
    suited = len({card & 3 for card in high if card != JOKER}) == 1
    return high_value(ranks, JOKER in high, suited)


def _rank(card: int) -> int:
    return JOKER_RANK if card == JOKER else card >> 2


def _cards(cards: Ints) -> tuple[int, ...]:
    """Return the cards from high to low, as a person sorts them."""
    return tuple(sorted((int(card) for card in cards), reverse=True))
