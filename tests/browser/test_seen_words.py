"""Words that an SVG shows or hides: the reader's verdicts are those of Chromium's pixels."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from submissions.layouts.recognition import svg as reader
from tests.browser.desk import screenshot
from tests.submissions.layouts.recognition.built import svg
from tests.submissions.layouts.recognition.probes import HIDDEN, VISIBLE

WINDOW = {"width": 760, "height": 380}  # a drawing of 200 × 100 mm
TAKE_AWAY = """() => {
    const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT), words = [];
    while (texts.nextNode()) if (texts.currentNode.data.includes("Ante")) words.push(texts.currentNode);
    words.forEach((word) => { word.data = word.data.replaceAll("Ante", "    "); });
    return words.length;
}"""
DIFFERENT, ENOUGH = 12, 10  # of 255 in any color, and pixels


@pytest.fixture(scope="module")
def window(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport=WINDOW)
    yield page
    page.close()


def painted(page: Page) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(screenshot(page))).convert("RGB")).astype(int)


@pytest.mark.browser
@pytest.mark.parametrize("inside", [*HIDDEN.values(), *VISIBLE.values()], ids=[*HIDDEN, *VISIBLE])
def test_word_is_read_where_chromium_shows_it(window: Page, inside: str) -> None:
    content = svg(inside)
    assert b"Ante" in content
    window.goto(f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}")
    with_word = painted(window)
    assert window.evaluate(TAKE_AWAY) >= 1
    without = painted(window)
    shown = (np.abs(with_word - without).max(axis=2) >= DIFFERENT).sum() >= ENOUGH
    assert bool(reader.read(content).words) == shown
