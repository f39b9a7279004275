"""What no answer can mend: odds that no text at hand prints, and chapters that are not final."""

from __future__ import annotations

import dataclasses

import pytest

from games.registry import chapter, chapters
from games.rules.evaluate import judge
from games.rules.findings import is_on_sources
from games.rules.model import Answer, Finding, Status
from tests.games.chapters.examples import example

POCKET_BONUS = {
    "pocket_bonus_wager": True, "pocket_bonus_paytable": "Not in the source text: Paytable A",
    "pocket_bonus_minimum": "5.00",
}  # fmt: skip


def on_sources(number: str, **changes: Answer) -> list[Finding]:
    return [
        finding for finding in judge(chapter(number), example(number, **changes)).findings if is_on_sources(finding)
    ]


def named(number: str, **changes: Answer) -> list[tuple[str, str]]:
    """(rule, citation) of each, the rule without its chapter."""
    found = on_sources(number, **changes)
    assert {finding.severity for finding in found} <= {"warning"}
    return [(finding.rule.removeprefix(f"{number}."), finding.citation) for finding in found]


def test_odds_that_no_text_at_hand_prints_are_found_wherever_they_are_in_use() -> None:
    assert named("677a") == [("odds-not-in-source-text", "§ 677a.12(c)")]
    assert named("677a", **POCKET_BONUS)[-1] == ("odds-not-in-source-text", "§ 677a.12(d)")
    assert ("odds-not-in-source-text", "§ 655a.12(d)") in named("655a", three_card_wager=True)
    assert named("657a")[0][0] == "odds-not-in-source-text"
    assert named("637a") == [("odds-not-in-source-text", "§ 637a.12")]
    assert named("637a", omaha=False) == []


def test_what_stands_in_for_lost_odds_is_named() -> None:
    bad_beat, pocket = on_sources("677a", **POCKET_BONUS)
    assert bad_beat.message == (
        "The odds of the Bad Beat Bonus are not in the available text: “Not in the source text: Paytable in general "
        f"use” replaces § 677a.12(c). Not available: {chapter('677a').missing}"
    )
    assert pocket.message == (
        "The odds of the Pocket Bonus Wager are not in the available text: “Not in the source text: Paytable A” "
        "replaces § 677a.12(d)."
    )
    assert pocket.options == ("pocket_bonus_wager", "pocket_bonus_paytable")


def test_required_game_that_no_text_at_hand_has_is_named_as_a_whole() -> None:
    (finding,) = on_sources("657a")
    assert "Not available: All of the chapter's text." in finding.message


@pytest.mark.parametrize("number", ["682a", "683a", "678a", "635a"])
def test_final_chapter_whose_odds_are_printed_has_no_such_finding(number: str) -> None:
    assert named(number) == []


def test_chapters_that_are_not_final_say_so() -> None:
    found = {
        one.number
        for one in chapters()
        if f"{one.number}.chapter-not-final" in {finding.rule for finding in on_sources(one.number)}
    }
    assert found == {
        "581", "583", "585", "587", "588", "589", "590", "591", "592", "593", "686a", "687a", "688a",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("proposed", "is available as a proposed rulemaking only"),
        ("temporary", "is a temporary regulation; whether it is still in effect is not known from the available text"),
        ("lapsed", "was in effect for a time that is over"),
    ],
)
def test_status_is_said_in_words(status: Status, says: str) -> None:
    one = dataclasses.replace(chapter("683a"), status=status, source="The source")
    (finding,) = (each for each in judge(one, example("683a")).findings if is_on_sources(each))
    assert finding.message == f"Chapter 683a {says} (The source)."
    assert (finding.citation, finding.options) == ("§ 683a.1", ())
