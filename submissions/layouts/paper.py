"""Layouts, signs and guides onto paper: what is stated on each of them, its record, and the PDF.

The same content gives the same bytes. What is approved has room for the seal and its record attached; what is a draft
says so and has neither. Not here: content (`drawn`, `sign`, `guide`), the size of the letters (`fitting`), how a page
becomes a PDF (`documents.printing`), the seal itself (`documents.papers`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.dateformat import format as format_date

from games.rules.model import Answers, Chapter
from submissions.canonical import canonical_json
from submissions.documents.field import add_field, room
from submissions.documents.present import qr
from submissions.documents.printing import Attached, LaidOut, Rendered, lay_out, write
from submissions.layouts import fitting

PAPERS = {"letter": "Letter, 8.5 × 11 in", "tabloid": "Tabloid, 11 × 17 in"}
KINDS = {"layout": "Layout", "sign": "Payout sign", "guide": "Gaming guide"}
FORMAT = 1

Content = Mapping[str, Any]
Within = tuple[int, Sequence[float]]  # so many pages, and the letter sizes to try (points, largest first)


@dataclass(frozen=True, slots=True)
class Stated:
    """Whose paper it is, of which version and of which day. Without a version it is a draft."""

    licensee: str
    day: date
    version: str = ""  # the receipt of what was approved: RS-2026-00001-R1
    tables: str = ""  # which ones, where it is not all of them
    filing: str = ""  # the receipt of its own filing (§ 601a.10): LF-2026-00001-R1
    verify_at: str = ""  # the address of the verification page
    demo: bool = False  # made with demonstration keys

    @property
    def draft(self) -> bool:
        return not self.version


@dataclass(frozen=True, slots=True)
class Source:
    """The drawing that a layout was filed with."""

    name: str  # as uploaded, cleaned
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Sheet:
    """One of the three papers (`part`) of these answers; its template and stylesheet have the part's name."""

    part: str
    chapter: Chapter
    answers: Answers
    stated: Stated
    source: Source | None = None

    @property
    def name(self) -> str:
        """What the file and its record are called: LF-2026-00001-R1-sign."""
        return f"{self.stated.filing or self.stated.version}-{self.part}"

    def record(self) -> dict[str, Any]:
        """What the paper follows from, as data; attached to what is sealed."""
        return {
            "format": FORMAT,
            "part": self.part,
            "chapter": {"number": self.chapter.number, "title": self.chapter.title},
            "licensee": self.stated.licensee,
            "tables": self.stated.tables,
            "version": self.stated.version,
            "filing": self.stated.filing,
            "day": self.stated.day.isoformat(),
            "answers": dict(self.answers),
            "rules_digest": self.chapter.digest,
            "verify_at": self.stated.verify_at,
            "demo": self.stated.demo,
            "drawing": {"name": self.source.name, "sha256": self.source.sha256} if self.source else None,
        }

    def html(self, content: Content) -> str:
        stated = self.stated
        told = {
            "part": self.part,
            "kind": KINDS[self.part],
            "game": self.chapter.title,
            "chapter": self.chapter.number,
            "stated": stated,
            "day": format_date(stated.day, "F j, Y"),
            "qr": qr(stated.verify_at) if stated.verify_at else "",
        }
        return render_to_string(f"documents/{self.part}.html", {**content, **told})


def printed(sheet: Sheet, content: Content) -> Rendered:
    """The page as a tagged PDF/A; with an empty signature field and its record unless it is a draft."""
    return _written(sheet, lay_out(sheet.html(content)))


def as_large_as_fits(sheet: Sheet, contents: Sequence[Content], *allowed: Within) -> Rendered:
    """In the largest letters that keep it within the first of what is allowed, else within the next one.

    Of several ways to arrange the content, the one that allows the larger letters, the first of equals.
    """

    def way(content: Content) -> fitting.Way:
        return cache(lambda size: lay_out(sheet.html({**content, "size": size})))

    ways = [way(content) for content in contents]
    for pages, sizes in allowed:
        laid_out = fitting.largest(ways, sizes, pages)
        if len(laid_out.pages) <= pages:
            break
    return _written(sheet, laid_out)


def _written(sheet: Sheet, laid_out: LaidOut) -> Rendered:
    pages = len(laid_out.pages)
    if sheet.stated.draft:
        return Rendered(write(laid_out), pages)
    return Rendered(add_field(write(laid_out, *_attached(sheet)), room(laid_out)), pages)


def _attached(sheet: Sheet) -> Iterator[Attached]:
    """The record, and the drawing that was filed."""
    what, moment = KINDS[sheet.part].lower(), timezone.make_aware(datetime.combine(sheet.stated.day, time()))
    about = f"The {what} as data: licensee, tables, version, answers, digest of the rules"
    yield Attached(f"{sheet.name}.json", canonical_json(sheet.record()).encode(), about, moment)
    if sheet.source:
        yield Attached(sheet.source.name, sheet.source.content, "The drawing as it was filed", moment, source=True)
