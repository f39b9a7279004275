"""Wrong calls: each is refused with a code, words and a remedy, and `tests/recorded/wrong-calls.md` has them all."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
import time_machine

from submissions.core.errors import error_codes
from submissions.models import Organization, Person
from tests.submissions.api.wrong_callers import NOW, Callers, Cast, answer_to
from tests.submissions.api.wrong_calls import PAGE, Answer, calls, page

LEAST = 100
SENTENCES = re.compile(r"[^.?!]\s*$")


@pytest.fixture
def answers(
    casino: Organization, manager: Person, stranger: Person, analyst: Person, jobs_travel: None, settings: Any
) -> list[tuple[str, Answer]]:
    settings.SIMULATION_ROUNDS = 1_000
    with time_machine.travel(NOW, tick=False):
        callers = Callers(Cast(manager, stranger, analyst))
    return [answer_to(callers, call) for _, call in calls()]


def test_wrong_calls_are_answered_as_the_page_says(answers: list[tuple[str, Answer]]) -> None:
    if os.environ.get("PORTAL_WRITES_WRONG_CALLS"):
        PAGE.write_text(page(answers), encoding="utf-8")
    assert len(answers) >= LEAST
    written = [answer for _, answer in answers]
    assert [answer for answer in written if not answer.fix.endswith(".")] == [], "without a remedy"
    assert [answer for answer in written if not answer.words or SENTENCES.search(answer.words)] == []
    assert [
        answer for answer in written if answer.status >= 500 or (answer.status < 400 and answer.status != 200)
    ] == []
    codes = {answer.code.rpartition("`")[2] for answer in written if answer.status != 200}
    assert codes - set(error_codes()) == set()
    assert PAGE.read_text(encoding="utf-8") == page(answers), "python -m tests.submissions.api.wrong_calls writes it"
