"""Filings of layouts, signs and guides (§ 601a.10), with their clocks. Not here: preparing one (`layout_drafts`)."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers as of

from submissions.api.filings.submissions import Row, first_or_not_found
from submissions.api.framework.query_parameters import list_parameter, query_of
from submissions.api.framework.read_views import BaseView, DetailView, PagedListView, ReadSerializer
from submissions.layouts.review_clock import review_clock
from submissions.models import LayoutFiling, LayoutStatus, Part, Person
from submissions.permissions import layouts_visible_to
from submissions.search.filter_sets import RefusalFilterSet, choices_filter

STATUS = list_parameter("status", LayoutStatus.values, "In one of these states.")


class PlaceSerializer(ReadSerializer):
    """An area on a drawing."""

    page = of.IntegerField(help_text="From 1")
    left = of.FloatField(help_text="Shares of the page, from its upper left")
    top = of.FloatField()
    width = of.FloatField()
    height = of.FloatField()


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
    receipt = of.CharField(source="latest.receipt", allow_null=True, help_text="Of the latest filing")
    filed_at = of.DateTimeField(source="latest.filed_at", allow_null=True)
    due = of.DateField(allow_null=True, help_text="The last of the 15 days; null if they are stopped, or never began")
    clock = of.CharField(help_text="The status of the 15 days, in words")
    assigned_to = of.CharField(
        allow_null=True, help_text="The person of the Board who works on it; always null for a licensee"
    )
    page = of.URLField(allow_null=True, help_text="The page on which a person files it; null in a sandbox")
    created_at = of.DateTimeField(source="filing.created_at")
    changed_at = of.DateTimeField(source="filing.changed_at")


class LayoutFilterSet(RefusalFilterSet):
    status = choices_filter(lambda: dict(LayoutStatus.choices), "state", method="in_states")

    def in_states(self, rows: QuerySet[LayoutFiling], name: str, states: str) -> QuerySet[LayoutFiling]:
        return rows.filter(status__in=states.split(","))


class LayoutsView(PagedListView):
    """The layout filings that one may read."""

    serializer_class = LayoutSerializer
    query_parameters = (STATUS,)

    def get_queryset(self) -> QuerySet[LayoutFiling]:
        return LayoutFilterSet.narrow(query_of(self.request), _with_rows(layouts_visible_to(self.reader)))

    def prepare(self, rows: Sequence[LayoutFiling]) -> Iterable[Row]:
        return [_with_clock(row, self.reader) for row in rows]


class LayoutDetailView(DetailView):
    """One layout filing."""

    serializer_class = LayoutSerializer

    def get_object(self) -> Row:
        return layout_row(self, self.kwargs["number"])


def layout_row(view: BaseView, number: str) -> Row:
    """The layout filing with this number as it is serialized."""
    rows = _with_rows(layouts_visible_to(view.reader))
    return _with_clock(first_or_not_found(rows.filter(number=number), "layout filing"), view.reader)


def _with_rows(rows: QuerySet[LayoutFiling]) -> QuerySet[LayoutFiling]:
    return rows.select_related("submission__organization", "assignment__person").prefetch_related(
        "revisions__decisions"
    )


def _with_clock(filing: LayoutFiling, reader: Person) -> Row:
    """The filing, the latest of its revisions, its clock (a draft has none), and for the Board who works on it."""
    assignment = getattr(filing, "assignment", None) if reader.at_regulator else None
    clock = review_clock(filing, timezone.now())
    is_live = filing.organization.is_live
    return {
        "filing": filing,
        "latest": max(filing.revisions.all(), key=attrgetter("number"), default=None),
        "due": clock.reading.due if clock and not clock.ended else None,
        "clock": clock.words if clock else "",
        "page": f"{settings.PUBLIC_URL}{reverse('layout', args=[filing.number])}" if is_live else None,
        "assigned_to": assignment.person.name if assignment else None,
    }
