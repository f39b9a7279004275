"""High Card Flush: seven cards against the dealer's seven by the longest flush (family `longest_flush`).

Here: which paytable meets which count, the terms of the progressive, the largest round and the steps of a replay.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache

from games.maths.longest_flush.advice import choices, simplified_plays, strategy_tables
from games.maths.longest_flush.bonuses import FLUSH_BONUS, HANDS, bonus_counts, bonus_rows
from games.maths.longest_flush.endings import INITIAL, counts_by_outcome, outcome_rows
from games.maths.longest_flush.exact import CYCLE, BestPlay, best_play
from games.maths.longest_flush.largest import largest
from games.maths.longest_flush.replay import round_steps
from games.maths.longest_flush.rounds import deal_rounds
from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.wagers import counted, progressive, required
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

RESET = Decimal(30_000)  # dollars, where the answers name none: the least that § 678a.12(d)(3) allows
BET = Decimal(1)  # dollars, where the answers name none: the chapter prints no amount
NO_RATE = "No rate of progression is answered: the hold is that of a meter at its reset amount (§ 678a.12(d)(3))."
NONE_EQUAL = "No decision is worth the same both ways, so none had to be settled."


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the play is the one that is best for Ante and Raise Wager."""
    analyses = (_analyze(chapter, answers or {}, wager, name) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(chapter: Chapter, answers: Answers, wager: str, paytable: str) -> WagerAnalysis:
    if wager == "ante":
        return _required()
    table = chapter.paytable(wager, paytable)
    if wager == "progressive":
        return _progressive(_on_terms(table, answers))
    return counted(wager, paytable, bonus_rows(table), HANDS)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    dealt = deal_rounds(_best(), seed, block, rounds)
    tally: Tally = {"ante": counts_by_outcome(dealt.required)}
    for wager, name in paytables_in_play(chapter, answers).items():
        if name:
            counts = dealt.flushes if wager == FLUSH_BONUS else dealt.straights
            tally[wager] = bonus_counts(chapter.paytable(wager, name), counts.tolist())
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """Both hands and the decision between them."""
    dealt = deal_rounds(_best(), seed, block, index + 1)
    return round_steps(answers, dealt.own, dealt.dealer, dealt.raised)


def largest_round(
    chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> LargestRound:
    """The best of the candidate deals (`longest_flush.largest`) under the paytables in use."""
    names = paytables_in_play(chapter, answers)
    return largest([chapter.paytable(wager, names[wager]) for wager in stakes if names[wager]], stakes, leaves_out)


@cache
def _best() -> BestPlay:
    return best_play()


@cache
def _required() -> WagerAnalysis:
    best = _best()
    rows = outcome_rows(best.ends.sum(axis=(0, 1)))
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=choices(best),
        strategy_tables=strategy_tables(best),
        simplified_plays=simplified_plays(best),
        notes=() if best.equal.any() else (NONE_EQUAL,),
    )


def _on_terms(table: Paytable, answers: Answers) -> Paytable:
    """With the bet, the reset amount and the rate of progression that the Rules Submission states."""
    bet, reset, rate = (answers.get(key) for key in ("progressive_bet", "progressive_reset", "progressive_rate"))
    return replace(
        table,
        wager_amount=BET if bet is None else Decimal(str(bet)),
        seed=RESET if reset is None else Decimal(str(reset)),
        rate=None if rate is None else Fraction(str(rate)) / 100,
    )


def _progressive(table: Paytable) -> WagerAnalysis:
    rows = bonus_rows(table)
    chances = {row.outcome: row.probability or Fraction(0) for row in rows}
    terms = f"At a bet of ${table.wager_amount:,} and a reset amount of ${table.seed:,}."
    return counted(
        "progressive",
        table.name,
        rows,
        HANDS,
        progressive=progressive(table, ((line.pays[0], chances[line.outcome]) for line in table.rows)),
        notes=(terms,) if table.rate is not None else (terms, NO_RATE),
    )


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
    largest_round=largest_round,
)
