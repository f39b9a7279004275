"""Layout, sign and guide of a group of tables as the portal draws them: from what was filed, or from a draft's answers.

Drafts, made anew each time and marked so. The signed ones of an approved filing are public (`verify`).
"""

from __future__ import annotations

from io import BytesIO

from django.http import FileResponse, Http404, HttpRequest
from django.utils import timezone

from games.rules.model import Answers
from games.rules.registry import chapter as chapter_of
from submissions.errors import Refusal
from submissions.layouts.table import Caption, layout_svg
from submissions.layouts.told import GuideMissing
from submissions.models import Submission
from submissions.places import place_of
from submissions.terms import in_words
from submissions.web.guard import is_prepared_by, submission_of

KINDS = {"svg": "image/svg+xml", "pdf": "application/pdf"}


def draft(request: HttpRequest, number: str, group: int, part: str, kind: str) -> FileResponse:
    """`part`: layout, sign, guide; `kind`: pdf, for the layout also svg. `?size=tabloid` for a larger sign."""
    submission = submission_of(request, number)
    answers, tables = _answers(request, submission, group)
    if kind == "svg" and part == "layout":
        content = _svg(submission, answers)
    elif kind == "pdf":
        content = _pdf(submission, answers, tables, part, request.GET.get("size", "letter"))
    else:
        raise Http404(f"There is no {part} as {kind}.")
    name = f"{submission.number}-{part}-draft.{kind}"
    response = FileResponse(BytesIO(content), as_attachment=True, filename=name, content_type=KINDS[kind])
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _answers(request: HttpRequest, submission: Submission, group: int) -> tuple[Answers, str]:
    """The answers of these tables: of the draft while it is prepared by this side, else of the latest filing."""
    if is_prepared_by(request, submission):
        row = submission.configurations.filter(position=group).first()
        if row is None:
            raise Http404("There is no such group of tables.")
        return row.answers, row.tables
    revision = submission.revisions.first()
    place = place_of(revision.content, group) if revision else None
    if revision is None or place is None:
        raise Http404("There is no such group of tables.")
    found = revision.content["configurations"][place]
    return found["answers"], found["tables"]


def _svg(submission: Submission, answers: Answers) -> bytes:
    caption = Caption("Draft", in_words(timezone.localdate()))
    licensee = submission.organisation.name
    return layout_svg(chapter_of(submission.chapter), answers, licensee=licensee, caption=caption).encode()


def _pdf(submission: Submission, answers: Answers, tables: str, part: str, size: str) -> bytes:
    # Their libraries take two seconds to load: who prints waits, not every page.
    from submissions.layouts import drawn, guide, paper, sign

    chapter = chapter_of(submission.chapter)
    stated = paper.Stated(submission.organisation.name, timezone.localdate(), tables=tables)
    try:
        if part == "layout":
            return drawn.drawing(chapter, answers, stated).content
        if part == "guide":
            return guide.guide(chapter, answers, stated).content
        return sign.sign(chapter, answers, stated, size=size if size in paper.PAPERS else "letter").content
    except GuideMissing as missing:
        raise Refusal("guide-missing", str(missing), fix="Write the guide by hand and file it.") from missing
