"""Five tasks of a working day, with the keyboard alone or on a phone: key presses or taps, and seconds.

`pytest tests/browser/test_five_tasks.py -rP` prints the figures. The seconds are the portal's and the browser's: they
include no time to read or to think.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from submissions.filings import filing
from submissions.filings.review import comments, decisions
from submissions.models import Organization, Person, Revision, Role, Status, Submission
from tests.browser.desk import Desk, accessible
from tests.cast import PASSWORD, person
from tests.submissions.approved import Cast
from tests.submissions.web.clients import complete

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = 375
MOST_TABS = 150
REASON = "The payout limit of this filing is not the one that your order allows."


class Hand(ABC):
    """Someone who works through a page with one device, and what it takes: key presses or taps, and words typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.presses, self.words, self.began = page, 0, 0, time.monotonic()

    @abstractmethod
    def open(self, target: Locator) -> None:
        """Press a link or a button."""

    @abstractmethod
    def check(self, target: Locator) -> None:
        """Check a box whose label is beside it."""

    @abstractmethod
    def write(self, target: Locator, text: str) -> None:
        """Type into a field."""


class Keyboard(Hand):
    def _reach(self, target: Locator) -> None:
        for _ in range(MOST_TABS):
            if target.evaluate("node => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
            self.presses += 1
        raise AssertionError(f"{target} cannot be reached with {MOST_TABS} tabs on {self.page.url}")

    def open(self, target: Locator) -> None:
        self._reach(target)
        self.page.keyboard.press("Enter")
        self.presses += 1

    def check(self, target: Locator) -> None:
        self._reach(target)
        self.page.keyboard.press("Space")
        self.presses += 1

    def write(self, target: Locator, text: str) -> None:
        self._reach(target)
        self.page.keyboard.insert_text(text)
        self.words += len(text.split())


class Phone(Hand):
    def open(self, target: Locator) -> None:
        target.tap()
        self.presses += 1

    def check(self, target: Locator) -> None:
        self.page.locator(f"label[for={target.get_attribute('id')}]").tap()
        self.presses += 1

    def write(self, target: Locator, text: str) -> None:
        target.tap()
        self.presses += 1
        self.page.keyboard.insert_text(text)
        self.words += len(text.split())


@pytest.fixture
def hand(request: pytest.FixtureRequest, desk: Desk, capsys: pytest.CaptureFixture[str]) -> Any:
    """Makes a hand for a signed-in person, or for anyone; afterwards says what the task took."""
    hands: list[Hand] = []

    def make(who: Person | None) -> Hand:
        options = {"has_touch": True} if request.param is Phone else {}
        width = PHONE if request.param is Phone else 1280
        page = desk.sign_in(who, width, **options) if who else desk.window(width, **options)
        if not who:
            page.goto("/")
        hands.append(request.param(page))
        return hands[-1]

    yield make
    (used,) = hands
    name = request.node.originalname.removeprefix("test_").replace("_", " ")
    way = "phone" if request.param is Phone else "keyboard"
    seconds = time.monotonic() - used.began
    print(f"{name} · {way} · {used.presses} presses · {used.words} words typed · {seconds:.1f} s")


MakeHand = Callable[[Person | None], Hand]


@pytest.fixture
def cast(transactional_db: None, manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


def attest_and_file(hand: Hand) -> None:
    """Only the keyboard has a use for the link that leads to the signature."""
    page = hand.page
    if isinstance(hand, Keyboard):
        hand.open(page.get_by_role("link", name="Go to signature"))
    hand.check(page.locator("#attested"))
    sign(hand)
    hand.open(page.get_by_role("button", name="File", exact=True))
    expect(page.get_by_text("Receipt RS-").first).to_be_visible()


def sign(hand: Hand) -> None:
    hand.write(hand.page.locator("#confirm"), PASSWORD)


@pytest.mark.parametrize("hand", [Phone], indirect=True)
def test_file_683a_from_a_copy(hand: MakeHand, manager: Person) -> None:
    earlier = complete(manager, "683a")
    filing.file_submission(manager, earlier, version=earlier.version, attested=True)
    earlier.refresh_from_db()
    filing.withdraw_submission(manager, earlier, version=earlier.version, reason="Filed too early.")
    used = hand(manager)
    page = used.page
    used.open(page.get_by_role("link", name="Start a Rules Submission"))
    part = page.locator("details", has=page.locator("a[href='/submissions/start/683a/from/']"))
    if part.get_attribute("open") is None:
        used.open(part.locator("summary"))
    used.open(page.locator("a[href='/submissions/start/683a/from/']"))
    used.open(page.get_by_role("button", name="Start draft"))
    expect(page.get_by_role("main")).to_contain_text(f"starts with the answers of {earlier.number}")
    used.open(page.locator("button[formaction$='/checklist/review/'], a[href$='/file/']").first)
    page.wait_for_url("**/file/")
    attest_and_file(used)
    accessible(page)
    filed = Submission.objects.exclude(pk=earlier.pk).get()
    assert filed.revisions.get().content["configurations"][0]["answers"]


@pytest.mark.parametrize("hand", [Keyboard, Phone], indirect=True)
def test_answer_a_return(hand: MakeHand, cast: Cast) -> None:
    submission = complete(cast.manager)
    cast.file(submission)
    submission.refresh_from_db()
    comments.write_comment(cast.analyst, submission, revision=1, text="Why two boxes?", audience="licensee")
    submission.refresh_from_db()
    decisions.return_to_licensee(cast.analyst, submission, version=submission.version)
    used = hand(cast.manager)
    page = used.page
    used.open(page.locator(f".todo a[href='/submissions/{submission.number}/']"))
    used.open(page.locator(".to-answer a").first)
    question = page.locator("article.thread", has_text="Why two boxes?")
    used.write(question.get_by_role("textbox"), "The tables have room for two.")
    used.open(question.get_by_role("button", name="Answer", exact=True))
    expect(question).to_contain_text("Answered")
    used.open(question.get_by_role("link", name="Review and file again"))
    page.wait_for_url("**/file/")
    attest_and_file(used)
    assert submission.revisions.count() == 2


@pytest.mark.parametrize("hand", [Phone], indirect=True)
def test_find_why_a_filing_was_rejected(hand: MakeHand, cast: Cast) -> None:
    submission = complete(cast.manager)
    cast.file(submission)
    submission.refresh_from_db()
    decisions.reject_submission(cast.director, submission, version=submission.version, reason=REASON)
    used = hand(cast.manager)
    used.open(used.page.get_by_role("link", name=submission.number).first)
    expect(used.page.get_by_text(REASON).first).to_be_in_viewport()
    accessible(used.page)


@pytest.mark.parametrize("hand", [Phone], indirect=True)
def test_approve_three_equal_filings(hand: MakeHand, cast: Cast, stranger: Person) -> None:
    north = person(
        Organization.objects.create(kind="licensee", name="Casino North", slug="north"), Role.MANAGER, "North"
    )
    filed = []
    for manager in (cast.manager, stranger, north):
        filed.append(complete(manager))
        Cast(manager, cast.analyst, cast.director).file(filed[-1])
    for submission in filed:
        submission.refresh_from_db()
        decisions.recommend_approval(cast.analyst, submission, version=submission.version)
    used = hand(cast.director)
    page = used.page
    used.open(page.get_by_role("link", name="3 equal filings"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("3 equal filings")
    used.check(page.locator("#confirmed"))
    sign(used)
    used.open(page.get_by_role("button", name="Approve for all selected filings"))
    expect(page.get_by_role("main")).to_contain_text("Approved 3 filings")
    assert {Submission.objects.get(pk=row.pk).status for row in filed} == {Status.APPROVED}


@pytest.mark.parametrize("hand", [Keyboard, Phone], indirect=True)
def test_read_what_governs_table_12_next_friday(hand: MakeHand, cast: Cast) -> None:
    version: Revision = cast.version("686a")
    today = timezone.localdate()
    friday = today + timedelta(days=(4 - today.weekday()) % 7 or 7)
    used = hand(None)
    page = used.page
    if (menu := page.get_by_role("button", name="Menu")).is_visible():
        used.open(menu)
    used.open(page.get_by_role("link", name="In effect").first)
    used.open(page.get_by_role("link", name="Over/Under"))
    used.write(page.get_by_label("Table (optional)"), "12")
    page.get_by_label("Date", exact=True).fill(friday.isoformat())
    used.presses += 1
    used.open(page.get_by_role("button", name="Show"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Table 12: Over/Under")
    expect(page.get_by_role("main")).to_contain_text(version.receipt)
    expect(page.get_by_role("main")).to_contain_text(f"{friday:%B} {friday.day}, {friday.year}")
    accessible(page)
