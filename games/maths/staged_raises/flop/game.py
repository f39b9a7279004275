"""A game of one flop as the rest of the portal meets it: what a chapter's `play.py` hands on.

Three own cards, a raise equal to the Ante or a fold, then three community cards at once: the own cards and the best two
of these are paid. Not here: the required wagers (`wagers`), dealing (`rounds`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from games.maths.published import compare_published
from games.maths.ranking import standard
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.staged_raises.flop.rounds import deal_rounds
from games.maths.staged_raises.flop.wagers import OwnCardsWager, Pool, RequiredWagers
from games.maths.staged_raises.own_cards import OWN
from games.maths.three_cards import place
from games.rules.dealing import way_dealt
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play


@dataclass(frozen=True, slots=True, kw_only=True)
class FlopGame:
    """What differs: the raise and its paytable, the other wagers by their keys, the sections."""

    required: RequiredWagers
    paid_by: str  # the wager whose only paytable pays the raise
    own_cards: Mapping[str, OwnCardsWager]
    pools: Mapping[str, Pool]
    dealt: Mapping[str, str]  # by the line that asks whether cards are so dealt, the subsection on it
    turned: str
    notes: tuple[str, ...] = ()  # on the required wagers

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Every wager offered, exactly; the play is the one that is best for the Ante and the raise."""
        analyses = (self._analyze(chapter, wager, name) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        table, offered = self._table(chapter), paytables_in_play(chapter, answers)
        required = self.required
        settled = deal_rounds(required.plays(table), required.least_value(), (seed, block, rounds))
        tally: Tally = {"ante": required.counts(settled.required, table)}
        tally |= {wager: dict(pool.counts(rounds)) for wager, pool in self.pools.items()}
        for wager, own in self.own_cards.items():
            if wager in offered:
                tally[wager] = own.counts(settled.own, chapter.paytable(wager, offered[wager]))
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """The round as dealt, one player at the table."""
        required = self.required
        plays = required.plays(self._table(chapter))
        dealt = deal_rounds(plays, required.least_value(), (seed, block, index + 1)).last
        own, community = dealt[:OWN], dealt[OWN:]
        best = max((own + two for two in combinations(community, 2)), key=standard().value)
        decision = f"places a {required.raised} equal to the Ante" if plays[place(own)] else "folds"
        return (
            Step("Player", "is dealt three cards", way_dealt(self.dealt, answers), own),
            Step("Player", decision, required.decided),
            Step("Community cards", "are turned up", self.turned, community),
            Step("Player", f"holds as best five cards: {standard().class_name(best)}", required.settled, best),
        )

    def _table(self, chapter: Chapter) -> Paytable:
        return chapter.tables_of(self.paid_by)[0]

    def _analyze(self, chapter: Chapter, wager: str, paytable: str) -> WagerAnalysis:
        if wager in self.pools:
            return self.pools[wager].analysis(wager)
        if wager in self.own_cards:
            return self.own_cards[wager].analysis(chapter.paytable(wager, paytable))
        return self.required.analysis(self._table(chapter), self.notes)
