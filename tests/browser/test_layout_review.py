"""The Board at a layout filing in a browser: elements decided by keyboard, drawings compared, its steps signed."""

from __future__ import annotations

from datetime import timedelta
from time import monotonic

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from submissions.models import LayoutFiling, LayoutJudgment, Part, Person
from tests.browser.desk import NARROW, Desk, accessible
from tests.cast import PASSWORD
from tests.submissions.approved import Cast
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import element, filed_again, filed_layout, layout_row, report

pytestmark = pytest.mark.browser
OPEN, REJECTED = 12, (4, 9)  # elements that need a decision, and those of them that are rejected
MOST_KEYS = 3  # for each decision
MOST_SECONDS = 15  # of the portal for all of them: the rest of a minute is the reviewer's


@pytest.fixture
def corrected(manager: Person) -> LayoutFiling:
    rules = filing(manager, "682a")
    layout = layout_row(rules, parts=(Part.LAYOUT,))
    found = report(element("ante"), element("rack"), element("seats", "to_be_judged"))
    filed_again(layout, rules, at="2026-11-09T12:00", found=found)
    return layout


@pytest.fixture
def twelve_open(manager: Person) -> LayoutFiling:
    places = [{"page": 1, "left": 0.07 * number, "top": 0.2, "width": 0.06, "height": 0.1} for number in range(OPEN)]
    found = report(
        element("rack"), *(element(f"area_{at}", "to_be_judged", where=[place]) for at, place in enumerate(places))
    )
    return layout_row(filing(manager, "682a"), parts=(Part.LAYOUT,), found=found)


