"""Judging answers: the findings that every chapter shares, what is asked and offered, and failing closed."""

import dataclasses
import json
import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.registry import chapter, chapters, folders
from games.rules import evaluate
from games.rules.evaluate import effective
from games.rules.findings import is_on_sources
from games.rules.loader import load
from games.rules.model import Answer, Answers, Chapter, Condition, Judgment, Limits, Option, Requirement, Test
from tests.games.chapters.examples import example
from tests.timing import is_quicker


def judge(chapter: Chapter, answers: Answers) -> Judgment:
    """The verdict on the answers, without what no answer can mend: `test_sources` is on that."""
    judged = evaluate.judge(chapter, answers)
    findings = tuple(finding for finding in judged.findings if not is_on_sources(finding))
    return dataclasses.replace(judged, findings=findings)


def rules(judgment: Judgment) -> list[tuple[str, str]]:
    """(rule, severity) of every finding, the rule without its chapter."""
    return [(finding.rule.split(".", 1)[1], finding.severity) for finding in judgment.findings]


def test_unknown_option_is_blocking_and_named() -> None:
    judgment = judge(chapter("686a"), example("686a", bonus_wagr=True))
    assert rules(judgment) == [("unknown-option", "blocking")]
    assert "“bonus_wagr”" in judgment.findings[0].message


def test_unanswered_line_is_named_in_plain_words() -> None:
    (finding,) = judge(chapter("686a"), example("686a", bonus_wager=None)).findings
    assert (finding.rule, finding.options) == ("686a.not-answered", ("bonus_wager",))
    assert finding.message == "“Do you offer players the optional wager of Bonus Wager?” is not answered."
    assert finding.citation == "§ 686a.6(e)"


def test_blank_text_is_no_answer() -> None:
    assert rules(judge(chapter("688a"), example("688a", marker_object="  \n"))) == [("not-answered", "blocking")]


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("ace_high_wager", "yes"),
        ("ace_high_wager", 1),
        ("ace_high_paytable", 1),
        ("house_way", ["traditional"]),
        ("marker_object", {"name": "puck"}),
        ("house_rules", "house-rules.pdf"),
        ("house_rules", {"sha256": "00", "name": "a.pdf", "size": 1}),
        ("house_rules", {"sha256": "0" * 64, "name": "../a.pdf", "size": 1}),
        ("house_rules", {"sha256": "0" * 64, "name": "a\u202efdp.exe", "size": 1}),
        ("house_rules", {"sha256": "0" * 64, "name": "a.pdf", "size": 0}),
        ("house_rules", {"sha256": "0" * 64, "name": "a.pdf", "size": True}),
        ("house_rules", {"sha256": "0" * 64, "name": "a.pdf", "size": 1, "path": "/etc"}),
    ],
)
def test_answer_of_the_wrong_kind_is_blocking(key: str, answer: Any) -> None:
    judgment = judge(chapter("688a"), example("688a", **{key: answer}))
    assert ("wrong-type", "blocking") in rules(judgment)
    assert judgment.of(key)


@pytest.mark.parametrize("answer", [True, "3", 3.0, math.nan])
def test_count_is_a_whole_number_and_nothing_like_one(answer: Any) -> None:
    assert rules(judge(chapter("686a"), example("686a", adjacent_boxes=answer))) == [("wrong-type", "blocking")]


@pytest.mark.parametrize("answer", [0, -1, 7, 10**30])
def test_count_outside_its_limits_is_blocking(answer: int) -> None:
    assert rules(judge(chapter("686a"), example("686a", adjacent_boxes=answer))) == [("outside-limits", "blocking")]


@pytest.mark.parametrize(
    ("answer", "sign"),
    [
        ("a\x00b", "U+0000 at place 2"),
        ("\x1b[31mred", "U+001B at place 1"),
        ("a\u202eb", "U+202E at place 2"),
        ("ab\u200b", "U+200B at place 3"),
        ("\ud800", "U+D800 at place 1"),
        ("\x7f", "U+007F at place 1"),
    ],
)
def test_text_with_a_hidden_character_is_blocking(answer: str, sign: str) -> None:
    judgment = judge(chapter("688a"), example("688a", marker_object=answer))
    assert rules(judgment) == [("control-characters", "blocking")]
    assert sign in judgment.findings[0].message
    assert answer not in judgment.findings[0].message


def test_text_may_have_lines_and_letters_of_any_language() -> None:
    assert judge(chapter("688a"), example("688a", marker_object="Palet blanc,\n« acrylique » – 象牙")).findings == ()


