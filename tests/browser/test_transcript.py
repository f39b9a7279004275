"""What a screen reader says of a checklist: its accessibility tree. `pytest -rP` on this module prints the tree."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import expect

from games.registry import chapter
from submissions.models import Person
from tests.browser.desk import Desk
from tests.browser.filling import answer
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.browser

GAME = "683a"
QUESTIONS = "lines => lines.map((line) => line.querySelector('legend, label').innerText)"
TOO_LOW = "$49,999.00"
CONTROL = re.compile(r'^ *- \'?(button|checkbox|combobox|group|link|radio|radiogroup|region|textbox)(?: "(.*)")?', re.M)


def test_checklist_makes_sense_without_eyes(desk: Desk, manager: Person) -> None:
    draft = ready_to_file(manager, GAME)
    page = desk.sign_in(manager, at=f"/submissions/{draft.number}/checklist/")
    with page.expect_response(lambda response: response.url.endswith("/checklist/")):
        answer(page, chapter(GAME).option("payout_limit"), TOO_LOW)
    expect(page.locator("#summary")).to_contain_text("1 to resolve before filing")
    tree = page.locator("main").aria_snapshot()
    print(tree)
    controls = CONTROL.findall(tree)
    assert len(controls) > len(chapter(GAME).options)
    assert {kind for kind, name in controls if not name} <= {"group"}  # what folds is named by its summary
    named = {name.replace('\\"', '"') for _, name in controls}
    questions = page.locator(".line:visible").evaluate_all(QUESTIONS)
    assert [one for one in questions if not any(name.startswith(one.strip().split("\n")[0]) for name in named)] == []
    limit = page.locator("#input-payout_limit")
    expect(limit).to_have_accessible_description(re.compile(r"may not be less than \$50,000\.00.*Enter \$50,000\.00"))
    expect(limit).to_have_attribute("aria-invalid", "true")
    headings = [int(level) for level in re.findall(r"^ *- '?heading .*\[level=(\d)\]", tree, re.M)]
    assert headings[0] == 1
    assert all(below <= above + 1 for above, below in itertools.pairwise(headings))
