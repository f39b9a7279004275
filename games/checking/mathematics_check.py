"""The chapter's play: the example analyzed and simulated, in agreement; its first round replayed.

Few rounds: they show that all parts fit together. The proof of the figures is the simulation of each filing.
"""

from collections.abc import Iterable, Iterator

from games.checking.chapter_files import ChapterFiles
from games.checking.problem import Problem, differing
from games.maths.results import WagerAnalysis
from games.registry import PLAY, play
from games.rules.loading.files import PAYTABLES
from games.rules.wagers_in_play import in_play
from games.runs.engine import analyze, summarize

ROUNDS, SEED = 200_000, 1


def check_mathematics(files: ChapterFiles) -> Iterator[Problem]:
    chapter, label = files.chapter, files.label(PLAY)
    answers, own = files.example(), play(files.chapter.number)
    analysis = analyze(chapter, answers)
    analyzed = list(dict.fromkeys(wager.wager for wager in analysis.wagers))  # one may be analyzed by spots
    offered = (
        [wager for wager, _ in in_play(chapter, answers)] if own.deals_rounds else []
    )  # else no wager is made against the house
    yield from differing(label, "`analyze`: wagers of the example", analyzed, offered)
    yield from _impossible(files, analyze(chapter, None).wagers)
    if own.deals_rounds:
        rounds = min(ROUNDS, own.block_rounds)
        tally = own.simulate_block(chapter, answers, SEED, 0, rounds)
        for name, counts in tally.items():
            yield from differing(label, f"`simulate_block`: rounds of {name}", sum(counts.values()), rounds)
        for simulated in summarize(chapter, answers, analysis, [tally], SEED, rounds).wagers:
            if not simulated.passed:
                exact = f"{simulated.hold:.4%} of {rounds:,} rounds, exactly {simulated.exact_hold or 0:.4%}"
                yield Problem(label, f"`simulate_block`: {simulated.wager}", f"the hold is {exact}: z = {simulated.z}")
        if not own.replay_steps(chapter, answers, SEED, 0, 0):
            yield Problem(label, "`replay_steps`", "the first round has no step")


def _impossible(files: ChapterFiles, wagers: Iterable[WagerAnalysis]) -> Iterator[Problem]:
    """Of every paytable: rows that no hand can reach, probabilities that leave something out."""
    for wager in wagers:
        if wager.method == "exact" and sum(row.probability or 0 for row in wager.outcomes) != 1:
            where = f"`analyze`: {wager.key}"
            yield Problem(files.label(PLAY), where, "the probabilities of its outcomes do not add up to 1")
        for row in wager.outcomes:
            if row.probability == 0:
                where = f"{wager.key}, row {row.outcome!r}"
                yield Problem(files.label(PAYTABLES), where, "no hand can reach it: its probability is 0")