def test_text_too_long_is_blocking() -> None:
    assert rules(judge(chapter("688a"), example("688a", marker_object="a" * 121))) == [("too-long", "blocking")]


def test_text_that_need_not_be_given_may_say_that_there_is_none() -> None:
    assert judge(chapter("637a"), example("637a", raise_restrictions="None")).blocking == ()


def test_number_below_the_least_says_what_is_allowed() -> None:
    (finding,) = judge(chapter("581"), example("581", adjacent_boxes=0)).blocking
    assert finding.message == (
        "Number of adjacent boxes is 0; 1 to 6 is allowed, as the table has six betting positions (§ 581.2(a))."
    )


@pytest.mark.parametrize("answer", ["all", "12-", "14-12", "1.5", "-3", "", " , ", "1234567"])
def test_tables_that_cannot_be_read_are_blocking(answer: str) -> None:
    judgment = judge(chapter("687a"), example("687a", from_hand_tables=answer))
    assert rules(judgment) == [("not-tables" if answer else "not-answered", "blocking")]


@pytest.mark.parametrize("answer", ["12;13", "12\n13", "12,,13", "bj-4, 12", "7 – 9"])
def test_tables_are_written_in_answers_as_in_groups(answer: str) -> None:
    assert judge(chapter("687a"), example("687a", from_hand_tables=answer)).findings == ()


@pytest.mark.parametrize(
    ("number", "key", "answer"),
    [("687a", "trips_paytable", "DJWT-08"), ("687a", "progressive_bet", "2"), ("688a", "house_way", "Traditional")],
)
def test_answer_that_is_not_offered_names_what_is(number: str, key: str, answer: str) -> None:
    judgment = judge(chapter(number), example(number, **{key: answer}))
    assert rules(judgment) == [("not-a-choice", "blocking")]
    assert judgment.findings[0].fix.startswith("Choose one of: ")


def test_lost_paytable_cannot_be_chosen() -> None:
    (finding,) = judge(chapter("687a"), example("687a", bad_beat_paytable="DJWBB-01")).findings
    assert (
        finding.message == "“DJWBB-01” is not a paytable printed for the Two-Way Bad Beat Bonus Wager (§ 687a.12(e))."
    )


def test_answer_that_another_rules_out_is_a_contradiction() -> None:
    judgment = judge(chapter("686a"), example("686a", adjacent_boxes_allowed=False))
    (finding,) = judgment.blocking
    assert (finding.rule, finding.citation) == ("686a.contradiction", "§ 686a.6(f)")
    assert "adjacent_boxes" not in judgment.asked_keys
    assert finding.message.endswith(
        "although “Do you allow players to wager on more than one adjacent box?” is answered No."
    )


@pytest.mark.parametrize(
    ("number", "changes", "kept"),
    [
        ("683a", {"payout_limit_established": False, "payout_limit": None, "limit_posted": None}, "minimum_wager"),
        ("683a", {"automated_shoe": False, "automated_shoe_tables": None}, "from_hand_tables"),
        ("686a", {"automated_shuffler_tables": "1-8"}, "automated_shuffler_tables"),
        ("686a", {"adjacent_boxes_allowed": False, "adjacent_boxes": 1}, "adjacent_boxes"),
        ("637a", {"omaha_eight_or_better": False, "kill": "none", "qualifying_pot": None}, "kill"),
        ("688a", {"marker_is_cover_card": True}, "marker_approval"),
    ],
)
def test_answer_that_agrees_with_what_rules_its_line_out_is_kept_with_a_note(
    number: str, changes: dict[str, Answer], kept: str
) -> None:
    judgment = judge(chapter(number), example(number, **changes))
    assert judgment.blocking == ()
    (note,) = [finding for finding in judgment.findings if kept in finding.options]
    assert (note.rule, note.severity) == (f"{number}.not-asked", "note")


def test_contradiction_does_not_name_a_line_that_the_answer_agrees_with() -> None:
    changes = {"trips_plus_wager": False, "trips_plus_paytable": None, "payout_limit_established": False}
    found = judge(chapter("677a"), example("677a", **changes, payout_limit=None, minimum_wager=None)).blocking
    assert [finding.options for finding in found] == [("trips_plus_minimum", "trips_plus_wager")]


