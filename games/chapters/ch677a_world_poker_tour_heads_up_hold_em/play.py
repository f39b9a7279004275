"""World Poker Tour Heads-Up Hold 'Em: two cards and five community cards against the dealer (family `heads_up`).

Here: which paytable meets which count, the optional wagers, the largest round and the steps of a replay.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import cache

from games.maths.heads_up.advice import choices, simplified_plays, strategy_tables
from games.maths.heads_up.best_play import CYCLE
from games.maths.heads_up.bonuses import POCKET, bonus_counts, bonus_wager
from games.maths.heads_up.endings import INITIAL, OddsTables, counts_by_ending, outcome_rows
from games.maths.heads_up.largest import largest
from games.maths.heads_up.replay import round_steps
from games.maths.heads_up.rounds import deal_rounds, strategy_table
from games.maths.heads_up.solved import decisions, settled
from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.wagers import counted, required
from games.play import Play
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play

NOT_IN_TEXT = "The paytable is not in the source text: see the reading `{}`."
NOTES = {POCKET: (NOT_IN_TEXT.format("pocket-bonus-tables-lost"),), "trips_plus": ()}


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the play is the one that is best for Ante, Odds and Raise Wager."""
    analyses = (
        bonus_wager(chapter.paytable(wager, name), NOTES[wager]) if name else _required(odds_tables(chapter))
        for wager, name in in_play(chapter, answers)
    )
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    odds = odds_tables(chapter)
    dealt = deal_rounds(strategy_table(decisions(odds.pays())), seed, block, rounds)
    tally: Tally = {
        "ante": {round_end.outcome: number for round_end, number in counts_by_ending(odds, dealt.required).items()}
    }
    for wager, name in paytables_in_play(chapter, answers).items():
        if name:
            counts = dealt.own if wager == POCKET else dealt.made
            tally[wager] = bonus_counts(chapter.paytable(wager, name), counts.tolist(), rounds)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """Both hands, the community cards and the decisions between them."""
    dealt = deal_rounds(strategy_table(decisions(odds_tables(chapter).pays())), seed, block, index + 1)
    return round_steps(answers, dealt.deck.tolist(), dealt.when)


def largest_round(
    chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> LargestRound:
    """The best of the candidate deals (`heads_up.largest`) under the paytables in use."""
    names = paytables_in_play(chapter, answers)
    tables = [chapter.paytable(wager, names[wager]) for wager in stakes if names[wager]]
    return largest(odds_tables(chapter), tables, stakes, leaves_out)


def odds_tables(chapter: Chapter) -> OddsTables:
    (won,), (lost,) = chapter.tables_of("odds"), chapter.tables_of("bad_beat")
    return OddsTables(won, lost)


@cache
def _required(odds: OddsTables) -> WagerAnalysis:
    rows = outcome_rows(odds, settled(odds.pays()).best)
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=choices(odds),
        strategy_tables=strategy_tables(odds),
        simplified_plays=simplified_plays(odds),
        notes=(NOT_IN_TEXT.format("bad-beat-table-lost"), _equal_decisions(odds)),
    )


def _equal_decisions(odds: OddsTables) -> str:
    before, after, last = (int(number) for number in decisions(odds.pays()).equal)
    return (
        f"Raising and not raising are worth the same in {before} cases before the Flop, {after} after it and {last:,} "
        "after the River card (suits that are alike counted once): there the larger wager is made."
    )


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
    largest_round=largest_round,
)
