"""The text of a chapter with its marks: from a sentence to what implements it and back, by keyboard and when narrow."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import NARROW, WIDE, Desk, accessible

pytestmark = pytest.mark.browser

SENTENCE = "[id='sentence581.6-f---1']"


def open_chapter(desk: Desk, width: int) -> Page:
    page = desk.window(width)
    page.goto("/games/581/")
    page.get_by_text("§ 581.6. Wagers.").click()
    return page


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_sentence_leads_to_its_option_or_says_why_it_has_none(desk: Desk, width: int) -> None:
    page = open_chapter(desk, width)
    sentence = page.locator(SENTENCE)
    expect(sentence).to_contain_text("the option of placing an additional Bust It Wager")
    sentence.get_by_role("link", name="bust it wager").first.focus()
    page.keyboard.press("Enter")
    option = page.locator("[id='option-bust_it_wager']")
    expect(option).to_be_in_viewport()
    expect(option).to_contain_text("Do you offer a Bust It Wager?")
    option.get_by_role("link").first.focus()
    page.keyboard.press("Enter")
    expect(sentence).to_be_in_viewport()
    accessible(page)
    expect(page.locator("[id='sentence581.6-c---1']")).to_contain_text("Procedure of people")
