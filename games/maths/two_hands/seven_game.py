"""One game of seven cards a side as the rest of the portal meets it: what a chapter's `play.py` hands on.

Not here: the required wager (`seven_against_dealer`), the other wagers (`exact`), how rounds are dealt (`rounds`).
"""

from dataclasses import dataclass

from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.two_hands.exact import ace_high_wager, hand_wager
from games.maths.two_hands.rounds import play
from games.maths.two_hands.seven_against_dealer import required_wager, tally
from games.maths.two_hands.seven_replay import round_steps
from games.maths.two_hands.wording import SevenCardWording
from games.rules.dealing import way_dealt
from games.rules.model import Answers, Chapter, HouseWay
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenCardGame:
    """What differs: the required wager, the chapter's wording.

    The dealer sets by the house way of the answer `house_way`; its key is where other wagers have the name of their
    paytable. `ace_high` is the wager on the dealer's hand, every other optional wager one on the player's.
    """

    wager: str  # the required one
    wording: SevenCardWording

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered; the required one under each house way if the answers name none."""
        analyses: list[WagerAnalysis] = []
        for wager, name in in_play(chapter, answers):
            if wager == self.wager:
                ways = self._house_ways(chapter, (answers or {}).get("house_way"))
                analyses += [required_wager(wager, way, self.wording) for way in ways]
            else:
                analyze = ace_high_wager if wager == "ace_high" else hand_wager
                analyses.append(analyze(chapter.paytable(wager, name), self.wording))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block; `ValueError` where a house way or a paytable is not answered."""
        chosen = paytables_in_play(chapter, answers).items()
        tables = {wager: chapter.paytable(wager, name) for wager, name in chosen if name}
        way = self._house_way(chapter, answers.get("house_way"))
        return tally(self.wager, play(seed, block, rounds, way.key), tables, self.wording)

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The cards and settings of one round; `ValueError` where a house way is not answered."""
        way = self._house_way(chapter, answers.get("house_way"))
        deck = play(seed, block, index + 1, way.key).deck
        return round_steps(deck[:7], deck[7:14], way_dealt(self.wording.dealt, answers), way, self.wording)

    def _house_ways(self, chapter: Chapter, key: object) -> tuple[HouseWay, ...]:
        return chapter.house_ways if key is None else (self._house_way(chapter, key),)

    def _house_way(self, chapter: Chapter, key: object) -> HouseWay:
        if house_way := next((way for way in chapter.house_ways if way.key == key), None):
            return house_way
        raise ValueError(
            f"`house_way` is {key!r}; answer how the dealer sets the hands with one of "
            f"{', '.join(way.key for way in chapter.house_ways)} ({self.wording.dealer_sets})"
        )
