"""A drawing that shows all that is required and says something more: it is never complete, and its words are named.

Not found here: a contradiction in other words than these; an element that the chapter's data lack, since the drawings
are made from the same data.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.registry import chapter
from games.rules.words import AREAS
from submissions.layouts.inspection.betting_areas import NO_FIGURE
from submissions.layouts.inspection.findings import DifferenceKind, to_json
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.inspection.statements import statements_in, statements_of
from submissions.layouts.inspection.tokens import phrase
from submissions.layouts.required_elements import ElementStatus
from tests.submissions.layouts.inspection.drawings import Line, drawing
from tests.submissions.layouts.inspection.test_inspection import (
    LICENSEE,
    changed,
    inspected,
    lines,
    messages,
    needed,
    posted,
)

pytestmark = pytest.mark.proof

CONTRADICTS, UNKNOWN, NOT_OFFERED = (
    DifferenceKind.CONTRADICTS,
    DifferenceKind.UNKNOWN_ODDS,
    DifferenceKind.NOT_OFFERED,
)
BLACKJACK, INSURANCE = "Blackjack pays 3 to 2.", "Insurance pays 2 to 1."
DEALER = "Dealer shall draw to 16 and stand on all 17s"
LIMIT = "The payout limit is $50,000 per player per round of play."
COLUMNS = re.compile(r"^(.*) (\d+ to 1) (\d+ to 1)$")
FELT: Line = (1600, 3900, "")

PRINTED_BESIDES = (
    ("590", "Blackjack pays 6 to 5", CONTRADICTS),
    ("590", "BLACKJACK 6:5", CONTRADICTS),
    ("590", "6 to 5 Blackjack", CONTRADICTS),
    ("635a", "Blackjacks are paid at odds of 1 to 1", CONTRADICTS),
    ("581", "Blackjack pays 3 to 2", CONTRADICTS),
    ("590", "Insurance pays 3 to 1", CONTRADICTS),
    ("590", "Blackjack pays 3 to 2, 6 to 5", CONTRADICTS),
    ("590", "Blackjack pays 3 to 2 and even money", CONTRADICTS),
    ("590", "Blackjack pays six to five", CONTRADICTS),
    ("590", "Any pair eleven to one", UNKNOWN),
    ("590", "Dealer hits soft 17", CONTRADICTS),
    ("590", "Dealer must stand on 16", CONTRADICTS),
    ("590", "A dealer total of 21 will push", CONTRADICTS),
    ("686a", "All bets pay 2 to 1", CONTRADICTS),
    ("686a", "House wins on 17", CONTRADICTS),
    ("686a", "Aces count as 1 or 11", CONTRADICTS),
    ("589", "Exchange 1-5 cards", CONTRADICTS),
    ("589", "Dealer qualifies with a pair or better", CONTRADICTS),
    ("583", "The Flop Wager must be twice the Ante Wager", CONTRADICTS),
    ("583", "The Pot Wager must be equal to half the table minimum", CONTRADICTS),
    ("688a", "If the dealer has an Ace High, all wagers lose", CONTRADICTS),
    ("682a", "Payout limit $25,000", CONTRADICTS),
    ("590", "Lucky Ladies pays up to 1,000 to 1", UNKNOWN),
    ("590", "Any other pair 100 to 1", UNKNOWN),
    ("590", "Same suit 22 pays 500 to 1", UNKNOWN),
    ("682a", "Bad beat 75:1", UNKNOWN),
    ("687a", "Dealer's bust even money", UNKNOWN),
)
SAYS_MORE = (
    ("590", BLACKJACK, "blackjack_inscription", ("Blackjack pays 3 to 2 on wagers of $25 or more",)),
    ("590", BLACKJACK, "blackjack_inscription", ("Only a suited Blackjack pays 3 to 2",)),
    ("590", BLACKJACK, "blackjack_inscription", ("Blackjack pays 3 to 2", "unless the dealer says otherwise")),
    ("590", DEALER, "draw_and_stand_inscription", (f"{DEALER} except soft 17",)),
    ("590", INSURANCE, "insurance_inscription", ("No insurance pays 2 to 1",)),
    ("686a", "Aces are always counted as 11.", "aces_inscription", ("Aces are always counted as 11 if suited",)),
    ("682a", LIMIT, "limit_on_layout", ("Table maximum $50,000",)),
    ("682a", LIMIT, "limit_on_layout", ("Payout limit $50,000 per table per day",)),
    ("682a", LIMIT, "limit_on_layout", ("$50,000",)),
    ("590", LICENSEE, "name_or_logo", (f"Layout designed for {LICENSEE} competitors",)),
    ("590", INSURANCE, "insurance_inscription", ("Winning Insurance Wager pays 2 to 1",)),
    ("590", DEALER, "draw_and_stand_inscription", ("Dealer must draw to 16, and stand on all 17's",)),
)


@pytest.mark.parametrize(("number", "text", "kind"), PRINTED_BESIDES)
def test_another_statement_is_named_with_its_place(number: str, text: str, kind: DifferenceKind) -> None:
    found = inspected(number, [*lines(number), (*FELT[:2], text)])
    (difference,) = found.differences
    assert (difference.kind, found.complete) == (kind, False)
    assert f"“{text}” is printed" in difference.message
    assert difference.citation.startswith(f"§ {number}")
    assert difference.place
    assert difference.place.box.top > 0.9


@pytest.mark.parametrize(("number", "required", "key", "texts"), SAYS_MORE)
def test_words_that_say_more_or_the_same_in_other_words_are_to_be_judged(
    number: str, required: str, key: str, texts: tuple[str, ...]
) -> None:
    without = changed(lines(number), required)
    added = [(1600.0, 3850.0 + 25 * place, text) for place, text in enumerate(texts)]
    found = inspected(number, [*without, *added])
    (element,) = found.to_be_judged
    assert (element.required.key, found.complete) == (key, False)
    assert element.explanation == f"The drawing says “{' '.join(texts)}”."
    assert element.places
    row = next(row for row in to_json(found)["elements"] if row["key"] == key)
    assert (row["found"], row["state"], row["explanation"]) == (False, "to_be_judged", element.explanation)


def test_inscription_that_a_chapter_demands_without_its_words_is_to_be_judged_where_none_is_found() -> None:
    demanded = [one for one in needed("593", posted("593")) if one.kind == "inscription" and not one.phrases]
    (wordless,) = (one for one in demanded if one.suggested)
    found = inspected("593", changed(lines("593"), wordless.suggested))
    assert [one.required for one in found.to_be_judged] == [wordless]
    assert not found.complete


@pytest.mark.parametrize("text", ["Only a suited Blackjack pays 3 to 2", "Blackjack pays 3 to 2 if not doubled"])
def test_condition_beside_the_right_inscription_is_to_be_judged(text: str) -> None:
    found = inspected("590", [*lines("590"), (*FELT[:2], text)])
    assert [one.required.key for one in found.to_be_judged] == ["blackjack_inscription"]


@pytest.mark.parametrize(
    "texts",
    [
        ("Blackjack pays 3 to 2 and Insurance pays 2 to 1",),
        ("BLACKJACK PAYS 3:2", "INSURANCE PAYS 2:1"),
        ("Blackjack pays 3 to 2. Insurance pays 2 to 1.",),
    ],
)
def test_inscriptions_in_one_line_are_each_a_sentence(texts: tuple[str, ...]) -> None:
    without = changed(changed(lines("590"), BLACKJACK), INSURANCE)
    found = inspected("590", [*without, *((1600.0, 3800.0 + 25 * place, text) for place, text in enumerate(texts))])
    assert (found.complete, found.differences) == (True, ())


def test_repeated_inscriptions_and_the_name_of_the_game_say_nothing_more() -> None:
    named = [*lines("590"), (*FELT[:2], BLACKJACK), (1600.0, 3925.0, "Free Bet Blackjack")]
    assert inspected("590", named).complete


def test_recognized_letters_accuse_nobody() -> None:
    """A misread figure may be the recognition's: a person judges it, and the drawing is not complete."""
    other = changed(lines("590"), BLACKJACK, "Blackjack pays 8 to 2")
    found = inspected("590", other, certainty=0.8)
    assert (found.differences, found.complete) == ((), False)
    assert [one.explanation for one in found.to_be_judged] == ["The drawing says “Blackjack pays 8 to 2”."]
    found = inspected("682a", [*lines("682a"), (*FELT[:2], "Bad beat 75 to 1")], certainty=0.8)
    assert (found.differences, [one.required.key for one in found.to_be_judged]) == ((), ["odds_on_layout"])
    assert found.of(ElementStatus.TO_BE_JUDGED)[0].explanation == "The drawing says “Bad beat 75 to 1”."


