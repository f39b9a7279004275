"""Filings of layouts, signs and guides (§ 601a.10), with their clocks; a submission's own, or all that one may read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from submissions.api.filings.submissions import first_or_not_found, submission_at
from submissions.api.framework.read_views import DetailView, PagedListView, ReadSerializer
from submissions.layouts.review_clock import ReviewClock, review_clock
from submissions.models import LayoutFiling, LayoutStatus, Part
from submissions.permissions import layouts_visible_to
from submissions.search.filter_sets import RefusalFilterSet, choice_filter

STATUS = OpenApiParameter("status", str, description="In this state.", enum=[one.value for one in LayoutStatus])


class LayoutSerializer(ReadSerializer):
    number = of.CharField(source="filing.number", help_text="`LF-2026-00001`")
    submission = of.CharField(source="filing.submission.number")
    licensee = of.CharField(source="filing.submission.organization.slug")
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
class LayoutWithClock:
    """A filing with its clock; a draft has none."""

    filing: LayoutFiling
    time: ReviewClock | None

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


class LayoutFilterSet(RefusalFilterSet):
    status = choice_filter(lambda: dict(LayoutStatus.choices), "state")


class LayoutsView(PagedListView):
    """The layout filings that one may read."""

    serializer_class = LayoutSerializer
    query_parameters = (STATUS,)

    def get_queryset(self) -> QuerySet[LayoutFiling]:
        return LayoutFilterSet(self.request.query_params, _with_rows(layouts_visible_to(self.reader))).narrow()

    def prepare(self, rows: Sequence[LayoutFiling]) -> Iterable[LayoutWithClock]:
        return [_with_clock(one) for one in rows]


class LayoutsOfView(LayoutsView):
    """The layout filings of one submission."""

    def get_queryset(self) -> QuerySet[LayoutFiling]:
        return super().get_queryset().filter(submission=submission_at(self))


class LayoutDetailView(DetailView):
    """One layout filing."""

    serializer_class = LayoutSerializer

    def get_object(self) -> LayoutWithClock:
        rows = _with_rows(layouts_visible_to(self.reader))
        return _with_clock(first_or_not_found(rows.filter(number=self.kwargs["number"]), "layout filing"))


def _with_rows(rows: QuerySet[LayoutFiling]) -> QuerySet[LayoutFiling]:
    return rows.select_related("submission__organization").prefetch_related("revisions__decisions")


def _with_clock(filing: LayoutFiling) -> LayoutWithClock:
    return LayoutWithClock(filing, review_clock(filing, timezone.now()))
