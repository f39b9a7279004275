"""Text that nothing calls for is listed for a person; customary text is not.

Not found here: text that `probes/texts.toml` does not have; text that this file and the portal both treat as harmless
although it changes a rule.
"""

from __future__ import annotations

import pytest

from games.registry import chapter
from submissions.layouts.inspection.findings import DifferenceKind
from submissions.layouts.inspection.surplus_text import customary_texts, offered_wagers
from tests.submissions.layouts.inspection.test_inspection import changed, inspected, lines, needed, posted
from tests.submissions.layouts.inspection.test_round_trip import LICENSEE
from tests.submissions.layouts.probes.variants import variants

pytestmark = pytest.mark.proof

UNEXPLAINED = DifferenceKind.UNEXPLAINED


def test_customary_text_is_what_the_variants_call_harmless() -> None:
    """Each text of `probes/texts.toml` by itself, except house rules, which the answers decide."""
    wrong = []
    for variant in variants():
        if "house rules" not in variant.kind and variant.changes == (("strip", [[[200, 200, variant.name]]]),):
            of = chapter(variant.chapter)
            answers = posted(variant.chapter)
            wagers = [wager.name for wager in offered_wagers(of, answers)]
            customary = customary_texts(of, needed(variant.chapter, answers), wagers, LICENSEE)
            if (variant.name in customary) == (variant.breaks_rule or variant.needs_review):
                wrong.append((variant.chapter, variant.name))
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    ["H17", "No insurance", "Weekends only", "Lucky Ladies 25x", "Good luck, H17", "Dealer 18", "6 5", "Seat 3 only"],
)
def test_text_that_nothing_calls_for_is_named_with_its_place(text: str) -> None:
    result = inspected("590", [*lines("590"), (1600, 3900, text)])
    assert [difference.kind for difference in result.differences] == [UNEXPLAINED]
    assert result.differences[0].message.startswith(f"“{text}” is printed; the chapter and the answers")
    assert result.differences[0].citation == "§ 590.2"
    assert result.differences[0].place is not None
    assert not result.complete


def test_a_condition_after_a_payout_is_named() -> None:
    row = next(line for line in lines("590") if line[2].startswith("Same suite 22"))
    other = changed(lines("590"), row[2], f"{row[2]} on wagers above $25")
    result = inspected("590", other)
    assert [difference.kind for difference in result.differences] == [UNEXPLAINED]


def test_a_footnote_mark_after_an_inscription_is_named() -> None:
    result = inspected("590", changed(lines("590"), "Blackjack pays 3 to 2.", "Blackjack pays 3 to 2.*"))
    assert [difference.message.partition(" has")[0] for difference in result.differences] == [
        "“Blackjack pays 3 to 2.*”"
    ]


def test_pays_before_a_payout_is_read_as_a_row() -> None:
    row = next(line for line in lines("590") if line[2].startswith("Same suite 22"))
    other = changed(lines("590"), row[2], row[2].replace("22 ", "22 pays "))
    assert inspected("590", other).complete


def test_a_fraction_after_pays_is_odds() -> None:
    assert inspected("590", changed(lines("590"), "Blackjack pays 3 to 2.", "Blackjack pays 3/2")).complete
    result = inspected("590", [*lines("590"), (1600, 3900, "Blackjack pays 6/5")])
    assert [difference.kind for difference in result.differences] == [DifferenceKind.CONTRADICTS]


def test_recognized_signs_of_two_letters_are_not_named() -> None:
    result = inspected("590", [*lines("590"), (1600, 3900, "~ il")], certainty=0.8)
    assert [difference.kind for difference in result.differences if difference.kind is UNEXPLAINED] == []
