"""Files that want to act, to reach out, or to fill the memory are refused quickly, with a code and a remedy."""

from __future__ import annotations

import io
import struct
import zlib

import pikepdf
import pytest

from submissions.core.errors import Refusal
from submissions.layouts.recognition.drawing_files import admit, read_drawing
from tests.submissions import files
from tests.submissions.layouts.recognition.built import lines, pdf, quickly, svg

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + ']><svg xmlns="http://www.w3.org/2000/svg"><text>&a11;</text></svg>'
).encode()
OUTSIDE = b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>'

PUBLISHED = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("layout-active-content", svg("<script>alert(1)</script>")),
        ("layout-active-content", svg('<text onclick="alert(1)">Ante</text>')),
        ("layout-active-content", svg("", 'onload="alert(1)"')),
        ("layout-active-content", svg('<text><set attributeName="href" to="javascript:alert(1)"/></text>')),
        ("layout-external", svg('<a xlink:href="javascript:alert(1)"><text>Ante</text></a>')),
        ("layout-external", svg('<image href="http://example.test/a.png"/>')),
        ("layout-external", svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')),
        ("layout-external", svg('<use href="other.svg#a"/>')),
        ("layout-external", svg("<style>@import 'http://example.test/a.css';</style>")),
        ("layout-external", svg("<style>@\\69mport 'http://example.test/a.css';</style>")),
        ("layout-external", svg("<style>text{fill:u\\72l(http://example.test/a)}</style>")),
        ("layout-external", svg("<rect style=\"fill:url('//example.test/a')\"/>")),
        ("layout-external", svg('<rect filter="url(http://example.test/a#b)"/>')),
        ("layout-external", svg('<a href="#a" ping="http://example.test/p"><text>Ante</text></a>')),
        ("layout-external", svg('<a href="#a" PING="http://example.test/p"><text>Ante</text></a>')),
        ("layout-external", b'<?xml-stylesheet href="http://example.test/a.css"?>' + svg("")),
        ("layout-foreign", svg("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>Ante</p></foreignObject>")),
        ("layout-entities", LAUGHS),
        ("layout-entities", OUTSIDE),
        ("layout-entities", b'<!DOCTYPE svg SYSTEM "http://example.test/svg.dtd">' + svg("")),
        ("layout-entities", b"<!DOCTYPE svg>" + svg("")),
        ("layout-entities", PUBLISHED[:-1] + b" [<!ENTITY a 'b'>]>" + svg("<text>&a;</text>")),
        ("layout-entities", PUBLISHED + PUBLISHED + svg("<text>Ante</text>")),
        ("layout-too-large", svg("<g/>" * 60_000)),
        ("layout-too-large", svg("<g>" * 200 + "</g>" * 200)),
        ("layout-too-large", svg("<!--" + "x" * (11 << 20) + "-->")),
        ("layout-damaged", b"<svg"),
        ("layout-damaged", b"<html/>"),
    ],
)
def test_svg_that_acts_reaches_out_or_grows_is_refused(code: str, content: bytes) -> None:
    with quickly(), pytest.raises(Refusal) as refusal:
        admit("table.svg", content)
    assert refusal.value.code == code
    assert refusal.value.fix


def test_uses_of_uses_come_to_an_end() -> None:
    twice = "".join(f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 12))
    with pytest.raises(Refusal) as refusal:
        read_drawing("table.svg", svg(f'<defs><g id="a0"/>{twice}</defs><use href="#a11"/>'))
    assert refusal.value.code == "layout-too-large"
    circle = svg('<g id="a"><text y="50">Ante</text><use href="#a"/></g>')
    assert lines(read_drawing("table.svg", circle)) == ["Ante"]


def test_what_plain_drawings_hold_is_admitted() -> None:
    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    inside = f'<image href="data:image/png;base64,{dot}"/><rect fill="url(#felt)"/>'
    assert admit("table.SVG", svg(inside)) == "svg"
    assert admit("table.svg", PUBLISHED + svg("<text>Ante</text>")) == "svg"


def launching() -> bytes:
    with pikepdf.open(io.BytesIO(pdf(b""))) as paper:
        launch = pikepdf.Dictionary(S=pikepdf.Name.Launch, F="/bin/sh")
        paper.Root.OpenAction = paper.make_indirect(launch)
        kept = io.BytesIO()
        paper.save(kept)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("layout-active-content", files.pdf_with_javascript()),
        ("layout-active-content", launching()),
        ("layout-damaged", pdf(b"", encryption=pikepdf.Encryption(user="secret", owner="secret"))),
        ("layout-damaged", b"%PDF-1.7 nothing"),
        ("layout-too-large", pdf(*[b""] * 11)),
    ],
    ids=["script", "launch", "password", "damaged", "eleven pages"],
)
def test_pdf_that_acts_or_cannot_be_read_is_refused(code: str, content: bytes) -> None:
    with quickly(), pytest.raises(Refusal) as refusal:
        admit("table.pdf", content)
    assert refusal.value.code == code


def test_two_thousand_pages_are_refused_quickly() -> None:
    content = pdf(*[b"BT /F 10 Tf (Ante) Tj ET"] * 2000)
    with quickly(), pytest.raises(Refusal) as refusal:
        admit("table.pdf", content)
    assert refusal.value.code == "layout-too-large"
    assert "2,000 pages" in refusal.value.message


def huge_png() -> bytes:
    """20,000 × 20,000 pixels in a few kilobytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 10_000))
        + chunk(b"IEND", b"")
    )


def test_huge_picture_is_refused_by_its_head() -> None:
    with quickly(0.5), pytest.raises(Refusal) as refusal:
        admit("table.png", huge_png())
    assert refusal.value.code == "layout-too-large"
    assert "400,000,000 pixels" in refusal.value.message


@pytest.mark.parametrize(
    ("name", "content"), [("a.svg", b"%PDF-1.7"), ("a.pdf", b"<svg/>"), ("a.dxf", b"0"), ("a", b"")]
)
def test_other_kinds_are_named(name: str, content: bytes) -> None:
    with pytest.raises(Refusal) as refusal:
        admit(name, content)
    assert refusal.value.code == "layout-kind"
