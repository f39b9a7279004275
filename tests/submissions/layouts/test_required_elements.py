"""What the answers call for: which elements, in which words, how often, with which odds."""

from __future__ import annotations

import pytest

from games.registry import chapter
from games.rules.evaluate import judge
from games.rules.model import Answer
from submissions.layouts.required_elements import (
    ENVY,
    LIMIT,
    ODDS,
    STATED_ODDS,
    PostedOdds,
    RequiredElement,
    required_elements,
)
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import NUMBERS, alike, drawn


def of(number: str, **changed: Answer) -> dict[str, RequiredElement]:
    return {one.key: one for one in required_elements(chapter(number), example(number, **changed))}


def odds_of(number: str, **changed: Answer) -> dict[tuple[str, str], PostedOdds]:
    found = of(number, **changed)
    posted = next(found[key] for key in ODDS if key in found)
    return {(one.wager, one.table): one for one in posted.odds}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_element_that_is_called_for_is_there_once_or_once_per_area(number: str) -> None:
    elements = [element.key for element in judge(chapter(number), example(number)).layout]
    found = [one.key for one in required_elements(chapter(number), example(number))]
    assert len(found) == len(set(found))
    assert list(dict.fromkeys(key.partition(".")[0] for key in found)) == elements


@pytest.mark.parametrize("number", [one for one in NUMBERS if one != "637a"])  # Poker has no betting areas
def test_every_wager_offered_has_an_area_or_a_device(number: str) -> None:
    found = of(number)
    areas = {one.wager for one in found.values() if one.kind == "area"}
    devices = {one.wager for one in found.values() if one.kind == "device"}
    assert set(judge(chapter(number), example(number)).offered) <= areas | devices


@pytest.mark.parametrize("number", NUMBERS)
def test_labels_of_different_areas_differ(number: str) -> None:
    areas = [one for one in of(number).values() if one.kind in ("area", "card_area")]
    labels = [phrase.casefold() for one in areas for phrase in one.phrases]
    assert len(labels) == len(set(labels))


def test_an_area_of_each_position_is_there_as_often_as_there_are_positions() -> None:
    answers = example("682a")
    assert of("682a")["ante_area"].times == 6
    few = {one.key: one.times for one in required_elements(chapter("682a"), answers, positions=4)}
    assert (few["ante_area"], few["betting_positions"], few["dealer_area"]) == (4, 4, 1)


def test_an_element_of_several_areas_is_several() -> None:
    found = of("683a")
    assert [found[f"raise_areas.{number}"].phrases for number in (1, 2, 3)] == [
        ("Raise 1",),
        ("Raise 2",),
        ("Raise 3",),
    ]
    assert found["raise_areas.2"].times == 6
    assert found["raise_areas.2"].citation == "§ 683a.2(b)(2)"


def test_an_area_of_a_wager_that_is_not_offered_is_not_required() -> None:
    assert "prime_area" in of("682a", prime_wager=True)
    assert "prime_area" not in of("682a", prime_wager=False)


def test_an_inscription_is_required_in_the_words_of_the_chapter() -> None:
    assert of("591")["blackjack_inscription"].phrases == ("Blackjack and Insurance pays 2 to 1.",)
    assert of("589")["force_inscription"].times == 5


def test_what_has_no_words_in_the_chapter_is_for_a_person_with_words_suggested() -> None:
    found = of("593")["equal_value_inscription"]
    assert found.phrases == ()
    assert found.suggested.startswith("All Pip Street")
    assert of("682a")["drop_box"].suggested == "Drop box"


def test_the_name_is_looked_for_only_where_it_is_given() -> None:
    assert of("682a")["name_or_logo"].phrases == ()
    named = required_elements(chapter("682a"), example("682a"), licensee="Laurel Run Casino")
    assert next(one for one in named if one.key == "name_or_logo").phrases == ("Laurel Run Casino",)


