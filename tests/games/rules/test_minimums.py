"""Answers below a minimum of the regulation: the finding has the message, the remedy and the section.

How the checklist shows such a finding: `tests/browser/test_chapters.py`.
"""

from __future__ import annotations

import pytest

from games.registry import chapter
from games.rules.evaluate import judge
from tests.games.chapters.examples import example

# chapter, line, answer, message, remedy, section
ATTEMPTS = (
    (
        "678a", "payout_limit", "49999.00",
        "The payout limit is $49,999.00, but may not be less than $50,000.00: the amount in the regulation, "
        "as one patron cannot win more than that per round at the minimum wager.",
        "Enter $50,000.00 or more, or do not establish a payout limit.",
        "§ 678a.12(e)",
    ),
    (
        "678a", "progressive_reset", "29999.99",
        "The reset amount of the progressive meter is $29,999.99, but must be at least $30,000.",
        "Enter $30,000 or more.",
        "§ 678a.12(d)(3)",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("number", "line", "answer", "message", "fix", "section"), ATTEMPTS)
def test_answer_below_the_minimum_is_found(
    number: str, line: str, answer: str, message: str, fix: str, section: str
) -> None:
    (finding,) = judge(chapter(number), example(number, **{line: answer})).findings
    assert (finding.severity, finding.options[0]) == ("blocking", line)
    assert (finding.message, finding.fix, finding.citation) == (message, fix, section)
