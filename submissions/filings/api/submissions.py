"""Submissions as their readers may know them: found as on the search page, one by its number.

Not here: what belongs to one of them (`revisions`, `documents`, `review`), layouts (`layouts`).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from django.db.models import CharField, F, QuerySet, Value
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView

from games.registry import title_of
from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.views import BaseView
from submissions.core.errors import NotFound
from submissions.core.parameters import MomentFilter
from submissions.filings.drafts import DraftProgress, progress_of_drafts
from submissions.models import Status, Submission
from submissions.permissions import ReadScope, read_scope_of, visible_to
from submissions.public.submission_search import SubmissionFilterSet, with_latest_within

LISTS = {  # what can be missing, and the list that has it; of another thing the list is one part of the address above
    "batch": "/api/v1/bulk/",
    "layout filing": "/api/v1/layouts/",
    "submission": "/api/v1/submissions/",
    "webhook": "/api/v1/webhooks/",
}

Row = dict[str, Any]  # what a serializer reads
AnyRow = TypeVar("AnyRow")
SUBMISSION_VALUES = (
    "pk", "number", "organization__slug", "organization__name", "chapter", "status", "version", "amends__number",
    "takes_effect", "receipt", "filed_at", "from_day", "created_at", "changed_at",
)  # fmt: skip


class LicenseeSerializer(of.Serializer[Any]):
    slug = of.CharField(source="organization__slug", help_text="Its short name in addresses and filters")
    name = of.CharField(source="organization__name")


class DraftProgressSerializer(of.Serializer[Any]):
    answered_lines = of.IntegerField(help_text="Lines that are answered; a line of two table groups counts twice")
    lines = of.IntegerField(help_text="Lines that the draft asks")
    findings = of.IntegerField(help_text="Findings to resolve before filing, without those on unanswered lines")


class SubmissionSerializer(of.Serializer[Any]):
    number = of.CharField(help_text="`RS-2026-00001`")
    licensee = LicenseeSerializer(source="*")
    chapter = of.CharField()
    title = of.CharField(help_text="The game")
    status = of.ChoiceField(Status.choices)
    version = of.IntegerField(help_text="One higher with each change of status. Every write sends it")
    amends = of.CharField(source="amends__number", allow_null=True, help_text="The one it changes")
    takes_effect = of.DateField(allow_null=True, help_text="The planned effective day; null: when it is approved")
    receipt = of.CharField(allow_null=True, help_text="Of the latest filing")
    filed_at = of.DateTimeField(allow_null=True)
    in_force_from = of.DateField(source="from_day", allow_null=True, help_text="None unless the filing was approved")
    progress = DraftProgressSerializer(allow_null=True, help_text="How far a draft is; null for what was filed")
    assigned_to = of.CharField(
        allow_null=True, help_text="The person of the Board who works on it; always null for a licensee"
    )
    created_at = of.DateTimeField()
    changed_at = of.DateTimeField()


class SubmissionApiFilterSet(SubmissionFilterSet):
    changed_since = MomentFilter(
        field_name="changed_at",
        lookup_expr="gte",
        help_text="The answers or the status changed at this time or later. ISO 8601, with its zone.",
    )


class SubmissionSearchView(BaseView, ListAPIView[Any]):
    """The submissions that one may read, narrowed as on the search page."""

    serializer_class = SubmissionSerializer
    pagination_class = RowPagination
    filterset_class = SubmissionApiFilterSet
    queryset = Submission.objects.all()

    def get_queryset(self) -> QuerySet[Any, Row]:
        return _rows(read_scope_of(self.reader))

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        rows = super().paginate_queryset(queryset)
        progress = progress_of_drafts([row["pk"] for row in rows if row["status"] == Status.DRAFT])
        return [_serializable(row, progress) for row in rows]


class SubmissionDetailView(BaseView, RetrieveAPIView[Any]):
    """One submission."""

    serializer_class = SubmissionSerializer

    def get_object(self) -> Row:
        rows = _rows(read_scope_of(self.reader)).filter(number=self.kwargs["number"])
        row = first_or_not_found(rows, "submission")
        return _serializable(row, progress_of_drafts([row["pk"]]))


@lru_cache(maxsize=1000)
def _rows(scope: ReadScope | None) -> QuerySet[Any, Row]:
    """Return all rows that may be read, with deleted drafts; put together once."""
    assignee = F("assignment__person__name") if scope and scope.at_regulator else Value(None, CharField())
    rows = with_latest_within(scope).order_by("pk")
    values: QuerySet[Any, Row] = rows.values(*SUBMISSION_VALUES, assigned_to=assignee)
    return values


def _serializable(row: Row, progress: Mapping[int, DraftProgress]) -> Row:
    return row | {"title": title_of(row["chapter"]), "progress": progress.get(row["pk"])}


def first_or_not_found(rows: QuerySet[Any, AnyRow], what: str) -> AnyRow:
    """Return the first row; raise the 404 of a missing row also for one that the caller may not see."""
    for row in rows[:1]:
        return row
    raise not_found(what)


def not_found(what: str) -> NotFound:
    if what in LISTS:
        return NotFound("not-found/row", what=what, list=LISTS[what])
    return NotFound("not-found/resource", what=what)


def submission_at(view: BaseView) -> Submission:
    """Return the submission that the address names."""
    rows = visible_to(view.reader).select_related("organization")
    return first_or_not_found(rows.filter(number=view.kwargs["number"]), "submission")
