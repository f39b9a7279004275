"""One game of seven cards a side by the longest flush, as the rest of the portal meets it.

Here are the steps of a round, and the most that one round can win, for a payout limit.

What a round wins depends on the size of the player's longest flush (Ante, Raise and wagers on the flush), on the length
of the longest straight flush (wagers on that), and on the dealer, who does least harm by qualifying and being beaten.
So one deal for each size and each length that goes with it is all that need be tried; a flush that beats no dealer who
qualifies wins no more than a longer one. Every Raise Wager is as large as is allowed.

Not here: the decisions (`exact`), their words (`wagers`), dealing (`rounds`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from games.maths.cards import cards
from games.maths.longest_flush.exact import CYCLE, best_play
from games.maths.longest_flush.rounds import DealtRounds, deal_rounds
from games.maths.longest_flush.rules import (
    CARDS,
    FLUSH,
    OF_SIZE,
    RANKS,
    RUNS,
    SIZES,
    SUIT,
    WIN,
    BonusWager,
    Rules,
    Sections,
    suit_bit,
)
from games.maths.longest_flush.wagers import (
    ENDINGS,
    INITIAL,
    bonus_counts,
    bonus_wager,
    choices,
    counts_by_outcome,
    net_of_ending,
    outcome_rows,
    outcomes_of,
    simplified_plays,
    strategy_tables,
)
from games.maths.published import compare_published
from games.maths.results import (
    LOST_NET,
    LargestRound,
    PartWon,
    Step,
    Tally,
    WagerAnalysis,
    antes,
    counted,
    net_of,
    required,
)
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

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

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered, exactly; the play is the one that is best for Ante and Raise Wager."""
        analyses = (
            bonus_wager(chapter.paytable(wager, name), self.bonuses[wager], answers or {}) if name else _required(self)
            for wager, name in in_play(chapter, answers)
        )
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        dealt = self._deal(seed, block, rounds)
        tally: Tally = {"ante": counts_by_outcome(self.rules, dealt.required)}
        for wager, name in paytables_in_play(chapter, answers).items():
            if name:
                bonus = self.bonuses[wager]
                numbers = dealt.flushes if bonus.by == FLUSH else dealt.straights
                tally[wager] = bonus_counts(chapter.paytable(wager, name), bonus, numbers.tolist())
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return both hands and the decision between them."""
        dealt = self._deal(seed, block, index + 1)
        return round_steps(self.sections, answers, dealt.own, dealt.dealer, dealt.raised)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the best of the candidate deals (`largest`) under the paytables in use."""
        names = paytables_in_play(chapter, answers)
        tables = [(chapter.paytable(wager, names[wager]), self.bonuses[wager]) for wager in stakes if names[wager]]
        beaten = check_beaten(self.beaten, self.rules)
        return largest(self.rules, self.sections, beaten, tables, stakes, leaves_out)

    def _deal(self, seed: int, block: int, rounds: int) -> DealtRounds:
        return deal_rounds(best_play(self.rules), self.rules.qualifier, seed, block, rounds)


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
Settled = tuple[Paytable, BonusWager, str]
"""The paytable in use of an optional wager, how it is decided, and the outcome."""


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
    if _worth(dealt) < rules.qualifier.lowest:
        raise ParameterError("beaten", f"is {beaten!r}, with which the dealer does not qualify")
    return dealt


def largest(
    rules: Rules,
    sections: Sections,
    beaten: tuple[int, ...],
    tables: Sequence[tuple[Paytable, BonusWager]],
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> LargestRound:
    """Return the largest round; `tables`: those of optional wagers in `stakes`; `beaten`: the dealer's cards."""
    candidates: list[LargestRound] = []
    for own, size, length in _hands(beaten):
        settled = [(table, bonus, _outcome(bonus, size, length)) for table, bonus in tables]
        if not {outcome for _, _, outcome in settled} & set(leaves_out):
            raised = rules.allowed[size]
            deal: tuple[Step, ...] = round_steps(sections, {}, own, beaten, raised)
            candidates.append(LargestRound(deal, tuple(_parts(raised, settled, stakes))))
    return max(candidates, key=lambda candidate: candidate.amount)


def _hands(beaten: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield the player's cards for each size of the longest flush and each length of a straight flush in it."""
    for size in range(2, CARDS + 1):
        for length in range(1, size + 1):
            flushes = [ranks for ranks in OF_SIZE[size] if RUNS[ranks] == length]
            if flushes and size << RANKS | flushes[-1] > _worth(beaten):
                spades = [4 * rank + SPADE for rank in reversed(range(RANKS)) if flushes[-1] >> rank & 1]
                yield (*spades, *BESIDE[: CARDS - size]), size, length


def _outcome(bonus: BonusWager, size: int, length: int) -> str:
    return outcomes_of(bonus)[size if bonus.by == FLUSH else length]


def _worth(seven: Sequence[int]) -> int:
    """Return the worth of the longest flush (`rules`)."""
    bits = sum(suit_bit(card) for card in seven)
    suits = (bits >> RANKS * suit & SUIT for suit in range(4))
    return max(int(SIZES[ranks]) << RANKS | ranks for ranks in suits)


def _parts(raised: int, settled: Sequence[Settled], stakes: Mapping[str, Fraction]) -> Iterator[PartWon]:
    if "ante" in stakes:
        pays = f"Ante and a Raise of {raised}× {ENDINGS[WIN][1]}"
        yield PartWon("ante", stakes["ante"], Fraction(net_of_ending(raised, WIN)), pays)
    for table, _, outcome in settled:
        pay = next((line.pays[0] for line in table.rows if line.outcome == outcome), None)
        won = net_of(pay, table) if pay else LOST_NET
        yield PartWon(table.wager, stakes[table.wager], won, pay.printed if pay else "")


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
