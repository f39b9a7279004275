"""The figures and the rounds of a filed record, made again and compared with the record.

Exact figures are computed, never taken from those that are shipped, and must be the record's to its last digit. The
rounds are dealt in the record's blocks from its seeds: the number of rounds with each outcome must be equal. What
follows from these numbers in floating point must be equal to nine digits: the last ones depend on the machine.

Words of the record, such as those of a strategy, are the program's and decide no figure: they are not compared. Nor is
what only this program states: a record of an earlier one lacks it. Not here: reading a PDF (`filed_record`).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isclose
from typing import Any

from games.maths.export import to_json
from games.maths.results import Analysis, Tally
from games.maths.statistics import spreads
from games.rules.model import Chapter
from games.runs.agreement import REJECTION, SUSPICION
from games.runs.engine import analyze, computed_wagers, deal_blocks, retest_seed, summarize, summarize_retest
from games.runs.filed_record import Data, FiledRun

WORDS = {"decision", "note", "notes", "published", "section", "strategy_tables", "when"}
PROGRAM = {"chapter", "engine", "rules_digest", "wagers"}  # compared by themselves
CLOSE = 1e-9  # how far two results in floating point may be apart

Same = Callable[[Any, Any], bool]
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure, or a number of rounds, that is not the record's; None where one of the two has none."""

    where: str
    filed: Any
    computed: Any


@dataclass(frozen=True, slots=True)
class ReproducedWager:
    """One wager of a run: its hold as filed and as computed, and all that differs of its exact figures."""

    wager: str
    paytable: str
    spot: str
    filed_hold_pct: float | None
    hold_pct: float | None
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class ReproducedRounds:
    """The rounds of a run, dealt again: how many numbers of rounds were compared, and what differs."""

    counts: int
    differences: tuple[Difference, ...]


def compute_again(chapter: Chapter, run: FiledRun) -> tuple[Analysis, tuple[ReproducedWager, ...]]:
    """Return the exact figures of the run, computed now, and their comparison with the record's."""
    # A chapter whose figures are shipped has them in its analysis: here they are computed all the same.
    analysis = replace(analyze(chapter, run.answers), wagers=computed_wagers(chapter, run.answers))
    computed = _plain(to_json(analysis))
    filed, here = _by_wager(run.analysis), _by_wager(computed)
    wagers = tuple(_wager(key, filed.get(key), here.get(key)) for key in (filed | here))
    if rest := tuple(_rest(run.analysis, computed, _equal)):
        wagers += (ReproducedWager("", "", "", None, None, rest),)
    return analysis, wagers


def deal_again(
    chapter: Chapter, run: FiledRun, analysis: Analysis, runs: int, workers: int, progress: Callable[[int], None]
) -> ReproducedRounds:
    """Return the comparison of the run's rounds, dealt again.

    `runs`: how many the filing has, which share the chance of a false alarm. `progress` gets the rounds of each block.
    """

    def deal(rounds: int, seed: int) -> list[Tally]:
        tallies = []
        for dealt, tally in deal_blocks(chapter, run.answers, rounds, seed, workers, run.block_rounds):
            tallies.append(tally)
            progress(dealt)
        return tallies

    tallies = deal(run.rounds, run.seed)
    result = summarize(chapter, run.answers, analysis, tallies, run.seed, run.rounds, SUSPICION)
    if run.retest_rounds is not None:
        again = deal(run.retest_rounds, retest_seed(run.seed))
        limit = REJECTION / runs
        result = summarize_retest(result, chapter, run.answers, analysis, again, run.retest_rounds, limit)
    pairs = zip(analysis.wagers, result.wagers, strict=True)
    computed = {**to_json(result), "spreads": {exact.key: spreads(exact, seen.observed) for exact, seen in pairs}}
    return _compare_rounds(run.result, _plain(computed))


def _compare_rounds(filed: Data, computed: Data) -> ReproducedRounds:
    differences, counts = [], 0
    filed_wagers, wagers = _by_wager(filed), _by_wager(computed)
    for key in filed_wagers | wagers:
        before, now = filed_wagers.get(key, {}), wagers.get(key, {})
        numbers, dealt = before.get("observed", {}), now.get("observed", {})
        counts += len(numbers | dealt)
        for outcome in numbers | dealt:
            if numbers.get(outcome, 0) != dealt.get(outcome, 0):
                where = f"{_named(key)}: rounds with {outcome}"
                differences.append(Difference(where, numbers.get(outcome, 0), dealt.get(outcome, 0)))
        rest = {name: value for name, value in before.items() if name != "observed"}
        differences += _differences(rest, now, f"{_named(key)}: ", _close)
    differences += _rest(filed, computed, _close)
    return ReproducedRounds(counts, tuple(differences))


def _wager(key: Key, filed: Data | None, computed: Data | None) -> ReproducedWager:
    filed_hold, hold = (None if row is None else row["hold_pct"] for row in (filed, computed))
    if filed is None or computed is None:
        differences = [Difference("hold", filed_hold, hold)]
    else:
        differences = list(_differences(filed, computed, "", _equal))
    wager, paytable, spot = key
    return ReproducedWager(wager, paytable, spot, filed_hold, hold, tuple(differences))


def _rest(filed: Data, computed: Data, same: Same) -> Iterator[Difference]:
    """Yield what differs beside the wagers."""
    yield from _differences({key: value for key, value in filed.items() if key not in PROGRAM}, computed, "", same)


def _differences(filed: Any, computed: Any, where: str, same: Same) -> Iterator[Difference]:
    if isinstance(filed, dict) and isinstance(computed, dict):
        for key in (key for key in filed if key not in WORDS):
            yield from _differences(filed[key], computed.get(key), f"{where}{key} ", same)
    elif isinstance(filed, list) and isinstance(computed, list) and len(filed) == len(computed):
        for place, pair in enumerate(zip(filed, computed, strict=True), 1):
            yield from _differences(*pair, f"{where}{_name_of(pair[0]) or place} ", same)
    elif not same(filed, computed):
        yield Difference(where.strip(), filed, computed)


def _name_of(row: Any) -> str:
    return f"“{row['outcome']}”" if isinstance(row, dict) and "outcome" in row else ""


def _equal(filed: Any, computed: Any) -> bool:
    return bool(filed == computed)


def _close(filed: Any, computed: Any) -> bool:
    if isinstance(filed, float) and isinstance(computed, float):
        return isclose(filed, computed, rel_tol=CLOSE, abs_tol=CLOSE)
    return _equal(filed, computed)


def _by_wager(data: Data) -> dict[Key, Mapping[str, Any]]:
    return {(row["wager"], row["paytable"], row.get("spot") or ""): row for row in data["wagers"]}


def _named(key: Key) -> str:
    wager, paytable, spot = key
    return " ".join(filter(None, (wager, spot, paytable)))


def _plain(data: Data) -> Data:
    """Return the data as it is read from JSON: a tuple is a list."""
    plain: Data = json.loads(json.dumps(data))
    return plain
