"""Filings of layouts, signs and guides (§ 601a.10), with their clocks; a submission's own, or all that one may read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from submissions.access import layouts_visible_to
from submissions.api.reading import One, Rows, Shape
from submissions.api.submissions import only, submission_at
from submissions.layout_clock import Clock, clock
from submissions.models import LayoutFiling, LayoutStatus, Part
from submissions.search.wording import one_of

STATUS = OpenApiParameter("status", str, description="In this state.", enum=[one.value for one in LayoutStatus])


class LayoutShape(Shape):
    number = of.CharField(source="filing.number", help_text="`LF-2026-00001`")
    submission = of.CharField(source="filing.submission.number")
    licensee = of.CharField(source="filing.submission.organisation.slug")
    chapter = of.CharField(source="filing.submission.chapter")
    group = of.IntegerField(source="filing.group", help_text="Of tables; 0 = all, or all others")
    parts = of.ListField(child=of.ChoiceField(Part.choices), source="filing.parts")
    positions = of.IntegerField(source="filing.positions", help_text="Betting positions; 0 = the most allowed")
    status = of.ChoiceField(LayoutStatus.choices, source="filing.status")
    version = of.IntegerField(source="filing.version")
    receipt = of.CharField(allow_null=True, help_text="Of the latest filing")
    filed_at = of.DateTimeField(allow_null=True)
    due = of.DateField(allow_null=True, help_text="The last of the 15 days; null while they stand, or never began")
    clock = of.CharField(source="words", help_text="Where the 15 days stand, in words")
    created_at = of.DateTimeField(source="filing.created_at")
    changed_at = of.DateTimeField(source="filing.changed_at")


@dataclass(frozen=True, slots=True)
class Clocked:
    """A filing with its clock; a draft has none."""

    filing: LayoutFiling
    time: Clock | None

    @property
    def receipt(self) -> str | None:
        return max(((one.number, one.receipt) for one in self.filing.revisions.all()), default=(0, None))[1]

    @property
    def filed_at(self) -> object:
        return max((one.filed_at for one in self.filing.revisions.all()), default=None)

    @property
    def due(self) -> object:
        return self.time.reading.due if self.time and not self.time.ended else None

    @property
    def words(self) -> str:
        return self.time.words if self.time else ""


class Layouts(Rows):
    """The layout filings that one may read."""

    serializer_class = LayoutShape
    asks = (STATUS,)

    def rows(self) -> QuerySet[LayoutFiling]:
        rows, status = _whole(layouts_visible_to(self.reader)), self.request.query_params.get("status")
        return rows.filter(status=_state(status)) if status else rows

    def seen(self, rows: Sequence[LayoutFiling]) -> Iterable[Clocked]:
        return [_clocked(one) for one in rows]


class LayoutsOf(Layouts):
    """The layout filings of one submission."""

    def rows(self) -> QuerySet[LayoutFiling]:
        return super().rows().filter(submission=submission_at(self))


class OneLayout(One):
    """One layout filing."""

    serializer_class = LayoutShape

    def thing(self) -> Clocked:
        rows = _whole(layouts_visible_to(self.reader))
        return _clocked(only(rows.filter(number=self.kwargs["number"]), "layout filing"))


def _whole(rows: QuerySet[LayoutFiling]) -> QuerySet[LayoutFiling]:
    return rows.select_related("submission__organisation").prefetch_related("revisions__decisions")


def _clocked(filing: LayoutFiling) -> Clocked:
    return Clocked(filing, clock(filing, timezone.now()))


def _state(text: str) -> str:
    one_of(text, dict(LayoutStatus.choices), "state")
    return text
