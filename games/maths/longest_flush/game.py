"""One game of seven cards a side by the longest flush, as the rest of the portal meets it.

Here are the steps of a round, and the most that one round can win, for a payout limit.

What a round wins depends on the size of the player's longest flush (Ante, Raise and wagers on the flush), on the length
of the longest straight flush (wagers on that), and on the dealer, who does least harm by qualifying and being beaten.
So one deal for each size and each length that goes with it is all that need be tried; a flush that beats no dealer who
qualifies wins no more than a longer one. Every Raise Wager is as large as is allowed.

Not here: the decisions (`exact`), their words (`wagers`), dealing (`games.second.longest_flush`).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints
from games.maths.cards import cards
from games.maths.longest_flush.exact import CYCLE, best_play
from games.maths.longest_flush.rules import (
    CARDS,
    FLUSH,
    OF_SIZE,
    RANKS,
    RUNS,
    STRAIGHT_FLUSH,
    WIN,
    BonusWager,
    Rules,
    Sections,
    by_suits,
)
from games.maths.longest_flush.wagers import (
    ENDINGS,
    INITIAL,
    bonus_wager,
    choices,
    net_of_ending,
    outcome_rows,
    outcomes_of,
    simplified_plays,
    strategy_tables,
)
from games.maths.results import LargestRound, PartWon, Step, WagerAnalysis, antes, counted, parts_won, required
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play

NONE_EQUAL = "No decision is worth the same both ways, so none had to be settled."
EQUAL = "Both ways are worth the same with {:,} hands: there the larger wager is made."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # one of a kind: what is computed of it is kept
class LongestFlushGame:
    """The terms of one game: the raises and the dealer's qualifier, the optional wagers, the sections.

    `ante` is the required wager, without a paytable; every other one is in `bonuses`.
    """

    rules: Rules
    bonuses: Mapping[str, BonusWager]  # wager → what decides it
    beaten: str  # the dealer's seven cards of the largest round: "9h 7h 4h …", qualifying, without spades
    sections: Sections

    def __post_init__(self) -> None:
        check_beaten(self.beaten, self.rules)

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; the play is the one that is best for Ante and Raise Wager."""
        if name:
            yield bonus_wager(chapter.paytable(wager, name), self.bonuses[wager], answers)
        else:
            yield _required(self)

    def strategy(self, chapter: Chapter, answers: Answers) -> tuple[NDArray[np.int8], Ints, NDArray[np.int8]]:
        """Return the decisions by the flush and, where it is `MIXED`, by the other cards (`exact.BestPlay`)."""
        best = best_play(self.rules)
        return best.by_value, best.rows, best.by_others

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return both hands and the decision between them; `dealt`: the player's seven cards, then the dealer's."""
        own, dealer = dealt[:CARDS], dealt[CARDS:]
        return round_steps(self.sections, answers, own, dealer, best_play(self.rules).of(own))

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the best of the candidate deals under the paytables in use."""
        names, beaten = paytables_in_play(chapter, answers), check_beaten(self.beaten, self.rules)
        tables = [chapter.paytable(wager, names[wager]) for wager in stakes if names[wager]]
        candidates: list[LargestRound] = []
        for own, size, length in _hands(beaten):
            numbers = {FLUSH: size, STRAIGHT_FLUSH: length}
            bonuses = [self.bonuses[table.wager] for table in tables]
            outcomes = [outcomes_of(bonus)[numbers[bonus.by]] for bonus in bonuses]
            if set(outcomes) & set(leaves_out):
                continue
            raised = self.rules.allowed[size]
            pays = f"Ante and a Raise of {raised}× {ENDINGS[WIN][1]}"
            net = Fraction(net_of_ending(raised, WIN))
            parts = [PartWon("ante", stakes["ante"], net, pays)] if "ante" in stakes else []
            parts += parts_won(tables, outcomes, stakes)
            candidates.append(LargestRound(round_steps(self.sections, {}, own, beaten, raised), tuple(parts)))
        return max(candidates, key=lambda candidate: candidate.amount)


@cache
def _required(game: LongestFlushGame) -> WagerAnalysis:
    rules, best = game.rules, best_play(game.rules)
    rows = outcome_rows(rules, best.ends.sum(axis=(0, 1)), game.sections)
    equal = int(best.equal[0])
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=choices(best),
        strategy_tables=strategy_tables(rules, best),
        simplified_plays=simplified_plays(rules, best, game.sections),
        notes=(EQUAL.format(equal) if equal else NONE_EQUAL,),
    )


BESIDE = cards("2h 2d 2c 5h 5d")  # of other suits, no two consecutive
SPADE = 3


def check_beaten(beaten: str, rules: Rules) -> tuple[int, ...]:
    """Return the dealer's seven cards, which are beaten in the deals here; `ParameterError` if they are not fit."""
    try:
        dealt = cards(beaten)
    except ValueError as error:
        raise ParameterError("beaten", str(error)) from error
    if len(set(dealt)) != CARDS:
        raise ParameterError("beaten", f"is {beaten!r}; it has {CARDS} different cards")
    if taken := [name for name, card in zip(beaten.split(), dealt, strict=True) if card % 4 == SPADE or card in BESIDE]:
        raise ParameterError("beaten", f"has {taken[0]}; spades, the 2s and two 5s are the player's")
    if by_suits(dealt)[0] < rules.qualifier.lowest:
        raise ParameterError("beaten", f"is {beaten!r}, with which the dealer does not qualify")
    return dealt


def _hands(beaten: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield the player's cards for each size of the longest flush and each length of a straight flush in it."""
    for size in range(2, CARDS + 1):
        for length in range(1, size + 1):
            flushes = [ranks for ranks in OF_SIZE[size] if RUNS[ranks] == length]
            if flushes and size << RANKS | flushes[-1] > by_suits(beaten)[0]:
                spades = [4 * rank + SPADE for rank in reversed(range(RANKS)) if flushes[-1] >> rank & 1]
                yield (*spades, *BESIDE[: CARDS - size]), size, length


def round_steps(
    sections: Sections, answers: Answers, own: tuple[int, ...], dealer: tuple[int, ...], raised: int
) -> tuple[Step, ...]:
    """Return the steps of the round with these hands, raised by `raised` Antes."""
    dealt = way_dealt(sections.dealt, answers)
    decision = Step("Player", f"raises {antes(raised)}", sections.raised)
    return (
        Step("Player", "is dealt seven cards", dealt, own),
        Step("Dealer", "is dealt seven cards, face down under a cover card", dealt, dealer),
        decision if raised else Step("Player", "folds", sections.folded),
        Step("Dealer", "turns all seven cards face up", sections.shown, dealer),
    )
