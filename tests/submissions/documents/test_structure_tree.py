"""The structure tree without plain spans: every text is still in it once, in its order, below the same elements."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pikepdf
import pytest
from pikepdf import Array, Name

from submissions.documents.signed_pdf import drop_plain_spans
from submissions.documents.weasyprint_pdf import RenderedPdf, render_pages, write_pdf

HTML = """<html lang="en"><title>Tree</title><body><h1>Head</h1><p>One <b>bold</b> and <i lang="fr">autre</i> word.</p>
<table><tr><th>Hand</th><td>Odds <b>4</b></td></tr></table>
<p style="break-before: page">Next page.</p></body></html>"""
Text = tuple[int, int]
"""A page's object number, and the number of a marked content in it."""


def texts(element: pikepdf.Object, above: tuple[str, ...] = ()) -> Iterator[tuple[Text, tuple[str, ...]]]:
    """Each text in reading order, with the kinds of the elements above it but for spans."""
    kind = str(element.get("/S", ""))
    above = above if kind in ("", "/Span") else (*above, kind)
    kids = element.get("/K", Array())
    for kid in kids if isinstance(kids, Array) else [kids]:
        if isinstance(kid, int):
            yield (element.Pg.objgen[0], int(kid)), above
        elif kid.get("/Type") == Name.StructElem:
            yield from texts(kid, above)


def all_texts(pdf: pikepdf.Pdf) -> list[tuple[Text, tuple[str, ...]]]:
    return [text for element in pdf.Root.StructTreeRoot.K for text in texts(element)]


def spans(pdf: pikepdf.Pdf) -> int:
    rows = (row for row in pdf.objects if isinstance(row, pikepdf.Dictionary))
    return sum(row.get("/Type") == Name.StructElem and row.get("/S") == Name.Span for row in rows)


def wrong_parents(pdf: pikepdf.Pdf) -> list[Text]:
    """Texts that the parent tree finds in an element which does not have them."""
    numbers, wrong = pdf.Root.StructTreeRoot.ParentTree.Nums, []
    pages = {int(page.obj.StructParents): page.obj.objgen[0] for page in pdf.pages if "/StructParents" in page.obj}
    for index in range(0, len(numbers), 2):
        if isinstance(numbers[index + 1], Array):
            for number, element in enumerate(numbers[index + 1]):
                if number not in [kid for kid in element.K if isinstance(kid, int)]:
                    wrong.append((pages[int(numbers[index])], number))
    return wrong


def saved(pdf: pikepdf.Pdf) -> pikepdf.Pdf:
    written = BytesIO()
    pdf.save(written)
    return pikepdf.open(written)


@pytest.fixture(scope="module")
def page() -> bytes:
    return write_pdf(render_pages(HTML))


def test_every_text_keeps_its_place_and_its_elements(page: bytes) -> None:
    pdf = pikepdf.open(BytesIO(page))
    before, spans_before = all_texts(pdf), spans(pdf)
    removed = drop_plain_spans(pdf)
    assert all_texts(pdf) == before
    assert removed > 5
    after = saved(pdf)
    assert spans(after) == spans_before - removed
    assert [above for _, above in all_texts(after)] == [above for _, above in before]
    assert wrong_parents(after) == []


def test_span_with_a_language_remains(page: bytes) -> None:
    pdf = pikepdf.open(BytesIO(page))
    rows = [row for row in pdf.objects if isinstance(row, pikepdf.Dictionary) and row.get("/S") == Name.Span]
    rows[0].Lang = pikepdf.String("fr")
    drop_plain_spans(pdf)
    after = saved(pdf)
    languages = [str(row.Lang) for row in after.objects if isinstance(row, pikepdf.Dictionary) and "/Lang" in row]
    assert languages.count("fr") == 1
    assert spans(after) == 1


def test_documents_have_no_plain_span_and_a_whole_parent_tree(sample_pdf: RenderedPdf) -> None:
    pdf = pikepdf.open(BytesIO(sample_pdf.content))
    assert len(all_texts(pdf)) > 400
    assert wrong_parents(pdf) == []
    assert drop_plain_spans(pdf) == 0
