"""A layout's whole life, in a browser: found deficient, corrected, approved on day 15, required again by an amendment.

Four Card Prime at Casino East, its payout odds on the felt.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import Page, expect

from submissions.filings import amendments
from submissions.layouts.reference_drawing import layout_svg
from submissions.models import LayoutFiling, Person, Submission
from tests.browser.desk import Desk, accessible, work_apart
from tests.cast import PASSWORD
from tests.games.lazy import lazy_chapter
from tests.submissions.approved import Cast, change
from tests.submissions.table_list.lists import enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GAME = lazy_chapter("682a")
LEFT_OUT = (">All-Six Card<", ">Prime<")  # the words of two areas
LACKING = 2
TODAY = 20  # days after the filing: 5 count before the notice, 10 after the correction on day 10


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def test_layout_is_corrected_approved_on_day_15_and_asked_for_anew(
    desk: Desk, cast: Cast, other_director: Person
) -> None:
    with on_day(0):
        version = cast.version(GAME.number, all_six_paytable="Paytable A", odds_posted="layout")
        submission, answers = version.submission, version.content["configurations"][0]["answers"]
        casino = desk.sign_in(cast.manager)
        filing = start(casino, submission)
        upload(casino, filing, drawing(answers, without=LEFT_OUT))
        expect(casino.locator("main")).to_contain_text(re.compile(f"{LACKING} elements"))
        file(casino, filing, note="The manufacturer's drawing.")
        expect(casino.locator("main")).to_contain_text("Day 1 of 15 begins tomorrow")
    with on_day(6):
        give_notice(desk.sign_in(cast.analyst), filing)
    with on_day(10):
        casino = desk.sign_in(cast.manager)
        casino.goto(f"/layouts/{filing.number}/")
        expect(casino.locator("main")).to_contain_text("10 days left")
        accessible(casino)
        upload(casino, filing, drawing(answers))
        expect(casino.get_by_role("heading", name="No elements are missing")).to_be_visible()
        file(casino, filing)
    with on_day(19):
        report(desk.sign_in(cast.analyst), filing)
    approve(desk.sign_in(other_director), filing)
    work_apart()
    enter(cast.manager, ("3", GAME.number))
    casino = desk.sign_in(cast.manager)
    ready_with_papers(casino, submission)
    at_table(casino, "Cleared for play")
    amended = amendments.start_amendment(cast.manager, submission)
    change(cast.manager, amended, {"all_six_paytable": "Paytable E"})
    cast.approve(amended)
    asked_for_anew(casino, amended)


def on_day(days: int) -> time_machine.travel:
    """Noon in Pennsylvania, so many days after the filing; today is `TODAY`, as a seal of tomorrow does not verify."""
    day = timezone.localdate() - timedelta(days=TODAY - days)
    return time_machine.travel(
        datetime.combine(day, datetime.min.time(), ZoneInfo("America/New_York")).replace(hour=12)
    )


def drawing(answers: dict[str, object], without: tuple[str, ...] = ()) -> bytes:
    svg = layout_svg(GAME, answers, licensee="Casino East")
    for words in without:
        assert words in svg
        svg = svg.replace(words, "><")
    return svg.encode()


def start(page: Page, submission: Submission) -> LayoutFiling:
    page.goto(f"/submissions/{submission.number}/")
    expect(page.locator("section", has=page.locator("#following"))).to_contain_text("Not cleared for play")
    accessible(page)
    page.get_by_role("button", name="File layout, sign and guide").click()
    page.wait_for_url("**/layouts/LF-*/")
    return LayoutFiling.objects.get()


def upload(page: Page, filing: LayoutFiling, svg: bytes) -> None:
    page.goto(f"/layouts/{filing.number}/")
    page.get_by_label("Drawing file").set_input_files({"name": "felt.svg", "mimeType": "image/svg+xml", "buffer": svg})
    page.get_by_role("button", name="Upload").click()
    page.wait_for_load_state()
    work_apart()
    page.goto(f"/layouts/{filing.number}/")
    accessible(page)


def file(page: Page, filing: LayoutFiling, note: str = "") -> None:
    page.get_by_label("Note to the Board").fill(note)
    sign(page, page.locator("#filing").get_by_role("button", name=re.compile("^File")))
    expect(page.locator(".heading")).to_contain_text("Filed")


def sign(page: Page, button: object) -> None:
    """Press a button that signs, with the passphrase where it is asked for."""
    for field in page.get_by_label("Your passphrase").all():
        field.fill(PASSWORD)
    button.click()
    page.wait_for_load_state()


def give_notice(page: Page, filing: LayoutFiling) -> None:
    """The queue leads to the filing; both elements are refused with a word, and the notice names them."""
    page.goto("/")
    expect(page.locator("main")).to_contain_text(filing.number)
    accessible(page)
    page.get_by_role("link", name=filing.number).first.click()
    lines = page.locator(".judging__line", has=page.locator(".state--missing, .state--too_few"))
    expect(lines).to_have_count(LACKING)
    for number in [line.get_attribute("id") for line in lines.all()]:
        line = page.locator(f"#{number}")
        line.get_by_role("textbox").fill("It is not on the felt.")
        line.get_by_role("button", name="Reject").click()
        expect(line).to_contain_text("Not accepted by the Board")
    sign(page, page.get_by_role("button", name="Issue deficiency notice"))
    expect(page.locator(".heading")).to_contain_text("Deficient")
    accessible(page)


def report(page: Page, filing: LayoutFiling) -> None:
    page.goto(f"/layouts/{filing.number}/")
    lines = page.locator(".judging__line", has=page.locator(".state--to_be_judged"))
    for number in [line.get_attribute("id") for line in lines.all()]:
        page.locator(f"#{number}").get_by_role("button", name="Accept").click()
        expect(page.locator(f"#{number}")).to_contain_text("Accepted by the Board")
    sign(page, page.get_by_role("button", name="Report to the Executive Director"))
    expect(page.locator(".heading")).to_contain_text("Reported")


def approve(page: Page, filing: LayoutFiling) -> None:
    page.goto(f"/layouts/{filing.number}/")
    accessible(page)
    sign(page, page.get_by_role("button", name="Approve"))
    expect(page.locator(".heading")).to_contain_text("Approved")
    expect(page.locator("main")).to_contain_text("day 15 of 15")


def ready_with_papers(page: Page, submission: Submission) -> None:
    """Sign and guide are downloaded as they were sealed, and verify."""
    page.goto(f"/submissions/{submission.number}/")
    expect(page.locator("main")).to_contain_text("Cleared for play")
    for paper in ("Payout sign", "Gaming guide"):
        page.goto(f"/submissions/{submission.number}/")
        page.locator("#following").click()  # folded, as nothing has to be done there
        signed = page.locator(".following tr", has_text=paper).get_by_role("link", name="Signed PDF")
        address = signed.get_attribute("href")
        content = page.request.get(address).body()
        assert content.startswith(b"%PDF-1.7")
        page.goto(address.removesuffix("/document.pdf"))
        expect(page.locator("h1")).to_contain_text("Genuine and unchanged")
        expect(page.locator("main")).to_contain_text(re.compile(paper, re.I))
        accessible(page)


def asked_for_anew(page: Page, amended: Submission) -> None:
    page.goto(f"/submissions/{amended.number}/")
    rows = page.locator(".following tbody tr")
    expect(rows).to_have_count(3)
    for row in rows.all():
        expect(row).to_contain_text("Update required")
        expect(row).to_contain_text("All-Six Bonus: paytable A → E")
    accessible(page)
    at_table(page, "Not cleared for play: layout, payout sign and gaming guide")


def at_table(page: Page, verdict: str) -> None:
    page.goto(f"/in-force/east/{GAME.number}/tables/3/")
    expect(page.locator(".verdict")).to_contain_text(verdict)
    accessible(page)