@pytest.mark.parametrize(
    "text", ["Rev. 11-28-2026", "Drawing No. KRC-683-001", "Cajun Stud™", "Seats 1-6", "2134 x 1067 mm"]
)
def test_dates_and_measures_are_no_odds(text: str) -> None:
    assert inspected("683a", [*lines("683a"), (*FELT[:2], text)]).complete


def test_what_may_be_a_rule_of_the_house_is_for_a_person() -> None:
    found = inspected("683a", [*lines("683a"), (*FELT[:2], "House 2-5-7")])
    assert [one.kind for one in found.differences] == [DifferenceKind.UNEXPLAINED]


def test_clauses_are_read_apart() -> None:
    sentence = phrase("Blackjack pays 3 to 2, Insurance 2:1")
    assert {one.matter: one.said for one in statements_in(sentence)} == {
        "blackjack_odds": {("pays", "3 to 2")},
        "insurance_odds": {("pays", "2 to 1")},
    }
    assert all(not one.additional for one in statements_of("The payout limit is $50,000 per player per round of play."))


def test_numeral_is_read_as_its_word_within_a_phrase() -> None:
    row = "Three-of-a-kind 5 to 1"
    assert inspected("682a", changed(lines("682a"), row, "3 of a Kind 5 to 1")).complete
    wrong = inspected("682a", changed(lines("682a"), row, "3 of a Kind 9 to 1"))
    assert [one.kind for one in wrong.differences] == [DifferenceKind.DIFFERENT]
    assert not inspected("593", changed(lines("593"), "Six", "6")).complete


