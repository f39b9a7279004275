"""One cell of one paytable changes on a day (687a, DJWT-05, Three-of-a-Kind from 6 to 5 to 1), all of it by screen.

From the form of the Board to the task of the licensee and the public page, at the width of a desk and of a phone.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from submissions.models import Person, Rulemaking
from tests.browser.desk import NARROW, Desk, accessible, accessible_at_both_widths, work_apart
from tests.cast import PASSWORD
from tests.submissions.approved import Cast
from tests.submissions.workbench.steps import SOURCE, first_day

pytestmark = pytest.mark.browser


def test_one_cell_changes_on_a_day(desk: Desk, manager: Person, analyst: Person, director: Person) -> None:
    Cast(manager, analyst, director, computes=False).version("687a", trips_paytable="DJWT-05")
    board = desk.sign_in(analyst, NARROW)
    _write(board)
    work_apart()
    board.reload()
    expect(board.get_by_role("main")).to_contain_text("1 of 1 version at 1 of 1 licensee would be affected.")
    expect(board.get_by_role("main")).to_contain_text("7.5257 % → 8.9976 %")
    accessible_at_both_widths(board)
    head = desk.sign_in(director, NARROW)
    _publish(head)
    licensee = desk.sign_in(manager, NARROW)
    day = f"{first_day():%B} {first_day().day}, {first_day().year}"
    expect(licensee.get_by_role("main")).to_contain_text(f"Refile 687a by {day}")
    accessible(licensee)
    visitor = desk.window(NARROW)
    visitor.goto("/games/687a/")
    visitor.get_by_role("link", name="Trips Bonus Wager").first.click()
    expect(visitor.get_by_role("main")).to_contain_text("6 to 1")


def _write(page: Page) -> None:
    """Start the draft, write the cell in the form, store its TOML, have it tried."""
    page.goto("/rulemakings/")
    page.get_by_label("Title").fill("Trips Bonus Wager")
    page.get_by_label("Adopting document").fill(SOURCE)
    page.get_by_role("button", name="Start draft").click()
    page.get_by_role("link", name="Write a change with the form").click()
    page.get_by_label("Chapter").select_option("687a")
    page.get_by_label("In effect from").fill(first_day().isoformat())
    page.get_by_role("button", name="Show current values").click()
    page.get_by_label("Record", exact=True).select_option("trips/DJWT-05")
    page.get_by_role("button", name="Show current values").click()
    cell = page.get_by_label("Three-of-a-Kind (Natural)")
    expect(cell).to_have_value("6 to 1")
    cell.fill("5 to 1")
    page.get_by_role("button", name="Create TOML").click()
    expect(page.get_by_label("The change (TOML)")).to_have_value(_with_the_cell())
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Save change").click()
    page.get_by_role("button", name="Run trial").click()
    expect(page.get_by_role("status").last).to_contain_text("is waiting to start")
    accessible_at_both_widths(page)


def _publish(page: Page) -> None:
    page.goto(f"/rulemakings/{Rulemaking.objects.get().number}/")
    page.get_by_text("For the Board, I confirm the result of the trial").click()
    page.get_by_label("Your passphrase").fill(PASSWORD)
    accessible_at_both_widths(page)
    page.get_by_role("button", name="Publish RM-").click()
    expect(page.get_by_role("main")).to_contain_text("The portal notifies the affected licensees.")
    accessible_at_both_widths(page)


def _with_the_cell() -> str:
    return (
        f'number = "687a"\neffective = {first_day().isoformat()}\ntitle = "Trips Bonus Wager"\nsource = "{SOURCE}"\n\n'
        '[[paytable]]\nwager = "trips"\nname = "DJWT-05"\n'
        'changed_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]\n'
    )
