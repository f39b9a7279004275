"""The typeface of the reference layouts: the letters of Public Sans as USWDS ships it, and their widths."""

from __future__ import annotations

import tomllib
from base64 import b64decode
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont

from submissions.layouts import typeface
from submissions.layouts.recognition.svg import read
from tests.submissions.layouts import typeface_file


@pytest.mark.parametrize("name", typeface_file.WEIGHTS)
def test_file_has_the_letters_and_widths_of_public_sans(name: str) -> None:
    official = TTFont(typeface_file.FONTS / typeface_file.WEIGHTS[name])
    units, cmap = official["head"].unitsPerEm, official.getBestCmap()
    widths = {letter: official["hmtx"][cmap[ord(letter)]][0] / units for letter in typeface_file.LETTERS}
    face = typeface.typefaces()[name]
    assert dict(face.widths) == widths
    embedded = TTFont(BytesIO(b64decode(face.woff2)))
    assert set(map(chr, embedded.getBestCmap())) == set(typeface_file.LETTERS)
    assert typeface_file.advances(embedded) == {letter: round(wide * units) for letter, wide in widths.items()}
    assert ("GPOS" in embedded, "kern" in embedded) == (False, False)


def test_file_is_the_one_that_the_command_makes() -> None:
    assert tomllib.loads(typeface_file.text()) == tomllib.loads(typeface.FILE.read_text("utf-8"))


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
