"""Two drawings of a layout side by side and overlaid: of one filing, or with one approved for the same game before.

The differences in words are from `inspection.findings`; without script the pictures are side by side.
"""

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from submissions.core.dates import date_text
from submissions.layouts.inspection import findings
from submissions.layouts.inspection.findings import DrawingChange, WordChange
from submissions.layouts.pages.drawing_views import Crop, DrawingPageView, crop, page_views, whole_page
from submissions.layouts.pages.layout_page import filing_of
from submissions.layouts.required_elements import ODDS
from submissions.layouts.required_facts import updates_required
from submissions.models import LayoutDecision, LayoutDrawing, LayoutFiling, LayoutRevision, Part, Person
from submissions.permissions import drawings_visible_to, layouts_visible_to
from submissions.rules import filed_chapter, layout_chapter
from submissions.web.access_gate import person_of


@dataclass(frozen=True, slots=True)
class ComparableDrawing:
    """A drawing that can be compared, with its name in the list."""

    drawing: LayoutDrawing
    name: str
    filed: bool

    @property
    def report(self) -> dict[str, Any]:
        return dict(self.drawing.inspection.report)

    @property
    def pictures(self) -> list[DrawingPageView]:
        return list(page_views(self.drawing.inspection))


@dataclass(frozen=True, slots=True)
class ListedChange:
    """A change with its number, and the part of each drawing that shows it."""

    number: int
    kind: str  # words, inspection
    change: DrawingChange | WordChange
    earlier: Crop | None
    later: Crop | None


def page(request: HttpRequest, number: str) -> HttpResponse:
    """Show two drawings, by default the latest and the one filed before it, at the place of the chosen `change`."""
    filing = filing_of(request, number)
    drawings = comparable_drawings(person_of(request), filing)
    after = _chosen(request, "after", drawings) or (drawings[0] if drawings else None)
    other_drawings = [drawing for drawing in drawings if drawing != after]
    before = _chosen(request, "before", drawings) or next(
        (drawing for drawing in other_drawings if drawing.filed), next(iter(other_drawings), None)
    )
    context = {
        "filing": filing,
        "submission": filing.submission,
        "drawings": drawings,
        "before": before,
        "after": after,
    }
    if before and after:
        context |= _compared(before, after, request.GET.get("change", ""))
    return render(request, "pages/layout_compare.html", context | {"here": "home"})


def has_several(person: Person, filing: LayoutFiling) -> bool:
    """Return whether there are at least two drawings to compare."""
    return sum(drawings.count() for drawings in _drawings(person, filing)) > 1


def comparable_drawings(person: Person, filing: LayoutFiling) -> list[ComparableDrawing]:
    """Return the filing's drawings that were read, latest first, then those approved for the licensee's same game."""
    own, approved = (list(drawings) for drawings in _drawings(person, filing))
    filed = LayoutRevision.objects.filter(drawing__in=[*own, *approved]).order_by("number")
    receipts = dict(filed.values_list("drawing", "receipt"))

    def named(drawing: LayoutDrawing, suffix: str) -> ComparableDrawing:
        receipt, day = receipts.get(drawing.pk, "Not filed"), date_text(timezone.localdate(drawing.uploaded_at))
        return ComparableDrawing(drawing, f"{receipt}{suffix}: {drawing.name}, {day}", drawing.pk in receipts)

    return [*(named(drawing, "") for drawing in own), *(named(drawing, ", approved") for drawing in approved)]


def _drawings(person: Person, filing: LayoutFiling) -> tuple[QuerySet[LayoutDrawing], QuerySet[LayoutDrawing]]:
    """Return the filing's own drawings, and approved ones of others; without their files, which are large."""
    same = Q(submission__organization=filing.organization, submission__chapter=filing.submission.chapter)
    other_filings = layouts_visible_to(person).filter(same).exclude(pk=filing.pk)
    approved = LayoutRevision.objects.filter(filing__in=other_filings, decisions__kind=LayoutDecision.Kind.APPROVE)
    of_others = LayoutDrawing.objects.filter(pk__in=approved.values("drawing"))
    return _read(drawings_visible_to(person, filing)), _read(of_others)


def _read(drawings: QuerySet[LayoutDrawing]) -> QuerySet[LayoutDrawing]:
    read = drawings.filter(inspection__isnull=False, inspection__refused="").select_related(None)
    return read.select_related("inspection", "filing").order_by("-pk")


def _chosen(request: HttpRequest, which: str, drawings: list[ComparableDrawing]) -> ComparableDrawing | None:
    """Return the drawing that the address names; 404 for one that the person may not see."""
    text = request.GET.get(which, "")
    if not text:
        return None
    chosen = next((candidate for candidate in drawings if str(candidate.drawing.pk) == text), None)
    if chosen is None:
        raise Http404("This drawing does not exist.")
    return chosen


def _compared(before: ComparableDrawing, after: ComparableDrawing, chosen: str) -> dict[str, object]:
    """Return the comparison; `chosen`: the number of the change whose place both show, without script by address."""
    reports, pictures = (before.report, after.report), (before.pictures, after.pictures)
    changes: list[tuple[str, DrawingChange | WordChange]] = [
        ("words", word) for word in findings.changed_words(*reports)
    ]
    changes += [("inspection", each) for each in findings.changed_elements(*reports)]
    changes += [("inspection", each) for each in findings.changed_differences(*reports)]
    listed = [
        ListedChange(number, kind, each, *_views(each, *pictures)) for number, (kind, each) in enumerate(changes, 1)
    ]
    shown = next((each for each in listed if str(each.number) == chosen), None)
    return {
        "pairs": [
            {
                "earlier": _side(was, shown.earlier if shown else None),
                "later": _side(now, shown.later if shown else None),
            }
            for was, now in zip_longest(*pictures)
        ],
        "words": [each for each in listed if each.kind == "words"],
        "changes": [each for each in listed if each.kind == "inspection"],
        "without_words": [each.name for each in (before, after) if "words" not in each.report],
        "shown_change": shown,
        "why": _why(before, after),
    }


def _views(
    change: DrawingChange | WordChange, earlier: list[DrawingPageView], later: list[DrawingPageView]
) -> tuple[Crop | None, Crop | None]:
    """Return the part of each drawing that shows the change; the same part where only the other one has a place."""
    was, now = change.was, change.now
    before, after = crop(earlier, was or now), crop(later, now or was)
    return (before if was or before is None else replace(before, frames=())), (
        after if now or after is None else replace(after, frames=())
    )


def _side(page: DrawingPageView | None, shown: Crop | None) -> Crop | None:
    if page is None:
        return None
    return shown if shown and shown.page.number == page.number else whole_page(page)


def _why(before: ComparableDrawing, after: ComparableDrawing) -> tuple[str, ...]:
    """Return the changes of answers that the layout must show, as sentences; odds only if one drawing has them."""
    was, now = before.drawing, after.drawing
    if any(filed_chapter(drawing.revision).digest != drawing.revision.rules_digest for drawing in (was, now)):
        return ("The portal's data of the chapter changed between the two: what each must show was judged by its own.",)
    answers = was.configuration["answers"], now.configuration["answers"]
    before_chapter, chapter = (layout_chapter(drawing.filing, drawing.revision) for drawing in (was, now))
    has_odds = _has_odds(before) or _has_odds(after)
    updates = updates_required(chapter, *answers, odds_repeated=has_odds, chapter_before=before_chapter)
    return next((update.why for update in updates if update.part == Part.LAYOUT), ())


def _has_odds(candidate: ComparableDrawing) -> bool:
    return any(element["where"] for element in candidate.report["elements"] if element["key"] in ODDS)
