"""The words of areas and odds fit the chapters, and what does not fit is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.registry import chapter, folders, words
from games.rules.errors import RuleError
from games.rules.words import CommonWords, read_labels

EVEN_MONEY = re.compile(
    r" *- \(\w+\) [^\[]*\bpay [^\[]* 1 to 1\b"
)  # a sentence; in brackets stands what is not the Code's
UNLABELED = {("585", "wagers_area")}  # the whole of the layout
STATED_ODDS = "Payout odds"  # a paytable of odds that sentences print


@pytest.mark.parametrize("number", folders())
def test_every_area_has_a_label(number: str) -> None:
    bare = {(number, key) for key, labels in words(chapter(number)).labels.areas.items() if not labels}
    assert bare == {area for area in UNLABELED if area[0] == number}


@pytest.mark.parametrize("number", folders())
def test_every_box_and_device_has_a_name(number: str) -> None:
    suggested = words(chapter(number)).labels.suggested
    devices = [element.key for element in chapter(number).layout if element.kind in ("box", "device")]
    assert [key for key in devices if not suggested.get(key)] == []


@pytest.mark.parametrize("number", folders())
def test_odds_that_a_sentence_says_are_in_a_table_or_in_the_words(number: str) -> None:
    rules = chapter(number)
    said = any(EVEN_MONEY.match(line) for text in rules.sections.values() for line in text.splitlines())
    as_table = any(table.name == STATED_ODDS for table in rules.paytables)
    assert said == (as_table or bool(words(chapter(number)).labels.odds))


def test_area_without_a_label_has_the_name_of_its_wager() -> None:
    assert read_labels(chapter("682a"), {}, "labels.toml", CommonWords()).areas["ante_area"] == ("Ante",)


@pytest.mark.parametrize(
    ("number", "given", "named"),
    [
        ("682a", {"colors": {}}, "colors"),
        ("682a", {"labels": {"ante": ["Ante"]}}, "ante"),
        ("682a", {"labels": {"ante_area": "Ante"}}, "ante_area"),
        ("682a", {"labels": {"ante_area": [" Ante"]}}, "ante_area"),
        ("682a", {"odds": {"fold": ["Fold", "1 to 1", ".12(a)"]}}, "fold"),
        ("682a", {"odds": {"ante": ["Ante", "3 to 1", ".12(a)"]}}, "ante"),
        ("682a", {"odds": {"ante": ["Ante", "1 to 1"]}}, "ante"),
        ("682a", {"progressive": {"automated_shuffler": "Shuffler"}}, "automated_shuffler"),
        ("591", {"says": {"blackjack_inscription": "Blackjack pays"}}, "blackjack_inscription"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(number: str, given: dict[str, Any], named: str) -> None:
    with pytest.raises(RuleError, match=f"^ch/labels.toml: .*{named}"):
        read_labels(chapter(number), given, "ch/labels.toml", CommonWords())
