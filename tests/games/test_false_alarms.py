"""Correct filings, 3,000 of them: their p-values are uniform, and suspicion is as rare as its limit says."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import pytest
from scipy.stats import binom, kstest, norm

from games import registry
from games.maths.results import WagerAnalysis, WagerSimulation
from games.rules.wagers_in_play import covering
from games.runs.agreement import COMMON, REJECTION, SUSPICION
from games.runs.dealing import deal_block
from games.runs.engine import analyze, summarize

pytestmark = pytest.mark.proof

RUNS, ROUNDS = 3_000, 200_000
FALSE_ALARMS = 1 / 30_000  # of filings, at most


def runs() -> Iterator[tuple[tuple[WagerAnalysis, ...], tuple[WagerSimulation, ...]]]:
    """Each chapter with a wager against the house equally often, each run with a seed of its own."""
    dealt = [number for number in registry.folders() if registry.play(number).deals_rounds]
    for number in dealt:
        chapter = registry.chapter(number)
        answers = covering(chapter)[0]
        analysis = analyze(chapter, answers)
        for seed in range(RUNS // len(dealt)):
            tally = deal_block(chapter, answers, seed, 0, ROUNDS)
            yield analysis.wagers, summarize(chapter, answers, analysis, [tally], seed, ROUNDS).wagers


def p_value_of_what_is_won(row: WagerAnalysis, counts: dict[str, int]) -> float | None:
    """The sum over the outcomes that are expected often enough, given how many rounds had one of them; by hand."""
    rows = [one for one in row.outcomes if one.probability and float(one.probability) * ROUNDS >= COMMON]
    values = [float(one.net + row.hold * one.wagered) for one in rows]
    if row.method != "exact" or len(set(values)) < 2:
        return None
    share = float(sum(one.probability for one in rows))
    chances = [float(one.probability) / share for one in rows]
    mean = sum(chance * value for chance, value in zip(chances, values, strict=True))
    variance = sum(chance * (value - mean) ** 2 for chance, value in zip(chances, values, strict=True))
    seen = [counts.get(one.outcome, 0) for one in rows]
    total = sum(number * (value - mean) for number, value in zip(seen, values, strict=True))
    return 2 * float(norm.sf(abs(total) / sqrt(sum(seen) * variance)))


def test_p_values_are_uniform_and_suspicion_as_rare_as_its_limit():
    suspected, p_values = 0, []
    for rows, wagers in runs():
        suspected += not all(wager.passed for wager in wagers)
        p_value = p_value_of_what_is_won(rows[0], dict(wagers[0].observed))
        p_values += [] if p_value is None else [p_value]
    assert len(p_values) > 0.8 * RUNS
    assert kstest(p_values, "uniform").pvalue > 0.001
    assert suspected <= binom.ppf(0.999, RUNS, SUSPICION)
    print(f"{suspected} of {RUNS} runs are suspected; Kolmogorov-Smirnov p = {kstest(p_values, 'uniform').pvalue:.3f}")


def test_both_stages_together_are_as_rare_as_promised():
    assert SUSPICION * REJECTION <= FALSE_ALARMS * (1 + 1e-12)
