"""No configuration that can be filed exhausts a worker: its memory is bounded, and it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from games import registry
from games.rules.evaluate import judge
from submissions.core.isolated_process import PROJECT
from tests.games.chapters.examples import example
from tests.games.worst_configurations import DEALT, worst_answers
from tests.soak import SOAK

MOST_MEMORY = 2_000  # MB
MOST_SECONDS = 900  # for all chapters one after the other, on a busy core; about 200 are needed
WORST = DEALT if SOAK else ("591", "593")
"""The chapters where a number bounds the work or a block is largest; `make soak` takes all."""


@pytest.mark.slow
def test_one_worker_computes_the_worst_filings_of_all_chapters_in_bounded_memory() -> None:
    command = (sys.executable, "-m", "tests.games.worst_configurations", *WORST)
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=MOST_SECONDS)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == list(WORST)
    assert float(rows[-1][-1]) < MOST_MEMORY


def test_worst_filings_have_as_many_decks_and_splits_as_can_be_filed() -> None:
    assert worst_answers("590")["number_of_decks"] == 16
    assert worst_answers("591")["number_of_decks"] == 16
    assert worst_answers("635a")["additional_splits"] == 94


@pytest.mark.parametrize("number", DEALT)
def test_worst_filings_offer_more_than_the_examples_do_and_can_be_filed(number: str) -> None:
    chapter = registry.chapter(number)
    offered = {wager.offered_by for wager in chapter.wagers if wager.offered_by}
    answers = worst_answers(number)
    assert not judge(chapter, answers).blocking
    assert sum(answers.get(key) is True for key in offered) >= sum(example(number).get(key) is True for key in offered)
