"""The payout sign: every row of every wager offered, the limit, the notices, on one sheet, the same bytes each time."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest

from games.registry import chapter
from games.rules.evaluate import judge
from submissions.layouts import paper_content, paper_pdf
from submissions.layouts.paper_content import NOT_CHOSEN
from submissions.layouts.paper_pdf import PaperSheet
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import NUMBERS
from tests.submissions.layouts.papers import APPROVED, DRAFT, FILED, example_paper, squeezed, words, words_of_html


@pytest.mark.parametrize("number", NUMBERS)
def test_every_row_in_use_is_on_the_sign(number: str) -> None:
    content = paper_content.payout_sign_content(chapter(number), example(number))
    shown = {board.wager: board.table for column in content["columns"] for board in column}
    judgment = judge(chapter(number), example(number))
    assert set(shown) == set(judgment.paytables)
    for wager, name in judgment.paytables.items():
        table = chapter(number).paytable(wager, name)
        cells = [(row.outcome, *(str(pay).replace("4 00", "400") for pay in row.pays)) for row in table.rows]
        assert [row[: len(table.columns or "1") + 1] for row in shown[wager].rows] == cells


@pytest.mark.parametrize("number", NUMBERS)
def test_every_wager_offered_is_on_the_sign(number: str) -> None:
    content = paper_content.payout_sign_content(chapter(number), example(number))
    named = {paid.wager for paid in content["fixed"]} | {one.wager for column in content["columns"] for one in column}
    assert set(judge(chapter(number), example(number)).offered) <= named


def test_sign_is_one_sheet_of_its_size_and_says_everything() -> None:
    made = example_paper("sign", "682a", FILED)
    pdf = pikepdf.open(BytesIO(made.content))
    assert len(pdf.pages) == made.pages == 1
    assert [float(side) for side in pdf.pages[0].mediabox][2:] == [612, 792]
    text = squeezed(words(made.content))
    for column in paper_content.payout_sign_content(chapter("682a"), example("682a"))["columns"]:
        for board in column:
            for row in board.table.rows:
                assert squeezed("".join(row)) in text
    for said in ("Four Card Prime", "58 Pa. Code Chapter 682a", "RS-2026-00001-R1", "November 22, 2026",
                 "Keystone Downs Casino", "Payout limit: $50,000.00", "Raise Wager 1 to 1"):  # fmt: skip
        assert squeezed(said) in text


def test_tabloid_is_eleven_by_seventeen() -> None:
    pdf = pikepdf.open(
        BytesIO(paper_pdf.payout_sign_pdf(chapter("686a"), example("686a"), APPROVED, size="tabloid").content)
    )
    assert [float(side) for side in pdf.pages[0].mediabox][2:] == [792, 1224]


def test_draft_says_so_and_names_no_version() -> None:
    text = words(example_paper("sign", "682a", DRAFT).content)
    assert "Draft: not approved" in text
    assert "RS-" not in text


def test_same_answers_give_the_same_bytes_and_others_do_not() -> None:
    first = paper_pdf.payout_sign_pdf(chapter("686a"), example("686a"), APPROVED).sha256
    assert paper_pdf.payout_sign_pdf(chapter("686a"), example("686a"), APPROVED).sha256 == first
    without = example("686a", bonus_wager=False)
    assert paper_pdf.payout_sign_pdf(chapter("686a"), without, APPROVED).sha256 != first


def test_wager_not_offered_is_not_on_the_sign() -> None:
    content = paper_content.payout_sign_content(chapter("682a"), example("682a", all_six_wager=False))
    assert "all_six" not in {board.wager for column in content["columns"] for board in column}
    assert content["limit"].covers == ("Aces Bonus Wager",)


def test_paytable_not_chosen_is_said() -> None:
    content = paper_content.payout_sign_content(chapter("682a"), example("682a", prime_paytable=None))
    assert {paid.wager: paid.fixed for paid in content["fixed"]}["prime"] == NOT_CHOSEN


def test_limit_names_what_it_leaves_out_only_where_the_paytable_has_it() -> None:
    without = example("682a", all_six_paytable="Paytable A")
    assert len(paper_content.payout_sign_content(chapter("682a"), example("682a"))["limit"].leaves_out) == 2
    assert paper_content.payout_sign_content(chapter("682a"), without)["limit"].leaves_out == ()
    assert (
        paper_content.payout_sign_content(chapter("682a"), example("682a", payout_limit_established=False))["limit"]
        is None
    )


def test_envy_bonus_and_meter_stand_with_the_progressive_wager() -> None:
    content = paper_content.payout_sign_content(chapter("687a"), example("687a"))
    board = next(one for column in content["columns"] for one in column if one.wager == "progressive")
    assert board.table.columns[-1] == "Envy bonus"
    assert board.table.rows[0][-2:] == ("100% of meter", "$5,000")
    assert ("Wager", "$5") in board.table.facts


def test_what_other_players_receive_is_called_as_the_chapter_does() -> None:
    content = paper_content.payout_sign_content(chapter("635a"), example("635a"))
    board = next(one for column in content["columns"] for one in column if one.wager == "spanish_21")
    assert board.table.columns[-1] == "Each other player"


def test_columns_are_even_and_keep_the_order_of_the_wagers() -> None:
    columns = paper_content.payout_sign_content(chapter("682a"), example("682a"))["columns"]
    keys = [[board.wager for board in column] for column in columns]
    assert len(keys) == 2
    order = [wager.key for wager in chapter("682a").wagers]
    assert all(column == sorted(column, key=order.index) for column in keys)
    assert keys[0][0] == "win_bonus"
    assert paper_content.in_columns([]) == []


def test_chapter_whose_text_is_not_at_hand_says_so_on_its_sign() -> None:
    page = sheet("657a").html(paper_content.payout_sign_content(chapter("657a"), example("657a")))
    assert "Not cleared for play. The text of Chapter 657a is not available" in words_of_html(page)


def test_notices_of_poker_are_its_answers() -> None:
    said = [words for words, _ in paper_content.payout_sign_content(chapter("637a"), example("637a"))["notices"]]
    assert any(words.startswith("Forced Bet, Seven-card Stud Poker: $") for words in said)
    assert any(words.startswith("Minimum bet:") for words in said)
    assert not any("not answered" in words for words in said)


@pytest.mark.parametrize("number", NUMBERS)
def test_all_options_off_is_told_too(number: str) -> None:
    """Every yes answered no: the required wagers are still all there."""
    off = {key: False if answer is True else answer for key, answer in example(number).items()}
    content = paper_content.payout_sign_content(chapter(number), off)
    named = {paid.wager for paid in content["fixed"]} | {one.wager for column in content["columns"] for one in column}
    assert {wager.key for wager in chapter(number).wagers if wager.required and not wager.part_of} <= named
    assert content["limit"] is None


def test_smallest_letters_are_used_where_nothing_fits_on_a_sheet() -> None:
    content = paper_content.payout_sign_content(chapter("686a"), example("686a")) | {"paper": "letter"}
    made = paper_pdf.as_large_as_fits(sheet("686a"), [content], (1, (60, 50)))
    assert made.pages > 1


def test_more_sheets_are_taken_where_they_are_allowed() -> None:
    content = paper_content.payout_sign_content(chapter("686a"), example("686a")) | {"paper": "letter"}
    once, twice = (1, (60, 50)), (1, (60, 9))
    assert paper_pdf.as_large_as_fits(sheet("686a"), [content], once, twice).pages == 1


def test_arrangement_that_allows_larger_letters_is_taken() -> None:
    beside = paper_content.payout_sign_content(chapter("686a"), example("686a")) | {"paper": "letter"}
    crowded = beside | {"notices": [("A long word of caution. " * 40, "")]}
    assert paper_pdf.as_large_as_fits(sheet("686a"), [crowded, beside], (1, (20, 10, 6))).content == (
        paper_pdf.as_large_as_fits(sheet("686a"), [beside], (1, (20, 10, 6))).content
    )


def sheet(number: str) -> PaperSheet:
    return PaperSheet("sign", chapter(number), example(number), DRAFT)
