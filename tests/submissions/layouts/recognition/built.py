"""Files for these tests: SVG around a few elements, PDFs from a content stream, lines of what was read, time taken."""

from __future__ import annotations

import io
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf

from submissions.layouts.drawing_model import Box, Drawing


def svg(inside: str, attributes: str = 'width="200mm" height="100mm" viewBox="0 0 400 200"') -> bytes:
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {names} {attributes}>{inside}</svg>".encode()


def pdf(*pages: bytes, size: tuple[int, int] = (400, 200), **saving: object) -> bytes:
    """A page for each content stream, with Helvetica as /F."""
    paper = pikepdf.new()
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    for content in pages:
        page = paper.add_blank_page(page_size=size)
        page.obj.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=paper.make_indirect(font)))
        page.obj.Contents = paper.make_stream(content)
    kept = io.BytesIO()
    paper.save(kept, **saving)
    return kept.getvalue()


def lines(drawing: Drawing, page: int = 0) -> list[str]:
    """The lines of a page as text."""
    found: dict[int, list[str]] = {}
    for word in drawing.words:
        if word.page == page:
            found.setdefault(word.line, []).append(word.text)
    return [" ".join(words) for words in found.values()]


def box(drawing: Drawing, text: str) -> Box:
    return next(word.box for word in drawing.words if word.text == text)


def near(found: tuple[float, float], expected: tuple[float, float], off: float = 0.02) -> bool:
    return all(abs(a - b) < off for a, b in zip(found, expected, strict=True))


@contextmanager
def quickly(seconds: float = 2.0) -> Iterator[None]:
    """Of the processor, ours and our children's: what else runs on the machine does not count."""
    before = _used()
    yield
    assert _used() - before < seconds


def _used() -> float:
    asked = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in asked)
