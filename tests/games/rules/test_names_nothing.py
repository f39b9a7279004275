"""Texts that must be given and name nothing: a word in place of an approval, an object or a rule."""

from __future__ import annotations

import pytest

from games.registry import chapter, folders
from games.rules.answers import fault
from tests.games.chapters.examples import example
from tests.games.rules.test_evaluate import judge, rules


@pytest.mark.parametrize("answer", ["-", "...", "?", "None", "N/A", "n. a.", "pending", "T.B.D.", "Yes"])
def test_text_that_names_nothing_is_blocking(answer: str) -> None:
    answers = example("593", dice_shaker_approval=answer)
    (finding,) = judge(chapter("593"), answers).blocking
    assert (finding.rule, finding.citation) == ("593.names-nothing", "§ 593.3(b)")
    assert finding.fix


PHRASES = (  # in place of an approval (§ 461a.4: prior to use)
    "0", "12", "No. ", "A", "ok", "applied for", "Applied for on March 3, 2026", "in process", "No approval",
    "as approved", "awaiting GLI letter", "Awaiting GLI-2026-0042", "see attached", "See attached letter.", "requested",
    "Requested from the Board", "not yet approved", "Approval pending", "GLI letter to follow", "under review",
    "To be approved by the Board in May 2026", "will be submitted on May 4, 2026", "Board approval", "on file",
)  # fmt: skip
APPROVALS = (
    "No. 4", "2021-17", "0042", "GLI-2026-0042", "Letter of March 3, 2026", "Letter of May 4, 2026; none before it",
    "Approval of March 4, 2026, pending changes excepted", "Requested January 5, 2026, approved March 3, 2026",
    "Executive Director, as requested on May 4, 2026", "BMM letter 7", "Will Smith, Director, May 4, 2026",
)  # fmt: skip


def test_approval_that_does_not_exist_is_blocking_in_each_line_for_one(subtests: pytest.Subtests) -> None:
    """With the section and a remedy. Every chapter has such lines; the same text names an approval in all of them."""
    for number in folders():
        for option in chapter(number).options:
            if option.kind == "text" and option.required and "approval" in option.question:
                with subtests.test(number, line=option.key):
                    faults = [fault(chapter(number), option, text) for text in PHRASES]
                    assert [found.rule if found else text for text, found in zip(PHRASES, faults, strict=True)] == [
                        "names-nothing"
                    ] * len(PHRASES)
                    assert all(found and "number or date" in found.fix for found in faults)
                    assert [text for text in APPROVALS if fault(chapter(number), option, text)] == []


@pytest.mark.parametrize(
    ("line", "empty", "answer"),
    [
        ("minimum_bet_agreement", "ok", "The floorperson asks."),
        ("qualifying_high_hand", "see attached", "Any full house"),
        ("blind_bet_amounts", "x", "5"),
    ],
)
def test_rule_that_is_not_stated_is_blocking(line: str, empty: str, answer: str) -> None:
    """A short number may be an amount, and none of these lines is for an approval."""
    of = chapter("637a")
    option = next(option for option in of.options if option.key == line)
    found = fault(of, option, empty)
    assert found
    assert (found.rule, found.fix) == (
        "names-nothing",
        "Write what the line asks for, or leave it empty until it is known.",
    )
    assert fault(of, option, answer) is None


def test_object_is_not_named_by_a_short_number() -> None:
    assert rules(judge(chapter("688a"), example("688a", marker_object="7"))) == [("names-nothing", "blocking")]
