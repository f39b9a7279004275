"""The words of areas and odds fit the chapters, and what does not fit is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.registry import chapter
from games.rules.errors import RuleError
from submissions.layouts import label_text
from submissions.layouts.label_text import AREAS
from submissions.layouts.required_elements import STATED_ODDS
from tests.submissions.layouts.filled import NUMBERS

EVEN_MONEY = re.compile(
    r" *- \(\w+\) [^\[]*\bpay [^\[]* 1 to 1\b"
)  # a sentence; in brackets stands what is not the Code's
UNlabeled = {("585", "wagers_area")}  # the whole of the layout


@pytest.mark.parametrize("number", NUMBERS)
def test_every_area_has_a_label(number: str) -> None:
    found = chapter(number)
    bare = {(number, one.key) for one in found.layout if one.kind in AREAS and not label_text.labels(found, one)}
    assert bare == {one for one in UNlabeled if one[0] == number}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_box_and_device_has_a_name(number: str) -> None:
    found = chapter(number)
    assert all(label_text.suggested_words(found, one) for one in found.layout if one.kind in ("box", "device"))


@pytest.mark.parametrize("number", NUMBERS)
def test_odds_that_a_sentence_says_are_in_a_table_or_in_the_words(number: str) -> None:
    found = chapter(number)
    said = any(EVEN_MONEY.match(line) for text in found.sections.values() for line in text.splitlines())
    as_table = any(table.name == STATED_ODDS for table in found.paytables)
    assert said == (as_table or any(label_text.odds_sentence(found, wager.key) for wager in found.wagers))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"999": {}}, "999"),
        ({"682a": {"colors": {}}}, "colors"),
        ({"682a": {"labels": {"ante": ["Ante"]}}}, "ante"),
        ({"682a": {"labels": {"ante_area": "Ante"}}}, "ante_area"),
        ({"682a": {"labels": {"ante_area": [" Ante"]}}}, "ante_area"),
        ({"682a": {"odds": {"fold": ["Fold", "1 to 1", ".12(a)"]}}}, "fold"),
        ({"682a": {"odds": {"ante": ["Ante", "3 to 1", ".12(a)"]}}}, "ante"),
        ({"682a": {"odds": {"ante": ["Ante", "1 to 1"]}}}, "ante"),
        ({"591": {"says": {"blackjack_inscription": "Blackjack pays"}}}, "blackjack_inscription"),
        ({"names": {"ante_area": "Ante"}}, "ante_area"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(given: dict[str, Any], named: str) -> None:
    with pytest.raises(RuleError, match=named):
        label_text.parse_label_texts({"names": {}, **given})
