"""Drawings of every chapter, held against what their answers call for; whole, and with one thing changed.

Not found here: an element that `required_elements` leaves out, since the drawings are made from its list; an error in
reading a file.
"""

from __future__ import annotations

import random
import re

import pytest

from games.registry import chapter
from games.rules.model import Answers
from submissions.layouts.drawing_model import Drawing, DrawingPage, DrawingSource
from submissions.layouts.inspection.findings import DifferenceKind, Inspection, to_json
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.required_elements import ElementStatus, RequiredElement, required_elements
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import LEFT_TO_A_PERSON, NUMBERS, left_to_a_person
from tests.submissions.layouts.inspection.drawings import HIGH, WIDE, Line, drawing, lines_of

pytestmark = pytest.mark.proof

LICENSEE = "Casino East"
MUST = ("area", "card_area", "inscription")
OPEN = (ElementStatus.MISSING, ElementStatus.TOO_FEW, ElementStatus.DIFFERENT)
ODDS = re.compile(r"([\d,]+) (to|for) (\d+)$")


def posted(number: str) -> Answers:
    return example(number, odds_posted="layout", limit_posted="layout")


def off(number: str) -> Answers:
    return {key: False if isinstance(answer, bool) else answer for key, answer in posted(number).items()}


def needed(number: str, answers: Answers) -> tuple[RequiredElement, ...]:
    return required_elements(chapter(number), answers, licensee=LICENSEE)


def inspected(number: str, lines: list[Line], answers: Answers | None = None, certainty: float = 1) -> Inspection:
    answers = posted(number) if answers is None else answers
    return inspect(drawing(lines, certainty=certainty), needed(number, answers), chapter(number), answers)


def lines(number: str) -> list[Line]:
    return lines_of(needed(number, posted(number)))


def changed(lines: list[Line], old: str, *new: str) -> list[Line]:
    """The lines with another text in the place of the last that is `old`; gone where there is none."""
    place = max(place for place, line in enumerate(lines) if line[2] == old)
    return [*lines[:place], *((*lines[place][:2], text) for text in new), *lines[place + 1 :]]


def still_open(found: Inspection) -> list[tuple[str, ElementStatus]]:
    return [(one.required.key, one.status) for one in found.of(*OPEN)]


def messages(found: Inspection) -> list[str]:
    return [one.message for one in found.differences]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("answers", [example, posted, off])
def test_what_shows_everything_is_complete(number: str, answers) -> None:
    given = answers(number)
    found = inspected(number, lines_of(needed(number, given)), given)
    assert (left_to_a_person(found), still_open(found), messages(found)) == (
        LEFT_TO_A_PERSON.get(number, set()),
        [],
        [],
    )
    assert found.complete == (number not in LEFT_TO_A_PERSON)


@pytest.mark.parametrize("number", NUMBERS)
def test_one_thing_changed_is_named_and_nothing_else(number: str) -> None:
    """Not found here: what goes wrong with other lines than those that are drawn at random."""
    whole, chance = lines(number), random.Random(int(number.rstrip("a")))
    texts = [text for one in needed(number, posted(number)) if one.kind in MUST for text in one.phrases]
    labels = {text for text in texts if texts.count(text) == 1}
    shown = [line for line in whole if line[2] in labels and line[1] < 2400]
    dropped = chance.sample(shown, min(4, len(shown)))
    for line in dropped:
        found = inspected(number, [one for one in whole if one is not line])
        keys = {one.required.key for one in found.elements if line[2] in one.required.phrases}
        assert {key for key, _ in still_open(found)} <= keys
        assert still_open(found)
        assert not found.differences
    odds = [line for line in whole if ODDS.search(line[2]) and line[1] > 2400]
    for left, top, words in chance.sample(odds, min(4, len(odds))):
        other = ODDS.sub(lambda row: f"{int(row[1].replace(',', '')) + 1} {row[2]} {row[3]}", words)
        found = inspected(number, [(left, top, other) if one == (left, top, words) else one for one in whole])
        assert [one.kind for one in found.differences] == [DifferenceKind.DIFFERENT]
        assert ODDS.search(other)[0] + " printed" in found.differences[0].message
        assert still_open(found) == [("odds_on_layout", ElementStatus.DIFFERENT)]


