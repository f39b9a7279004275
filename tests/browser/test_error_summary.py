"""By keyboard: the signature is near the top, a refusal has the focus and leads to its fields; files are dropped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from submissions.filings import drafts
from submissions.models import Person
from tests.browser.desk import NARROW, Desk, accessible
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MOST_STOPS = 10


def _tabs_to(page: Page, selector: str) -> int:
    """How often Tab is pressed until the element has the focus."""
    for stops in range(1, 100):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return stops
    raise AssertionError(f"{selector} is not reached")


def test_attestation_is_within_ten_stops_and_all_errors_have_the_focus(desk: Desk, manager: Person) -> None:
    ready = complete(manager)
    page = desk.sign_in(manager, at=f"/submissions/{ready.number}/file/")
    stops = _tabs_to(page, "a[href='#attested']")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#attested$"))
    if not page.evaluate("document.activeElement.id === 'attested'"):
        stops += _tabs_to(page, "#attested")
    assert stops <= MOST_STOPS
    page.get_by_role("button", name="File", exact=True).click()
    summary = page.locator("#error-summary")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("link")).to_have_count(2)
    accessible(page)
    for field in ("confirm", "attested"):
        summary.locator(f"a[href='#{field}']").press("Enter")
        expect(page.locator(f"#{field}")).to_be_focused()
    page.locator("label[for=attested]").click()
    page.locator("#confirm").fill("not the passphrase")
    page.get_by_role("button", name="File", exact=True).click()
    expect(summary).to_be_focused()
    expect(page.locator("#attested")).to_be_checked()
    expect(page.locator("#confirm")).to_have_value("")


def test_title_follows_the_findings(desk: Desk, preparer: Person) -> None:
    submission = drafts.start_submission(preparer, "683a")
    page = desk.sign_in(preparer)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(f"/submissions/{submission.number}/checklist/")
    title = re.compile(rf"Checklist {submission.number}")
    expect(page).to_have_title(title)
    counts = []
    for _ in range(2):
        before = page.title()
        group = page.locator(".line:has(input[type=radio]:not(:disabled))").nth(len(counts))
        group.locator("label.usa-radio__label").first.click()
        expect(page.locator("#saved")).to_contain_text("Saved")
        counts.append((before, page.title()))
    expect(page).to_have_title(title)
    summary = page.locator(".summary, #summary").first.inner_text()
    number = re.search(r"^(\d+) to resolve", page.title())
    assert not number or number[1] in summary
    assert problems == []


def test_file_is_chosen_and_named(desk: Desk, manager: Person, tmp_path: Path) -> None:
    page = desk.sign_in(manager, NARROW, at="/verify/")
    expect(page.locator(".usa-file-input__target")).to_be_visible()
    accessible(page)
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7 nothing")
    page.get_by_label("Signed PDF").set_input_files(tmp_path / "paper.pdf")
    expect(page.locator(".chosen-file")).to_contain_text("paper.pdf")


def test_public_page_of_a_chapter_has_contents_that_stay_in_sight(desk: Desk) -> None:
    page = desk.window()
    page.goto("/games/683a/")
    contents = page.get_by_role("navigation", name="On this page")
    contents.get_by_role("link", name="Text of the chapter", exact=True).click()
    heading = page.locator("#text")
    expect(heading).to_be_in_viewport()
    bar, below = contents.bounding_box(), heading.bounding_box()
    assert bar
    assert below
    assert (round(bar["y"]), below["y"] >= bar["y"] + bar["height"] - 1) == (0, True)
    accessible(page)


def test_paytables_are_side_by_side_on_a_phone(desk: Desk) -> None:
    """The names of the outcomes stay in sight, and at least three paytables beside them."""
    page = desk.window(NARROW)
    page.goto("/games/683a/")
    table = page.locator("table.paytables").first
    heads = table.locator("thead th[scope=colgroup]")
    inside = sum((box := head.bounding_box()) is not None and box["x"] + box["width"] <= NARROW for head in heads.all())
    assert inside >= min(3, heads.count())
    assert table.locator("tbody th").first.evaluate("one => getComputedStyle(one).position") == "sticky"
