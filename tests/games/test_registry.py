"""Every chapter's data and play agree when the chapter is loaded; the mathematics need not be imported for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from games.play import Play
from games.registry import chapter, folders, import_play, load_chapter, play
from games.rules.errors import RuleError
from tests.games.rules.folder import copied, spoil


def folder_of(tmp_path: Path, number: str) -> Path:
    """A copy of the chapter with its play."""
    folder = copied(tmp_path, number)
    (folder / "play.py").write_bytes((folders()[number] / "play.py").read_bytes())
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(RuleError) as refused:
        load_chapter(folder)
    return str(refused.value)


def test_every_play_is_a_play_and_has_the_largest_round_its_chapter_is_loaded_with() -> None:
    for number in folders():
        assert isinstance(play(number), Play)
        assert (play(number).largest_round is None) == (chapter(number).largest_round is None)


def test_rules_are_loaded_without_compiling_mathematics() -> None:
    program = "import sys; from games.registry import chapters; chapters(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("PLAY = Play(", "PLAYED = Play(", "play.py: PLAY: is missing"),
        ("game=GAME, block_rounds=10_000_000", "", "lacks `game`, `block_rounds`"),
        ("Play(game=GAME,", "Play(gmae=GAME, game=GAME,", "unknown part `gmae`"),
    ],
)
def test_play_with_a_part_missing_or_unknown_is_refused(tmp_path: Path, old: str, new: str, expected: str) -> None:
    folder = folder_of(tmp_path, "590")
    spoil(folder, "play.py", old, new)
    assert expected in refusal(folder)
    assert "ch590_free_bet_blackjack/play.py" in refusal(folder)


def test_chapter_without_a_play_is_refused(tmp_path: Path) -> None:
    assert refusal(copied(tmp_path, "590")) == "ch590_free_bet_blackjack/play.py: file: is missing"


def test_payout_limit_of_a_chapter_without_largest_round_is_refused_by_file_and_key(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "683a")
    spoil(folder, "play.py", ", largest_round=GAME.largest_round", "")
    assert refusal(folder) == (
        "ch683a_cajun_stud/rules.toml: requirement `683a.payout-limit-floor`, `check`: "
        "`payout_limit_floor` needs `largest_round`, which PLAY of ch683a_cajun_stud/play.py does not have"
    )


def test_play_that_is_something_else_is_refused_when_it_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "play_of_no_chapter.py").write_text("PLAY = {}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RuleError, match=r"ch699a_try/play\.py: PLAY: must be a `Play`"):
        import_play("play_of_no_chapter", "ch699a_try/play.py")
