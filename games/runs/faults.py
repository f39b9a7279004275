"""Faults made on purpose, on one side of the proof only, and whether the evidence of a filing finds them.

Each is made where a person would make it: in a cell of a paytable as the exact side reads it, in its counts, or in a
line of the source of either side (`faults.toml`). The evidence is that of a filing: as many rounds, and the same
comparison. "Rounds" is the smallest power of ten that is enough, up to those of a filing; 0 = a check of the program
refused the fault before any round. Rounds are dealt once for all faults of the exact side, and some of them taken at
random.

Not here: the command (`games.commands.faults`).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np

import games
from games import registry
from games.maths.results import OutcomeRow, WagerAnalysis
from games.maths.statistics import Counts, add
from games.rules.model import Answers, Chapter, Pay, Paytable
from games.rules.wagers_in_play import covering, paytables_in_play
from games.runs.agreement import REJECTION, Amounts, compare_to_exact
from games.runs.dealing import settled_amounts
from games.runs.engine import analyze, computed_wagers, deal_blocks

SOURCES: Final = Path(__file__).with_name("faults.toml")
EXAMPLE: Final = Path("tests", "example.json")  # answers with every wager offered, in the chapter's folder
SEED: Final = 38
FEWEST: Final = 1_000  # rounds: the first power of ten that is tried
FEWEST_OF_A_PROGRAM: Final = 100_000  # the same where each try starts a program
REFUSED: Final = 2  # exit status of a program whose own check refuses what it is to compute


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, and the fewest rounds that found it; 0 = refused before any; None if those of a filing did not."""

    chapter: str
    kind: str
    subject: str
    rounds: int | None


@dataclass(frozen=True, slots=True)
class DealtRun:
    """The rounds of a correct filing, by which faults of the exact side are judged."""

    chapter: Chapter
    answers: Answers
    rounds: int
    tally: Mapping[str, Counts]
    amounts: Mapping[str, Amounts]

    def rounds_to_find(self, rows: Sequence[WagerAnalysis]) -> int | None:
        """Return the smallest power of ten of rounds, out of these, in which the figures disagree."""
        dice, rounds = np.random.default_rng(SEED), FEWEST
        while True:
            share = min(1.0, rounds / self.rounds)
            fewer = {key: _thinned(counts, share, dice) for key, counts in self.tally.items()}
            if not all(wager.passed for wager in compare_to_exact(rows, fewer, self.amounts, REJECTION)):
                return min(rounds, self.rounds)
            if share == 1:
                return None
            rounds *= 10


def _thinned(counts: Counts, share: float, dice: np.random.Generator) -> Counts:
    """Return a random sample of the rounds, each with this chance of being in it."""
    return {outcome: int(dice.binomial(number, share)) for outcome, number in counts.items()}


def exact_side_faults(number: str, rounds: int | None, workers: int) -> Iterator[Fault]:
    """Yield the faults of payouts, odds and counts of the chapter, each judged by rounds dealt once."""
    chapter = registry.chapter(number)
    answers = covering(chapter)[0]
    run = _dealt(chapter, answers, rounds or registry.play(number).filing_rounds, workers)
    for kind, subject, wrong in _wrong_chapters(chapter, answers):
        try:
            needed = run.rounds_to_find(computed_wagers(wrong, answers))
        except ValueError:  # the exact side refuses such a cell, as it would in a filing
            needed = 0
        yield Fault(number, kind, subject, needed)
    rows = analyze(chapter, answers).wagers
    for place, row in enumerate(rows):
        for outcome, more in _wrong_counts(row):
            yield Fault(number, "counted half as often again", outcome, run.rounds_to_find(_with(rows, place, more)))


def _dealt(chapter: Chapter, answers: Answers, rounds: int, workers: int) -> DealtRun:
    tally = add(tally for _, tally in deal_blocks(chapter, answers, rounds, SEED, workers))
    return DealtRun(chapter, answers, rounds, tally, settled_amounts(chapter, answers))


def _wrong_chapters(chapter: Chapter, answers: Answers) -> Iterator[tuple[str, str, Chapter]]:
    """Yield the chapter with each cell in play read wrong: a unit more, and "for" as "to" or the reverse.

    The words of the cell stay: they are what the second side reads.
    """
    offered = [chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items() if name]
    for table in offered:
        for place, row in enumerate(table.rows):
            for column, pay in enumerate(row.pays):
                for kind, wrong in _wrong_pays(pay):
                    subject = f"{table.wager} {table.name}: {row.outcome}, {pay.printed}"
                    yield kind, subject, _with_cell(chapter, table, place, column, wrong)


