"""Which words of an SVG count: those that people see. The probes' verdicts are Chromium's (`tests/browser`)."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, DrawingSource
from submissions.layouts.recognition import drawing_files
from submissions.layouts.recognition import svg as reader
from submissions.layouts.recognition.drawing_files import read_drawing
from submissions.layouts.typeface import font_file
from tests.submissions.layouts.recognition.built import lines, quickly, svg
from tests.submissions.layouts.recognition.probes import HIDDEN, REFUSED, UNCLEAR, VISIBLE


def words(drawing: Drawing) -> tuple[list[str], list[str]]:
    return [word.text for word in drawing.words], [word.text for word in drawing.unclear]


@pytest.mark.proof
@pytest.mark.parametrize("inside", HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_words_are_left_out(inside: str) -> None:
    """Not found here: a way to hide words that `probes` does not have."""
    assert words(reader.read(svg(inside))) == ([], [])


@pytest.mark.proof
@pytest.mark.parametrize("inside", VISIBLE.values(), ids=VISIBLE.keys())
def test_visible_words_are_read(inside: str) -> None:
    """Not found here: a way to show words that `probes` does not have; a word that is read in the wrong place."""
    assert words(reader.read(svg(inside))) == (["Ante"], [])


@pytest.mark.parametrize("inside", UNCLEAR.values(), ids=UNCLEAR.keys())
def test_words_that_are_neither_are_unclear(inside: str) -> None:
    seen, unclear = words(reader.read(svg(inside)))
    assert "Ante" in unclear
    assert "Ante" not in seen


@pytest.mark.parametrize("inside", REFUSED.values(), ids=REFUSED.keys())
def test_style_that_is_not_painted_is_refused(inside: str) -> None:
    with pytest.raises(Refusal) as refusal:
        reader.read(svg(inside))
    assert refusal.value.code == "layout-style"


def test_turned_drawing_is_refused_as_a_whole() -> None:
    with pytest.raises(Refusal):
        reader.read(svg("<text y='50'>Ante</text>", 'viewBox="0 0 400 200" transform="scale(0)"'))


@pytest.mark.parametrize("attribute", ['opacity="0"', 'clip-path="url(#c)"', 'style="display:none"'])
def test_whole_drawing_can_be_hidden(attribute: str) -> None:
    inside = '<clipPath id="c"><rect width="9" height="9"/></clipPath><text x="100" y="100">Ante</text>'
    assert reader.read(svg(inside, f'viewBox="0 0 400 200" {attribute}')).words == ()


def test_right_inscription_hidden_and_another_shown() -> None:
    clip = '<clipPath id="c"><rect width="1" height="1"/></clipPath>'
    hidden = '<text y="50" clip-path="url(#c)">Blackjack pays 3 to 2</text>'
    shown = '<text x="30" y="90">Blackjack pays 6 to 5</text>'
    assert lines(reader.read(svg(clip + hidden + shown))) == ["Blackjack pays 6 to 5"]


def picture_of(text: str) -> str:
    """A picture on a small part of the drawing: to paint a large one takes seconds."""
    image = Image.new("L", (960, 200), "white")
    font = ImageFont.truetype(str(font_file("regular")), 64)
    ImageDraw.Draw(image).text((100, 60), text, font=font, fill="black")
    file = io.BytesIO()
    image.save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    return f'<image href="data:image/png;base64,{data}" x="25" y="75" width="240" height="50"/>'


@pytest.mark.proof
def test_picture_beside_text_is_recognized() -> None:
    """Not found here: words that are read and are not there."""
    found = reader.read(svg(picture_of("Blackjack pays 6 to 5") + '<text x="40" y="40">Must qualify</text>'))
    assert (found.source, lines(found)[0]) == (DrawingSource.SVG, "Must qualify")
    assert {"Blackjack", "6", "to", "5"} <= {word.text for word in found.words if word.certainty < 1}


@pytest.mark.proof
def test_picture_in_a_pattern_is_recognized() -> None:
    """Not found here: a picture that the pattern repeats; words that are read and are not there."""
    pattern = f'<pattern id="p" width="1" height="1">{picture_of("Blackjack pays 6 to 5")}</pattern>'
    inside = pattern + '<rect width="400" height="200" fill="url(#p)"/><text x="40" y="40">Must qualify</text>'
    found = reader.read(svg(inside))
    assert lines(found)[0] == "Must qualify"
    assert {"Blackjack", "6", "to", "5"} <= {word.text for word in found.words if word.certainty < 1}


@pytest.mark.proof
def test_picture_alone_is_recognized() -> None:
    """Not found here: a picture that is turned or blurred; words that are read and are not there."""
    found = reader.read(svg(picture_of("Blackjack pays 6 to 5")))
    assert (found.source, found.outlined) == (DrawingSource.PICTURE, True)
    assert {"Blackjack", "6", "to", "5"} <= {word.text for word in found.words}


def test_shadow_of_a_text_is_not_read_again() -> None:
    shadow = '<text x="101" y="51" fill="gray">Ante</text><text x="100" y="50">Ante</text>'
    assert words(reader.read(svg(shadow))) == (["Ante"], [])


def test_words_of_hidden_and_visible_parts_are_not_joined() -> None:
    inside = '<text y="50">Play<tspan fill="white">not</tspan> Ante</text>'
    seen, _ = words(reader.read(svg(inside)))
    assert "Ante" in seen
    assert "PlaynotAnte" not in seen


def test_painting_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit in seconds is a smaller one here; nothing else differs."""
    assert drawing_files.run_isolated.cpu_seconds == drawing_files.SECONDS
    monkeypatch.setattr(drawing_files.run_isolated, "cpu_seconds", 2)
    blur = '<filter id="f"><feGaussianBlur stdDeviation="90"/></filter>'
    shapes = '<rect width="400" height="200" filter="url(#f)"/>' * 9000
    with pytest.raises(Refusal) as refusal, quickly(6):
        read_drawing("table.svg", svg(f'{blur}{shapes}<text y="50" fill="white">Ante</text>'))
    assert refusal.value.code == "layout-too-heavy"


def test_drawing_may_state_its_size_and_its_colors_for_dark_screens() -> None:
    """As draw.io writes them: the first color is the one that is painted."""
    style = "fill: light-dark(#111111, var(--dark, #ededed))"
    drawn = svg(f'<text x="20" y="40" font-size="20" style="{style}">Ante</text>').replace(
        b"<svg ", b'<svg style="width: 100%; height: auto" ', 1
    )
    assert words(reader.read(drawn)) == (["Ante"], [])
    white = drawn.replace(b"#111111", b"#ffffff")
    assert words(reader.read(white)) == ([], [])
