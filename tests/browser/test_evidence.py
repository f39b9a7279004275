"""The evidence in a browser: a wager unfolds from its line in the summary, the next round arrives once it is dealt."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from submissions.filings import filing
from submissions.models import Person
from tests.browser.desk import NARROW, Desk, accessible, accessible_at_both_widths, work_apart
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_evidence_unfolds_and_leads_to_rounds(desk: Desk, manager: Person, analyst: Person) -> None:
    filed = complete(manager)
    filing.file_submission(manager, filed, version=filed.version, attested=True)
    work_apart()
    page = desk.sign_in(analyst, NARROW, at=f"/submissions/{filed.number}/")
    page.locator("#evidence").get_by_role("link", name="Bonus Wager").click()
    outcomes = page.locator("details.wager[open]").get_by_role("region", name="Outcomes")
    expect(outcomes).to_contain_text("Total (")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    accessible_at_both_widths(page)
    page.get_by_role("link", name="Replay one round of the simulation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 0 of the simulation")
    page.get_by_role("link", name="Next round").click()
    expect(page.locator("#story")).to_contain_text("The portal is dealing the round.")
    work_apart()
    expect(page.get_by_role("heading", name="Settlement")).to_be_visible()
    accessible_at_both_widths(page)
    page.get_by_label("Round, 0 to").fill("2000000")
    page.get_by_role("button", name="Show round").click()
    expect(page.get_by_role("alert")).to_contain_text("The simulation has rounds 0 to 1,999,999")
    accessible(page)