def test_a_pay_that_differs_is_told_with_its_place() -> None:
    found = inspected("682a", changed(lines("682a"), "Three-of-a-kind 5 to 1", "Three-of-a-kind 9 to 1"))
    (difference,) = found.differences
    assert difference.message == "Three-of-a-kind 9 to 1 printed, 5 to 1 chosen (All-Six Bonus Wager)"
    assert difference.citation.startswith("§ 682a.12")
    assert difference.place
    assert not found.complete


def test_a_row_that_is_not_there_is_missing() -> None:
    found = inspected("682a", changed(lines("682a"), "Three-of-a-kind 5 to 1"))
    assert messages(found) == ["Three-of-a-kind 5 to 1 chosen, not printed (All-Six Bonus Wager)"]
    assert still_open(found) == [("odds_on_layout", ElementStatus.TOO_FEW)]


def test_odds_are_told_apart_by_the_wager_above_them() -> None:
    """Two wagers with the same outcomes: their names changed over, each has the other's odds."""
    answers = posted("587")
    whole = lines_of(needed("587", answers))
    names = {"Blind Wager": "Play Wager", "Play Wager": "Blind Wager"}
    crossed = [(left, top, names.get(words, words)) for left, top, words in whole]
    found = inspect(drawing(crossed), needed("587", answers), chapter("587"), answers)
    assert {one.wager for one in found.differences} == {"blind", "play"}
    assert "royal flush 100 to 1 printed, 1,000 to 1 chosen (Blind Wager)" in messages(found)


def test_both_columns_of_a_paytable_are_compared() -> None:
    row = "Royal Flush 1000 to 1 70 to 1"
    assert any(words == row for *_, words in lines("687a"))
    found = inspected("687a", changed(lines("687a"), row, "Royal Flush 1000 to 1 95 to 1"))
    assert messages(found) == [
        "Royal Flush 1000 to 1 95 to 1 printed, 1000 to 1 (Natural), 70 to 1 (With Wild) chosen (Trips Bonus Wager)"
    ]


def test_odds_in_a_column_of_their_own_are_read() -> None:
    apart: list[Line] = []
    for left, top, words in lines("682a"):
        odds = ODDS.search(words) if top > 2400 else None
        apart += (
            [(left, top, words[: odds.start()].strip()), (left + 800, top, odds[0])] if odds else [(left, top, words)]
        )
    assert inspected("682a", apart).complete
    (left, top, _) = next(line for line in apart if line[2] == "200 to 1")
    wrong = [(*line[:2], "201 to 1") if line == (left, top, "200 to 1") else line for line in apart]
    assert [one.kind for one in inspected("682a", wrong).differences] == [DifferenceKind.DIFFERENT]


def test_a_row_of_another_paytable_is_named() -> None:
    """Paytable A of the All-Six Bonus has no six-card royal flush of diamonds; E has."""
    answers = {**posted("682a"), "all_six_paytable": "Paytable A"}
    found = inspected("682a", lines("682a"), answers)
    strange = [one for one in found.differences if one.kind == DifferenceKind.NOT_IN_TABLE]
    end = "printed, not in the paytable chosen (All-Six Bonus Wager)"
    assert [one.message for one in strange] == [
        f"Six-card royal flush—hearts, spades or clubs 20,000 to 1 {end}",
        f"Six-card royal flush—diamonds 200,000 to 1 {end}",
    ]


def test_what_belongs_to_a_wager_not_offered_is_named() -> None:
    answers = {**posted("683a"), "lo_ball_wager": False}
    found = inspected("683a", lines("683a"), answers)
    assert [one.wager for one in found.differences] == ["lo_ball"]
    assert messages(found) == ["“Lo Ball” is printed; the Lo Ball Wager is not offered"]


def test_a_label_is_not_satisfied_by_the_word_in_a_sentence() -> None:
    without = [line for line in lines("683a") if line[2] != "Ante"]
    sentence = (20.0, 3900.0, "The Ante is returned if the player folds")
    found = inspected("683a", [*without, sentence])
    assert still_open(found) == [("ante_area", ElementStatus.MISSING)]


