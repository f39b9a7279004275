"""What the callers ask for, as lists of requests that `load` repeats. `{n}` is replaced by a number each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def requests_of_visitors(world: dict[str, Any]) -> Iterator[list[dict[str, str]]]:
    """The lists that callers share: known by address, known by file, unknown, broken, and all of them mixed."""
    known = {"label": "known address", "method": "GET", "path": f"/verify/{world['digest']}"}
    other = {"label": "known address, no cache", "method": "GET", "path": f"/verify/{world['digest']}?{{n}}"}
    upload = {"method": "POST", "path": "/verify/"}
    sent = {"label": "known file", **upload, "file": world["signed"]}
    unknown = {"label": "unknown PDF", **upload, "file": world["signed"].replace("%%EOF", "%%EOF{n}")}
    broken = {"label": "broken PDF", **upload, "file": "%PDF-1.7 {n} nothing that can be read"}
    no_pdf = {"label": "no PDF", **upload, "file": "{n} hello"}
    yield from ([known, other], [sent], [unknown], [broken], [known, no_pdf, unknown, sent, broken])


def requests_of_people(world: dict[str, Any]) -> Iterator[list[dict[str, str]]]:
    """Searches, and every draft paper of the approved submission and of the drafts."""
    searches = ("/search/?words=casino", "/search/?chapter=687a", "/search/?status=approved&by=filed", "/search/")
    yield [{"label": "search", "method": "GET", "path": path} for path in searches]
    yield [
        {"label": "draft", "method": "GET", "path": f"/submissions/{number}/papers/0/{part}.pdf?{{n}}"}
        for number in world["drafts"]
        for part in ("sign", "guide", "layout")
    ]
