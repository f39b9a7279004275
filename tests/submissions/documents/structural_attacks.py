"""Ways to change the structure of a sealed PDF, each as a function; some even with the portal's own keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

import pikepdf
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.generic import pdf_name
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import SigFieldSpec, append_signature_field
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner
from pyhanko.sign.signers.pdf_signer import PdfTimeStamper

from submissions.documents.signing_keys import SealKey
from submissions.documents.verify import FIELD, run_in_thread

Update = Callable[[IncrementalPdfFileWriter], None]


def attacks(content: bytes, another: bytes, keys: SealKey) -> dict[str, bytes]:
    """The changed files by what was done. `another`: a document by the same seal; `keys`: sign and stamp again."""
    made = {name: _updated(content, update) for name, update in UPDATES.items()}
    made |= {name: change(content) for name, change in CHANGES.items()}
    made["signature of another document"] = _with_signature_of(content, another)
    made["second signature"] = _signed_again(content, keys)
    made["second timestamp"] = _stamped_again(content, keys)
    return made


def _updated(content: bytes, update: Update) -> bytes:
    """With a revision appended, as the standard allows."""
    writer = IncrementalPdfFileWriter(BytesIO(content))
    update(writer)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def _first_page(writer: IncrementalPdfFileWriter) -> generic.DictionaryObject:
    return writer.root["/Pages"]["/Kids"][0]


def _pages(tree: generic.DictionaryObject) -> list[generic.PdfObject]:
    """The references to the pages of a page tree."""
    kids = tree["/Kids"]
    return [kids.raw_get(index) for index in range(len(kids))]


def _rotate(writer: IncrementalPdfFileWriter) -> None:
    page = _first_page(writer)
    page["/Rotate"] = generic.NumberObject(90)
    writer.update_container(page)


def _annotate(writer: IncrementalPdfFileWriter) -> None:
    note = generic.DictionaryObject(
        {
            pdf_name("/Type"): pdf_name("/Annot"),
            pdf_name("/Subtype"): pdf_name("/FreeText"),
            pdf_name("/Rect"): generic.ArrayObject(map(generic.NumberObject, (50, 50, 400, 400))),
            pdf_name("/Contents"): generic.pdf_string("Payout limit: none"),
        }
    )
    page = _first_page(writer)
    page["/Annots"] = generic.ArrayObject([*page.get("/Annots", []), writer.add_object(note)])
    writer.update_container(page)


def _cover(writer: IncrementalPdfFileWriter) -> None:
    """A white rectangle over the page."""
    page = _first_page(writer)
    stream = writer.add_object(generic.StreamObject(stream_data=b"q 1 g 0 0 600 800 re f Q"))
    before = page.raw_get("/Contents")
    page["/Contents"] = generic.ArrayObject([before, stream])
    writer.update_container(page)


def _replace_record(writer: IncrementalPdfFileWriter) -> None:
    """Another attached record under the same name."""
    files = writer.root["/Names"]["/EmbeddedFiles"]["/Names"][1]
    stream = generic.StreamObject(files["/EF"]["/F"], stream_data=b'{"forged": true}')
    files["/EF"]["/F"] = writer.add_object(stream)
    writer.update_container(files["/EF"])


def _replace_metadata(writer: IncrementalPdfFileWriter) -> None:
    stream = generic.StreamObject(writer.root["/Metadata"], stream_data=b"<x/>")
    writer.root["/Metadata"] = writer.add_object(stream)
    writer.update_root()


def _change_language(writer: IncrementalPdfFileWriter) -> None:
    writer.root["/Lang"] = generic.pdf_string("tlh")
    writer.update_root()


def _remove_form(writer: IncrementalPdfFileWriter) -> None:
    del writer.root["/AcroForm"]
    writer.update_root()


def _empty_form(writer: IncrementalPdfFileWriter) -> None:
    form = writer.root["/AcroForm"]
    form["/Fields"] = generic.ArrayObject()
    writer.update_container(form)


def _seal_field(writer: IncrementalPdfFileWriter) -> generic.DictionaryObject:
    fields = writer.root["/AcroForm"]["/Fields"]
    return next(fields[index] for index in range(len(fields)) if fields[index]["/T"] == FIELD)


def _rename_field(writer: IncrementalPdfFileWriter) -> None:
    field = _seal_field(writer)
    field["/T"] = generic.pdf_string("Sealed")
    writer.update_container(field)


def _hide_signature(writer: IncrementalPdfFileWriter) -> None:
    """The seal's field without its value, and with another appearance."""
    field = _seal_field(writer)
    del field["/AP"]
    writer.update_container(field)


def _add_field(writer: IncrementalPdfFileWriter) -> None:
    append_signature_field(writer, SigFieldSpec("Approval"))


def _add_script(writer: IncrementalPdfFileWriter) -> None:
    action = {pdf_name("/S"): pdf_name("/JavaScript"), pdf_name("/JS"): generic.pdf_string("app.alert(1)")}
    writer.root["/OpenAction"] = writer.add_object(generic.DictionaryObject(action))
    writer.update_root()


def _remove_page(writer: IncrementalPdfFileWriter) -> None:
    pages = writer.root["/Pages"]
    pages["/Kids"] = generic.ArrayObject(_pages(pages)[1:])
    pages["/Count"] = generic.NumberObject(len(pages["/Kids"]))
    writer.update_container(pages)


def _repeat_page(writer: IncrementalPdfFileWriter) -> None:
    pages = writer.root["/Pages"]
    pages["/Kids"] = generic.ArrayObject([*_pages(pages), _pages(pages)[0]])
    pages["/Count"] = generic.NumberObject(len(pages["/Kids"]))
    writer.update_container(pages)


