"""Two drawings of a layout beside and over each other: of one filing, or with one approved for the same game before.

What differs in words is `submissions.drawings_compared`; without script both pictures stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, cast

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from games.rules.registry import chapter as chapter_of
from submissions import drawings_compared
from submissions.access import drawings_visible_to, layouts_visible_to
from submissions.layouts.follows import must_follow
from submissions.layouts.required import ODDS
from submissions.models import LayoutDecision, LayoutDrawing, LayoutFiling, LayoutRevision, Part, Person
from submissions.terms import in_words
from submissions.web.layouts import filing_of


@dataclass(frozen=True, slots=True)
class Picture:
    """A page of a drawing as a browser shows it."""

    address: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing that can be compared, as it is called in the list."""

    drawing: LayoutDrawing
    name: str
    filed: bool

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = self.drawing.inspection.report
        return found

    @property
    def pictures(self) -> list[Picture]:
        one = self.drawing
        pictured = 1 if one.kind == "svg" else len(one.inspection.previews)
        return [
            Picture(reverse("layout-picture", args=[one.filing.number, one.pk, page]), round(width), round(height))
            for page, (width, height) in enumerate(self.report["pages"][:pictured], 1)
        ]


def page(request: HttpRequest, number: str) -> HttpResponse:
    """`before` and `after` in the address name two of the drawings; else the latest and the one filed before it."""
    filing = filing_of(request, number)
    found = comparable(cast(Person, request.user), filing)
    after = _chosen(request, "after", found) or (found[0] if found else None)
    others = [one for one in found if one != after]
    before = _chosen(request, "before", found) or next((one for one in others if one.filed), next(iter(others), None))
    context = {"filing": filing, "submission": filing.submission, "found": found, "before": before, "after": after}
    if before and after:
        context |= _compared(before, after)
    return render(request, "pages/layout_compare.html", context | {"here": "home"})


def several(person: Person, filing: LayoutFiling) -> bool:
    """Whether there is more than one to compare."""
    return sum(drawings.count() for drawings in _drawings(person, filing)) > 1


def comparable(person: Person, filing: LayoutFiling) -> list[Drawn]:
    """The filing's own drawings that were read, the latest first, then those approved for the licensee's same game."""
    own, approved = (list(drawings) for drawings in _drawings(person, filing))
    filed = LayoutRevision.objects.filter(drawing__in=[*own, *approved]).order_by("number")
    receipts = dict(filed.values_list("drawing", "receipt"))
    return [
        Drawn(one, f"{receipts.get(one.pk, 'Not filed')}{suffix}: {one.name}, {_day(one)}", one.pk in receipts)
        for found, suffix in ((own, ""), (approved, ", approved"))
        for one in found
    ]


def _drawings(person: Person, filing: LayoutFiling) -> tuple[QuerySet[LayoutDrawing], QuerySet[LayoutDrawing]]:
    """The filing's own, and the approved ones of others; without their files, which are large."""
    same = Q(submission__organisation=filing.organisation, submission__chapter=filing.submission.chapter)
    others = layouts_visible_to(person).filter(same).exclude(pk=filing.pk)
    approved = LayoutRevision.objects.filter(filing__in=others, decisions__kind=LayoutDecision.Kind.APPROVE)
    of_others = LayoutDrawing.objects.filter(pk__in=approved.values("drawing"))
    return _read(drawings_visible_to(person, filing)), _read(of_others)


def _read(drawings: QuerySet[LayoutDrawing]) -> QuerySet[LayoutDrawing]:
    read = drawings.filter(inspection__isnull=False, inspection__refused="").select_related(None)
    return read.select_related("inspection", "filing").order_by("-pk")


def _day(drawing: LayoutDrawing) -> str:
    return in_words(timezone.localdate(drawing.uploaded_at))


def _chosen(request: HttpRequest, which: str, found: list[Drawn]) -> Drawn | None:
    """The drawing that the address names; 404 for one that is not to be seen here, as if there were none."""
    text = request.GET.get(which, "")
    if not text:
        return None
    chosen = next((one for one in found if str(one.drawing.pk) == text), None)
    if chosen is None:
        raise Http404("There is no such drawing to compare.")
    return chosen


def _compared(before: Drawn, after: Drawn) -> dict[str, object]:
    return {
        "pairs": list(zip_longest(before.pictures, after.pictures)),
        "elements": drawings_compared.elements(before.report, after.report),
        "differences": drawings_compared.differences(before.report, after.report),
        "why": _why(before, after),
    }


def _why(before: Drawn, after: Drawn) -> tuple[str, ...]:
    """What the answers of the later one call for otherwise, in sentences: of odds only where one drawing has them."""
    was, now = before.drawing, after.drawing
    chapter = chapter_of(now.filing.submission.chapter)
    if {was.revision.rules_digest, now.revision.rules_digest} != {chapter.digest}:
        return ("The rules of the chapter changed between the two: what each must show was judged by its own.",)
    answers = was.configuration["answers"], now.configuration["answers"]
    found = must_follow(chapter, *answers, odds_repeated=_has_odds(before) or _has_odds(after))
    return next((one.why for one in found if one.part == Part.LAYOUT), ())


def _has_odds(one: Drawn) -> bool:
    return any(element["where"] for element in one.report["elements"] if element["key"] in ODDS)
