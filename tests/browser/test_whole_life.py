"""A submission's whole life, in a browser: filed, returned, answered, approved, amended, superseded on its day.

axe looks at what no other test shows: comments, questions, locked lines.
DJ Wild Stud Poker at Casino East with two table groups: the four tables of the high limit room pay another Trips table.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from games.registry import chapter
from submissions.filings import drafts
from submissions.models import Person, Submission
from tests.browser.desk import Desk, accessible, work_apart
from tests.browser.filling import answer
from tests.cast import PASSWORD
from tests.games.lazy import lazy_chapter
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.service("transactions", "JSON", "views")]

GAME = lazy_chapter("687a")
ROOM, TABLES = "High limit room", "12, 14-16"
ONE_WAY_OF_DEALING = {"automated_shoe": False, "from_hand_tables": None, "automated_shoe_tables": None}
BEFORE, AFTER = "DJWT-06", "DJWT-04"  # what the room's Trips Bonus Wager pays by
QUESTIONS = {
    "line-c0-adjacent_boxes": "Why two boxes?",
    "line-c0-odds_posted": "Where does the sign stand?",
    "line-c1-trips_paytable": "Why another paytable in this room?",
}


def test_whole_life_of_a_submission(
    desk: Desk, preparer: Person, manager: Person, analyst: Person, director: Person, other_director: Person
) -> None:
    first = complete(preparer, GAME.number)
    drafts.save_answers(preparer, first, ONE_WAY_OF_DEALING)
    casino, staff = desk.sign_in(manager), desk.sign_in(analyst)
    head, second_head = desk.sign_in(director), desk.sign_in(other_director)
    file_with_a_group(casino, first)
    return_with_questions(staff, first)
    answer_two_and_dispute_one(casino, first)
    recommend_and_fail_to_approve(head, first)
    approve(second_head, first)
    paper = download(casino)
    amended = amend(casino, first)
    see_the_difference(staff, amended)
    press(staff, "Recommend approval")
    approve(head, amended, from_tomorrow=True)
    in_force_by_day(desk.window(), paper)


def file_with_a_group(page: Page, submission: Submission) -> None:
    page.goto(f"/submissions/{submission.number}/checklist/")
    page.get_by_role("link", name="Add a table group").click()
    page.get_by_label("Name", exact=True).fill(ROOM)
    page.get_by_label("Tables", exact=True).fill(TABLES)
    page.get_by_role("button", name="Add group").click()
    choose(page, "trips_paytable", BEFORE)
    file(page)


def return_with_questions(page: Page, submission: Submission) -> None:
    page.goto(f"/submissions/{submission.number}/")
    for place, question in QUESTIONS.items():
        line = page.locator(f"#{place}")
        line.locator("summary").first.click()
        line.get_by_label("Comment", exact=True).fill(question)
        line.get_by_role("button", name="Save comment").click()
        expect(page.locator(f"#{place}")).to_contain_text("not sent yet")
    accessible(page)
    page.get_by_role("button", name="Return with questions").click()
    expect(page.locator("main")).to_contain_text("Returned with questions")
    accessible(page)


def answer_two_and_dispute_one(page: Page, submission: Submission) -> None:
    page.goto(f"/submissions/{submission.number}/")
    expect(page.locator("main")).to_contain_text("3 of 3 questions to answer")
    accessible(page)
    page.goto(f"/submissions/{submission.number}/checklist/")
    expect(page.locator("#line-abandoned_wagers")).to_contain_text("Locked: the Board did not request a change.")
    choose(page, "adjacent_boxes", 3)
    accessible(page)
    page.goto(f"/submissions/{submission.number}/")
    reply(page, "Why two boxes?", "", "Answer")
    reply(page, "Where does the sign stand?", "At the dealer's right hand.", "Answer")
    reply(page, "Why another paytable in this room?", "The section leaves it to us.", "Dispute")
    page.get_by_role("link", name="Review and file again").first.click()
    file(page, from_checklist=False)


def recommend_and_fail_to_approve(page: Page, submission: Submission) -> None:
    work_apart()
    page.goto(f"/submissions/{submission.number}/")
    expect(thread(page, "Why another paytable")).to_contain_text("The section leaves it to us.")
    expect(thread(page, "Why two boxes?")).to_contain_text("3")
    for question in QUESTIONS.values():
        thread(page, question).locator("summary").click()
        thread(page, question).get_by_role("button", name="Resolve").click()
    expect(page.locator("#threads").locator("..")).to_contain_text("All comments are resolved.")
    accessible(page)
    press(page, "Recommend approval")
    page.goto(f"/submissions/{submission.number}/")
    refused = page.get_by_role("button", name="Approve", exact=True)
    expect(refused).to_be_disabled()
    refused.evaluate("button => button.disabled = false")  # whoever presses it all the same
    refused.click()
    expect(page.locator("main")).to_contain_text("You recommended this submission. Another person must approve it.")
    submission.refresh_from_db()
    assert submission.status == "recommended"


def approve(page: Page, submission: Submission, *, from_tomorrow: bool = False) -> None:
    page.goto(f"/submissions/{submission.number}/")
    if from_tomorrow:
        page.get_by_label("In effect from").fill(f"{timezone.localdate() + timedelta(days=1):%Y-%m-%d}")
    page.locator("label[for=confirmed]").click()
    press(page, "Approve")
    work_apart()
    page.goto(f"/submissions/{submission.number}/")
    expect(page.get_by_role("link", name="Download PDF")).to_be_visible()


def download(page: Page) -> bytes:
    page.reload()
    page.goto(page.url.replace("receipt/", ""))
    with page.expect_download() as paper:
        page.get_by_role("link", name="Download PDF").click()
    return paper.value.path().read_bytes()


def amend(page: Page, submission: Submission) -> Submission:
    page.goto(f"/submissions/{submission.number}/")
    page.get_by_role("button", name="Amend").click()
    page.get_by_role("link", name=ROOM).first.click()
    choose(page, "trips_paytable", AFTER)
    file(page)
    work_apart()
    return Submission.objects.get(amends=submission)


def see_the_difference(page: Page, submission: Submission) -> None:
    """Exactly the one line at the four tables, with the hold before and after."""
    page.goto(f"/submissions/{submission.number}/")
    expect(page.locator("#overview")).to_contain_text("1 line")
    page.get_by_role("link", name="Compare side by side, with holds, paytables and layout").click()
    expect(page.locator("#sum")).to_have_text(re.compile(f"1 line differs: Tables {TABLES}"))
    part = page.locator(".difference")
    expect(part.get_by_role("heading", level=2)).to_have_text(re.compile(rf".*{TABLES}.*4 tables", re.S))
    lines, holds = part.locator("table").nth(0), part.locator("table").nth(1)
    expect(lines.locator("tbody tr")).to_have_count(1)
    expect(lines).to_contain_text("Which paytable do you use to pay a winning Trips Bonus Wager?")
    expect(lines.locator("tbody td[data-label=Before]")).to_contain_text(BEFORE)
    expect(lines.locator("tbody td[data-label=After]")).to_contain_text(AFTER)
    expect(holds.locator("tbody tr")).to_have_count(1)
    expect(holds.locator("td[data-label='Hold before']")).to_contain_text("7.66")
    expect(holds.locator("td[data-label='Hold after']")).to_contain_text(re.compile(r"6\.1[56]"))
    page.goto(f"/submissions/{submission.number}/")


def in_force_by_day(page: Page, paper: bytes) -> None:
    today = timezone.localdate()
    tomorrow = today + timedelta(days=1)
    for day, table, paytable in (
        (today, 14, BEFORE),
        (tomorrow, 14, AFTER),
        (today, 3, "DJWT-05"),
        (tomorrow, 3, "DJWT-05"),
    ):
        page.goto(f"/in-force/east/{GAME.number}/tables/{table}/?on={day}")
        expect(page.get_by_text(re.compile("DJWT-0[4-7]")).first).to_contain_text(paytable)
    assert verified(page, paper) == "In effect"
    noon = datetime.combine(tomorrow, datetime.min.time(), ZoneInfo("America/New_York")) + timedelta(hours=12)
    with time_machine.travel(noon):
        page.goto(f"/in-force/east/{GAME.number}/tables/14/")
        expect(page.get_by_text(re.compile("DJWT-0[4-7]")).first).to_contain_text(AFTER)
        assert verified(page, paper) == "Superseded"


def verified(page: Page, paper: bytes) -> str:
    """What the verification says of the file today; it is genuine whatever came after it."""
    page.goto("/verify/")
    page.locator("input[type=file]").set_input_files(
        {"name": "paper.pdf", "mimeType": "application/pdf", "buffer": paper}
    )
    page.locator("main form button[type=submit]").click(timeout=60_000)  # the file is examined in a process apart
    expect(page.locator("h1")).to_contain_text("Genuine and unchanged")
    return page.locator("dt:text-is('Status today') + dd strong").inner_text()


def choose(page: Page, key: str, value: object) -> None:
    with page.expect_response(lambda response: "/checklist/" in response.url and response.request.method == "POST"):
        answer(page, chapter(GAME.number).option(key), value)
    expect(page.locator(".htmx-request")).to_have_count(0)


def file(page: Page, *, from_checklist: bool = True) -> None:
    if from_checklist:
        page.get_by_role("button", name="Review and file").click()
    page.locator("label[for=attested]").click()
    press(page, "File")
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()


def press(page: Page, step: str) -> None:
    """Sign a step; whoever confirmed a moment ago is not asked again."""
    passphrase = page.get_by_label("Your passphrase")
    if passphrase.count():
        passphrase.fill(PASSWORD)
    page.get_by_role("button", name=step, exact=True).click()
    page.wait_for_load_state()


def reply(page: Page, question: str, words: str, how: str) -> None:
    thread(page, question).get_by_role("textbox").fill(words)
    thread(page, question).get_by_role("button", name=how, exact=True).click()
    expect(thread(page, question)).to_contain_text("Answered" if how == "Answer" else "Disputed")


def thread(page: Page, question: str) -> Locator:
    return page.locator("article.thread", has_text=question)