@pytest.mark.parametrize(("posted", "key"), [("layout", "limit_on_layout"), ("sign", "limit_sign")])
def test_the_payout_limit_is_the_one_established(posted: str, key: str) -> None:
    limit: dict[str, Answer] = {"payout_limit_established": True, "payout_limit": "75000.00", "limit_posted": posted}
    found = of("682a", **limit)
    assert found[key].phrases == ("$75,000",)
    assert "$75,000 per player per round" in found[key].suggested
    assert not set(LIMIT) & of("682a", payout_limit_established=False).keys()


def test_a_limit_that_is_no_amount_yet_asks_for_no_words() -> None:
    limit: dict[str, Answer] = {"payout_limit_established": True, "payout_limit": "a lot", "limit_posted": "sign"}
    assert of("682a", **limit)["limit_sign"].phrases == ()


def test_odds_are_those_of_the_paytable_chosen() -> None:
    before = odds_of("682a", all_six_wager=True, all_six_paytable="Paytable A")
    after = odds_of("682a", all_six_wager=True, all_six_paytable="Paytable E")
    assert ("Royal flush", "", "1,000 to 1") in before["all_six", "Paytable A"].rows
    assert ("all_six", "Paytable A") not in after
    assert before["all_six", "Paytable A"].rows != after["all_six", "Paytable E"].rows


def test_odds_said_in_a_sentence_are_posted_too() -> None:
    found = odds_of("682a")
    assert found["ante", STATED_ODDS].rows == (("Winning Ante Wager", "", "1 to 1"),)
    assert found["raise", STATED_ODDS].rows == (("Winning Raise Wager", "", "1 to 1"),)


def test_odds_of_a_wager_not_offered_are_not_posted() -> None:
    assert not [key for key in odds_of("682a", prime_wager=False) if key[0] == "prime"]


def test_an_envy_bonus_is_a_row_beside_its_hand() -> None:
    rows = odds_of("588")["fortune", "$5 Fortune Bonus Wager"].rows
    assert rows[:2] == (("Five Aces", "", "1,000 to 1"), ("Five Aces", ENVY, "$5,000"))


def test_each_column_is_a_row_but_for_what_cannot_occur() -> None:
    tables = odds_of("687a", trips_bonus_wager=True, trips_paytable="DJWT-04")
    rows = tables["trips", "DJWT-04"].rows
    assert rows[0] == ("Five Wilds", "With Wild", "2000 to 1")
    assert rows[1:3] == (("Royal Flush", "Natural", "1000 to 1"), ("Royal Flush", "With Wild", "90 to 1"))


def test_a_gap_within_a_number_is_mended() -> None:
    assert ("Seven-of-a-kind", "", "400 to 1") in odds_of("593")["like_kind", "Paytable"].rows


@pytest.mark.parametrize("number", NUMBERS)
def test_whatever_is_answered_each_element_is_said_in_words_that_can_be_printed(number: str) -> None:
    for answers in (alike(number, True), alike(number, False), *(drawn(number, seed) for seed in range(20))):
        found = required_elements(chapter(number), answers, positions=3)
        judged = judge(chapter(number), answers)
        assert list(dict.fromkeys(one.key.partition(".")[0] for one in found)) == [one.key for one in judged.layout]
        assert {one.times for one in found} <= {1, 3}
        said = [text for one in found for text in (*one.phrases, *(cell for odds in one.odds for cell in _cells(odds)))]
        assert all(text and text == " ".join(text.split()) for text in said)
        posted = {odds.wager for one in found for odds in one.odds}
        assert not posted or set(judged.paytables) <= posted


def _cells(odds: PostedOdds) -> list[str]:
    return [cell for outcome, _, pay in odds.rows for cell in (outcome, pay)]


@pytest.mark.parametrize("number", NUMBERS)
def test_no_answers_call_for_what_every_table_has(number: str) -> None:
    found = {one.key for one in required_elements(chapter(number), {})}
    assert {"drop_box", "tip_box"} <= found
