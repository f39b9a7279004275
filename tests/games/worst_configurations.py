"""The filings that cost a worker most: `python -m tests.games.worst_configurations` prints what each takes.

Of each chapter, every wager that may be offered together, and every number at the largest that can be filed. All are
computed in one process, one after the other, as a worker that is never started again would: the exact figures of the
filing and of every paytable, one block of rounds, and what many rounds come to. Seconds include compiling where no
compiled code is kept.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from games import registry
from games.maths.statistics import spreads
from games.rules.answers import LARGEST
from games.rules.evaluate import judge
from games.rules.model import Answer, Chapter, Option
from games.runs.dealing import deal_block
from games.runs.engine import analyze, summarize
from tests.games.chapters.examples import example

DEALT = tuple(number for number in registry.folders() if registry.play(number).deals_rounds)
SEED = 7
MILLION = 10**6
TOGETHER = {"635a": {"number_of_decks": "8", "match_the_dealer_paytable": "Eight decks"}}
"""Answers that only together are worse than the example's."""


def worst_answers(number: str) -> dict[str, Any]:
    """The example; then, line by line, the costliest answer that nothing blocks."""
    chapter = registry.chapter(number)
    answers = example(number) | TOGETHER.get(number, {})
    for option in chapter.options:
        worse = answers | _costliest(chapter, option)
        answers = answers if judge(chapter, worse).blocking else worse
    return answers


def _costliest(chapter: Chapter, option: Option) -> dict[str, Answer]:
    """A wager with the last of its paytables, which is often the longest; the last choice; the largest number."""
    offered = next((wager for wager in chapter.wagers if wager.offered_by == option.key), None)
    if offered:
        lines = [line for line in chapter.options if line.kind == "paytable" and line.wager == offered.key]
        return {option.key: True, **{line.key: chapter.tables_of(line.wager)[-1].name for line in lines}}
    if option.kind == "choice":
        return {option.key: option.choices[-1].value}
    if option.kind in ("money", "count", "percent"):
        most = LARGEST if option.limits.at_most is None else option.limits.at_most
        return {option.key: int(most) if option.kind == "count" else f"{Decimal(most):.2f}"}
    return {}


def compute(number: str) -> None:
    """All that the jobs of one filing compute."""
    chapter, answers, play = registry.chapter(number), worst_answers(number), registry.play(number)
    analyze(chapter)
    analysis = analyze(chapter, answers)
    tally = deal_block(chapter, answers, SEED, 0, play.block_rounds)
    result = summarize(chapter, answers, analysis, [tally], SEED, play.block_rounds)
    for exact, simulated in zip(analysis.wagers, result.wagers, strict=True):
        spreads(exact, simulated.observed)


def peak_memory() -> int:
    """Bytes: the most that this program has had in memory so far; `ru_maxrss` begins with its parent's peak."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024


def main(numbers: Sequence[str]) -> None:
    print("chapter  seconds  most memory so far, MB")
    for number in numbers:
        start = time.perf_counter()
        compute(number)
        print(f"{number:7}  {time.perf_counter() - start:7.1f}  {peak_memory() / MILLION:9.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or DEALT)
