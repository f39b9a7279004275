"""The pictures of the help pages: taken from the running portal, and stored when `PORTAL_HELP_PICTURES` is 1."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image
from playwright.sync_api import Page

from submissions.filings.review import decisions
from submissions.models import Person
from tests.browser.desk import Desk, screenshot
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STORED = Path(settings.BASE_DIR) / "portal" / "static" / "portal" / "help"
SIZE = WIDTH, HEIGHT = 960, 600
COLORS = 64


def picture(page: Page, name: str, start: str) -> None:
    """The window from the element `start` on; stored, or compared in size with the one that is stored."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.locator(start).first.evaluate("node => node.scrollIntoView()")
    taken = Image.open(BytesIO(screenshot(page)))
    assert taken.size == SIZE
    assert len(taken.convert("RGB").getcolors(WIDTH * HEIGHT) or ()) > COLORS  # there is something on it
    if os.environ.get("PORTAL_HELP_PICTURES") == "1":
        taken.convert("RGB").quantize(COLORS).save(STORED / f"{name}.png", optimize=True)
    with Image.open(STORED / f"{name}.png") as stored:
        assert stored.size == SIZE


def test_pictures_of_the_help_pages(desk: Desk, manager: Person, analyst: Person, director: Person) -> None:
    cast = Cast(manager, analyst, director)
    filed, draft = ready_to_file(manager, "593"), ready_to_file(manager, "683a")
    cast.file(filed)
    filed.refresh_from_db()
    decisions.recommend_approval(analyst, filed, version=filed.version)
    page = desk.sign_in(manager, at=f"/submissions/{draft.number}/checklist/")
    picture(page, "checklist", "h1")
    page.goto(f"/submissions/{draft.number}/file/")
    picture(page, "file", "h1")
    page = desk.sign_in(analyst, at=f"/submissions/{filed.number}/")
    picture(page, "review", "h1")
    page = desk.window()
    page.goto("/verify/")
    picture(page, "verify", "h1")
