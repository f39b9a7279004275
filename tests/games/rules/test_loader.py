"""The loader refuses what is unknown, missing or contradictory, and says in which file and where."""

from pathlib import Path

import pytest

from games.rules.errors import RuleError
from games.rules.loader import load
from tests.games.rules.folder import copied, spoil

REFUSALS = {
    "unknown-top-key": ("rules.toml", 'title = "DJ', 'titel = "x"\ntitle = "DJ', "top of the file", "titel"),
    "unknown-key": ("rules.toml", 'settled = ".12(b)"', 'settled = ".12(b)"\npaytabel = "x"', "`blind`", "paytabel"),
    "missing-key": ("rules.toml", 'name = "Blind Wager"\n', "", "`blind`", "`name` is missing"),
    "missing-citation": ("rules.toml", 'citation = ".7(d)(2)"\nquestion', "question", "`progressive_bonus_wager`", "citation"),
    "no-such-section": ("rules.toml", 'citation = ".11(b)(3)"\nquestion', 'citation = ".11(z)"\nquestion', "folded", ".11(z)"),
    "wrong-type": ("rules.toml", "max_positions = 6", 'max_positions = "6"', "top of the file", "max_positions"),
    "unknown-status": ("rules.toml", 'status = "proposed"', 'status = "draft"', "top of the file", "'draft'"),
    "unknown-kind": ("rules.toml", 'kind = "choice"', 'kind = "choise"', "`progressive_bet`", "'choise'"),
    "choice-without-label": ("rules.toml", '[["1", "$1"], ["5", "$5"]]', '[["1"], ["5", "$5"]]', "progressive_bet", "label"),
    "choice-twice": ("rules.toml", '[["1", "$1"], ["5", "$5"]]', '[["1", "a"], ["1", "b"]]', "progressive_bet", "different"),
    "one-choice": ("rules.toml", '[["1", "$1"], ["5", "$5"]]', '[["1", "a"]]', "progressive_bet", "two or more"),
    "condition-on-unknown": ("rules.toml", "{ trips_bonus_wager = true }", "{ trips_wager = true }", "trips_paytable", "trips_wager"),
    "condition-below": ("rules.toml", "{ trips_bonus_wager = true }", "{ bad_beat_wager = true }", "trips_paytable", "bad_beat_wager"),
    "condition-wrong-answer": ("rules.toml", "{ trips_bonus_wager = true }", '{ trips_bonus_wager = "yes" }', "trips", "'yes'"),
    "condition-number-for-yes": ("rules.toml", "{ trips_bonus_wager = true }", "{ trips_bonus_wager = 1 }", "trips", "1"),
    "condition-range-on-yes": ("rules.toml", "{ trips_bonus_wager = true }", "{ trips_bonus_wager = { at_least = 1 } }", "trips", "range"),
    "condition-empty": ("rules.toml", "asked_if = { trips_bonus_wager = true }", "asked_if = {}", "trips_paytable", "asked_if"),
    "option-twice": ("rules.toml", 'key = "trips_bonus_wager"', 'key = "bad_beat_wager"', "bad_beat_wager", "twice"),
    "wager-unknown-offer": ("rules.toml", 'offered_by = "trips_bonus_wager"', 'offered_by = "trips"', "`trips`", "trips"),
    "wager-unknown-part": ("rules.toml", 'part_of = "ante"', 'part_of = "anti"', "`blind`", "anti"),
    "wager-choice-lost": ("rules.toml", 'paytable_option = "trips_paytable"\n', "", "`trips`", "several paytables"),
    "paytable-of-unknown-wager": ("rules.toml", 'wager = "trips"\ngroup', 'wager = "trip"\ngroup', "trips_paytable", "`trip`"),
    "limits-misfit": ("rules.toml", 'key = "trips_bonus_wager"', 'key = "trips_bonus_wager"\nlimits = { at_most = 3 }', "trips", "limits"),
    "limits-reversed": ("rules.toml", "at_least = 1, at_most = 6", "at_least = 7, at_most = 6", "adjacent_boxes", "above"),
    "limits-float": ("rules.toml", "at_least = 1, at_most = 6", "at_least = 1.5, at_most = 6", "adjacent_boxes", "1.5"),
    "common-unknown": ("rules.toml", 'use = "two_decks"', 'use = "too_decks"', "option with `use`", "too_decks"),
    "requirement-both": ("rules.toml", 'use = "hand-needs-shuffler"', 'use = "hand-needs-shuffler"\ncheck = "tables_differ"', "hand-needs-shuffler", "not both"),
    "requirement-unknown-option": ("rules.toml", '["progressive_bet", "progressive_paytable"]\n\n#', '["bet", "progressive_paytable"]\n\n#', "bet-fits", "`bet`"),
    "reading-touches-nothing": ("rules.toml", '["trips/DJWT-07"]', '["trips/DJWT-08"]', "djwt-07", "DJWT-08"),
    "published-of-unknown": ("rules.toml", 'paytable = "DJWT-05"', 'paytable = "DJWT-15"', "trips-05", "DJWT-15"),
    "published-no-number": ("rules.toml", 'value = "92.474"', 'value = "92,474"', "trips-05", "92,474"),
    "syntax": ("rules.toml", "max_positions = 6", "max_positions = ", "syntax", "Invalid"),
    "duplicate-key": ("rules.toml", "max_positions = 6", "max_positions = 6\nmax_positions = 7", "syntax", "overwrite"),
    "period-reversed": ("rules.toml", 'key = "trips_bonus_wager"', 'key = "trips_bonus_wager"\neffective = 2026-02-01\nexpires = 2026-01-01', "trips", "before"),
    "row-twice": ("paytables.toml", '["Flush", [2, 1]]', '["Straight", [2, 1]]', "blind/Paytable", "'Straight'"),
    "odds-zero": ("paytables.toml", '["Flush", [2, 1]]', '["Flush", [0, 1]]', "row 'Flush'", "[0, 1]"),
    "odds-three": ("paytables.toml", '["Flush", [2, 1]]', '["Flush", [2, 1, 1]]', "row 'Flush'", "[2, 1, 1]"),
    "odds-text": ("paytables.toml", '["Flush", [2, 1]]', '["Flush", "2 to 1"]', "row 'Flush'", "2 to 1"),
    "odds-float": ("paytables.toml", '["Flush", [2, 1]]', '["Flush", [2.5, 1]]', "row 'Flush'", "2.5"),
    "odds-true": ("paytables.toml", '["Flush", [2, 1]]', '["Flush", [true, 1]]', "row 'Flush'", "True"),
    "cell-missing": ("paytables.toml", '["Five Wilds", "n/a", [2000, 1]]', '["Five Wilds"]', "row 'Five Wilds'", "2"),
    "cell-unknown-key": ("paytables.toml", "{ meter = 100 }, 1000", "{ meter = 100, jackpott = 'a' }, 1000", "Royal", "jackpott"),
    "meter-over-100": ("paytables.toml", "{ meter = 100 }, 1000", "{ meter = 110 }, 1000", "Royal", "110"),
    "printed-disagrees": ("paytables.toml", '["Flush", [2, 1]]', '["Flush", { to = [2, 1], printed = "3 to 1" }]', "Flush", "3 to 1"),
    "envy-negative": ("paytables.toml", "{ meter = 100 }, 1000", "{ meter = 100 }, -5", "Royal", "Envy"),
    "paytable-twice": ("paytables.toml", 'name = "DJWT-05"', 'name = "DJWT-04"', "trips/DJWT-04", "twice"),
    "paytable-unknown-wager": ("paytables.toml", 'wager = "blind"', 'wager = "blinds"', "blinds/Paytable", "blinds"),
    "rate-no-percent": ("paytables.toml", "seed = 2000", 'seed = 2000\nrate = "17"', "Progressive Paytable 1", "'17'"),
    "seed-zero": ("paytables.toml", "seed = 2000", "seed = 0", "Progressive Paytable 1", "`seed`"),
    "paytables-unknown-table": ("paytables.toml", "[[paytable]]", "[[paytabel]]\nx = 1\n[[paytable]]", "top of the file", "paytabel"),
    "layout-unknown-kind": ("layout.toml", 'kind = "area"', 'kind = "zone"', "ante_area", "zone"),
    "layout-unknown-wager": ("layout.toml", 'wager = "ante"', 'wager = "anti"', "ante_area", "anti"),
    "layout-wording": ("layout.toml", 'kind = "area"', 'kind = "area"\nwording = "x"', "ante_area", "wording"),
    "layout-condition": ("layout.toml", "{ trips_bonus_wager = true }", "{ trips = true }", "trips_area", "trips"),
    "text-depth": ("text.md", "  - (1) The name or logo", "      - (1) The name or logo", "line", "(1)"),
    "text-section-twice": ("text.md", "## § 687a.3. ", "## § 687a.2. ", "line", "twice"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_loader_refuses_and_names_file_and_place(case: str, tmp_path: Path) -> None:
    file, old, new, where, problem = REFUSALS[case]
    folder = copied(tmp_path)
    spoil(folder, file, old, new)
    with pytest.raises(RuleError) as refusal:
        load(folder)
    assert refusal.value.file == f"{folder.name}/{file}"
    assert where in refusal.value.where
    assert problem in refusal.value.problem


@pytest.mark.parametrize("file", ["rules.toml", "paytables.toml", "layout.toml", "text.md"])
def test_loader_refuses_a_folder_without_a_file(file: str, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / file).unlink()
    with pytest.raises(RuleError, match=f"{file}: file: is missing"):
        load(folder)


def test_loader_refuses_an_unknown_kind_of_common_entry(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    spoil(tmp_path, "common.toml", "[option.two_decks]", "[optoin.two_decks]")
    with pytest.raises(RuleError, match="optoin"):
        load(folder)


def test_loader_refuses_a_house_way_without_rules(tmp_path: Path) -> None:
    folder = copied(tmp_path, "688a")
    (folder / "house_ways.toml").write_text('[[house_way]]\nkey = "a"\nname = "A"\nrules = []\n')
    with pytest.raises(RuleError, match=r"house_way `a`: `rules` is empty"):
        load(folder)


def test_loader_accepts_an_option_again_for_another_period(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    again = '[[option]]\nkey = "trips_bonus_wager"\neffective = 2026-02-01\ncitation = ".7(d)(3)"\nquestion = "Anew?"\n'
    again += 'kind = "yes_no"\ngroup = "Wagers"\nbasis = "form"\n\n[[option]]\nkey = "trips_paytable"'
    spoil(folder, "rules.toml", 'key = "trips_bonus_wager"', 'key = "trips_bonus_wager"\nexpires = 2026-01-31')
    spoil(folder, "rules.toml", '[[option]]\nkey = "trips_paytable"', again)
    chapter = load(folder)
    assert [option.question for option in chapter.options if option.key == "trips_bonus_wager"][1] == "Anew?"


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