def _wrong_pays(pay: Pay) -> Iterator[tuple[str, Pay]]:
    if pay.odds is not None:
        yield "payout", replace(pay, odds=pay.odds + 1)
        yield "misread odds", replace(pay, per="for" if pay.per == "to" else "to")
    elif pay.amount is not None:
        yield "payout", replace(pay, amount=pay.amount * 2)
    elif pay.push:
        yield "payout", replace(pay, push=False, odds=Fraction(1), per="to")


def _with_cell(chapter: Chapter, table: Paytable, place: int, column: int, pay: Pay) -> Chapter:
    row = table.rows[place]
    pays = (*row.pays[:column], pay, *row.pays[column + 1 :])
    rows = (*table.rows[:place], replace(row, pays=pays), *table.rows[place + 1 :])
    tables = tuple(replace(table, rows=rows) if each is table else each for each in chapter.paytables)
    return replace(chapter, paytables=tables)


def _wrong_counts(row: WagerAnalysis) -> Iterator[tuple[str, WagerAnalysis]]:
    """Yield the analysis with each outcome counted half as often again, at the expense of the most frequent one."""
    if row.method != "exact" or any(outcome.probability is None for outcome in row.outcomes):
        return
    usual = max(row.outcomes, key=lambda outcome: outcome.probability or 0)
    for outcome in row.outcomes:
        more = (outcome.probability or Fraction(0)) / 2
        if outcome is not usual and more:
            wrong = tuple(_moved(counted, outcome, usual, more) for counted in row.outcomes)
            mean = sum(((counted.probability or 0) * counted.net for counted in wrong), Fraction(0))
            wagered = sum(((counted.probability or 0) * counted.wagered for counted in wrong), Fraction(0))
            yield f"{row.key} {row.paytable}: {outcome.outcome}", replace(row, outcomes=wrong, hold=-mean / wagered)


def _moved(row: OutcomeRow, outcome: OutcomeRow, usual: OutcomeRow, more: Fraction) -> OutcomeRow:
    by = more if row is outcome else -more if row is usual else Fraction(0)
    return replace(row, probability=(row.probability or Fraction(0)) + by)


def _with(rows: Sequence[WagerAnalysis], place: int, row: WagerAnalysis) -> list[WagerAnalysis]:
    return [*rows[:place], row, *rows[place + 1 :]]


@dataclass(frozen=True, slots=True)
class SourceFault:
    """A line of the sources that is changed, in a copy of this package."""

    chapter: str
    kind: str
    file: str  # below `games`
    old: str
    new: str


def source_faults(numbers: Iterable[str]) -> list[SourceFault]:
    """Return the faults of `faults.toml` for these chapters."""
    data = tomllib.loads(SOURCES.read_text(encoding="utf-8"))
    return [SourceFault(**row) for row in data["fault"] if row["chapter"] in set(numbers)]


def judge_source_fault(fault: SourceFault, rounds: int | None, workers: int) -> Fault:
    """Return the fault, judged by runs of a program in which it was made.

    `ValueError` if the line is not there once, `RuntimeError` if that program fails.
    """
    most = rounds or registry.play(fault.chapter).filing_rounds
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "games"
        shutil.copytree(Path(games.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
        file = package / fault.file
        source = file.read_text(encoding="utf-8")
        if source.count(fault.old) != 1:
            raise ValueError(f"{fault.file}: {fault.old!r} occurs {source.count(fault.old)} times")
        file.write_text(source.replace(fault.old, fault.new), encoding="utf-8")
        config = package / "chapters" / registry.folder_of(fault.chapter).name / EXAMPLE
        environment = {**os.environ, "PYTHONPATH": folder, "NUMBA_CACHE_DIR": str(Path(folder) / "compiled")}
        dealt = min(FEWEST_OF_A_PROGRAM, most)
        while True:
            given = ("--json", "--config", config, "--rounds", dealt, "--seed", SEED, "--workers", workers)
            command = [sys.executable, "-m", "games", "simulate", fault.chapter, *map(str, given)]
            ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if not ended.stdout and ended.returncode != REFUSED:
                raise RuntimeError(f"{fault.file}, {fault.new!r}: {ended.stderr.strip()}")
            passed = bool(ended.stdout) and json.loads(ended.stdout)["passed"]
            if dealt == most or not passed:
                break
            dealt = min(10 * dealt, most)
    needed = None if passed else dealt if ended.stdout else 0
    return Fault(fault.chapter, fault.kind, f"{fault.file}: {fault.new}", needed)
