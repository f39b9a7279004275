"""Files that want to act, to fill the memory, or to make us ask the database a thousand times."""

from __future__ import annotations

import io
import re
import time
import zipfile
import zlib
from collections.abc import Callable
from functools import cache

import pikepdf
import pytest
from django.conf import LazySettings
from django.core.files import uploadhandler
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from submissions.core import uploads
from submissions.core.errors import Refusal
from submissions.documents.verification import _claimed
from submissions.web.upload_handler import oversize
from tests.submissions import files


def written(objects: list[bytes], root: bytes = b"1 0 R") -> bytes:
    """A PDF with these objects, 1 the catalogue and 2 the pages, and a plain table of references."""
    content, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return content + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root %s>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, table, len(objects) + 1, root, len(content)
    )  # fmt: skip


PAGES, PAGE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
CATALOGUE = b"<</Type/Catalog/Pages 2 0 R>>"
SCRIPT = b"<</S/JavaScript/JS(app.alert(1))>>"


def bomb() -> bytes:
    """A stream of objects that is two gigabytes long when it is unpacked twice."""
    packer = zlib.compressobj(9)
    begin, more = (packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    inner = begin + more * 2047
    packed = zlib.compress(inner, 9)
    content = b"%PDF-1.7\n"
    places = {1: len(content)}
    content += b"1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
    places[2] = len(content)
    content += b"2 0 obj\n" + PAGES + b"\nendobj\n"
    places[4] = len(content)
    filters = b"/Filter[/FlateDecode/FlateDecode]"
    content += b"4 0 obj\n<</Type/ObjStm/N 1/First 4%s/Length %d>>stream\n%s\nendstream\nendobj\n" % (
        filters, len(packed), packed
    )  # fmt: skip
    places[5] = len(content)
    rows = [(0, 0, 255), (1, places[1], 0), (1, places[2], 0), (2, 4, 0), (1, places[4], 0), (1, places[5], 0)]
    data = b"".join(kind.to_bytes(1) + place.to_bytes(4) + index.to_bytes(1) for kind, place, index in rows)
    content += b"5 0 obj\n<</Type/XRef/Size 6/W[1 4 1]/Root 1 0 R/Length %d>>stream\n%s\nendstream\nendobj\n" % (
        len(data), data
    )  # fmt: skip
    return content + b"startxref\n%d\n%%%%EOF\n" % places[5]


@pytest.mark.parametrize(
    "content",
    [
        written([CATALOGUE, PAGES, PAGE], CATALOGUE[:-2] + b"/OpenAction %s>>" % SCRIPT),
        written([CATALOGUE, PAGES, PAGE[:-2] + b"/Annots[<</Parent<</A %s>>>>]>>" % SCRIPT]),
        written([CATALOGUE, PAGES, PAGE[:-2] + b"/Annots[<</3DD<</OnInstantiate 4 0 R>>>>]>>", b"(x)"]),
        written([b"<</Type/Catalog/Pages 2 0 R/Open#41ction<</S/Java#53cript/J#53(x)>>>>", PAGES, PAGE]),
    ],
    ids=["catalogue in the trailer", "inherited", "three dimensions", "names written otherwise"],
)  # fmt: skip
def test_active_content_is_found_wherever_it_hides(content: bytes) -> None:
    found = uploads.scan_pdf(content)
    assert found is None or found.startswith("/")  # damaged, or the name of what acts


LINK = b"/Annots[<</Type/Annot/Subtype/%s/Rect[0 0 9 9]%s>>]>>"
URI = b"<</S/URI/URI(http://a.example)>>"
OPENS = CATALOGUE[:-2] + b"/OpenAction"
EMPTY_STREAM = b">>stream\n\nendstream"
ELSEWHERE = b"<</Length 0/F<</FS/URL/F(http://a.example)>>" + EMPTY_STREAM
REFERRING = b"<</Subtype/Form/BBox[0 0 9 9]/Ref<</F(remote.pdf)/Page 0>>/Length 0" + EMPTY_STREAM
ACTING = {
    "next": written([OPENS + b"<</S/GoTo/D[3 0 R/Fit]/Next%s>>>>" % URI, PAGES, PAGE]),
    "next, indirect": written([OPENS + b" 4 0 R>>", PAGES, PAGE, b"<</S/GoTo/D[3 0 R/Fit]/Next 5 0 R>>", URI]),
    "thread": written([CATALOGUE, PAGES, PAGE[:-2] + LINK % (b"Link", b"/A<</S/Thread/F(remote.pdf)>>")]),
    "rich media": written([CATALOGUE, PAGES, PAGE[:-2] + LINK % (b"RichMedia", b"")]),
    "sound": written([CATALOGUE, PAGES, PAGE[:-2] + LINK % (b"Sound", b"")]),
    "stream elsewhere": written([CATALOGUE, PAGES, PAGE[:-2] + b"/Contents 4 0 R>>", ELSEWHERE]),
    "form": written([CATALOGUE, PAGES, PAGE[:-2] + b"/Resources<</XObject<</X 4 0 R>>>>>>", REFERRING]),
}  # fmt: skip


@pytest.mark.parametrize("content", ACTING.values(), ids=ACTING.keys())
def test_pdf_that_acts_or_leads_to_another_file_is_refused(content: bytes) -> None:
    found = uploads.scan_pdf(content)
    assert found
    assert found.startswith("/")


def test_refusal_of_a_pdf_that_acts_has_its_code() -> None:
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("rules.pdf", ACTING["next"])
    assert refusal.value.code == "attachment-active-content"


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        file.writestr("evil.js", "alert(1)")
    return content.getvalue()


def comment(content: bytes) -> bytes:
    """A PDF with this behind its first line, where a reader of PDF skips it; and all places moved."""
    begin, rest = PLAIN.split(b"\n", 1)
    moved = len(content) + 1
    rest = re.sub(rb"^\d{10}(?= 00000 n)", lambda place: b"%010d" % (int(place[0]) + moved), rest, flags=re.MULTILINE)
    rest = re.sub(rb"(?<=startxref\n)\d+", lambda place: b"%d" % (int(place[0]) + moved), rest)
    return begin + b"\n" + content + b"\n" + rest


PAGE_OF_HTML = b"<HTML><script>alert(1)</script>"
PLAIN = written([CATALOGUE, PAGES, PAGE])
POLYGLOTS = {
    "archive behind": PLAIN + archive(),
    "archive behind, ended as a PDF": PLAIN + archive() + PLAIN[PLAIN.index(b"startxref") :],
    "archive within": comment(archive()),
    "HTML behind": PLAIN + PAGE_OF_HTML + b" " * 40,
    "HTML behind, ended as a PDF": PLAIN + PAGE_OF_HTML + PLAIN[PLAIN.index(b"startxref") :],
    "HTML within": comment(b"%<!DOCTYPE  html><title>x</title>"),
}


@pytest.mark.parametrize("content", POLYGLOTS.values(), ids=POLYGLOTS.keys())
def test_pdf_that_is_another_file_too_is_found(content: bytes) -> None:
    assert uploads.scan_pdf(content) == uploads.OTHER_FILE


def test_pdf_that_is_another_file_too_is_refused() -> None:
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("rules.pdf", POLYGLOTS["archive behind"])
    assert (refusal.value.code, "more than a PDF" in refusal.value.message) == ("attachment-damaged", True)


@pytest.mark.parametrize("other", [archive(), PAGE_OF_HTML], ids=["archive", "page"])
def test_pdf_behind_another_file_is_refused(other: bytes) -> None:
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("rules.pdf", other + PLAIN)
    assert refusal.value.code == "attachment-kind"


def test_comment_of_a_pdf_is_no_other_file() -> None:
    content = comment(b"%\xe2\xe3\xcf\xd3 a < b, PK")
    assert uploads.check_upload("rules.pdf", content) == ("application/pdf", content)


@pytest.mark.parametrize(("name", "kind"), [("plan.png", "PNG"), ("plan.jpg", "JPEG")])
def test_picture_loses_the_other_file(name: str, kind: str) -> None:
    for other in (archive(), PAGE_OF_HTML):
        _, stored = uploads.check_upload(name, files.picture(kind) + other)
        assert other not in stored
        assert stored.startswith(files.picture(kind)[:4])


@cache
def content_stream(size: int) -> bytes:
    """Return lines of so many bytes, packed."""
    return zlib.compress(b"0 0 m " * (size // 6), 9)


def packed(size: int, *, filters: bytes = b"/FlateDecode", head: bytes = b"", times: int = 1) -> bytes:
    """A PDF whose page shows `times` streams, each of so many bytes when it is unpacked."""
    stream = content_stream(size)
    if filters.count(b"/Flate") == 2:
        stream = zlib.compress(stream, 9)
    body = b"<<%s/Filter[%s]/Length %d>>stream\n%s\nendstream" % (head, filters, len(stream), stream)
    contents = b"".join(b" %d 0 R" % number for number in range(4, 4 + times))
    return written([CATALOGUE, PAGES, PAGE[:-2] + b"/Contents[%s]>>" % contents, *[body] * times])


def damaged(content: bytes) -> bytes:
    """The end of the packed data is wrong; a reader shows what comes before it."""
    end = content.index(b"\nendstream")
    return content[: end - 8] + b"\xff" * 8 + content[end:]


BOMBS = {
    "content": lambda: packed(20 << 20),
    "content packed twice": lambda: packed(20 << 20, filters=b"/FlateDecode/FlateDecode"),
    "content with a damaged end": lambda: damaged(packed(20 << 20)),
    "many contents": lambda: packed(4 << 20, times=5),
    "form": lambda: packed(20 << 20, head=b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"),
    "picture": lambda: packed(170 << 20, head=b"/Type/XObject/Subtype/Image/Width 9/Height 9/ColorSpace/DeviceGray"),
    "before a picture's own packing": lambda: packed(
        170 << 20, filters=b"/FlateDecode/DCTDecode", head=b"/Type/XObject/Subtype/Image/Width 9/Height 9"
    ),
}  # fmt: skip


@pytest.mark.parametrize("make", BOMBS.values(), ids=BOMBS.keys())
def test_few_bytes_that_unpack_to_very_many_are_refused(make: Callable[[], bytes]) -> None:
    content, begun = make(), time.monotonic()
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("rules.pdf", content)
    assert (refusal.value.code, "unpacks" in refusal.value.message) == ("attachment-too-large", True)
    assert len(content) < 1_500_000
    assert time.monotonic() - begun < 15


@pytest.mark.parametrize(
    "make",
    [
        lambda: packed(4 << 20),
        lambda: packed(
            25 << 20, head=b"/Type/XObject/Subtype/Image/Width 2480/Height 3508/ColorSpace/DeviceRGB", times=8
        ),
    ],
    ids=["a drawing of lines", "eight blank scanned pages"],
)
def test_what_documents_unpack_to_is_accepted(make: Callable[[], bytes]) -> None:
    content = make()
    assert uploads.check_upload("rules.pdf", content) == ("application/pdf", content)


def test_pdf_that_opens_at_a_page_is_accepted() -> None:
    content = written([CATALOGUE[:-2] + b"/OpenAction<</S/GoTo/D[3 0 R/Fit]>>>>", PAGES, PAGE])
    assert uploads.check_upload("rules.pdf", content + b"\r\n") == ("application/pdf", content + b"\r\n")


def test_plain_file_by_hand_is_accepted() -> None:
    content = written([CATALOGUE, PAGES, PAGE])
    assert uploads.check_upload("rules.pdf", content) == ("application/pdf", content)


def test_bomb_in_a_stream_of_objects_is_refused_without_our_memory() -> None:
    content, begun = bomb(), time.monotonic()
    assert len(content) < 20_000
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("rules.pdf", content)
    assert refusal.value.code == "attachment-damaged"
    assert time.monotonic() - begun < 15


def test_active_content_in_a_stream_of_objects_is_found() -> None:
    paper = pikepdf.open(io.BytesIO(files.pdf_with_javascript()))
    packed = io.BytesIO()
    paper.save(packed, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    with pytest.raises(Refusal) as refusal:
        uploads.check_upload("rules.pdf", packed.getvalue())
    assert refusal.value.code == "attachment-active-content"


@pytest.mark.django_db
def test_file_that_claims_a_thousand_receipts_costs_few_questions() -> None:
    content = b"".join(b"(RS-2026-%05d-R1.json)" % number for number in range(1000))
    with CaptureQueriesContext(connection) as asked:
        assert _claimed(content) is None
    assert len(asked) <= 10


@pytest.mark.django_db
def test_many_files_in_one_form_do_not_fill_the_disk(settings: LazySettings) -> None:
    """Whoever is not signed in may send a form too: all its files together are held to the limit of one."""
    settings.ATTACHMENT_LIMIT = 1000
    sent = {f"file-{number}": SimpleUploadedFile(f"{number}.pdf", b"x" * 400) for number in range(5)}
    request = RequestFactory().post("/verify/", sent)
    request.upload_handlers = [uploadhandler.load_handler(name, request) for name in settings.FILE_UPLOAD_HANDLERS]
    assert sum(file.size for file in request.FILES.values()) <= 1000
    assert len(oversize(request)) == 3
