"""Findings on missing text: the answers that use it, and the rulemaking that ends it."""

from __future__ import annotations

from datetime import date

import pytest

from games.registry import chapter, chapters
from games.rules.changes import RuleChange, read_change
from games.rules.missing_text import on_missing_text
from games.rules.model import Chapter
from tests.games.chapters.examples import example

BEFORE, FIRST = date(2026, 12, 31), date(2027, 1, 1)
PLAIN_POKER = {
    "omaha": False, "five_card_draw": False, "five_card_stud": False, "bad_beat_payout": False,
    "high_hand_jackpot": False,
}  # fmt: skip
PLAIN_STUD = {"progressive_bonus_wager": False, "trips_bonus_wager": False, "bad_beat_wager": False}
SECTION = '[[section]]\ncitation = "{citation}"\ntext = "{text}"\n'


def cited(one: Chapter, **changes: object) -> list[str]:
    """The first section of each use that the example with these changes makes of missing text."""
    findings = list(on_missing_text(one, example(one.number, **changes)))
    assert {(finding.rule, finding.severity) for finding in findings} <= {(f"{one.number}.text-missing", "blocking")}
    return [finding.citation.removeprefix(f"§ {one.number}") for finding in findings]


def change(number: str, tables: str) -> RuleChange:
    head = f'number = "{number}"\neffective = {FIRST}\ntitle = "Text"\nsource = "A rulemaking"\n'
    return read_change(head + tables, "change.toml")


def entered(citation: str, text: str) -> str:
    return SECTION.format(citation=citation, text=text)


def test_examples_that_rest_on_missing_text_are_those_of_five_chapters() -> None:
    assert {one.number: found for one in chapters() if (found := cited(one))} == {
        "637a": [".12", ".15", ".16"], "655a": [".1"], "657a": [".1"], "677a": [".12(c)"], "687a": [".12(c)"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("number", "plain", "use", "section"),
    [
        ("637a", PLAIN_POKER, {"omaha": True}, ".12"),
        ("637a", PLAIN_POKER, {"five_card_draw": True}, ".13"),
        ("637a", PLAIN_POKER, {"five_card_stud": True}, ".14"),
        ("637a", PLAIN_POKER, {"bad_beat_payout": True}, ".15"),
        ("637a", PLAIN_POKER, {"high_hand_jackpot": True}, ".16"),
        ("687a", PLAIN_STUD, {"progressive_bonus_wager": True}, ".12(c)"),
        ("687a", PLAIN_STUD, {"trips_bonus_wager": True, "trips_paytable": "DJWT-07"}, ".12(d)"),
    ],
)
def test_each_use_is_found_and_nothing_without_it(
    number: str, plain: dict[str, object], use: dict[str, object], section: str
) -> None:
    one = chapter(number)
    assert cited(one, **plain) == []
    assert cited(one, **plain | use) == [section]


def test_what_the_text_has_can_be_filed() -> None:
    poker, stud = chapter("637a"), chapter("687a")
    assert cited(poker, **PLAIN_POKER, discloses_discarded_hands=True, rake_kind="percentage") == []
    for name in ("DJWT-04", "DJWT-05", "DJWT-06"):
        assert cited(stud, **PLAIN_STUD | {"trips_bonus_wager": True, "trips_paytable": name}) == []
    for name in ("DJWBB-03", "DJWBB-04"):
        assert cited(stud, **PLAIN_STUD | {"bad_beat_wager": True, "bad_beat_paytable": name}) == []


def test_answer_to_a_line_that_is_not_asked_uses_nothing() -> None:
    assert cited(chapter("687a"), **PLAIN_STUD, trips_paytable="DJWT-07") == []


def test_every_hold_em_filing_rests_on_the_bad_beat_paytable() -> None:
    """§ 677a.11(h)(2)(iii)(B) pays a losing Odds Wager by it, and § 677a.7(d)(1) requires that wager."""
    one = chapter("677a")
    assert cited(one, pocket_bonus_wager=False) == [".12(c)"]
    assert cited(one, pocket_bonus_wager=True) == [".12(c)", ".12(d)"]


def test_use_is_said_with_its_section_and_remedy() -> None:
    (finding,) = on_missing_text(chapter("637a"), example("637a", **PLAIN_POKER | {"omaha": True}))
    assert finding.message == "Omaha Poker cannot be filed. The available text lacks its procedures (§ 637a.12)."
    assert finding.fix == "Choose otherwise, or wait until the Board enters the text."
    assert finding.options == ("omaha",)
    (whole,) = on_missing_text(chapter("657a"), example("657a"))
    assert whole.message.startswith(
        "Crazy 4 Poker cannot be filed. The available text lacks all of the chapter (§§ 657a.1"
    )
    assert whole.fix == "Wait until the Board enters the text."


@pytest.mark.parametrize(
    ("number", "section", "text", "left"),
    [
        ("637a", ".15", "## § 637a.15. Bad Beat payout.\\n\\n- (a) The words of the rulemaking.", [".12", ".16"]),
        ("677a", ".12(c)", "- (c) The words of the rulemaking.", []),
        ("687a", ".12(c)", "- (c) The words of the rulemaking.", []),
    ],
)
def test_rulemaking_that_enters_the_text_ends_it_on_its_day(
    number: str, section: str, text: str, left: list[str]
) -> None:
    changes = (change(number, entered(section, text)),)
    before, first = (chapter(number, day, changes) for day in (BEFORE, FIRST))
    assert cited(before) == cited(chapter(number))
    assert cited(first) == left
    assert before.digest == first.digest


def test_rulemaking_that_leaves_a_gap_in_the_section_ends_nothing() -> None:
    one = chapter("687a", FIRST, (change("687a", entered(".12(c)", "- (c) New words.\\n\\n[Not printed: the rate.]")),))
    assert cited(one) == [".12(c)"]
    assert cited(chapter("687a", FIRST, (change("687a", entered(".12(b)", "- (b) New words.")),))) == [".12(c)"]


@pytest.mark.parametrize("number", ["637a", "655a", "657a", "677a", "687a"])
def test_rulemaking_that_completes_the_chapter_ends_all(number: str) -> None:
    completed = change(number, '[chapter]\ncomplete = true\nmissing = ""\n')
    assert cited(chapter(number, BEFORE, (completed,))) != []
    assert cited(chapter(number, FIRST, (completed,))) == []
