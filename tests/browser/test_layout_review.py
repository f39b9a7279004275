"""The Board at a layout filing in a browser: elements judged by keyboard, two drawings laid over each other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.models import LayoutFiling, LayoutJudgment, Part, Person
from tests.browser.conftest import NARROW, Desk, accessible
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import element, filed_again, layout_row, report

pytestmark = pytest.mark.browser


@pytest.fixture
def corrected(manager: Person) -> LayoutFiling:
    rules = filing(manager, "682a")
    layout = layout_row(rules, parts=(Part.LAYOUT,))
    found = report(element("ante"), element("rack"), element("seats", "to_be_judged"))
    filed_again(layout, rules, at="2026-11-09T12:00", found=found)
    return layout


def test_elements_are_judged_by_keyboard(desk: Desk, corrected: LayoutFiling, analyst: Person) -> None:
    page = desk.sign_in(analyst, NARROW)
    page.goto(f"/layouts/{corrected.number}/")
    accessible(page)
    line = page.get_by_role("group", name="The seats")
    line.get_by_role("radio", name="Accept", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(line.get_by_role("radio", name="Reject")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("There are seven.")
    page.get_by_role("button", name="Save decisions").focus()
    page.keyboard.press("Enter")
    expect(line).to_contain_text("Not accepted by the Board")
    kept = LayoutJudgment.objects.get()
    assert (kept.element, kept.accepted, kept.reason) == ("seats", False, "There are seven.")
    assert page.get_by_role("button", name="Report to the Executive Director").is_disabled()


def opacity(page: Page) -> str:
    return page.locator(".pair__sheet--later").evaluate("sheet => getComputedStyle(sheet).opacity")


@pytest.mark.parametrize("width", [1280, NARROW])
def test_drawings_are_laid_over_each_other_by_keyboard(
    desk: Desk, corrected: LayoutFiling, analyst: Person, width: int
) -> None:
    page = desk.sign_in(analyst, width)
    page.goto(f"/layouts/{corrected.number}/compare/")
    accessible(page)
    slider = page.get_by_role("slider")
    expect(slider).to_be_hidden()
    page.get_by_role("radio", name="Side by side").focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_be_visible()
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("55 %")
    boxes = [page.locator(".pair__sheet img").nth(place).bounding_box() for place in (0, 1)]
    assert (boxes[0], opacity(page)) == (boxes[1], "0.55")
    accessible(page)
    page.get_by_role("radio", name="Overlay").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pair--apart")).to_be_visible()
    assert opacity(page) == "1"


def test_drawings_stand_side_by_side_without_script(desk: Desk, corrected: LayoutFiling, analyst: Person) -> None:
    page = desk.sign_in(analyst, java_script_enabled=False)
    page.goto(f"/layouts/{corrected.number}/compare/")
    first, second = (page.locator(".pair__sheet img").nth(place).bounding_box() for place in (0, 1))
    assert first["x"] + first["width"] <= second["x"]
    expect(page.get_by_role("slider")).to_be_hidden()
    expect(page.get_by_role("row", name="The rack")).to_contain_text("Not found Found")