def test_no_to_a_line_not_asked_is_kept_with_a_note() -> None:
    answers = example("687a", from_hand=False, from_hand_tables=None, manual_shoe=True, shuffler_counts_cards=False)
    answers |= {"automated_shuffler": False, "two_decks": None, "inserts_into_shoe": None}
    notes = [
        finding for finding in judge(chapter("687a"), answers).findings if "shuffler_counts_cards" in finding.options
    ]
    assert [(note.rule, note.severity) for note in notes] == [("687a.not-asked", "note")]
    assert "the answer is kept for when the line is asked again, and not filed" in notes[0].fix


def test_contradiction_names_the_nearest_answer_that_rules_the_line_out() -> None:
    answers = example("687a", from_hand=False, automated_shoe_tables=None)
    (finding,) = judge(chapter("687a"), answers).findings
    assert "although “Are cards dealt from the dealer's hand" in finding.message


def test_contradiction_quotes_a_text() -> None:
    answers = example("678a", reshuffling_device=False, reshuffling_device_approval="Letter of March 3, 2026")
    (finding,) = judge(chapter("678a"), answers).blocking
    assert "is answered “Letter of March 3, 2026”, although" in finding.message


def test_note_names_the_unanswered_line_above() -> None:
    notes = judge(chapter("686a"), example("686a", adjacent_boxes_allowed=None)).findings
    messages = [finding.message for finding in notes if finding.severity == "note"]
    above = "“Do you allow players to wager on more than one adjacent box?”"
    assert [message.partition("not asked while ")[2] for message in messages] == [f"{above} is not answered."]


def line(key: str, above: str = "") -> Option:
    """A yes/no line, asked where the one above is answered Yes."""
    asked_if = Condition((((above, Test(values=(True,))),),)) if above else Condition()
    return Option(key, "§ 686a.6", f"{key}?", "yes_no", "Wagers", "form", asked_if=asked_if)


def test_each_line_of_a_chain_names_the_answer_that_rules_it_out() -> None:
    lines = (line("first"), line("second", "first"), line("third", "second"))
    one = dataclasses.replace(chapter("686a"), options=lines, requirements=(), layout=(), wagers=())
    judgment = judge(one, {"first": False, "second": True, "third": True})
    assert judgment.asked_keys == ("first",)
    assert [finding.message for finding in judgment.findings] == [
        "“second?” is answered Yes, although “first?” is answered No.",
        "“third?” is answered Yes, although “first?” is answered No.",
    ]
    (note,) = judge(one, {"third": True}).findings[1:]
    assert note.message == "“third?” is answered, but not asked while “second?” is not answered."


def test_counting_device_without_shuffler_is_a_contradiction() -> None:
    answers = example("687a", automated_shuffler=False, from_hand=False, automated_shoe=True)
    found = {finding.options[0]: finding for finding in judge(chapter("687a"), answers).blocking}
    finding = found["shuffler_counts_cards"]
    assert (finding.rule, finding.citation) == ("687a.contradiction", "§ 687a.5(b)")
    assert {finding.rule for finding in found.values()} == {"687a.contradiction"}
    assert judge(chapter("687a"), effective(chapter("687a"), answers)).blocking == ()


def test_paytable_for_a_wager_not_offered_is_blocking() -> None:
    (finding,) = judge(chapter("687a"), example("687a", trips_bonus_wager=False)).findings
    assert (finding.rule, finding.severity) == ("687a.paytable-without-wager", "blocking")
    assert finding.options == ("trips_paytable", "trips_bonus_wager")
    assert finding.message == "The paytable “DJWT-05” is chosen for the Trips Bonus Wager, which is not offered."
    assert finding.citation == "§ 687a.7(d)(3)"


def test_wager_offered_without_a_paytable_is_blocking() -> None:
    judgment = judge(chapter("687a"), example("687a", trips_paytable=None))
    assert [finding.options for finding in judgment.blocking] == [("trips_paytable",)]


def test_effective_answers_leave_out_what_is_not_asked() -> None:
    answers = example("687a", trips_bonus_wager=False)
    kept = effective(chapter("687a"), answers)
    assert set(answers) - set(kept) == {"trips_paytable"}
    assert judge(chapter("687a"), kept).findings == ()


def test_line_depends_only_on_answers_that_are_asked() -> None:
    answers = example("687a", automated_shuffler=False, from_hand=False, from_hand_tables=None)
    asked = judge(chapter("687a"), answers).asked_keys
    assert not {"two_decks", "shuffler_counts_cards", "from_hand_tables"} & set(asked)


def test_wrong_answer_asks_nothing_further() -> None:
    judgment = judge(chapter("687a"), example("687a", trips_bonus_wager="true"))
    assert "trips_paytable" not in judgment.asked_keys
    assert "trips" not in judgment.offered


