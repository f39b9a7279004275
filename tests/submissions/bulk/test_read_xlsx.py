"""Workbooks that nobody should send: what is never opened, and the child process that reads every workbook."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from functools import cache
from io import BytesIO
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from submissions.bulk.item_sheets import read_upload
from tests.submissions.bulk.made import HEADER, ITEM, ROW, refused, with_parts, workbook

pytestmark = pytest.mark.django_db  # published rulemakings change what a chapter has

SHEET = "xl/worksheets/sheet1.xml"
START = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
END = b"</sheetData></worksheet>"
LAUGHS = b'<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' + START
DECLARED = b'<!DOCTYPE x SYSTEM "http://a.example/x.dtd">'
OUTSIDE = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + START
RULE = b'<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"/></conditionalFormatting>'
CELL = b'<row r="1"><c r="A1" t="inlineStr"><is><t>&a;</t></is></c></row>'
ROWS = [b'<row r="%d"><c r="A%d" t="inlineStr"><is><t>action</t></is></c></row>' % (n, n) for n in range(4)]
LONG = b'<row r="2"><c r="A2"><f t="shared" si="0">%s</f></c>' % (b"A1+" * 100_000 + b"A1")
SHARED = b"".join(b'<c r="%c2"><f t="shared" si="0"/></c>' % letter for letter in b"BCDEFGHIJKLMNOPQRSTUVWXYZ")
FORMAT = (
    b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="200" '
)
FORMAT += b'formatCode="%s"/></numFmts><cellXfs>%s</cellXfs></styleSheet>'


@cache
def plain() -> bytes:
    return workbook({"686a": [HEADER, ROW]})


def naming_its_sheet(times: int) -> bytes:
    """The part that lists the sheets, with the only one listed so often."""
    with zipfile.ZipFile(BytesIO(plain())) as archive:
        names = archive.read("xl/workbook.xml")
    sheet = names[names.index(b"<sheet ") : names.index(b"</sheets>")]
    return names.replace(sheet, sheet * times)


@pytest.mark.usefixtures("reads_here")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "sheet-encrypted"),
        (lambda: b"PK\x03\x04", "sheet-unreadable"),
        (lambda: plain()[: len(plain()) // 2], "sheet-unreadable"),
        (lambda: plain()[:600] + b"\xff" * 400 + plain()[1000:], "sheet-unreadable"),
        (lambda: with_parts(plain(), {SHEET: b"<worksheet"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"xl/workbook.xml": DECLARED + naming_its_sheet(1)}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"docProps/app.xml": DECLARED + b"<x/>"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"xl/_rels/workbook.xml.rels": DECLARED + b"<x/>"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"[Content_Types].xml": DECLARED + b"<x/>"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"customXml/item1.data": DECLARED + b"<x/>"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"customXml/item1.XML": DECLARED + b"<x/>"}), "sheet-unreadable"),
        (
            lambda: with_parts(plain(), {"xl/other.bin": (DECLARED + b"<x/>").decode().encode("utf-16")}),
            "sheet-unreadable",
        ),
        (lambda: with_parts(plain(), {"../../evil": b"x"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {"/evil.xml": b"<x/>"}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {SHEET: LAUGHS + CELL + END}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {SHEET: OUTSIDE + CELL + END}), "sheet-unreadable"),
        (
            lambda: with_parts(plain(), {SHEET: START + b'<row r="1"><c t="s"><v>9</v></c></row>' + END}),
            "sheet-unreadable",
        ),
        (lambda: with_parts(plain(), {SHEET: START + b'<row r="999999999"/>' + END}), "sheet-too-large"),
        (lambda: with_parts(plain(), {SHEET: START + b"<row/>" * 3_000_000 + END}), "sheet-too-large"),
        (
            lambda: with_parts(plain(), {"xl/sharedStrings.xml": b"<sst>" + b"<si/>" * 4_000_000 + b"</sst>"}),
            "sheet-too-large",
        ),
        (
            lambda: with_parts(plain(), {SHEET: START + b"<row>" + b"<c/>" * 200_000 + b"</row>" + END}),
            "sheet-too-large",
        ),
        (
            lambda: with_parts(plain(), {SHEET: START + b"</sheetData>" + RULE * 30_000 + b"</worksheet>"}),
            "sheet-too-large",
        ),
        (
            lambda: with_parts(plain(), {"xl/styles.xml": b"<styleSheet>" + b"<xf/>" * 60_000 + b"</styleSheet>"}),
            "sheet-too-large",
        ),
        (lambda: with_parts(plain(), {"xl/media/image1.png": bytes(80 << 20)}), "sheet-too-large"),
        (lambda: with_parts(plain(), {f"xl/media/{n}.png": b"" for n in range(500)}), "sheet-too-large"),
        (
            lambda: with_parts(plain(), {SHEET: START + END[:12] + b'<x y=">%s"/>' % bytes(30 << 20)}),
            "sheet-unreadable",
        ),
        (lambda: with_parts(plain(), {SHEET: START + LONG + SHARED + b"</row>" + END}), "sheet-formula"),
        (lambda: with_parts(plain(), {SHEET: START + ROWS[3] + ROWS[2] + END}), "sheet-unreadable"),
        (lambda: with_parts(plain(), {SHEET: START + ROWS[2] + ROWS[2] + END}), "sheet-unreadable"),
        (
            lambda: with_parts(plain(), {SHEET: START + b'<row r="2"><c r="B2"/><c r="A2"/></row>' + END}),
            "sheet-unreadable",
        ),
        (lambda: with_parts(plain(), {SHEET: START + b'<row r="2"><c r="A3"/></row>' + END}), "sheet-unreadable"),
        (
            lambda: with_parts(plain(), {"xl/styles.xml": FORMAT % (b"[" * 200_000, b'<xf numFmtId="200"/>')}),
            "sheet-too-large",
        ),
        (
            lambda: with_parts(plain(), {"xl/workbook.xml": naming_its_sheet(300)}),
            "sheet-unreadable",
        ),
        (lambda: with_parts(plain(), {"xl/vbaProject.bin": b"macro"}), "sheet-active"),
        (lambda: with_parts(plain(), {"xl/externalLinks/externalLink1.xml": b"<x/>"}), "sheet-active"),
        (lambda: with_parts(plain(), {"xl/embeddings/oleObject1.bin": b"x"}), "sheet-active"),
    ],
)
def test_hostile_workbook_is_refused_soon(content: Callable[[], bytes], code: str) -> None:
    assert refused(content()).code == code


@pytest.mark.usefixtures("reads_here")
def test_archive_that_lies_about_its_size_is_refused() -> None:
    content = with_parts(plain(), {"xl/comments/comment1.xml": bytes(80 << 20)})
    with zipfile.ZipFile(BytesIO(content)) as archive:
        size = archive.getinfo("xl/comments/comment1.xml").file_size.to_bytes(4, "little")
    assert refused(content.replace(size, (99).to_bytes(4, "little"))).code == "sheet-unreadable"


def as_excel_writes(texts: list[str], rows: bytes) -> bytes:
    """With texts that the cells share, and addresses of the parts that begin at the workbook's folder."""
    with zipfile.ZipFile(BytesIO(plain())) as archive:
        types, relations = archive.read("[Content_Types].xml"), archive.read("xl/_rels/workbook.xml.rels")
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    override = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % kind
    shared = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    shared += "".join(f"<si><t>{text}</t></si>" for text in texts) + "</sst>"
    parts = {
        "[Content_Types].xml": types.replace(b"</Types>", override),
        "xl/_rels/workbook.xml.rels": relations.replace(b'"/xl/', b'"'),
        "xl/sharedStrings.xml": shared.encode(),
        SHEET: START + rows + END,
    }
    return with_parts(plain(), parts)


