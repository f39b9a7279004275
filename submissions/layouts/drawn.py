"""The layout of a table on paper: the portal's own drawing on one sheet, its text still text; or one that was filed.

Not here: the drawing itself (`table`), the foot and what is stated there (`paper`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.dateformat import format as format_date

from games.rules.model import Answers, Chapter
from submissions.documents.printing import Rendered
from submissions.layouts import paper
from submissions.layouts.paper import Sheet, Source, Stated
from submissions.layouts.table import Caption, layout_svg


@dataclass(frozen=True, slots=True)
class Picture:
    """A page of a drawing as it can be shown: an SVG or PNG."""

    media_type: str
    content: bytes

    @property
    def address(self) -> str:
        """The picture in a data: address."""
        return f"data:{self.media_type};base64,{b64encode(self.content).decode()}"


def drawing(chapter: Chapter, answers: Answers, stated: Stated, positions: int = 0) -> Rendered:
    """The reference layout as a PDF, Tabloid on its long side; `positions` as `layouts.required` has it."""
    caption = Caption(date=format_date(stated.day, "F j, Y"))
    if not stated.draft:
        caption = replace(caption, version=stated.version, note="Drawn from the options of the Rules Submission.")
    svg = layout_svg(chapter, answers, licensee=stated.licensee, caption=caption, positions=positions)
    picture = Picture("image/svg+xml", svg.encode())
    return paper.printed(Sheet("layout", chapter, answers, stated), {"pictures": [picture]})


def as_filed(
    chapter: Chapter, answers: Answers, stated: Stated, source: Source, pictures: Sequence[Picture]
) -> Rendered:
    """A drawing that was filed, a sheet for each of its pages; the file itself is attached where it is sealed."""
    sheet = Sheet("layout", chapter, answers, stated, source)
    return paper.printed(sheet, {"pictures": pictures, "source": source})
