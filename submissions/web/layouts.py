"""The filing of a table's layout, payout sign and gaming guide (§ 601a.10) for whoever reads it.

Licensee and Board see the same page. Not here: its start (`layout_start`), what the licensee does on it
(`layout_filing`), what the Board does (`layout_review`), its files (`layout_files`), how the places of a drawing are
shown (`layout_places`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from games.rules.registry import chapter as chapter_of
from submissions.access import drawings_visible_to, layouts_visible_to, may, papers_visible_to
from submissions.actions.layout_review import standings
from submissions.errors import Refusal
from submissions.laid_out import PLACE, Element, elements
from submissions.models import (
    Job,
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutRevision,
    LayoutStatus,
    Person,
)
from submissions.progress import Progress
from submissions.story import history
from submissions.web.layout_lists import tables_of
from submissions.web.layout_places import Shown, shown
from submissions.web.submission import STOP_POLLING

Typed = Mapping[str, str]


def filing_of(request: HttpRequest, number: str) -> LayoutFiling:
    """The filing with this number, if this person may see it; 404 otherwise, as if there were none."""
    return get_object_or_404(layouts_visible_to(request.user).select_related("submission__organisation"), number=number)


def page(request: HttpRequest, number: str) -> HttpResponse:
    return show(request, number)


def show(
    request: HttpRequest, number: str, *, refusal: Refusal | None = None, typed: Typed | None = None, form: str = ""
) -> HttpResponse:
    """The page; after a refusal with what was `typed` into its `form`, so that nothing is lost."""
    filing = filing_of(request, number)
    context = _state(request, filing) | _around(request, filing)
    context |= {"refusal": refusal, "typed": typed or {}, "form": form}
    return render(request, "pages/layout.html", context, status=refusal.status if refusal else 200)


def progress(request: HttpRequest, number: str) -> HttpResponse:
    """The inspection as it stands. Ends the asking when nothing is under way."""
    context = _state(request, filing_of(request, number)) | {"typed": {}}
    return render(request, "parts/layout_progress.html", context, status=200 if context["under_way"] else STOP_POLLING)


def _state(request: HttpRequest, filing: LayoutFiling) -> dict[str, Any]:
    """The drawing and what its inspection found; what changes while the worker reads it."""
    person = cast(Person, request.user)
    revision = filing.revisions.select_related("drawing__inspection", "revision", "filed_by").first()
    drawing = _drawing(person, filing, revision)
    inspection: LayoutInspection | None = getattr(drawing, "inspection", None)
    read = inspection if inspection and not inspection.refused else None
    found = _elements(person, filing, revision, read) if read else []
    waiting = _waiting(drawing) if drawing and not inspection else None
    latest = filing.submission.revisions.latest("number")
    return {
        "filing": filing,
        "submission": filing.submission,
        "revision": revision,
        "drawing": drawing,
        "inspection": inspection,
        "waiting": waiting,
        "under_way": bool(waiting and not waiting.stopped),
        "elements": found,
        "report": read.report if read else {},
        "shown": _shown(person, filing, read, found) if read else None,
        "latest": latest,
        "notice": _notice(filing, revision),
        "outdated": bool(drawing and filing.editable and drawing.revision_id != latest.pk),
        "may_draw": may(person, "draw", filing),
        "chosen": request.GET.get("mark", ""),
        "version": filing.version,
    }


def _around(request: HttpRequest, filing: LayoutFiling) -> dict[str, Any]:
    """What stands beside the drawing: for which tables, what was decided, what may be done, the history."""
    person = cast(Person, request.user)
    decisions = LayoutDecision.objects.filter(layout_revision__filing=filing).select_related("by", "layout_revision")
    told = list(decisions) if person.at_regulator else [one for one in decisions if one.kind != "recommend"]
    entries = history(filing.submission, person)
    return {
        "tables": tables_of(filing.submission.revisions.first(), filing.group),
        "most": chapter_of(filing.submission.chapter).max_positions,
        "megabytes": settings.ATTACHMENT_LIMIT >> 20,
        "decisions": told,
        "filings": list(filing.revisions.select_related("filed_by", "revision")),
        "papers": list(papers_visible_to(person).filter(layout_revision__filing=filing)),
        "may_file": may(person, "file", filing),
        "may_withdraw": may(person, "withdraw", filing),
        "history": [one for one in entries if one.detail.startswith(filing.number)],
        "here": "home",
    }


def _drawing(person: Person, filing: LayoutFiling, revision: LayoutRevision | None) -> LayoutDrawing | None:
    """The one that is being prepared, for its licensee; else the one that was filed last."""
    drawings = drawings_visible_to(person, filing).select_related("inspection", "revision", "uploaded_by")
    if revision and (person.at_regulator or not filing.editable):
        return drawings.get(pk=revision.drawing_id) if revision.drawing_id else None
    return drawings.first()


def _elements(
    person: Person, filing: LayoutFiling, revision: LayoutRevision | None, read: LayoutInspection
) -> list[Element]:
    """As the Board judged them, for the Board; for the licensee as the machine found and the licensee marked them."""
    if revision and person.at_regulator:
        return standings(revision)
    frozen = revision and not filing.editable
    marks = revision.marks if revision and frozen else read.drawing.marks.values("element", *PLACE)
    return elements(read.report, marks)


def _shown(person: Person, filing: LayoutFiling, read: LayoutInspection, found: list[Element]) -> Shown:
    removable = read.drawing.marks.all() if may(person, "draw", filing) else ()
    return shown(read, found, removable)


def _notice(filing: LayoutFiling, revision: LayoutRevision | None) -> LayoutDecision | None:
    """The deficiency notice that stands."""
    if revision is None or filing.status != LayoutStatus.DEFICIENT:
        return None
    return revision.decisions.filter(kind=LayoutDecision.Kind.NOTICE).select_related("by").first()


def _waiting(drawing: LayoutDrawing) -> Progress:
    return Progress.of(Job.objects.filter(kind=Job.Kind.INSPECT, subject=drawing.pk))
