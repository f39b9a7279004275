"""One game of six cards a side as the rest of the portal meets it, and the steps of one round.

The steps are the cards dealt, both sides' settings, and whether the player doubles. Not here: the wagers
(`six_wagers`), the deal itself (`six_rounds`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.maths.cards import JOKER
from games.maths.published import compare_published
from games.maths.ranking import KEYS, flush_part, forms, high_part, low_part
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.two_hands import six_pairs, six_rounds, six_wagers
from games.maths.two_hands.ranking import JOKER_RANK, high_value
from games.maths.two_hands.six_cards import (
    BEST,
    REGULATION,
    SIX,
    Ints,
    Settings,
    high_hands,
    high_of,
    line_of,
    low_of,
    settings,
    suited_form,
)
from games.maths.two_hands.six_pairs import best_settings
from games.maths.two_hands.six_rounds import NOT_PLACED
from games.maths.two_hands.six_wagers import (
    DOUBLE_ENDS,
    ENDS,
    counts_by_outcome,
    counts_by_row,
    double_down_wager,
    hand_wager,
    metered,
    progressive_wager,
    required_wager,
)
from games.maths.two_hands.wording import SixCardWording
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, HouseWay
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardGame:
    """The terms of one game: the required wager, the chapter's wording.

    The dealer sets by the chapter's only house way. `double_down` doubles the required wager; every other wager is one
    on the player's own cards.
    """

    wager: str  # the required one
    wording: SixCardWording

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered, exactly; the player sets in the best way and doubles where that wins."""
        analyses = (self._analyze(chapter, wager, name, answers) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        offered = paytables_in_play(chapter, answers)
        dealt = _deal(seed, block, rounds)
        tally: Tally = {self.wager: counts_by_outcome(ENDS, dealt.ends.tolist())}
        if "double_down" in offered:
            tally["double_down"] = counts_by_outcome(DOUBLE_ENDS, dealt.doubled.tolist())
        for wager, name in offered.items():
            if name:
                tally[wager] = counts_by_row(chapter.paytable(wager, name), dealt.best.tolist())
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the cards and decisions of one round."""
        deck, dealt = _deal(seed, block, index + 1).deck, way_dealt(self.wording.dealt, answers)
        doubles = six_wagers.best_thresholds(BEST) if "double_down" in paytables_in_play(chapter, answers) else None
        return round_steps(deck[:6], deck[6:12], dealt, doubles, chapter.house_ways[0], self.wording)

    def _analyze(self, chapter: Chapter, wager: str, name: str, answers: Answers | None) -> WagerAnalysis:
        if wager == self.wager:
            return required_wager(wager, chapter.house_ways[0], self.wording)
        if wager == "double_down":
            return double_down_wager(wager, chapter.wager(self.wager).name, self.wording)
        table = chapter.paytable(wager, name)
        if wager == "progressive":
            return progressive_wager(metered(chapter, table, answers), self.wording)
        return hand_wager(table, self.wording)


def _deal(seed: int, block: int, rounds: int) -> six_rounds.Counts:
    doubles = np.array(six_wagers.best_thresholds(BEST), dtype=np.int64)
    return six_rounds.play(seed, block, rounds, doubles, six_pairs.least_qualified())


def code_of(cards: Ints, way: Settings | None = None) -> int:
    """Return the code of six cards in the tables of a way of setting; of the house way if none is given."""
    way, key = way or settings(REGULATION), int(KEYS[cards].sum())
    if flush_part(key):
        return int(way.by_suit[suited_form(cards)])
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
        steps.append(Step("Player", f"{places} Double Down Wager", wording.doubles[NOT_PLACED]))
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
