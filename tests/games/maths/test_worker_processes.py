"""One run dealt by this process, partly by another one, and by one that is killed in the middle: the same result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

from games.maths.results import SimulationResult
from games.registry import chapter
from games.rules.wagers_in_play import covering
from games.runs.dealing import deal_block
from games.runs.engine import analyze, summarize

BLOCKS, ROUNDS, SEED = 8, 20_000, 11
DEAL = """
import json, sys
from games.rules.wagers_in_play import covering
from games.registry import chapter
from games.runs.dealing import deal_block
one = chapter(sys.argv[1])
for block in map(int, sys.argv[3:]):
    tally = deal_block(one, covering(one)[0], int(sys.argv[2]), block, ROUNDS)
    print(json.dumps([block, tally]), flush=True)
""".replace("ROUNDS", str(ROUNDS))


def worker(number: str, blocks: range | list[int]) -> subprocess.Popen[str]:
    """A process of its own that deals these blocks, a line each."""
    command = [sys.executable, "-c", DEAL, number, str(SEED), *map(str, blocks)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def dealt(running: subprocess.Popen[str]) -> Iterator[tuple[int, dict[str, dict[str, int]]]]:
    for line in running.stdout:
        block, tally = json.loads(line)
        yield block, tally


def result_of(number: str, tallies: dict[int, dict[str, dict[str, int]]]):
    one = chapter(number)
    answers = covering(one)[0]
    ordered = [tallies[block] for block in range(BLOCKS)]
    return summarize(one, answers, analyze(one, answers), ordered, SEED, BLOCKS * ROUNDS)


def whole(number: str) -> SimulationResult:
    """Dealt by this process alone."""
    return result_of(number, dealt_here(number, range(BLOCKS)))


def dealt_here(number: str, blocks: range) -> dict[int, dict[str, dict[str, int]]]:
    one = chapter(number)
    answers = covering(one)[0]
    return {block: deal_block(one, answers, SEED, block, ROUNDS) for block in blocks}


def test_two_processes_give_the_same_result_as_one():
    other, expected = worker("593", range(1, BLOCKS, 2)), whole("593")
    assert result_of("593", dealt_here("593", range(0, BLOCKS, 2)) | dict(dealt(other))) == expected
    assert other.wait() == 0
    assert expected.rounds == BLOCKS * ROUNDS


def test_what_a_killed_process_did_not_deal_another_deals():
    first, kept = worker("687a", range(BLOCKS)), {}
    for block, tally in dealt(first):
        kept[block] = tally
        if block == 2:
            os.kill(first.pid, signal.SIGKILL)
            break
    assert first.wait() == -signal.SIGKILL
    alone = dealt_here("687a", range(BLOCKS))
    rest = {block: tally for block, tally in alone.items() if block not in kept}
    assert 0 < len(rest) < BLOCKS
    assert result_of("687a", kept | rest) == result_of("687a", alone)
