"""The steps of one round of seven cards a side: the cards dealt, how the dealer sets them, how the player answers.

Not here: what the wagers win (`runs.replay`), the deal itself (`rounds`).
"""

from itertools import combinations

import numpy as np

from games.maths.results import Step
from games.maths.two_hands.house_ways import rule_table
from games.maths.two_hands.ranking import high_table, low_table, place_table
from games.maths.two_hands.setting import RUN_BITS, SETTINGS, arrange, dealer_setting, off_suit, shape, sort_by_rank
from games.maths.two_hands.seven_forms import Ints
from games.maths.two_hands.wording import SevenCardWording
from games.rules.model import HouseWay

Cards = tuple[int, ...]


def round_steps(dealer: Ints, player: Ints, dealt: str, way: HouseWay, wording: SevenCardWording) -> tuple[Step, ...]:
    """`dealt` is the section of the deal; seven cards a side, as dealt."""
    shows, answers = wording.dealer_sets, wording.player_sets
    dealers, players = Settings(dealer), Settings(player)
    line, shown = dealers.by_house_way(way.key)
    answer, beaten = players.answer(int(dealers.highs[shown]), int(dealers.lows[shown]))
    high, low = dealers.cards_of(shown)
    own_high, own_low = players.cards_of(answer)
    return (
        Step("Player", "is dealt seven cards face down", dealt, players.cards[::-1]),
        Step("Dealer", "is dealt seven cards face up", dealt, dealers.cards[::-1]),
        Step("Dealer", f"sets the high hand by the line “{way.rules[line][0]}”", shows, high),
        Step("Dealer", "sets the low hand", shows, low),
        Step("Player", f"sets the high hand so as to beat {('neither hand', 'one hand', 'both hands')[beaten]}",
             answers, own_high),
        Step("Player", "sets the low hand", answers, own_low),
    )  # fmt: skip


class Settings:
    """The 21 settings of seven cards."""

    def __init__(self, seven: Ints) -> None:
        sorted_cards = seven.copy()
        sort_by_rank(sorted_cards)
        self.highs, self.lows = np.zeros(SETTINGS, np.int64), np.zeros(SETTINGS, np.int64)
        off, sums = off_suit(sorted_cards), np.zeros((3, 8), np.int64)
        tables = (place_table(), high_table(), low_table())
        self._run = arrange(sorted_cards, off, *tables, sums, self.highs, self.lows) & RUN_BITS
        self._shape = shape(sorted_cards)
        self.cards: Cards = tuple(int(card) for card in sorted_cards)

    def by_house_way(self, key: str) -> tuple[int, int]:
        """(line, setting)"""
        form, lead = self._shape
        line, setting = dealer_setting(form, 1 if self._run else 0, lead, rule_table(key), self.highs, self.lows)
        return int(line), int(setting)

    def answer(self, high: int, low: int) -> tuple[int, int]:
        """(the setting that beats most of the two hands, of equals that with the highest high hand; how many)"""
        beats = (self.highs > high).astype(int) + (self.lows > low)
        legal = [setting for setting in range(SETTINGS) if self.highs[setting] >= self.lows[setting]]
        best = max(legal, key=lambda setting: (beats[setting], self.highs[setting], self.lows[setting]))
        return best, int(beats[best])

    def cards_of(self, setting: int) -> tuple[Cards, Cards]:
        """(high hand, low hand), from high to low."""
        low = list(combinations(self.cards, 2))[setting]
        return tuple(card for card in self.cards[::-1] if card not in low), low[::-1]
