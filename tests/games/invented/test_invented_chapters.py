"""Every invented chapter is complete, can be filed, and its exact figures and its simulation agree.

Not found here: an error that the exact figures and the simulation share, such as a wrong ranking of hands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from games import registry
from games.checking.chapter_check import check_chapter
from games.checking.chapter_files import FILES
from games.maths.export import to_json
from games.rules.evaluate import effective, judge
from games.rules.wagers_in_play import covering
from games.runs.engine import analyze, replay_round, simulate
from tests.games.chapters.examples import example
from tests.games.checking.chapter_copy import further_chapters
from tests.games.invented.invented_chapters import FOLDER, FOLDERS, NUMBERS, lines_written

pytestmark = pytest.mark.proof
ROUNDS = 2_000_000
PLAY_LINES = 60


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    with further_chapters(FOLDER):
        yield


@pytest.mark.parametrize("number", NUMBERS)
def test_folder_says_that_it_is_invented_and_has_the_files_of_every_chapter(number: str) -> None:
    folder, lines = FOLDERS[number], lines_written(FOLDERS[number])
    assert "nvented for tests" in "".join((folder / "text.md").read_text("utf-8").splitlines()[:3])
    assert set(FILES) <= lines.keys()
    assert len((folder / "play.py").read_text("utf-8").splitlines()) <= PLAY_LINES


@pytest.mark.parametrize("number", NUMBERS)
def test_nothing_is_missing_in_the_chapter(number: str) -> None:
    """Not found here: a wrong figure that all checks of the chapter agree on."""
    assert [str(problem) for problem in check_chapter(number)] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_example_can_be_filed(number: str) -> None:
    chapter = registry.chapter(number)
    assert judge(chapter, effective(chapter, example(number))).blocking == ()


@pytest.mark.parametrize("number", NUMBERS)
def test_exact_figures_and_simulation_agree(number: str) -> None:
    """With each paytable of each wager, and each house way, at least once."""
    chapter = registry.chapter(number)
    for place, chosen in enumerate(covering(chapter)):
        result = simulate(chapter, {**example(number), **chosen}, ROUNDS, seed=place)
        assert [(wager.key, wager.z) for wager in result.wagers if not wager.passed] == []
        assert result.wagers


@pytest.mark.parametrize("number", NUMBERS)
def test_rounds_are_replayed_with_sections_of_the_chapter(number: str) -> None:
    chapter, answers = registry.chapter(number), example(number)
    analysis = analyze(chapter, answers)
    assert json.dumps(to_json(analysis))
    replays = [replay_round(chapter, answers, analysis, seed=1, block=0, index=index) for index in range(20)]
    cited = {part.section for one in replays for part in (*one.steps, *one.settlements)}
    assert {section for section in cited if section not in chapter.sections} == set()