def test_name_of_another_game_is_named() -> None:
    found = inspected("590", [*lines("590"), (*FELT[:2], "Cajun Stud")])
    assert messages(found) == ["“Cajun Stud” is printed; this is a layout of Free Bet Blackjack"]
    assert found.differences[0].citation == "§ 590.2"


def test_words_without_a_figure_are_no_betting_areas() -> None:
    bare = replace(drawing(lines("590")), shapes=())
    found = inspect(bare, needed("590", posted("590")), chapter("590"), posted("590"))
    judged = [one for one in found.to_be_judged if one.explanation == NO_FIGURE]
    assert {one.required.key for one in judged} == {
        one.key for one in needed("590", posted("590")) if one.kind in AREAS
    }
    assert judged


def test_seat_with_two_areas_leaves_another_without() -> None:
    """The fourth seat's area stands at the third seat: as many as before, but one seat has none."""
    whole = lines("590")
    seats = [line for line in whole if line[2] == "Push 22" and line[1] < 2400]
    moved = (seats[2][0] + 110, *seats[3][1:])
    found = inspected("590", [moved if line == seats[3] else line for line in whole])
    assert messages(found) == ["One seat has two areas “Push 22”, so that another has none"]
    assert inspected("590", whole).complete


def test_figures_belong_to_the_columns_whose_headings_are_above_them() -> None:
    """Headings exchanged over the same figures are wrong; figures exchanged as well are right."""
    whole, headings = lines("687a"), "Natural With Wild"
    assert inspected("687a", whole).complete
    exchanged = changed(whole, headings, "With Wild Natural")
    wrong = inspected("687a", exchanged)
    assert {one.kind for one in wrong.differences} == {DifferenceKind.DIFFERENT}
    row = "Royal Flush 1000 to 1 70 to 1 printed, 70 to 1 (With Wild), 1000 to 1 (Natural) chosen"
    assert any(row in message for message in messages(wrong))
    both = [(left, top, COLUMNS.sub(r"\1 \3 \2", text)) for left, top, text in exchanged]
    assert inspected("687a", both).complete
    bare = inspected("687a", changed(whole, headings))
    assert [one.explanation for one in bare.to_be_judged] == [
        "No headings say which figures are “Natural” and which are “With Wild”."
    ]


def test_words_that_may_not_be_seen_are_named_and_prove_nothing() -> None:
    """The required words are not found by them, and other words are not passed over."""
    whole = drawing(lines("590"))
    faint = drawing([(*FELT[:2], "Blackjack pays 6 to 5")]).words
    found = inspect(replace(whole, unclear=faint), needed("590", posted("590")), chapter("590"), posted("590"))
    (difference,) = found.differences
    assert (difference.kind, found.complete) == (DifferenceKind.UNCLEAR, False)
    assert difference.message.startswith("People may not be able to read “Blackjack pays 6 to 5”.")
