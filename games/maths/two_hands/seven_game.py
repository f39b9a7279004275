"""One game of seven cards a side as the rest of the portal meets it, and the steps of a round.

Seven cards go to each of six positions and the dealer; by exchangeability a player's results depend on the own seven
and the dealer's seven alone, so only these fourteen are dealt. Every round starts from a full deck of 53. Not here: the
wagers (`seven_wagers`), dealing (`games.second.seven_cards`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from games.compiled import Ints
from games.maths.results import Step, WagerAnalysis
from games.maths.two_hands.ranking import high_table, low_table, place_table
from games.maths.two_hands.setting import (
    RUN_BITS,
    SETTINGS,
    arrange,
    dealer_setting,
    off_suit,
    rule_table,
    shape,
    sort_by_rank,
)
from games.maths.two_hands.seven_wagers import SevenCardWording, ace_high_wager, hand_wager, required_wager
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, HouseWay


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenCardGame:
    """The terms of one game: the required wager, the chapter's wording.

    The dealer sets by the house way of the answer `house_way`; its key is where other wagers have the name of their
    paytable. `ace_high` is the wager on the dealer's hand, every other optional wager one on the player's.
    """

    wager: str  # the required one
    wording: SevenCardWording

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; those of the required one under each house way if the answers name none."""
        if wager == self.wager:
            key = answers.get("house_way")
            for way in chapter.house_ways if key is None else (self._house_way(chapter, key),):
                yield required_wager(wager, way, self.wording)
        else:
            analyze = ace_high_wager if wager == "ace_high" else hand_wager
            yield analyze(chapter.paytable(wager, name), self.wording)

    def strategy(self, chapter: Chapter, answers: Answers) -> tuple[str, ...]:
        """Return the lines of the dealer's house way, in their order: the cards that each describes, in words.

        `ValueError` where a house way is not answered. The player's best play follows from the dealer's hands.
        """
        return tuple(when for when, _ in self._house_way(chapter, answers.get("house_way")).rules)

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the settings of a round; dealt are the dealer's seven cards, then the player's."""
        way, section = self._house_way(chapter, answers.get("house_way")), way_dealt(self.wording.dealt, answers)
        return round_steps(np.array(dealt[:7]), np.array(dealt[7:]), section, way, self.wording)

    def _house_way(self, chapter: Chapter, key: object) -> HouseWay:
        if house_way := next((way for way in chapter.house_ways if way.key == key), None):
            return house_way
        raise ValueError(
            f"`house_way` is {key!r}; answer how the dealer sets the hands with one of "
            f"{', '.join(way.key for way in chapter.house_ways)} ({self.wording.dealer_sets})"
        )


Cards = tuple[int, ...]


def round_steps(dealer: Ints, player: Ints, dealt: str, way: HouseWay, wording: SevenCardWording) -> tuple[Step, ...]:
    """Return the steps of a round, seven cards a side as dealt; `dealt` is the section of the deal."""
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
        """Return the line of the house way that fits, and its setting."""
        form, lead = self._shape
        line, setting = dealer_setting(form, 1 if self._run else 0, lead, rule_table(key), self.highs, self.lows)
        return int(line), int(setting)

    def answer(self, high: int, low: int) -> tuple[int, int]:
        """Return the setting that beats most of two hands, of equals that with the highest high hand, and how many."""
        beats = (self.highs > high).astype(int) + (self.lows > low)
        legal = [setting for setting in range(SETTINGS) if self.highs[setting] >= self.lows[setting]]
        best = max(legal, key=lambda setting: (beats[setting], self.highs[setting], self.lows[setting]))
        return best, int(beats[best])

    def cards_of(self, setting: int) -> tuple[Cards, Cards]:
        """Return (high hand, low hand), from high to low."""
        low = list(combinations(self.cards, 2))[setting]
        return tuple(card for card in self.cards[::-1] if card not in low), low[::-1]
