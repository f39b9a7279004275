"""What of a workbook is refused before it is read: what would run, follow a link, or take long or much memory to open.

An archive says of its sizes, and a part of its shape, whatever its author likes: they are counted, not believed. Not
here: what stands in its cells (`xlsx_rows`).
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib

from openpyxl.reader.excel import ExcelReader
from openpyxl.xml import DEFUSEDXML
from openpyxl.xml.constants import ARC_STYLE
from openpyxl.xml.functions import fromstring

from submissions.actions.bulk.lines import MOST_COLUMNS
from submissions.errors import Refusal

MOST_PARTS = 400  # files in the archive: some five for each sheet
LARGEST = 64 << 20  # bytes, when they are unpacked
MOST_ELEMENTS = 300_000  # of XML, two or three for each cell: what reading takes grows with them,
MOST_OTHERS = 40_000  # most of all with those that are no cells,
MOST_ATTRIBUTES = 100  # with what one of them has,
LONGEST_TAG = 100_000  # and, by the square of it, with how long its tag is
MOST_STYLES = 20_000  # elements of the part that says how cells look
LONGEST_FORMAT = 255  # characters of a number's format, as Excel allows; searching one takes the square of its length
CELLS = (b"<c ", b"<c>", b"<c/", b"<v>", b"<row", b"<si>", b"<t>", b"<t ", b"<is>")
OLD = b"\xd0\xcf\x11\xe0"  # how Excel begins what it encrypts, and what it wrote before 2007
ACTIVE = ("vbaProject", "externalLinks/", "activeX/", "embeddings/", "connections.xml", "queryTables/", "macrosheets/")
_TAG = re.compile(rb"""<[^/!?<](?>[^<>"']+|"[^"<]*"|'[^'<]*')*>?""")  # what stands in quotation marks may hold a >
if not DEFUSEDXML:
    raise ImportError("openpyxl needs defusedxml to read what strangers send")


def refuse_dangerous(content: bytes) -> None:
    if content.startswith(OLD):
        raise Refusal(
            "sheet-encrypted", "The workbook is protected with a password, or in Excel's format of before 2007.",
            fix="Save it as an Excel workbook (.xlsx) without a password.",
        )  # fmt: skip
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _refuse_active(archive)
            _refuse_large(archive)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        OSError,
        EOFError,
        RuntimeError,
        ValueError,
        zlib.error,
    ) as error:
        raise unreadable() from error


def refuse_laborious(content: bytes) -> None:
    """What makes openpyxl work much for little: formats without end, and one part that is many sheets."""
    reader = ExcelReader(io.BytesIO(content), read_only=True, keep_links=False)
    with reader.archive as archive:
        styles = list(fromstring(archive.read(ARC_STYLE)).iter()) if ARC_STYLE in archive.namelist() else []
        if len(styles) > MOST_STYLES or any(len(one.get("formatCode", "")) > LONGEST_FORMAT for one in styles):
            raise _too_large()
        reader.read_manifest()
        reader.read_workbook()
        parts = [relation.target for _, relation in reader.parser.find_sheets()]
    if len(set(parts)) < len(parts):
        raise unreadable()


def _refuse_active(archive: zipfile.ZipFile) -> None:
    found = [name for name in archive.namelist() if any(part in name for part in ACTIVE)]
    if found:
        raise Refusal(
            "sheet-active", f"The workbook has macros, embedded objects or links to elsewhere ({found[0][:60]}).",
            fix="Copy the cells into the workbook that was downloaded, or save it as CSV.",
        )  # fmt: skip


def _refuse_large(archive: zipfile.ZipFile) -> None:
    """Unpacked as far as is allowed: what an archive says of its sizes is believed only where it says too much."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST:
        raise _too_large()
    elements = others = 0
    for part in parts:
        text = archive.read(part)
        elements += text.count(b"<") - text.count(b"</")
        if elements > MOST_ELEMENTS:
            raise _too_large()
        tags = _TAG.findall(text)
        others += sum(not tag.startswith(CELLS) for tag in tags)
        if others > MOST_OTHERS or any(map(_is_monstrous, tags)):
            raise _too_large()
        if any(sum(map(row.count, CELLS[:3])) > MOST_COLUMNS for row in text.split(b"<row")[1:]):
            raise _too_large()


def _is_monstrous(tag: bytes) -> bool:
    return len(tag) > LONGEST_TAG or tag.count(b"=") > MOST_ATTRIBUTES


def _too_large() -> Refusal:
    return Refusal(
        "sheet-too-large", f"The workbook is larger, unpacked, than is opened: some {MOST_ELEMENTS // 3:,} cells.",
        fix="Leave out the columns in which nothing is changed, send it in parts, or send it as CSV.",
    )  # fmt: skip


def unreadable() -> Refusal:
    return Refusal(
        "sheet-unreadable", "The file cannot be read as an Excel workbook: it is damaged, or something else.",
        fix="Open it, save it anew as an Excel workbook (.xlsx), and send that; or send CSV.",
    )  # fmt: skip
