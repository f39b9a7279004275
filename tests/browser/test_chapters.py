"""Chapters filed from an empty checklist, attempts against minimums refused in plain words, the list of games.

`make soak` fills in two checklists more in the browser; `submissions/web` saves the same forms of every chapter.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.registry import chapter, chapters
from submissions.models import Person, Submission
from tests.browser.desk import NARROW, WIDE, Desk, accessible
from tests.browser.filling import answer, fill
from tests.cast import PASSWORD
from tests.games.chapters.examples import example
from tests.soak import SOAK
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FILLED_IN = [("581", NARROW)] + [("678a", WIDE), ("683a", WIDE)] * bool(SOAK)

# chapter, line, what is typed, its section, what is said of it, the remedy
ATTEMPTS = (
    (
        "683a", "payout_limit", "$49,999.00", "§ 683a.12(f)",
        "The payout limit is $49,999.00, but may not be less than $50,000.00: the amount in the regulation, "
        "as one patron cannot win more than that per round at the minimum wager.",
        "Enter $50,000.00 or more, or do not establish a payout limit.",
    ),
    (
        "587", "progressive_rate", "13.9", "§ 587.12(e)(3)",
        "The rate of progression of the meter is 13.9 %, but must be at least 14 %.",
        "Enter 14 % or more, or do not offer the Progressive Payout Wager.",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("number", "width"), FILLED_IN)
def test_chapter_is_filed_from_an_empty_checklist(desk: Desk, manager: Person, number: str, width: int) -> None:
    page = start(desk, manager, number, width)
    fill(page, chapter(number))
    file(page, number)


def test_poker_is_filed_mostly_without_script_and_finished_with_it(desk: Desk, manager: Person) -> None:
    """Its 72 lines: what is there at one Save, what follows at the next ones, the last lines one by one."""
    answers = example("637a")
    asked = [option for option in chapter("637a").options if option.key in answers]
    plain = start(desk, manager, "637a", WIDE, java_script_enabled=False)
    open_lines = {option.key: option for option in asked[:-5]}
    while open_lines:
        for key in [key for key in open_lines if plain.locator(f"#line-{key}").is_visible()]:
            answer(plain, open_lines.pop(key), answers[key])
        plain.get_by_role("button", name="Save", exact=True).click()
    page = desk.sign_in(manager)
    page.goto(plain.url)
    for option in asked[-5:]:
        with page.expect_response(lambda response: response.url.endswith("/checklist/")):
            answer(page, option, answers[option.key])
    file(page, "637a")


@pytest.mark.parametrize(("number", "line", "typed", "section", "message", "fix"), ATTEMPTS)
def test_attempt_against_a_minimum_is_refused_with_section_and_remedy(
    desk: Desk, manager: Person, number: str, line: str, typed: str, section: str, message: str, fix: str
) -> None:
    submission = complete(manager, number)
    page = desk.sign_in(manager)
    page.goto(f"/submissions/{submission.number}/checklist/")
    with page.expect_response(lambda response: response.url.endswith("/checklist/")):
        answer(page, chapter(number).option(line), typed)
    finding = page.locator(f"#findings-{line} .finding")
    expect(finding).to_have_text(f"Must be resolved: {message} {fix} {section}", use_inner_text=True)
    expect(page.locator(f"#input-{line}")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#summary")).to_contain_text("1 to resolve before filing")
    accessible(page)
    page.get_by_role("button", name="Review and file").click()
    expect(page.locator("#errors")).to_contain_text(f"{message} {fix}")
    expect(page.get_by_role("button", name="File", exact=True)).to_be_disabled()
    assert submission.revisions.count() == 0


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_games_and_incomplete_chapters_read_at_any_width(desk: Desk, width: int) -> None:
    page = desk.window(width)
    page.goto("/games/")
    expect(page.locator(".index tbody tr")).to_have_count(len(chapters()))
    accessible(page)
    page.get_by_role("link", name="Interpretation notes").click()
    expect(page.locator(".index tbody th").first).to_have_text(max(chapters(), key=lambda one: len(one.readings)).title)
    page.get_by_role("link", name="what is missing in chapter 655a").click()
    expect(page.get_by_role("heading", name="The text is incomplete")).to_be_in_viewport()
    accessible(page)


def start(desk: Desk, person: Person, number: str, width: int, **options: object) -> Page:
    page = desk.sign_in(person, width, **options)
    page.get_by_role("button", name=f"Start {chapter(number).title}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Checklist")
    return page


def file(page: Page, number: str) -> None:
    """From the filled checklist to the receipt, with axe at every step; what was filed is the example."""
    expect(page.locator("#summary")).to_contain_text("Ready to file.")
    accessible(page)
    page.get_by_role("button", name="Review and file").click()
    expect(page.locator("#errors")).to_have_count(0)
    accessible(page)
    page.locator("label[for=attested]").click()
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()
    accessible(page)
    revision = Submission.objects.get().revisions.get()
    assert revision.content["configurations"][0]["answers"] == example(number)
