"""The loader refuses what is unknown, missing or contradictory, and says in which file and where."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

from games.registry import chapter
from games.rules.errors import RuleError
from games.rules.loader import load
from tests.games.rules.folder import copied, spoil

REFUSALS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))
DIGESTS = tomllib.loads(Path(__file__).with_name("digests.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", REFUSALS)
def test_loader_refuses_and_names_file_and_place(case: str, tmp_path: Path) -> None:
    spoilt = REFUSALS[case]
    folder = copied(tmp_path)
    spoil(folder, spoilt["file"], spoilt["old"], spoilt["new"])
    with pytest.raises(RuleError) as refusal:
        load(folder)
    assert refusal.value.file == f"{folder.name}/{spoilt['file']}"
    assert spoilt["where"] in refusal.value.where
    assert spoilt["problem"] in refusal.value.problem


@pytest.mark.parametrize("file", ["rules.toml", "paytables.toml", "layout.toml", "text.md"])
def test_loader_refuses_a_folder_without_a_file(file: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / file).unlink()
    with pytest.raises(RuleError, match=f"{file}: file: is missing"):
        load(folder)


def test_loader_refuses_an_unknown_kind_of_common_entry(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    spoil(tmp_path, "common.toml", "[option.two_decks]", "[optoin.two_decks]")  # codespell:ignore optoin
    with pytest.raises(RuleError, match="optoin"):  # codespell:ignore optoin
        load(folder)


def test_loader_refuses_a_house_way_without_rules(tmp_path: Path) -> None:
    folder = copied(tmp_path, "688a")
    (folder / "house_ways.toml").write_text('[[house_way]]\nkey = "a"\nname = "A"\nrules = []\n')
    with pytest.raises(RuleError, match=r"house_way `a`: `rules` is empty"):
        load(folder)


def reworded(folder: Path, effective: str) -> None:
    """The line `trips_bonus_wager` ends with 2025, and begins again, reworded, on the day given."""
    again = f'[[option]]\nkey = "trips_bonus_wager"\neffective = {effective}\ncitation = ".7(d)(3)"\n'
    again += (
        'question = "Again?"\nkind = "yes_no"\ngroup = "Wagers"\nbasis = "form"\n\n[[option]]\nkey = "trips_paytable"'
    )
    spoil(folder, "rules.toml", 'key = "trips_bonus_wager"', 'key = "trips_bonus_wager"\nexpires = 2025-12-31')
    spoil(folder, "rules.toml", '[[option]]\nkey = "trips_paytable"', again)


def test_loader_accepts_an_option_again_for_another_period(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    reworded(folder, "2026-01-01")
    days = (date(2025, 12, 31), date(2026, 1, 1), None)
    earlier, later, latest = (load(folder, day).option("trips_bonus_wager").question for day in days)
    assert earlier == chapter("687a").option("trips_bonus_wager").question
    assert (later, latest) == ("Again?", "Again?")


def test_loader_refuses_an_option_again_for_a_period_that_overlaps(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    reworded(folder, "2025-12-31")
    with pytest.raises(
        RuleError, match=r"rules\.toml: option `trips_bonus_wager`: is there twice, for periods that overlap"
    ):
        load(folder)


def test_rules_of_every_chapter_have_the_digest_that_filings_pin() -> None:
    assert {number: chapter(number).digest for number in DIGESTS} == DIGESTS


def test_digest_follows_the_data_and_not_its_form(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    before = load(folder).digest
    spoil(folder, "rules.toml", "max_positions = 6", "max_positions    =    6  # positions")
    spoil(folder, "text.md", "The name or logo", "The  name or logo")
    assert load(folder).digest == before
    spoil(folder, "paytables.toml", '["Flush", [2, 1]]', '["Flush", [3, 1]]')
    assert load(folder).digest != before


def test_digest_follows_the_common_data_in_use(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    before = load(folder).digest
    spoil(tmp_path, "common.toml", "Do you use an automated card shuffling device?", "Do you?")
    assert load(folder).digest != before
