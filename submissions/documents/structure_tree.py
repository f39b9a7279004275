"""Makes the structure tree of a tagged PDF smaller: elements without a meaning give their text to their parent.

WeasyPrint writes an element `Span` around every text. Most have neither a language nor another attribute, so that a
reader hears the same without them (ISO 32000-1, 14.8.4.4.1: Span has no meaning of its own). In a document with many
tables they are a quarter of the file, because objects are not compressed (see `signed_pdf.add_field`).
"""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Name

PLAIN = {"/K", "/P", "/Pg", "/S", "/Type"}  # the keys of an element that says nothing
ObjectId = tuple[int, int]


def drop_plain_spans(pdf: pikepdf.Pdf) -> int:
    """Remove the spans that only contain text of their parent's page; how many. The saved file leaves them out."""
    root = pdf.Root.StructTreeRoot
    parents: dict[ObjectId, pikepdf.Object] = {}
    for element in root.K:
        _visit(element, parents)
    numbers = root.ParentTree.Nums
    for index in range(1, len(numbers), 2):
        if isinstance(numbers[index], Array):  # of a page: the element of each marked content
            numbers[index] = Array([_remaining(element, parents) for element in numbers[index]])
    return len(parents)


def _visit(element: pikepdf.Object, parents: dict[ObjectId, pikepdf.Object]) -> None:
    """Depth first, so that a span of spans is one of texts when its own turn comes."""
    kids = _kids(element)
    for kid in kids:
        if _is_element(kid):
            _visit(kid, parents)
    if any(_is_plain(kid, element) for kid in kids):
        element.K = Array(list(_merged(kids, element, parents)))


def _merged(
    kids: list[pikepdf.Object], element: pikepdf.Object, parents: dict[ObjectId, pikepdf.Object]
) -> Iterator[pikepdf.Object]:
    for kid in kids:
        if _is_plain(kid, element):
            parents[kid.objgen] = element
            yield from _kids(kid)
        else:
            yield kid


def _is_plain(kid: pikepdf.Object, element: pikepdf.Object) -> bool:
    return (
        _is_element(kid)
        and kid.get("/S") == Name.Span
        and set(kid.keys()) <= PLAIN
        and all(isinstance(content, int) for content in _kids(kid))
        and "/Pg" in element
        and kid.get("/Pg").objgen == element.Pg.objgen
    )


def _is_element(kid: pikepdf.Object) -> bool:
    return isinstance(kid, pikepdf.Dictionary) and kid.get("/Type") == Name.StructElem


def _kids(element: pikepdf.Object) -> list[pikepdf.Object]:
    kids = element.get("/K", Array())
    return list(kids) if isinstance(kids, Array) else [kids]


def _remaining(element: pikepdf.Object, parents: dict[ObjectId, pikepdf.Object]) -> pikepdf.Object:
    """The element itself, or the nearest one above it that was not removed."""
    while isinstance(element, pikepdf.Dictionary) and element.objgen in parents:
        element = parents[element.objgen]
    return element
