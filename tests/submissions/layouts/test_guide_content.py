"""The gaming guide: the round, the wagers and what they pay, as this table offers them, in words for a player."""

from __future__ import annotations

import pytest

from games.registry import chapter
from submissions.documents.weasyprint_pdf import render_pages
from submissions.layouts import paper_content, paper_pdf
from submissions.layouts.paper_content import GuideMissing
from submissions.layouts.paper_pdf import PaperSheet
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import WITH_GUIDE
from tests.submissions.layouts.papers import DRAFT, FILED, example_paper, squeezed, words


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_guide_has_all_its_parts(number: str) -> None:
    content = paper_content.guide_content(chapter(number), example(number))
    assert content["object"][1]
    assert all(at for _, at in content["steps"])
    assert all(paid.fixed or paid.table for paid in content["wagers"])


def test_guide_is_a_leaf_and_prints_everything_with_its_section() -> None:
    content = paper_content.guide_content(chapter("682a"), example("682a"))
    made = example_paper("guide", "682a", FILED)
    text = squeezed(words(made.content))
    assert made.pages == 2
    for said, at in (content["object"], *content["steps"]):
        assert squeezed(said) in text
        assert all(squeezed(citation) in text for citation in at)
    for paid in (paid for pair in content["pairs"] for side in pair for paid in side):
        assert all(squeezed("".join(row)) in text for row in paid.table.rows)
    for said in ("Chapter 682a", "RS-2026-00001-R1", "November 22, 2026", "Payout limit: $50,000.00"):
        assert squeezed(said) in text


def test_what_the_house_keeps_is_no_part_of_it() -> None:
    text = words(example_paper("guide", "682a", DRAFT).content).lower()
    assert "draft: not approved" in text
    assert "hold" not in text.replace("holds", "")
    assert "%" not in text


def test_step_of_a_wager_not_offered_is_not_told() -> None:
    content = paper_content.guide_content(chapter("682a"), example("682a", prime_wager=False))
    assert not any("Prime Wager." in said for said, _ in content["steps"])
    assert "prime" not in {paid.wager for paid in content["wagers"]}


def test_options_that_matter_to_a_player_are_in_words() -> None:
    said = [words for words, _ in paper_content.guide_content(chapter("687a"), example("687a"))["at_this_table"]]
    shuffled = [words for words in said if "shuffl" in words]
    assert len(shuffled) == 1
    folded = paper_content.guide_content(chapter("687a"), example("687a", folded_hands_qualify=False))["at_this_table"]
    assert ("A hand that was folded cannot win the Progressive Bonus Wager.", "§ 687a.11(b)(3)") in folded


@pytest.mark.parametrize(("number", "boxes"), [("588", "two adjacent boxes"), ("687a", "up to 2 adjacent boxes")])
def test_number_of_adjacent_boxes_is_named_if_the_checklist_asks_it(number: str, boxes: str) -> None:
    answers = example(number, adjacent_boxes_allowed=True, adjacent_boxes=2)
    said = [words for words, _ in paper_content.guide_content(chapter(number), answers)["at_this_table"]]
    assert [words for words in said if "boxes" in words] == [f"A player may wager on {boxes} in one round of play."]


@pytest.mark.parametrize("number", ["655a", "657a"])
def test_chapter_whose_text_is_not_at_hand_has_no_guide(number: str) -> None:
    with pytest.raises(GuideMissing, match=f"The text of Chapter {number} is not available"):
        paper_pdf.guide_pdf(chapter(number), example(number), DRAFT)


@pytest.mark.slow
@pytest.mark.parametrize("number", WITH_GUIDE)
def test_guide_of_every_example_is_a_leaf(number: str) -> None:
    """In the smallest letters; `guide_pdf` takes larger ones only if they fit too (`test_fit_to_page`)."""
    sheet = PaperSheet("guide", chapter(number), example(number), DRAFT)
    content = paper_content.guide_content(chapter(number), example(number))
    assert len(render_pages(sheet.html({**content, "size": paper_pdf.GUIDE_SIZES[-1]})).pages) <= 2


def test_paytable_left_over_stands_under_the_lower_one_of_the_last_pair() -> None:
    pairs = paper_content.guide_content(chapter("635a"), example("635a"))["pairs"]
    assert [[[paid.wager for paid in side] for side in pair] for pair in pairs] == [
        [["spanish_21"], ["match_the_dealer", "insurance"]]
    ]
