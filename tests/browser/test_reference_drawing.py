"""The reference drawings in Chromium, without Public Sans installed: the boxes of the inspection are on the words."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page

from games.registry import chapter
from submissions.layouts.drawing_model import Box, Word
from submissions.layouts.recognition.svg import read
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.models import Person
from tests.browser.desk import Desk
from tests.games.chapters.examples import example
from tests.soak import SOAK
from tests.submissions.layout_rows import drawn_layout, filed_rules
from tests.submissions.layouts.filled import NUMBERS

pytestmark = pytest.mark.browser
# Every style of words and every letter is in one of these; `PORTAL_SOAK` takes all.
DRAWN = NUMBERS if SOAK else ("585", "592", "635a", "657a", "683a", "688a")
ABOVE = 0.95 - 0.74  # of the letters' size: what a browser's box has above that of the inspection
CLOSE = 0.04  # of the letters' size
WORDS = """async () => {
  await Promise.all([...document.fonts].map((face) => face.load()));
  const page = document.documentElement.getBoundingClientRect();
  const words = [];
  for (const text of document.querySelectorAll("text")) {
    const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      for (const match of node.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const box = range.getBoundingClientRect();
        const scale = page.width / document.documentElement.viewBox.baseVal.width;
        words.push({
          text: match[0], size: text.getAttribute("font-size") * scale / page.width, ratio: page.height / page.width,
          left: (box.left - page.left) / page.width, top: (box.top - page.top) / page.height,
          width: box.width / page.width, height: box.height / page.height,
        });
      }
    }
  }
  return words;
}"""


@dataclass(frozen=True, slots=True)
class ShownWord:
    """A word as Chromium shows it; its box and the size of its letters in shares of the page's width."""

    text: str
    box: Box
    size: float
    ratio: float  # the page's height to its width


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


def drawn(number: str) -> str:
    answers = example(number, odds_posted="layout", limit_posted="layout")
    caption = Caption("Draft", "November 22, 2026")
    return layout_svg(chapter(number), answers, licensee="Casino Bellevue São Luís", caption=caption)


def shown_words(page: Page, svg: str) -> list[ShownWord]:
    page.goto(f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}")
    return [
        ShownWord(
            row["text"],
            Box(row["left"], row["top"] * row["ratio"], row["width"], row["height"] * row["ratio"]),
            row["size"],
            row["ratio"],
        )
        for row in page.evaluate(WORDS)
    ]


def distance(word: Word, shown: ShownWord) -> float:
    (x, y), (across, down) = word.box.center, shown.box.center
    return math.dist((x, y * shown.ratio), (across, down))


def off_by(word: Word, shown: ShownWord) -> float:
    """By how much an edge of the inspection's box is outside the browser's box, or too far within, in letters."""
    box, browser = word.box, shown.box
    top, height = box.top * shown.ratio, box.height * shown.ratio
    inside = [
        box.left - browser.left,
        top - browser.top,
        browser.left + browser.width - box.left - box.width,
        browser.top + browser.height - top - height,
    ]
    return max(max(-edge, edge - ABOVE * shown.size) for edge in inside) / shown.size


@pytest.mark.parametrize("number", DRAWN)
def test_boxes_of_the_inspection_are_on_the_words(window: Page, number: str) -> None:
    svg = drawn(number)
    shown, read_words = shown_words(window, svg), read(svg.encode()).words
    assert sorted(word.text for word in read_words) == sorted(word.text for word in shown)
    off = {}
    for word in read_words:
        nearest = min((one for one in shown if one.text == word.text), key=lambda one: distance(word, one))
        off[word.text] = max(off.get(word.text, 0.0), off_by(word, nearest))
    assert {text: by for text, by in off.items() if by > CLOSE} == {}


def test_picture_on_the_page_has_its_letters_in_the_file(desk: Desk, manager: Person) -> None:
    layout = drawn_layout(manager, filed_rules(manager), parts=["layout"])
    page = desk.sign_in(manager, at=f"/layouts/{layout.number}/")
    page.goto(page.locator(".sheet__page img").get_attribute("src"))
    page.evaluate("document.fonts.ready.then(() => true)")
    loaded = page.evaluate("[...document.fonts].map((face) => face.status)")
    assert loaded == ["loaded", "loaded"]
