"""Words that are struck through or hard to read are unclear; a line below or beside words changes nothing.

Not found here: words that are struck through in a picture, or whose letters are drawn as outlines.
"""

from __future__ import annotations

import pytest

from submissions.layouts.recognition import pdf as pdf_reader
from submissions.layouts.recognition import svg
from tests.submissions.layouts.recognition.built import pdf

pytestmark = pytest.mark.proof

BLACK = (  # a picture of one pixel
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
TEXT = '<text x="20" y="60" font-size="30" {attributes}>Blackjack pays</text>'


def words(figure: str = "", attributes: str = "") -> tuple[list[str], list[str]]:
    text = TEXT.format(attributes=attributes)
    content = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 120" width="400" height="120">{text}{figure}</svg>'
    )
    drawing = svg.read(content.encode())
    return [word.text for word in drawing.words], [word.text for word in drawing.unclear]


@pytest.mark.parametrize(
    ("figure", "attributes"),
    [
        ('<path d="M10 50 H260" stroke="#000"/>', ""),
        ('<line x1="10" y1="55" x2="260" y2="44" stroke="#000"/>', ""),
        ('<rect x="10" y="48" width="250" height="3"/>', ""),
        (
            '<polyline points="10,55 30,45 50,55 70,45 90,55 110,45 130,55 150,45 170,55 190,45 210,55 230,45 250,55" '
            'fill="none" stroke="#000"/>',
            "",
        ),
        ("".join(f'<path d="M{x} 50 h8" stroke="#000"/>' for x in range(15, 255, 9)), ""),
        (
            '<defs><marker id="m" overflow="visible"><rect width="250" height="3"/></marker></defs>'
            '<path d="M10 50 h0.1" stroke="#000" marker-start="url(#m)"/>',
            "",
        ),
        (f'<image x="10" y="48" width="260" height="3" preserveAspectRatio="none" href="{BLACK}"/>', ""),
        ("", 'text-decoration="line-through"'),
        ("", 'style="text-decoration: underline line-through"'),
    ],
)
def test_struck_words_are_unclear(figure: str, attributes: str) -> None:
    assert words(figure, attributes) == ([], ["Blackjack", "pays"])


@pytest.mark.parametrize(
    ("figure", "attributes"),
    [
        ('<path d="M10 66 H260" stroke="#000"/>', ""),
        ('<rect x="5" y="20" width="300" height="60" fill="none" stroke="#000"/>', ""),
        ('<path d="M10 50 H260" stroke="none" fill="none"/>', ""),
        ("", 'text-decoration="underline"'),
    ],
)
def test_a_line_beside_words_strikes_nothing(figure: str, attributes: str) -> None:
    assert words(figure, attributes) == (["Blackjack", "pays"], [])


@pytest.mark.parametrize(
    "attributes",
    [
        'transform="translate(300 0) scale(-1 1)"',
        'transform="translate(0 120) scale(1 -1)"',
        'transform="translate(150 0) skewX(-70)"',
        'letter-spacing="-14"',
    ],
    ids=["mirrored", "upside down and mirrored", "slanted", "letters on each other"],
)
def test_words_that_are_hard_to_read_are_unclear(attributes: str) -> None:
    assert words(attributes=attributes) == ([], ["Blackjack", "pays"])


def test_words_for_the_other_side_of_the_table_are_read() -> None:
    assert words(attributes='transform="rotate(180 150 60)"') == (["Blackjack", "pays"], [])


def test_a_line_through_one_word_leaves_the_next() -> None:
    assert words('<path d="M10 50 H150" stroke="#000"/>') == (["pays"], ["Blackjack"])


IN_PDF = b"BT /F 20 Tf 40 100 Td (Blackjack pays) Tj ET "


def words_of_pdf(figure: bytes, text: bytes = IN_PDF) -> tuple[list[str], list[str]]:
    drawing = pdf_reader.read(pdf(text + figure))
    return [word.text for word in drawing.words], [word.text for word in drawing.unclear]


@pytest.mark.parametrize(
    "figure",
    [
        b"1 w 30 106 m 250 106 l S",
        b"0.8 0 0 RG 2 w 30 103 m 250 109 l S",
        b"30 105 220 2 re f",
        b"1 1 1 RG 2 w 30 106 m 250 106 l S",  # white, over black letters on gray
        b"q 0.5 w 30 106 m 100 106 l 100 106 m 250 106 l S Q",
    ],
)
def test_struck_words_of_a_pdf_are_unclear(figure: bytes) -> None:
    gray = b"q 0.8 g 0 0 400 200 re f Q "
    assert words_of_pdf(figure, gray + IN_PDF) == ([], ["Blackjack", "pays"])


def test_dashes_over_words_strike_them_through() -> None:
    shown, unclear = words_of_pdf(b"BT /F 20 Tf 36 99 Td (------------------------) Tj ET")
    assert not {"Blackjack", "pays"} & set(shown)
    assert {"Blackjack", "pays"} <= set(unclear)


@pytest.mark.parametrize(
    "figure",
    [
        b"1 w 30 94 m 250 94 l S",
        b"1 w 30 90 230 40 re S",
        b"q 0.8 g 20 60 300 80 re f Q 1 1 1 RG 3 w 30 30 m 250 30 l S",
        b"1 w 38 90 m 38 125 l S 250 90 m 250 125 l S",
    ],
)
def test_a_line_beside_words_of_a_pdf_strikes_nothing(figure: bytes) -> None:
    assert words_of_pdf(IN_PDF, figure + b" ") == (["Blackjack", "pays"], [])


def test_a_line_through_one_word_of_a_pdf_leaves_the_next() -> None:
    assert words_of_pdf(b"1 w 30 106 m 130 106 l S") == (["pays"], ["Blackjack"])
