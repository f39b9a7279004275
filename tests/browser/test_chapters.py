"""Chapters filed from an empty checklist, an attempt against a minimum refused in plain words, the list of games.

`make soak` fills in three checklists more in the browser; `submissions/web` saves the same forms of every chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.registry import chapter, chapters
from submissions.models import Person, Submission
from tests.browser.desk import NARROW, WIDE, Desk, accessible, accessible_at_both_widths
from tests.browser.filling import answer, fill
from tests.cast import PASSWORD
from tests.games.chapters.examples import example
from tests.soak import SOAK
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FILLED_IN = [("688a", WIDE)] + [("581", NARROW), ("678a", WIDE), ("683a", WIDE)] * bool(SOAK)

MESSAGE = (
    "The payout limit is $49,999.00, but may not be less than $50,000.00: the amount in the regulation, "
    "as one patron cannot win more than that per round at the minimum wager. "
    "Enter $50,000.00 or more, or do not establish a payout limit."
)


@pytest.mark.parametrize(("number", "width"), FILLED_IN)
def test_chapter_is_filed_from_an_empty_checklist(desk: Desk, manager: Person, number: str, width: int) -> None:
    page = start(desk, manager, number, width)
    fill(page, chapter(number))
    file(page, number)


def test_attempt_against_a_minimum_is_refused_with_section_and_remedy(desk: Desk, manager: Person) -> None:
    submission = complete(manager, "683a")
    page = desk.sign_in(manager, at=f"/submissions/{submission.number}/checklist/")
    with page.expect_response(lambda response: response.url.endswith("/checklist/")):
        answer(page, chapter("683a").option("payout_limit"), "$49,999.00")
    finding = page.locator("#findings-payout_limit .finding")
    expect(finding).to_have_text(f"Must be resolved: {MESSAGE} § 683a.12(f)", use_inner_text=True)
    expect(page.locator("#input-payout_limit")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#summary")).to_contain_text("1 to resolve before filing")
    accessible(page)
    page.get_by_role("button", name="Review and file").click()
    expect(page.locator("#errors")).to_contain_text(MESSAGE)
    expect(page.get_by_role("button", name="File", exact=True)).to_be_disabled()
    assert submission.revisions.count() == 0


def test_games_and_incomplete_chapters_read_at_any_width(desk: Desk) -> None:
    page = desk.window(NARROW)
    page.goto("/games/")
    expect(page.locator(".index tbody tr")).to_have_count(len(chapters()))
    accessible_at_both_widths(page)
    page.get_by_role("link", name="Interpretation notes").click()
    expect(page.locator(".index tbody th").first).to_have_text(max(chapters(), key=lambda one: len(one.readings)).title)
    page.get_by_role("link", name="what is missing in chapter 655a").click()
    expect(page.get_by_role("heading", name="The text is incomplete")).to_be_in_viewport()
    accessible(page)


def start(desk: Desk, person: Person, number: str, width: int) -> Page:
    page = desk.sign_in(person, width)
    page.get_by_role("button", name=f"Start {chapter(number).title}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Checklist")
    return page


def file(page: Page, number: str) -> None:
    """From the filled checklist to the receipt, which axe looks at; what was filed is the example."""
    expect(page.locator("#summary")).to_contain_text("Ready to file.")
    page.get_by_role("button", name="Review and file").click()
    expect(page.locator("#errors")).to_have_count(0)
    page.locator("label[for=attested]").click()
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()
    accessible_at_both_widths(page)
    revision = Submission.objects.get().revisions.get()
    assert by_name(revision.content["configurations"][0]["answers"]) == by_name(example(number))


def by_name(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Answers with the names of their files: the example's file is another one."""
    return {key: answer["name"] if isinstance(answer, dict) else answer for key, answer in answers.items()}
