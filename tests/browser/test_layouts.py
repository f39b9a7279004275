"""A layout filing in a browser: the drawing inspected, elements marked by keyboard, mouse and fields, filed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.layouts import layout_filings, uploaded_drawings
from submissions.layouts.reference_drawing.drawing_sheet import layout_svg
from submissions.models import Job, LayoutFiling, LayoutMark, LayoutRevision, Person, Submission
from tests.browser.desk import NARROW, Desk, accessible, work_apart
from tests.cast import PASSWORD
from tests.submissions.layout_rows import drawn_layout, filed_rules

pytestmark = pytest.mark.browser
REMOVED = ("Ante", "Raise")  # one drawing for all tests: a process reads it once


@pytest.fixture
def rules(manager: Person) -> Submission:
    return filed_rules(manager)


def reference(filing: LayoutFiling) -> bytes:
    """The portal's own drawing, without two labels."""
    chapter, answers, _, _ = uploaded_drawings.subject_of(filing)
    svg = layout_svg(chapter, answers, licensee=filing.organization.name)
    for label in REMOVED:
        assert f">{label}</text>" in svg
        svg = svg.replace(f">{label}</text>", "></text>")
    return svg.encode()


def drag(page: Page, left: float, top: float, width: float, height: float) -> None:
    """Draw an area with the mouse; shares of the drawing."""
    board = page.locator(".marking").bounding_box()

    def move(across: float, down: float) -> None:
        page.mouse.move(board["x"] + across * board["width"], board["y"] + down * board["height"], steps=3)

    move(left, top)
    page.mouse.down()
    move(left + width, top + height)
    page.mouse.up()


def swipe(page: Page, left: float, top: float, width: float, height: float) -> None:
    """The same with a finger."""
    page.locator(".marking").scroll_into_view_if_needed()
    board, session = page.locator(".marking").bounding_box(), page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": board["x"] + x * board["width"], "y": board["y"] + y * board["height"]} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (left, top))
    touch("touchMove", (left + width / 2, top + height / 2))
    touch("touchMove", (left + width, top + height))
    touch("touchEnd")


def item(page: Page, words: str) -> object:
    return page.locator(".element", has_text=words)


def test_drawing_is_inspected_marked_and_filed(desk: Desk, manager: Person, rules: Submission) -> None:
    page = desk.sign_in(manager, at=f"/submissions/{rules.number}/layouts/start/0/")
    accessible(page)
    page.get_by_role("button", name="Start", exact=True).click()
    filing = LayoutFiling.objects.get()
    file = {"name": "felt.svg", "mimeType": "image/svg+xml", "buffer": reference(filing)}
    page.get_by_label("Drawing file").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name="Inspecting “felt.svg”")).to_be_visible()
    page.get_by_label("Note to the Board").fill("As the manufacturer drew it.")
    accessible(page)
    work_apart(Job.Kind.INSPECT)
    expect(page.get_by_role("heading", name="2 elements not found as required")).to_be_visible()
    expect(page.get_by_label("Note to the Board")).to_have_value("As the manufacturer drew it.")
    accessible(page)

    # a number on the drawing leads to its element, and back
    page.locator("#place-2").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".element:target")).to_contain_text("The name or logo of the certificate holder")
    page.locator(".element:target .element__words a").click()
    expect(page.locator(".place:target")).to_have_attribute("id", "place-2")

    # the Ante by keyboard: two steps to the left, one wider
    item(page, "Ante Wager").get_by_role("link", name="Mark on the drawing").press("Enter")
    expect(page.locator(".marking")).to_be_focused()
    accessible(page)
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator("#marking-words")).to_contain_text("38 % from the left, 45 % from the top, 21 % wide")
    page.keyboard.press("Enter")
    expect(item(page, "Ante Wager").locator(".state")).to_have_text("Marked by the licensee")

    # the Raise by mouse
    item(page, "Raise Wager").get_by_role("link", name="Mark on the drawing").click()
    page.locator(".marking").scroll_into_view_if_needed()
    drag(page, 0.25, 0.5, 0.1, 0.2)
    page.get_by_role("button", name="Save mark").click()
    expect(page.get_by_role("heading", name="No elements are missing")).to_be_visible()
    keyboard, mouse = LayoutMark.objects.order_by("pk")
    assert (keyboard.element, keyboard.left, keyboard.width) == ("ante_area", 0.38, 0.21)
    assert mouse.element == "raise_area"
    assert (mouse.left, mouse.top, mouse.width, mouse.height) == pytest.approx((0.25, 0.5, 0.1, 0.2), abs=0.01)

    page.get_by_label("Your passphrase").fill(PASSWORD)
    page.get_by_role("button", name="File", exact=True).click()
    expect(page.locator(".usa-alert--success")).to_contain_text("Filed. The receipt is LF-")
    expect(page.locator(".place__spot--marked")).to_have_count(2)
    accessible(page)
    assert [mark["element"] for mark in LayoutRevision.objects.get().marks] == ["ante_area", "raise_area"]


