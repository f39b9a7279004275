"""One blackjack game as the rest of the portal meets it: what a chapter's `play.py` hands on.

Not here: how the required wager is analyzed (`exact`), the others (`side_wagers`), how rounds are dealt (`rounds`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from games.maths.blackjack.exact import Required, required_wager, strategy_of
from games.maths.blackjack.payouts import payouts
from games.maths.blackjack.replay import round_steps
from games.maths.blackjack.rounds import DealtGame, Settled, deal_rounds
from games.maths.blackjack.rules import Rules, Table
from games.maths.blackjack.sections import Sections
from games.maths.blackjack.side import Shoe
from games.maths.blackjack.side_wagers import NO_SIDE, SideWager, analyze_insurance
from games.maths.blackjack.tallies import tally
from games.maths.parameters import ParameterError
from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, part_paytable


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What differs: rules and sections, the shoe, an optional wager; `ParameterError` where these do not agree."""

    wager: str  # key of the required wager
    rules: Rules
    sections: Sections
    decks: int  # where no answer says how many
    decks_of_paytable: Mapping[str, int] = field(default_factory=dict)  # for which each is printed
    additional_splits: str = ""  # the option that says how often a pair is split again; "" = `rules.hands` at most
    side: SideWager | None = None  # other than insurance
    splits_measured_in: str = ""  # the game in which the error of split pairs was measured

    def __post_init__(self) -> None:
        for key, problem in _faults(self):
            raise ParameterError(key, problem)

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered; the play is the one that is best for the required wager."""
        analyses = (self._analyze(chapter, wager, name, answers) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        return tally(chapter, answers, self._deal(chapter, answers, seed, block, rounds), self.side)

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Round `index` of the block, as it was dealt."""
        settled = self._deal(chapter, answers, seed, block, index + 1)
        return round_steps(chapter.number, settled, self.rules, self.sections)

    def _analyze(self, chapter: Chapter, wager: str, name: str, answers: Answers | None) -> WagerAnalysis:
        if wager == "insurance":
            return analyze_insurance(chapter, self.shoe(answers, name), self.sections, self.rules.blackjack_insures)
        table = chapter.paytable(wager, name)
        if self.side is not None and wager == self.side.wager:
            return self.side.analyze(chapter, table, self.shoe(answers, name))
        game = Required(chapter.number, self.rules, self.sections, self.splits_measured_in)
        return required_wager(game, table, self.table(answers))

    def _deal(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Settled:
        table = self.table(answers)
        paid = payouts(self.rules, chapter.paytable(self.wager, part_paytable(chapter, answers, self.wager)))
        side = NO_SIDE if self.side is None else self.side.kind
        dealt = DealtGame(self.rules, paid, self.shoe(answers), table.hands, side)
        return deal_rounds(dealt, strategy_of(self.rules, paid, table), (seed, block, rounds))

    def shoe(self, answers: Answers | None, paytable: str = "") -> Shoe:
        """As answered, else as a paytable is printed for, else the default."""
        given = answers or {}
        chosen = (self.decks_of_paytable.get(str(name)) for name in (*given.values(), paytable))
        decks = given.get("number_of_decks") or next((decks for decks in chosen if decks), self.decks)
        return Shoe(int(str(decks)), self.rules.tens)

    def table(self, answers: Answers | None) -> Table:
        """The decks, and how many hands a pair is split into; where the answers are silent, the game's defaults."""
        more = (answers or {}).get(self.additional_splits)
        hands = self.rules.hands if more is None else min(2 + int(str(more)), self.rules.most_hands)
        return Table(self.shoe(answers).decks, hands)


def _faults(game: Game) -> Iterator[tuple[str, str]]:
    if game.decks < 1:
        yield "decks", f"{game.decks}: must be at least one"
    if game.side is not None and game.side.wager in (game.wager, "insurance"):
        yield "side.wager", f"`{game.side.wager}` is a wager of its own"
    rules, sections = game.rules, game.sections
    needed = {
        "attack": (rules.attack, sections.attack),
        "free_double": (rules.lammer, sections.free_double),
        "rescue": (rules.rescue, sections.rescue),
        "second_chance": (rules.second_chance, sections.second_chance),
        "winning_cards": (rules.winning_cards, sections.winning_cards),
    }
    for key, (rule, section) in needed.items():
        if rule and not section:
            yield f"sections.{key}", "is missing: the rules have it"
        if section and not rule:
            yield f"sections.{key}", f"{section}: the rules do not have it"