@pytest.mark.usefixtures("reads_here")
def test_texts_that_cells_share_are_read() -> None:
    rows = [b"".join(b'<c t="s"><v>%d</v></c>' % number for number in numbers) for numbers in ((0, 1), (2, 3))]
    content = as_excel_writes(["action", "chapter", "create", "686a"], b"<row>%s</row><row>%s</row>" % tuple(rows))
    found = read_upload(content, form="xlsx", name="")
    assert (found.items, found.rows) == ([{"action": "create", "chapter": "686a"}], ["686a!2"])


def test_workbook_is_read_by_a_child_process() -> None:
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    assert read_upload(plain(), form="xlsx", name="").items == [ITEM]
    assert getrusage(RUSAGE_CHILDREN).ru_utime > before


def test_one_long_text_that_every_cell_shares_takes_the_memory_of_the_child_only() -> None:
    """Some kilobytes in the file, but gigabytes once each cell has its own."""
    row = b"<row>" + b'<c t="s"><v>0</v></c>' * 200 + b"</row>"
    assert refused(as_excel_writes(["x" * 10_000_000], row)).code == "sheet-too-large"


def test_element_with_very_many_attributes_takes_the_time_of_the_child_only() -> None:
    attributes = b" ".join(b'a%d="1"' % number for number in range(200_000))
    content = with_parts(plain(), {SHEET: START + b"<row %s/>" % attributes + END})
    assert refused(content).code == "sheet-empty"
