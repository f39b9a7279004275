"""The text of a chapter with its marks: every sentence once, every link leads somewhere on the page, both ways."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from games.checking.chapter_coverage import coverage
from games.registry import folders
from submissions.filings.pages import chapters
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db


def page_of(number: str) -> str:
    return browser().get(reverse("chapter", args=[number])).content.decode()


@pytest.mark.parametrize("number", folders())
def test_every_link_of_the_text_leads_to_one_place_of_the_page(number: str) -> None:
    page = page_of(number)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_every_sentence_is_on_the_page_with_what_it_has() -> None:
    text = str(chapters.marked_text("583"))
    blocks = re.findall(r'<div class="marked" id="sentence[^"]+">(.*?)</div>', text, flags=re.DOTALL)
    accounted = [row for row in coverage("583").accounted if not row.sentence.text.startswith("§ ")]
    assert len(blocks) == len(accounted)
    for block, row in zip(blocks, accounted, strict=True):
        words = unescape(re.sub(r"<[^>]+>", " ", block)).replace("\N{NO-BREAK SPACE}", " ")
        assert row.sentence.text in words
        assert block.count("<li>") == len(row.account.by)
        assert bool(row.account.by) != ('<p class="marked__marks">' in block) or row.sentence.form == "heading"


def test_implementation_leads_back_to_its_sentences() -> None:
    text = str(chapters.marked_text("583"))
    item = re.search(r'<li id="option-three_card_bonus_wager">(.*?)</li>', text, flags=re.DOTALL)
    assert item
    cited = {sentence.citation for sentence in coverage("583").sentences_of["option:three_card_bonus_wager"]}
    links = re.findall(r'<a href="#[^"]+">([^<]+)</a>', item[1])
    assert {unescape(link).replace("\N{NO-BREAK SPACE}", " ") for link in links} == cited == {"§ 583.7(d)(3)"}


def test_what_no_sentence_asks_for_says_so() -> None:
    item = re.search(r'<li id="option-progressive_rate">(.*?)</li>', page_of("588"), flags=re.DOTALL)
    assert item
    assert "No sentence in this chapter" in item[1]