def test_offered_wagers_come_with_their_paytables() -> None:
    judgment = judge(chapter("687a"), example("687a", bad_beat_wager=False, bad_beat_paytable=None))
    assert judgment.offered == ("ante", "progressive", "trips")
    assert judgment.paytables == {
        "blind": "Paytable",
        "progressive": "Progressive Paytable 2",
        "trips": "DJWT-05",
    }


def test_layout_follows_the_choices() -> None:
    keys = {element.key for element in judge(chapter("687a"), example("687a", odds_posted="layout")).layout}
    without = example("687a", progressive_bonus_wager=False, odds_posted="sign")
    fewer = {element.key for element in judge(chapter("687a"), effective(chapter("687a"), without)).layout}
    assert keys - fewer == {
        "odds_on_layout",
        "progressive_area",
        "replacement_card_area",
        "progressive_sensor",
        "progressive_keypad",
        "progressive_meter",
    }
    assert fewer - keys == {"odds_sign"}


def test_readings_are_those_that_touch_the_answers() -> None:
    with_04 = judge(chapter("687a"), example("687a", bad_beat_paytable="DJWBB-04"))
    without = judge(chapter("687a"), example("687a"))
    assert {one.id for one in with_04.readings} - {one.id for one in without.readings} == {"687a.djwbb-04-or-less"}


def test_gravest_findings_come_first() -> None:
    answers = example("581", reshuffling_device=False, odds_posted="screen", adjacent_boxes=9)
    severities = [finding.severity for finding in judge(chapter("581"), answers).findings]
    assert severities == ["blocking", "blocking", "blocking", "warning"]


def test_requirement_that_crashes_is_blocking() -> None:
    broken = Requirement("686a.broken", "§ 686a.2", "m", "f", ("bonus_wager",), check="no_such_check")
    judgment = judge(dataclasses.replace(chapter("686a"), requirements=(broken,)), example("686a"))
    assert rules(judgment) == [("check-failed", "blocking")]
    assert "686a.broken" in judgment.findings[0].message


def test_message_that_cannot_be_filled_is_blocking() -> None:
    broken = dataclasses.replace(chapter("686a").requirements[0], message="{no_such_option}")
    answers = example("686a", discard_rack_equal=False)
    judgment = judge(dataclasses.replace(chapter("686a"), requirements=(broken,)), answers)
    assert rules(judgment) == [("check-failed", "blocking")]


@pytest.mark.parametrize(
    ("kind", "answer", "rule"),
    [
        ("money", "50000.00", ""),
        ("money", "50000.001", "wrong-type"),
        ("money", "1e3", "wrong-type"),
        ("money", "٣", "wrong-type"),
        ("money", "999", "outside-limits"),
        ("percent", "2.5", "outside-limits"),
        ("percent", "-1", "wrong-type"),
    ],
)
def test_money_and_percent_are_decimals_within_limits(kind: Any, answer: str, rule: str) -> None:
    limit = Option("limit", "§ 686a.6", "Which?", kind, "Wagers", "explicit", limits=Limits(at_least=Decimal(1000)))
    one = dataclasses.replace(chapter("686a"), options=(limit,), requirements=(), layout=(), wagers=())
    assert [found for found, _ in rules(judge(one, {"limit": answer}))] == ([rule] if rule else [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.deferred(lambda: st.sampled_from([option.key for one in chapters() for option in one.options]))


@pytest.mark.proof
@pytest.mark.parametrize("number", folders())
@given(answers=st.dictionaries(KEYS | st.text(max_size=8), JSON, max_size=12))
@settings(max_examples=300, derandomize=True, deadline=None, database=None)
def test_any_answers_are_judged_and_their_effective_part_asks_the_same(number: str, answers: dict[str, Any]) -> None:
    one = chapter(number)
    judgment = judge(one, answers)
    kept = effective(one, answers)
    again = judge(one, kept)
    assert again.asked_keys == judgment.asked_keys
    assert not [finding for finding in again.findings if finding.rule.endswith((".not-asked", ".unknown-option"))]
    json.dumps([finding.message for finding in judgment.findings])


def test_all_chapters_load_in_half_a_second() -> None:
    assert len(folders()) == 21
    assert is_quicker(lambda: [load(folder) for folder in folders().values()], 0.5)


@pytest.mark.parametrize("number", folders())
def test_judging_takes_less_than_20_milliseconds(number: str) -> None:
    one, answers = chapter(number), example(number)
    assert is_quicker(lambda: judge(one, answers), 0.020)
