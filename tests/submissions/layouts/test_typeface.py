"""The typeface of the reference layouts: the letters of Public Sans as USWDS ships it, and their widths."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from submissions.layouts import typeface
from submissions.layouts.recognition.svg import read


@pytest.mark.parametrize("name", typeface.WEIGHTS)
def test_font_has_the_letters_and_widths_of_public_sans(name: str) -> None:
    official = TTFont(typeface.font_file(name))
    units, letters = official["head"].unitsPerEm, official.getBestCmap()
    widths = {letter: official["hmtx"][letters[ord(letter)]][0] / units for letter in typeface.LETTERS}
    face = typeface.typefaces()[name]
    assert dict(face.widths) == widths
    embedded = TTFont(BytesIO(b64decode(face.woff2)))
    assert set(map(chr, embedded.getBestCmap())) == set(typeface.LETTERS)
    assert ("GPOS" in embedded, "kern" in embedded) == (False, False)


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