class Keys:
    """Presses keys and counts them; the text of a reason is not counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1


def accept_button(page: Page, number: int) -> Locator:
    return page.locator(f"#judge-{number}").get_by_role("button", name="Accept")


def test_twelve_elements_are_decided_in_sequence_by_keyboard(
    desk: Desk, twelve_open: LayoutFiling, analyst: Person
) -> None:
    page = desk.sign_in(analyst, at=f"/layouts/{twelve_open.number}/")
    accessible(page)
    keys, first = Keys(page), 2  # the rack is number 1, and was found
    accept_button(page, first).focus()
    scripts = page.evaluate("performance.timeOrigin")
    begin = monotonic()
    for place in range(OPEN):
        expect(accept_button(page, first + place)).to_be_focused()
        before = keys.count
        if place in REJECTED:
            keys.press("Tab")
            page.keyboard.type("It is not there.")
            keys.press("Tab", "Enter")
        else:
            keys.press("Enter")
        assert keys.count - before <= MOST_KEYS
    expect(page.locator("#board-progress")).to_contain_text(f"{OPEN} of {OPEN} decided")
    seconds = monotonic() - begin
    assert seconds < MOST_SECONDS
    assert page.evaluate("performance.timeOrigin") == scripts  # the page was not loaded again
    expect(page.locator("#decide")).to_be_focused()
    expect(page.locator("#element-2")).to_contain_text("Accepted by the Board")
    accessible(page)
    decided = LayoutJudgment.objects.values_list("element", "accepted")
    assert dict(decided) == {f"area_{place}": place not in REJECTED for place in range(OPEN)}
    assert page.get_by_role("button", name="Report to the Executive Director").is_disabled()


def test_part_of_the_drawing_is_beside_the_decision(desk: Desk, twelve_open: LayoutFiling, analyst: Person) -> None:
    for width in (1280, NARROW):
        page = desk.sign_in(analyst, width, at=f"/layouts/{twelve_open.number}/")
        line = page.locator("#judge-5")
        line.scroll_into_view_if_needed()
        part, button = line.get_by_role("img"), accept_button(page, 5)
        expect(part).to_be_visible()
        boxes = [part.bounding_box(), button.bounding_box()]
        top, bottom = min(box["y"] for box in boxes), max(box["y"] + box["height"] for box in boxes)
        assert bottom - top < 900  # both are in the window at once
        if width == 1280:
            assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]


def test_refused_decision_keeps_the_focus_and_the_words(desk: Desk, twelve_open: LayoutFiling, analyst: Person) -> None:
    page = desk.sign_in(analyst, NARROW, at=f"/layouts/{twelve_open.number}/")
    page.locator("#judge-3").get_by_role("button", name="Reject").press("Enter")
    expect(page.locator("#judge-3").get_by_label("Reason")).to_be_focused()
    expect(page.locator("#judge-3")).to_contain_text("reason")
    accessible(page)
    page.keyboard.type("It is not there.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(accept_button(page, 4)).to_be_focused()
    expect(page.locator("#judge-3")).to_contain_text("Not accepted by the Board")


def test_elements_are_decided_without_script(desk: Desk, twelve_open: LayoutFiling, analyst: Person) -> None:
    page = desk.sign_in(analyst, java_script_enabled=False, at=f"/layouts/{twelve_open.number}/")
    accept_button(page, 2).press("Enter")
    page.wait_for_url("**/#judge-3")
    page.locator("#judge-3").get_by_label("Reason").fill("It is not there.")
    page.locator("#judge-3").get_by_role("button", name="Reject").press("Enter")
    page.wait_for_url("**/#judge-4")
    expect(page.locator("#board-progress")).to_contain_text(f"2 of {OPEN} decided")
    assert list(LayoutJudgment.objects.values_list("accepted", flat=True)) == [True, False]


@pytest.fixture
def lacking(manager: Person) -> LayoutFiling:
    """Filed six days ago, without two elements."""
    found = report(element("ante"), element("rack", "missing", times=0), element("seats", "too_few", needed=6))
    day = timezone.localdate() - timedelta(days=6)
    return layout_row(filing(manager, "682a"), at=f"{day}T12:00", parts=(Part.LAYOUT,), found=found)


def sign(page: Page, step: str) -> None:
    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name=step).click()


def test_notice_is_issued_from_the_queue_and_read(
    desk: Desk, lacking: LayoutFiling, analyst: Person, manager: Person
) -> None:
    page = desk.sign_in(analyst)
    accessible(page)
    page.get_by_role("link", name=lacking.number).first.click()
    for number in (2, 3):
        line = page.locator(f"#judge-{number}")
        line.get_by_role("textbox").fill("It is not on the felt.")
        line.get_by_role("button", name="Reject").click()
        expect(line).to_contain_text("Not accepted by the Board")
    sign(page, "Issue deficiency notice")
    expect(page.locator(".heading")).to_contain_text("Deficient")
    accessible(page)
    casino = desk.sign_in(manager, at=f"/layouts/{lacking.number}/")
    expect(casino.locator("main")).to_contain_text("10 days left")
    accessible(casino)


def test_payout_sign_is_reported_and_approved(
    desk: Desk, manager: Person, analyst: Person, director: Person, other_director: Person
) -> None:
    rules = Cast(manager, analyst, director, computes=False).version("682a").submission
    sign_only = filed_layout(manager, rules, parts=[Part.SIGN])
    page = desk.sign_in(analyst, at=f"/layouts/{sign_only.number}/")
    sign(page, "Report to the Executive Director")
    expect(page.locator(".heading")).to_contain_text("Reported")
    head = desk.sign_in(other_director, at=f"/layouts/{sign_only.number}/")
    accessible(head)
    sign(head, "Approve")
    expect(head.locator(".heading")).to_contain_text("Approved")


def opacity(page: Page) -> str:
    return page.locator(".pair__sheet--later").evaluate("sheet => getComputedStyle(sheet).opacity")


def views(page: Page) -> list[str]:
    return [page.locator(f"#{which}-1").get_attribute("viewBox") for which in ("earlier", "later")]


@pytest.fixture
def moved(manager: Person) -> LayoutFiling:
    """The words of the second drawing: one moved, one changed."""
    rules = filing(manager, "682a")
    before = words(("Ante", 0.1, 0.1), ("Pays 3 to 2", 0.5, 0.5))
    after = words(("Ante", 0.8, 0.1), ("Pays 6 to 5", 0.5, 0.5))
    layout = layout_row(rules, parts=(Part.LAYOUT,), found=report(element("ante")) | before)
    filed_again(layout, rules, at="2026-11-09T12:00", found=report(element("ante")) | after)
    return layout


def words(*lines: tuple[str, float, float]) -> dict[str, object]:
    rows = [
        {"text": text, "page": 1, "line": line, "left": left, "top": top, "width": 0.1, "height": 0.05, "read": "text",
         "confidence": 1.0}
        for line, (text, left, top) in enumerate(lines)
    ]  # fmt: skip
    return {"words": rows}


@pytest.mark.parametrize("width", [1280, NARROW])
def test_change_moves_both_drawings_by_keyboard(desk: Desk, moved: LayoutFiling, analyst: Person, width: int) -> None:
    page = desk.sign_in(analyst, width, at=f"/layouts/{moved.number}/compare/")
    accessible(page)
    assert views(page) == ["0 0 300 200"] * 2
    first, second = (page.locator(".pair__sheet svg").nth(place).bounding_box() for place in (0, 1))
    beside = first["x"] + first["width"] <= second["x"]
    under = first["y"] + first["height"] <= second["y"]
    assert (beside, under) == (width == 1280, width == NARROW)
    change = page.get_by_role("link", name="1. Ante")
    change.press("Enter")
    expect(page.locator("#shown-change")).to_have_text("Both drawings show change 1.")
    expect(change).to_be_focused()
    earlier, later = views(page)
    assert earlier != later  # it moved
    assert page.locator("#earlier-1 .crop__frame").count() == page.locator("#later-1 .crop__frame").count() == 1
    for which in ("earlier", "later"):
        expect(page.locator(f"#{which}-1")).to_be_in_viewport(ratio=0.9)
    accessible(page)
    expect(page.locator(".change-list")).to_contain_text("Moved")
    expect(page.locator(".change-list")).to_contain_text("before: “Pays 3 to 2”")
    page.get_by_role("link", name="Show the whole drawings").press("Enter")
    assert views(page) == ["0 0 300 200"] * 2


def test_change_moves_both_drawings_without_script(desk: Desk, moved: LayoutFiling, analyst: Person) -> None:
    page = desk.sign_in(analyst, java_script_enabled=False, at=f"/layouts/{moved.number}/compare/")
    page.get_by_role("link", name="2. Pays 6 to 5").press("Enter")
    expect(page.locator("#shown-change")).to_have_text("Both drawings show change 2.")
    assert views(page)[0] == views(page)[1] != "0 0 300 200"
    expect(page.get_by_role("link", name="2. Pays 6 to 5")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("width", [1280, NARROW])
def test_drawings_are_laid_over_each_other_by_keyboard(
    desk: Desk, corrected: LayoutFiling, analyst: Person, width: int
) -> None:
    page = desk.sign_in(analyst, width, at=f"/layouts/{corrected.number}/compare/")
    accessible(page)
    slider = page.get_by_role("slider")
    expect(slider).to_be_hidden()
    page.get_by_role("radio", name="Side by side").focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_be_visible()
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("55 %")
    boxes = [page.locator(".pair__sheet svg").nth(place).bounding_box() for place in (0, 1)]
    assert (boxes[0], opacity(page)) == (boxes[1], "0.55")
    accessible(page)
    page.get_by_role("radio", name="Overlay").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pair--apart")).to_be_visible()
    assert opacity(page) == "1"


def test_drawings_stand_side_by_side_without_script(desk: Desk, corrected: LayoutFiling, analyst: Person) -> None:
    page = desk.sign_in(analyst, java_script_enabled=False, at=f"/layouts/{corrected.number}/compare/")
    first, second = (page.locator(".pair__sheet svg").nth(place).bounding_box() for place in (0, 1))
    assert first["x"] + first["width"] <= second["x"]
    expect(page.get_by_role("slider")).to_be_hidden()
    expect(page.get_by_role("row", name="The rack")).to_contain_text("Not found Found")
