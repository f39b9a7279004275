"""Words that are struck through are unclear; a line below or beside words changes nothing."""

from __future__ import annotations

import pytest

from submissions.layouts.recognition import svg

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


def test_a_line_through_one_word_leaves_the_next() -> None:
    assert words('<path d="M10 50 H150" stroke="#000"/>') == (["pays"], ["Blackjack"])
