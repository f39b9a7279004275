"""A record into a tagged PDF/A-3a with the record attached: the same record gives the same bytes.

Not here: what is said and how it is worded (`record`, `present`), how a page becomes a PDF (`printing`), the seal
(`sign`).
"""

from __future__ import annotations

from datetime import datetime

from django.template.loader import render_to_string

from submissions.canonical import canonical_json
from submissions.documents.field import add_field, room
from submissions.documents.present import present
from submissions.documents.printing import Attached, Rendered, lay_out, write
from submissions.documents.record import Record


def render(record: Record, *, draft: bool = False) -> Rendered:
    """The PDF of a record; with an empty signature field unless it is a draft."""
    text = canonical_json(record)
    laid_out = lay_out(render_to_string("documents/submission.html", {"document": present(record), "draft": draft}))
    content = write(laid_out, _attached(record, text), made_from=text)
    return Rendered(content if draft else add_field(content, room(laid_out)), len(laid_out.pages))


def _attached(record: Record, text: str) -> Attached:
    return Attached(
        name=f"{record['snapshot']['receipt']}.json",
        content=text.encode(),
        description="The Rules Submission as data: answers, paytables, exact and simulated figures, decisions",
        moment=datetime.fromisoformat((record["approved"] or record["snapshot"]["filed"])["at"]),
    )
