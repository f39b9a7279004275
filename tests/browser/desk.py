"""Windows of a real browser for people who are signed in; axe looks at every page that is visited."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.db import connection
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect
from pytest_django.live_server_helper import LiveServer

from submissions.models import Job, Person
from submissions.tasks import run_task
from tests.cast import PASSWORD
from tests.submissions.web.clients import browser, work

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # the browser's event loop runs in the tests' own thread


AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


WIDE, NARROW = 1280, 360


expect.set_options(timeout=20_000)


class Desk:
    """Opens windows for people, and closes them all."""

    def __init__(self, chromium: Browser, server: LiveServer) -> None:
        self.chromium, self.server, self.contexts = chromium, server, []

    def window(self, width: int = WIDE, **options: object) -> Page:
        context: BrowserContext = self.chromium.new_context(
            viewport={"width": width, "height": 900}, base_url=self.server.url, **options
        )
        context.set_default_timeout(20_000)
        self.contexts.append(context)
        return context.new_page()

    def sign_in(self, person: Person, width: int = WIDE, *, at: str = "/", **options: object) -> Page:
        """Open a page for this person, who has not confirmed who they are. `test_sign_in` uses the form."""
        page = self.window(width, **options)
        session = browser(person, confirmed=False).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": self.server.url}])
        page.goto(at)
        return page


def fill_sign_in(page: Page, person: Person) -> None:
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Passphrase").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def open_menu(page: Page) -> None:
    """On a phone the links of the header are behind a button."""
    page.wait_for_load_state()  # a click returns when the answer begins: there may be no header yet
    button = page.get_by_role("button", name="Menu")
    if button.is_visible():
        button.click()


def accessible(page: Page) -> None:
    """Once the page is there: axe finds nothing, and nothing but tables scrolls sideways."""
    page.wait_for_load_state()
    context = page.context.new_cdp_session(page)
    world = context.send("Page.createIsolatedWorld", {"frameId": _frame(context), "worldName": "axe"})
    options = {"contextId": world["executionContextId"], "awaitPromise": True, "returnByValue": True}
    is_there = context.send("Runtime.evaluate", {"expression": "typeof axe === 'object'", **options})
    if not is_there["result"]["value"]:  # the world of one frame and name is the same until the page is left
        context.send("Runtime.evaluate", {"expression": AXE.read_text(), **options})
    say = "found.violations.map(one => one.id + ' ' + one.nodes[0].html)"
    run = f"axe.run(document, {{runOnly: {RULES}, resultTypes: ['violations']}}).then(found => {say})"
    answer = context.send("Runtime.evaluate", {"expression": run, **options})
    assert "exceptionDetails" not in answer, answer
    found = answer["result"]["value"]
    assert found == [], (page.url, page.viewport_size, found)
    assert overflow(page) == 0, (page.url, page.viewport_size)


def accessible_at_both_widths(page: Page) -> None:
    """`accessible` as the window is, then at the top of the page on a wide screen or on a phone."""
    accessible(page)
    before = page.viewport_size
    page.set_viewport_size({**before, "width": WIDE if before["width"] == NARROW else NARROW})
    page.evaluate("scrollTo(0, 0)")  # else what is pinned to the window may lie over what is under it
    accessible(page)
    page.set_viewport_size(before)


def screenshot(page: Page) -> bytes:
    """Take a picture of the window, as PNG. Chromium refuses one now and then, and takes it when it is asked again."""
    try:
        return page.screenshot()
    except Error as error:
        if "Unable to capture screenshot" not in error.message:
            raise
        return page.screenshot()


def overflow(page: Page) -> int:
    """By how many CSS pixels the page is wider than the window, once all of it is there."""
    page.wait_for_load_state()  # a click returns when the answer begins: the document may still be empty
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def work_apart(kind: Job.Kind | None = None) -> None:
    """Do the workers' work, or their jobs of one kind, in a thread: the signer starts an event loop, as the browser."""

    def work_and_hang_up() -> None:
        try:
            work() if kind is None else work_on(kind)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(work_and_hang_up).result()


def work_on(kind: Job.Kind) -> None:
    for job in Job.objects.filter(state=Job.State.DUE, kind=kind):
        run_task(job)


def _frame(session: object) -> str:
    return session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