def test_labels_and_inscriptions_may_run_over_lines() -> None:
    label = changed(lines("683a"), "Community Cards")
    assert inspected("683a", [*label, (20, 3800, "Commu-"), (20, 3824, "nity"), (20, 3848, "cards")]).complete
    wording = "Aces are always counted as 11."
    over = changed(lines("686a"), wording)
    assert inspected("686a", [*over, (20, 3800, "ACES ARE ALWAYS"), (20, 3824, "counted as 11")]).complete
    assert still_open(inspected("686a", over)) == [("aces_inscription", ElementStatus.MISSING)]


def test_an_area_that_is_there_for_too_few_or_too_many_positions() -> None:
    few = inspected("683a", changed(lines("683a"), "Lo Ball"))
    assert [(one.required.key, one.times) for one in few.of(ElementStatus.TOO_FEW)] == [("lo_ball_area", 5)]
    many = inspected("683a", [*lines("683a"), (20, 3900, "Pocket Bonus")])
    assert messages(many) == ["7 areas “Pocket Bonus” are printed; the chapter allows 6 positions"]


def test_a_legend_beside_the_areas_is_no_area() -> None:
    whole = lines("683a")
    made = drawing([*whole, (20, 3900, "Pocket Bonus")])
    unframed = Drawing(made.source, made.pages, made.words, made.shapes[:-1])
    assert inspect(unframed, needed("683a", posted("683a")), chapter("683a"), posted("683a")).complete


def test_recognized_letters_may_be_wrong_and_digits_may_not() -> None:
    wrong = changed(lines("682a"), "Straight flush 200 to 1", "Stralght flush 200 to 1")
    assert inspected("682a", wrong, certainty=0.8).complete
    read = [one.kind for one in inspected("682a", wrong).differences]
    assert read == [DifferenceKind.UNEXPLAINED]  # in other words: for a person to judge
    other = changed(lines("682a"), "Straight flush 200 to 1", "Straight flush 800 to 1")
    for certainty, kind in ((0.8, DifferenceKind.UNCLEAR), (0.95, DifferenceKind.DIFFERENT)):
        assert [one.kind for one in inspected("682a", other, certainty=certainty).differences] == [kind]


def test_where_a_sign_posts_the_odds_the_layout_need_not() -> None:
    answers = example("682a", odds_posted="sign", limit_posted="sign")
    labels = [line for line in lines_of(needed("682a", answers)) if line[1] < 2400]
    found = inspected("682a", labels, answers)
    assert found.complete
    assert {"odds_sign", "limit_sign"} <= {one.required.key for one in found.elements}
    wrong = changed(lines_of(needed("682a", answers)), "Straight flush 200 to 1", "Straight flush 201 to 1")
    assert [one.kind for one in inspected("682a", wrong, answers).differences] == [DifferenceKind.DIFFERENT]


def test_a_drawing_without_text_is_not_said_to_be_complete_or_wrong() -> None:
    bare = Drawing(DrawingSource.SVG, (DrawingPage(WIDE, HIGH),), (), outlined=True)
    found = inspect(bare, needed("683a", posted("683a")), chapter("683a"), posted("683a"))
    assert (found.readable, found.complete, still_open(found)) == (False, False, [])


def test_the_drawing_of_another_game_is_told_by_what_is_missing() -> None:
    found = inspected("683a", lines("581"))
    assert len(found.of(ElementStatus.MISSING)) > 5


def test_the_result_as_data() -> None:
    data = to_json(inspected("682a", changed(lines("682a"), "Three-of-a-kind 5 to 1", "Three-of-a-kind 9 to 1")))
    assert data["complete"] is False
    ante = next(one for one in data["elements"] if one["key"] == "ante_area")
    assert (ante["citation"], ante["found"], ante["times"], len(ante["where"])) == ("§ 682a.2(b)(2)", True, 6, 6)
    assert set(ante["where"][0]) == {"page", "left", "top", "width", "height"}
    assert data["differences"][0]["kind"] == "different"