def _remove_validation_data(writer: IncrementalPdfFileWriter) -> None:
    del writer.root["/DSS"]
    writer.update_root()


def _do_nothing(writer: IncrementalPdfFileWriter) -> None:
    writer.update_root()


UPDATES: dict[str, Update] = {
    "appended: nothing new": _do_nothing,
    "appended: page rotated": _rotate,
    "appended: note on a page": _annotate,
    "appended: page covered": _cover,
    "appended: page removed": _remove_page,
    "appended: page repeated": _repeat_page,
    "appended: record replaced": _replace_record,
    "appended: metadata replaced": _replace_metadata,
    "appended: language changed": _change_language,
    "appended: form removed": _remove_form,
    "appended: form emptied": _empty_form,
    "appended: field renamed": _rename_field,
    "appended: appearance removed": _hide_signature,
    "appended: field added": _add_field,
    "appended: script added": _add_script,
    "appended: validation data removed": _remove_validation_data,
}


def _signatures(content: bytes) -> list[list[int]]:
    """The byte ranges of the seal and of the timestamp over the document."""
    return [[int(number) for number in row.byte_range] for row in PdfFileReader(BytesIO(content)).embedded_signatures]


def _replaced(content: bytes, start: int, new: bytes) -> bytes:
    return content[:start] + new + content[start + len(new) :]


def _cut_timestamp(content: bytes) -> bytes:
    """Only the revision that the seal closed."""
    _, _, second, length = _signatures(content)[0]
    return content[: second + length]


def _empty_container(content: bytes) -> bytes:
    _, start, end, _ = _signatures(content)[0]
    return _replaced(content, start + 1, b"0" * (end - start - 2))


def _swap_containers(content: bytes) -> bytes:
    """The timestamp's container in the place of the seal's, as far as it goes."""
    (_, start, end, _), (_, other_start, other_end, _) = _signatures(content)
    width = min(end - start, other_end - other_start) - 2
    return _replaced(content, start + 1, content[other_start + 1 : other_start + 1 + width])


def _narrowed(content: bytes, place: int) -> bytes:
    """The byte range of the seal (0) or the timestamp (1) with a hole that is ten bytes wider."""
    *_, second, length = _signatures(content)[place]
    before = b"%d %d]" % (second, length)
    assert content.count(before) == 1
    return content.replace(before, b"%d %d]" % (second + 10, length - 10))


def _without_subfilter(content: bytes) -> bytes:
    return content.replace(b"/ETSI.CAdES.detached", b"/adbe.pkcs7.detached", 1)


def _rolled_back(content: bytes) -> bytes:
    """The file ends as it is, but its last line of numbers points to the revision before."""
    ends = [match.start() for match in re.finditer(b"startxref", content)]
    last, before = content[ends[-1] :].split()[1], content[ends[-2] :].split()[1]
    place = content.index(last, ends[-1])
    return content[:place] + before.rjust(len(last), b"0") + content[place + len(last) :]


def _rewritten(content: bytes, **options: object) -> bytes:
    with pikepdf.open(BytesIO(content)) as pdf:
        written = BytesIO()
        pdf.save(written, **options)
    return written.getvalue()


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "a line appended": lambda content: content + b"\n",
    "a comment appended": lambda content: content + b"% approved for every table\n%%EOF\n",
    "a ZIP file appended": lambda content: content + b"PK\x05\x06" + bytes(18),
    "the file twice": lambda content: content + content,
    "a line in front": lambda content: b"\n" + content,
    "HTML in front": lambda content: b"<script>alert(1)</script>\n" + content,
    "the end cut off": lambda content: content[:-5],
    "half of it": lambda content: content[: len(content) // 2],
    "the timestamp cut off": _cut_timestamp,
    "the seal emptied": _empty_container,
    "the timestamp in the place of the seal": _swap_containers,
    "the seal's range narrowed": lambda content: _narrowed(content, 0),
    "the timestamp's range narrowed": lambda content: _narrowed(content, 1),
    "another kind of signature": _without_subfilter,
    "an earlier revision shown": _rolled_back,
    "written again": _rewritten,
    "written again, linearized": lambda content: _rewritten(content, linearize=True),
    "encrypted": lambda content: _rewritten(content, encryption=pikepdf.Encryption(owner="o", user="")),
}


def _with_signature_of(content: bytes, another: bytes) -> bytes:
    """The other document's whole signature; containers end in zeros, and how many differs from signing to signing."""
    (_, start, end, _), (_, other_start, other_end, _) = _signatures(content)[0], _signatures(another)[0]
    width = end - start - 2
    signature = another[other_start + 1 : other_end - 1]
    assert not signature[width:].strip(b"0")
    return _replaced(content, start + 1, signature[:width].ljust(width, b"0"))


def _signed_again(content: bytes, keys: SealKey) -> bytes:
    written = BytesIO()
    signer = PdfSigner(PdfSignatureMetadata(field_name="Approval"), keys.signer)
    run_in_thread(signer.async_sign_pdf(IncrementalPdfFileWriter(BytesIO(content)), output=written))
    return written.getvalue()


def _stamped_again(content: bytes, keys: SealKey) -> bytes:
    written = BytesIO()
    stamper = PdfTimeStamper(keys.timestamper)
    run_in_thread(stamper.async_timestamp_pdf(IncrementalPdfFileWriter(BytesIO(content)), "sha256", output=written))
    return written.getvalue()
