"""The Board's orders, waivers and conditions: those that the caller may see, with their days and their state today."""

from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_filters import ChoiceFilter
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView

from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.views import BaseView
from submissions.filings.api.submissions import Row
from submissions.filings.orders.order_periods import OrderPeriod, OrderState, periods_of, with_period
from submissions.models import ChapterEffect, Order, OrderKind
from submissions.permissions import orders_visible_to
from submissions.public.list_filters import GameFilterSet


class OrderEndSerializer(of.Serializer[Any]):
    outcome = of.ChoiceField(["ended", "met"])
    from_day = of.DateField(help_text="The first day on which it is no longer in effect")
    reason = of.CharField()
    at = of.DateTimeField()


class OrderSerializer(of.Serializer[Any]):
    number = of.CharField(source="order.number", help_text="`BO-2026-00001`")
    kind = of.ChoiceField(OrderKind.choices, source="order.kind")
    docket = of.CharField(source="order.docket", help_text="The Board's own number; empty, where there is none")
    citation = of.CharField(source="order.citation", help_text="The section it is about")
    licensee = of.CharField(source="order.organization.slug", allow_null=True, help_text="null = all licensees")
    chapter = of.CharField(source="order.chapter", help_text="Empty = every chapter")
    tables = of.CharField(source="order.tables", help_text="`3, 5-8`; empty = all tables")
    option = of.CharField(source="order.option", help_text="The line of the checklist; empty = none")
    rule = of.CharField(source="order.rule", help_text="The requirement that it waives; empty = none")
    chapter_effect = of.ChoiceField(
        ["", *ChapterEffect.values], source="order.chapter_effect", help_text="What it decides of a temporary chapter"
    )
    first_day = of.DateField(source="order.first_day")
    last_day = of.DateField(allow_null=True, help_text="The last day, as known now; null = until it is ended")
    text = of.CharField(source="order.text")
    receipt = of.CharField(
        source="order.decision.revision.receipt", allow_null=True, help_text="Of the approval that it is a condition of"
    )
    replaces = of.CharField(source="order.replaces.number", allow_null=True)
    replaced_by = of.CharField(source="successor.number", allow_null=True)
    end = OrderEndSerializer(allow_null=True, help_text="null, unless it was ended or met")
    state = of.ChoiceField(OrderState.choices, help_text="Today")
    entered_at = of.DateTimeField(source="order.at")


class OrderFilterSet(GameFilterSet):
    kind = ChoiceFilter(choices=OrderKind.choices, help_text="Of this kind.")


class OrdersView(BaseView, ListAPIView[Any]):
    """The orders, waivers and conditions that one may read: for a licensee its own, and those for all licensees."""

    serializer_class = OrderSerializer
    pagination_class = RowPagination
    filterset_class = OrderFilterSet
    queryset = Order.objects.all()

    def get_queryset(self) -> QuerySet[Order]:
        rows = with_period(orders_visible_to(self.reader)).select_related("decision__revision", "replaces")
        return rows.defer("decision__revision__snapshot", "decision__revision__attestation", "replaces__text")

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        today = timezone.localdate()
        return [_serializable(period, today) for period in periods_of(super().paginate_queryset(queryset))]


def _serializable(period: OrderPeriod, today: date) -> Row:
    return {
        "order": period.order,
        "successor": period.successor,
        "end": period.end,
        "last_day": period.last_day,
        "state": period.state(today),
    }
