"""The typeface of the reference layouts: the letters of Public Sans as USWDS ships it, and their widths."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from submissions.layouts import typeface
from submissions.layouts.recognition.svg import read


def test_drawing_has_the_letters_of_public_sans_as_wide_as_they_are_read() -> None:
    embedded = [
        TTFont(BytesIO(b64decode(each))) for each in re.findall(r"woff2;base64,([^\"]+)", typeface.font_faces())
    ]
    for name, font in zip(typeface.WEIGHTS, embedded, strict=True):
        units, letters = font["head"].unitsPerEm, font.getBestCmap()
        assert set(map(chr, letters)) == set(typeface.LETTERS)
        widths = {chr(code): font["hmtx"][glyph][0] / units for code, glyph in letters.items()}
        assert widths == typeface.letter_widths(name)
        assert ("GPOS" in font, "kern" in font) == (False, False)


@pytest.mark.parametrize(
    ("attributes", "wide"),
    [
        ('font-family="Public Sans, sans-serif"', 1508 / 2000),
        ("style=\"font: bold 100px 'Public Sans'\"", 1564 / 2000),
        ('font-family="Helvetica"', 0.722),
        ("", 0.722),
    ],
)
def test_words_are_as_wide_as_their_typeface(attributes: str, wide: float) -> None:
    text = f'<text y="500" font-size="100" {attributes}>N</text>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">{text}</svg>'
    word = read(svg.encode()).words[0]
    assert word.box.width == pytest.approx(wide / 10, abs=1e-4)