def test_element_is_marked_on_a_phone_without_script(desk: Desk, manager: Person, rules: Submission) -> None:
    filing = drawn_layout(manager, rules, without=REMOVED, parts=["layout"])
    page = desk.sign_in(manager, NARROW, java_script_enabled=False, at=f"/layouts/{filing.number}/")
    item(page, "Ante Wager").get_by_role("link", name="Mark on the drawing").click()
    expect(page.get_by_label("Element", exact=True)).to_have_value("ante_area")
    page.get_by_label("From the left, in %").fill("95")
    page.get_by_role("button", name="Save mark").click()
    expect(page.locator("#marking-error")).to_contain_text("The area is outside the drawing.")
    expect(page.get_by_label("From the left, in %")).to_have_value("95")
    page.get_by_label("From the left, in %").fill("45.5")
    page.get_by_role("button", name="Save mark").click()
    expect(item(page, "Ante Wager").locator(".state")).to_have_text("Marked by the licensee")
    assert LayoutMark.objects.get().left == 0.455


def test_page_holds_together_on_a_phone(desk: Desk, manager: Person, analyst: Person, rules: Submission) -> None:
    filing = drawn_layout(manager, rules, without=REMOVED, parts=["layout"])
    page = desk.sign_in(manager, NARROW, has_touch=True, at=f"/layouts/{filing.number}/")
    accessible(page)
    page.get_by_role("button", name="4 ×").click()
    item(page, "Ante Wager").get_by_role("link", name="Mark on the drawing").click()
    expect(page.locator(".marking")).to_be_focused()
    accessible(page)
    page.get_by_role("button", name="Fit").click()
    swipe(page, 0.3, 0.4, 0.2, 0.2)
    drawn = [float(page.locator(f"#{edge}").input_value()) for edge in ("left", "top", "width", "height")]
    assert drawn == pytest.approx([30, 40, 20, 20], abs=1)
    layout_filings.file_layout(manager, filing, version=1, note="As the manufacturer drew it.")
    board = desk.sign_in(analyst, NARROW, at=f"/layouts/{filing.number}/")
    expect(board.locator("#marking")).to_have_count(0)
    accessible(board)


def test_markers_are_switched_off_by_keyboard_and_stay_off(desk: Desk, manager: Person, rules: Submission) -> None:
    filing = drawn_layout(manager, rules, without=REMOVED, parts=["layout"])
    page = desk.sign_in(manager, at=f"/layouts/{filing.number}/")
    markers, box, drawing = page.locator(".place"), page.get_by_label("Show markers"), page.locator(".sheet__page img")
    expect(box).to_be_checked()
    expect(markers.first).to_be_visible()
    narrow = drawing.bounding_box()["width"]
    box.focus()
    page.keyboard.press("Space")
    expect(markers.first).to_be_hidden()
    assert page.locator(".place:visible").count() == 0
    assert drawing.bounding_box()["width"] > narrow + 200
    accessible(page)
    page.goto("/")
    page.goto(f"/layouts/{filing.number}/")
    expect(box).not_to_be_checked()
    expect(markers.first).to_be_hidden()
    page.locator(".element .element__words a").first.click()
    expect(page.locator(".place:target")).to_be_visible()
    assert page.locator(".place:visible").count() == 1
    box.focus()
    page.keyboard.press("Space")
    expect(markers.nth(1)).to_be_visible()


def test_markers_are_switched_off_without_script_on_a_phone(desk: Desk, manager: Person, rules: Submission) -> None:
    filing = drawn_layout(manager, rules, without=REMOVED, parts=["layout"])
    page = desk.sign_in(manager, NARROW, java_script_enabled=False, at=f"/layouts/{filing.number}/")
    page.get_by_text("Show markers").click()
    expect(page.locator(".place").first).to_be_hidden()
