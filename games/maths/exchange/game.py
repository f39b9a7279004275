"""One game of five cards and a draw against the dealer, as the rest of the portal meets it.

Not here: the required wager (`required`), what is said of the strategy (`words`), how rounds are dealt (`rounds`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.maths.exchange.combinations import COMBINATIONS, ROYAL_FLUSH, STRAIGHT_FLUSH
from games.maths.exchange.ends import all_ends
from games.maths.exchange.first_five import LOST_OUTCOME, ROWS, first_five_wager
from games.maths.exchange.replay import round_steps
from games.maths.exchange.required import required_wager
from games.maths.exchange.rounds import deal_rounds, new_deck
from games.maths.exchange.rules import FirstFive, Sections, Stakes
from games.maths.exchange.terms import Terms, odds_of
from games.maths.parameters import ParameterError
from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.wagers import net_of
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeGame:
    """What differs: the stakes, the wagers, the notes on the required one, the sections.

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
        """Every wager exactly, the required one under the strategy stated; for other stakes and odds than those of
        which counts are shipped (`drawn`), that one in part by estimate."""
        tables = (chapter.paytable(wager, name) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, self._analyze(chapter, table)) for table in tables)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        tables = paytables_in_play(chapter, answers)
        terms = self.terms(chapter)
        settled = deal_rounds(terms, (seed, block, rounds), new_deck())
        ends = all_ends(terms, instant_payout(chapter.paytable("ante", tables.pop("ante"))), self.sections)
        tally: Tally = {"ante": {end.outcome: end.count(settled.ends) for end in ends}}
        rows = dict(zip((*ROWS, LOST_OUTCOME), map(int, settled.first_rows), strict=True))
        return tally | {wager: dict(rows) for wager in tables}

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The cards and decisions of one round."""
        deck, terms = new_deck(), self.terms(chapter)
        deal_rounds(terms, (seed, block, index + 1), deck)
        return tuple(round_steps(deck, terms, self.sections, answers))

    def terms(self, chapter: Chapter) -> Terms:
        """The stakes with what the chapter's one paytable of the Bet Wager pays."""
        (table,) = chapter.tables_of(self.bet)
        return Terms(odds_of(table), self.stakes)

    def _analyze(self, chapter: Chapter, table: Paytable) -> WagerAnalysis:
        if table.wager in self.first_five:
            return first_five_wager(table, self.first_five[table.wager])
        return required_wager(table.name, self.terms(chapter), instant_payout(table), self.sections, self.notes)


def instant_payout(table: Paytable) -> dict[int, Fraction]:
    """What a royal and a straight flush in the first five cards pay on the Ante Wager."""
    pays = {line.outcome: net_of(line.pays[0], table) for line in table.rows}
    return {place: pays[COMBINATIONS[place]] for place in (STRAIGHT_FLUSH, ROYAL_FLUSH)}
