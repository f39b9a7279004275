"""One game of seven cards a side by the longest flush, as the rest of the portal meets it.

Here are rounds dealt and settled card by card, the steps of a round, and the most that one round can win, for a payout
limit. The rounds are the independent test of `exact`: they share with it the encoding of cards, the worth of a flush
and the decisions only.

What a round wins depends on the size of the player's longest flush (Ante, Raise and wagers on the flush), on the length
of the longest straight flush (wagers on that), and on the dealer, who does least harm by qualifying and being beaten.
So one deal for each size and each length that goes with it is all that need be tried; a flush that beats no dealer who
qualifies wins no more than a longer one. Every Raise Wager is as large as is allowed.

Not here: the decisions (`exact`), their words (`wagers`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.cards import FULL_DECK, cards
from games.maths.longest_flush.exact import CYCLE, MIXED, BestPlay, best_play
from games.maths.longest_flush.rules import (
    CARDS,
    ENDS,
    FLUSH,
    LOSE,
    OF_SIZE,
    PLACES,
    RANKS,
    RUNS,
    SIZES,
    STRAIGHT_FLUSH,
    SUIT,
    SUITS,
    TIE,
    UNQUALIFIED,
    WIN,
    BonusWager,
    Flush,
    Ints,
    Rules,
    Sections,
    beside_number,
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
from games.maths.results import LargestRound, PartWon, Step, Tally, WagerAnalysis, antes, counted, parts_won, required
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play
from games.streams import advance, below, start

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

    def _deal(self, seed: int, block: int, rounds: int) -> "DealtRounds":
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


CARDS_DEALT = 2 * CARDS  # one at a time, the player first


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the last round dealt.

    `required[raised, end]`, `flushes[size]` and `straights[length]` of the player's longest; `deck` and `raised` of the
    last round.
    """

    required: Ints
    flushes: Ints
    straights: Ints
    deck: Ints
    raised: int

    @property
    def own(self) -> tuple[int, ...]:
        """The player's seven cards of the last round."""
        return tuple(self.deck[:CARDS_DEALT:2].tolist())

    @property
    def dealer(self) -> tuple[int, ...]:
        return tuple(self.deck[1:CARDS_DEALT:2].tolist())


def deal_rounds(best: BestPlay, qualifier: Flush, seed: int, block: int, rounds: int) -> DealtRounds:
    """Return the rounds of stream (seed, block), played by these decisions."""
    sizes = (best.ends.shape[2], len(ENDS)), CARDS + 1, CARDS + 1
    required, flushes, straights = (np.zeros(size, np.int64) for size in sizes)
    deck = np.arange(FULL_DECK)
    strategy, tables = (best.by_value, best.rows, best.by_others), (SIZES, PLACES, RUNS)
    raised = _deal(seed, block, rounds, deck, tables, strategy, qualifier.lowest, (required, flushes, straights))
    return DealtRounds(required, flushes, straights, deck, raised)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[Ints, Ints, Ints],
    strategy: tuple[NDArray[np.int8], Ints, NDArray[np.int8]],
    lowest: int,
    tallies: tuple[Ints, Ints, Ints],
) -> int:
    sizes, places, runs = tables
    by_value, rows, by_others = strategy
    required, flushes, straights = tallies
    longest, other_suits = np.empty(2, np.int64), np.empty(3, np.int64)
    state = start(seed, block)
    raised = 0
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            pick = place + below(state, FULL_DECK - place)
            deck[place], deck[pick] = deck[pick], deck[place]

        # the longest flush of the player (side 0) and of the dealer
        own, longest_run = 0, 0
        for side in range(2):
            bits = 0
            for card in range(CARDS):
                bits |= suit_bit(deck[2 * card + side])
            longest[side] = 0
            for suit in range(SUITS):
                ranks = bits >> RANKS * suit & SUIT
                longest[side] = max(longest[side], sizes[ranks] << RANKS | ranks)
                if side == 0:
                    longest_run = max(longest_run, runs[ranks])
            if side == 0:
                own = bits
        mine, dealer = longest[0], longest[1]

        # the decision, by the other cards where the flush does not decide
        raised = by_value[mine]
        if raised == MIXED:
            filled, seen = 0, False
            for suit in range(SUITS):
                ranks = own >> RANKS * suit & SUIT
                if ranks == mine & SUIT and not seen:
                    seen = True
                else:
                    other_suits[filled] = ranks
                    filled += 1
            for left in (0, 1, 0):  # the largest holding first
                if sizes[other_suits[left]] < sizes[other_suits[left + 1]]:
                    other_suits[left], other_suits[left + 1] = other_suits[left + 1], other_suits[left]
            first, second, third = other_suits
            number = beside_number(sizes[first], sizes[second], places[first], places[second], places[third])
            raised = by_others[rows[places[mine & SUIT]], number]

        end = UNQUALIFIED if dealer < lowest else WIN if mine > dealer else TIE if mine == dealer else LOSE
        required[raised, end] += 1
        flushes[mine >> RANKS] += 1
        straights[longest_run] += 1
    return raised


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
    if _worth(dealt) < rules.qualifier.lowest:
        raise ParameterError("beaten", f"is {beaten!r}, with which the dealer does not qualify")
    return dealt


def _hands(beaten: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield the player's cards for each size of the longest flush and each length of a straight flush in it."""
    for size in range(2, CARDS + 1):
        for length in range(1, size + 1):
            flushes = [ranks for ranks in OF_SIZE[size] if RUNS[ranks] == length]
            if flushes and size << RANKS | flushes[-1] > _worth(beaten):
                spades = [4 * rank + SPADE for rank in reversed(range(RANKS)) if flushes[-1] >> rank & 1]
                yield (*spades, *BESIDE[: CARDS - size]), size, length


def _worth(seven: Sequence[int]) -> int:
    """Return the worth of the longest flush (`rules`)."""
    bits = sum(suit_bit(card) for card in seven)
    suits = (bits >> RANKS * suit & SUIT for suit in range(4))
    return max(int(SIZES[ranks]) << RANKS | ranks for ranks in suits)


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
