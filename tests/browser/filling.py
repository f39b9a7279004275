"""Filling in a checklist as a person does: line by line, whatever appears."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from games.rules.model import Chapter, Option
from tests.games.chapters.examples import example
from tests.submissions.web.clients import pdf


def fill(page: Page, chapter: Chapter) -> None:
    """Answer every line that is there, in the form's order; files last, as each is sent with a page of its own."""
    answers = example(chapter.number)
    for option in chapter.options:
        if option.key in answers and option.kind != "attachment" and page.locator(f"#line-{option.key}").is_visible():
            with page.expect_response(lambda response: response.url.endswith("/checklist/")):
                answer(page, option, answers[option.key])
            expect(page.locator(".htmx-request")).to_have_count(0)  # what follows has appeared
    for option in chapter.options:
        if option.kind == "attachment":
            page.locator(f"#file-{option.key}").set_input_files(
                {"name": "house-rules.pdf", "mimeType": "application/pdf", "buffer": pdf()}
            )
            page.locator(f"#line-{option.key}").get_by_role("button", name="Upload").click()
            expect(page.get_by_text("was checked and stored")).to_be_visible()


def answer(page: Page, option: Option, value: Any) -> None:
    line = page.locator(f"#line-{option.key}")
    if option.kind in ("yes_no", "choice", "paytable"):
        shown = {True: "yes", False: "no"}.get(value, value)
        chosen = line.locator(f'input[type=radio][value="{shown}"]').get_attribute("id")
        line.locator(f'label[for="{chosen}"]').click()
    else:
        line.locator(f"#input-{option.key}").fill(str(value))
