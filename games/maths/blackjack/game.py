"""One blackjack game as the rest of the portal meets it: what a chapter's `play.py` hands on.

Not here: how the required wager is analyzed (`exact`), the others (`side_wagers`), how rounds are dealt (`rounds`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from games.maths.blackjack.exact import required_wager, strategy_of
from games.maths.blackjack.replay import Sections, round_steps
from games.maths.blackjack.rounds import Settled, deal_rounds
from games.maths.blackjack.rules import RULES
from games.maths.blackjack.settlement import GAMES
from games.maths.blackjack.side import Shoe
from games.maths.blackjack.side_wagers import analyze_insurance
from games.maths.blackjack.tallies import tally
from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play

SideWager = Callable[[Paytable, Shoe], WagerAnalysis]


@dataclass(frozen=True, slots=True)
class Game:
    """What differs: the shoe, the wagers other than the required one, where the chapter says what a round does."""

    number: str
    decks: int  # where no answer says how many
    most_hands: Callable[[Answers], int]  # that a pair may be split into
    sections: Sections
    tens: int = 4  # ranks that count ten
    side: Mapping[str, SideWager] = field(default_factory=dict)  # other than insurance
    decks_of_paytable: Mapping[str, int] = field(default_factory=dict)  # for which each is printed
    blackjack_insures: bool = True  # a player's Blackjack is still in play when insurance is offered

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered; the play is the one that is best for the required wager."""
        analyses = (self._analyze(chapter, wager, name, answers) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        return tally(chapter, answers, self._deal(chapter, answers, seed, block, rounds))

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Round `index` of the block, as it was dealt."""
        return round_steps(chapter.number, self._deal(chapter, answers, seed, block, index + 1), self.sections)

    def _analyze(self, chapter: Chapter, wager: str, paytable: str, answers: Answers | None) -> WagerAnalysis:
        shoe = self.shoe(answers, paytable)
        if wager == "insurance":
            return analyze_insurance(chapter, shoe, self.blackjack_insures)
        if wager in self.side:
            return self.side[wager](chapter.paytable(wager, paytable), shoe)
        return required_wager(RULES[self.number], chapter, self._with_decks(answers))

    def _deal(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Settled:
        strategy = strategy_of(RULES[self.number], chapter, self._with_decks(answers))
        most_hands = self.most_hands(answers)
        return deal_rounds(GAMES[self.number], self.shoe(answers), strategy, most_hands, (seed, block, rounds))

    def shoe(self, answers: Answers | None, paytable: str = "") -> Shoe:
        """As answered, else as a paytable is printed for, else the default."""
        given = answers or {}
        chosen = (self.decks_of_paytable.get(str(name)) for name in (*given.values(), paytable))
        decks = given.get("number_of_decks") or next((decks for decks in chosen if decks), self.decks)
        return Shoe(int(str(decks)), self.tens)

    def _with_decks(self, answers: Answers | None) -> Answers:
        return {**(answers or {}), "number_of_decks": str(self.shoe(answers).decks)}
