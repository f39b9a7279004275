"""Customary words of manufacturers are what they name, or for a person to judge; they are never called missing.

Not found here: customary words that `customary_labels.toml` lacks, and words in it that name another place; wrong words
for the labels that are not in `CHAPTERS`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from games.registry import chapter, folders
from games.registry import words as words_of
from submissions.layouts.inspection import surplus_text as labels
from submissions.layouts.inspection.findings import DifferenceKind
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.required_elements import ElementStatus
from tests.submissions.layouts.inspection.drawings import Line, drawing
from tests.submissions.layouts.inspection.test_inspection import changed, inspected, lines, needed, posted, still_open

pytestmark = pytest.mark.proof

LABELS = tomllib.loads(Path(labels.__file__).with_name("customary_labels.toml").read_text(encoding="utf-8"))["labels"]
CHAPTERS = {
    "Insurance Line": "590",
    "Community Cards": "583",
    "Dealer's Hand": "678a",
    "Raise 1": "683a",
    "Card 1": "686a",
    "Player High": "688a",
    "Dealer Low": "688a",
    "Pot Wagers": "583",
    "Community 1": "592",
    "Card reader": "590",
}


def renamed(number: str, old: str, new: str) -> list[Line]:
    return [(left, top, new if text == old else text) for left, top, text in lines(number)]


@pytest.mark.parametrize("label", CHAPTERS)
def test_customary_words_name_the_place(label: str) -> None:
    number = CHAPTERS[label]
    usual = inspected(number, lines(number))
    for words in LABELS[label]:
        result = inspected(number, renamed(number, label, words.upper()))
        assert (still_open(result), result.complete) == (still_open(usual), usual.complete), words


def test_every_customary_word_is_for_a_label_of_a_chapter() -> None:
    known = {text for number in folders() for area in words_of(chapter(number)).labels.areas.values() for text in area}
    known |= {text for number in folders() for text in words_of(chapter(number)).labels.suggested.values()}
    assert set(LABELS) <= known


def test_customary_words_that_are_in_no_figure_are_no_area() -> None:
    rows = renamed("678a", "Dealer's Hand", "Dealer")
    drawn = drawing(rows)
    place = next(number for number, row in enumerate(rows) if row[2] == "Dealer")
    without = drawing(rows)
    object.__setattr__(without, "shapes", drawn.shapes[:place] + drawn.shapes[place + 1 :])
    result = inspect(without, needed("678a", posted("678a")), chapter("678a"), posted("678a"))
    assert ("dealer_area", ElementStatus.MISSING) in still_open(result)


def test_an_area_in_similar_words_is_for_a_person() -> None:
    result = inspected("583", renamed("583", "Community Cards", "Shared community spot"))
    (area,) = [each for each in result.elements if each.required.key == "community_area"]
    assert area.status == ElementStatus.TO_BE_JUDGED
    assert area.explanation == "The drawing says “Shared community spot”."
    assert not still_open(result)


@pytest.mark.parametrize(
    "printed", ["Blackjack Wager pays 1 to 1", "Blackjack Wagers pay even money", "Blackjack Bets: 1:1"]
)
def test_a_sentence_on_the_blackjack_wager_contradicts_nothing(printed: str) -> None:
    result = inspected("590", [*lines("590"), (1600, 3900, printed)])
    assert DifferenceKind.CONTRADICTS not in {difference.kind for difference in result.differences}


@pytest.mark.parametrize(
    ("number", "dropped"),
    [
        ("590", ("Insurance Wager", "Winning Insurance Wager 2 to 1")),
        ("590", ("Player Blackjack 3 to 2",)),
        ("591", ("Second Chance Wager", "Winning Second Chance Wager 1 to 1")),
        ("635a", ("Blackjack 3 to 2",)),
    ],
)
def test_an_inscription_states_the_odds_of_a_row(number: str, dropped: tuple[str, ...]) -> None:
    left = lines(number)
    for text in dropped:
        assert text in {line[2] for line in left}
        left = changed(left, text)
    assert inspected(number, left).complete


@pytest.mark.parametrize(
    ("row", "printed"),
    [
        ("Winning Blackjack Wager 1 to 1", "Blackjack Wager pays 1 to 1"),
        ("Winning Blackjack Wager 1 to 1", "BLACKJACK WAGERS PAY EVEN MONEY"),
        ("Free Bet lammer 1 to 1", "Free Bet Lammers 1:1"),
        ("Player Blackjack 3 to 2", "Player Blackjack 1½ to 1"),
        ("Same suite 22 50 to 1", "Same suite 22 pays 50 to 1"),
    ],
)
def test_a_row_in_customary_words_is_read(row: str, printed: str) -> None:
    result = inspected("590", changed(lines("590"), row, printed))
    assert (result.complete, [each.message for each in result.differences]) == (True, [])


def test_a_row_in_customary_words_with_other_odds_is_a_difference() -> None:
    result = inspected("590", changed(lines("590"), "Winning Blackjack Wager 1 to 1", "Blackjack Wager pays 6 to 5"))
    assert [each.kind for each in result.differences] == [DifferenceKind.DIFFERENT]
