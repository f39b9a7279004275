"""The public register of approved versions, and what is in effect on a day; the same as the public pages."""

from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView

from games.registry import title_of
from games.rules.lists import parse_table
from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.query_parameters import ON
from submissions.api.framework.views import BaseView
from submissions.core.dates import day_before
from submissions.core.errors import Refusal
from submissions.core.parameters import MomentFilter
from submissions.filings.api.chapters import find_chapter
from submissions.filings.api.revisions import verify_address
from submissions.filings.api.submissions import LicenseeSerializer, Row, first_or_not_found, not_found
from submissions.filings.offered_wagers import OfferedGroup, analyses_of, offered_groups
from submissions.filings.orders.temporary_chapters import ChapterDecision, chapter_decisions
from submissions.filings.snapshot import refuse_damaged
from submissions.filings.tables.table_status import ListStatus, table_status
from submissions.filings.versions import VersionState, version_state, versions_in_effect
from submissions.models import Revision, Scope, Version
from submissions.permissions import licensees
from submissions.public.list_filters import RegisterFilterSet, VersionFilterSet

TABLE = OpenApiParameter(
    "table",
    {"type": "string", "minLength": 1},
    description="Also say whether this table is on the casino's table list.",
)


VERSION_VALUES = (
    "pk", "chapter", "from_day", "made_at", "period__ends", "period__successor",
    "organization__slug", "organization__name",
    "revision__receipt", "revision__sha256", "revision__document__signed",
)  # fmt: skip
NO_GAME = "game on that day"
FROZEN = ("revision", "revision__snapshot")


class VersionSerializer(of.Serializer[Any]):
    receipt = of.CharField(source="revision__receipt")
    licensee = LicenseeSerializer(source="*")
    chapter = of.CharField()
    title = of.CharField(help_text="The game")
    from_day = of.DateField(help_text="The first day on which it is in effect")
    last_day = of.DateField(allow_null=True, help_text="The last day on which it is in effect; null = no end is known")
    successor = of.CharField(help_text="The receipt that replaces it, if any")
    standing = of.ChoiceField(VersionState.choices, help_text="On the day asked about; in the register, today")
    chapter_ended = of.DateField(
        allow_null=True,
        help_text="The chapter's last day, if it has passed: nothing under the chapter is in effect; else null",
    )
    sha256 = of.CharField(source="revision__sha256", help_text="Of what was filed")
    made_at = of.DateTimeField(help_text="When it was decided")
    document = of.CharField(allow_null=True, help_text="Address to verify and download the signed document")


class OfferSerializer(of.Serializer[Any]):
    wager = of.CharField()
    name = of.CharField()
    paytable = of.CharField()
    hold = of.CharField(help_text="In words: `5.605 %`")


class AnswerSerializer(of.Serializer[Any]):
    option = of.CharField()
    citation = of.CharField()
    question = of.CharField()
    answer = of.CharField()


class GroupSerializer(of.Serializer[Any]):
    name = of.CharField()
    tables = of.CharField()
    pit = of.CharField()
    offers = OfferSerializer(many=True)
    answers = AnswerSerializer(many=True)


class InForceSerializer(VersionSerializer):
    groups = GroupSerializer(many=True, help_text="Each configuration: for all tables, or for some")
    on_table_list = of.ChoiceField(
        ListStatus.choices,
        allow_null=True,
        help_text="How the `table` is on the casino's table list for this game; null, where none is named. "
        "Only `open` confirms that these rules govern it",
    )


class RegisterAccess:
    """Ask for no credential while the register is public."""

    def scopes(self, method: str) -> tuple[Scope, ...]:
        return () if settings.PUBLIC_REGISTER or method == "OPTIONS" else (Scope.READ,)


class RegisterApiFilterSet(RegisterFilterSet):
    made_since = MomentFilter(
        field_name="made_at",
        lookup_expr="gte",
        help_text="Decided at this time or later. ISO 8601, with its zone.",
    )


class RegisterView(RegisterAccess, BaseView, ListAPIView[Any]):
    """Every approved version, with where it stands today."""

    serializer_class = VersionSerializer
    pagination_class = RowPagination
    filterset_class = RegisterApiFilterSet
    queryset = Version.objects.all()

    def get_queryset(self) -> Any:
        return _filed()

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        today, decisions = timezone.localdate(), chapter_decisions()
        return [_serializable(row, today, decisions) for row in super().paginate_queryset(queryset)]


class InForceView(RegisterAccess, BaseView, ListAPIView[Any]):
    """List the games that are approved at each licensee on a day, with the version of each."""

    serializer_class = VersionSerializer
    pagination_class = RowPagination
    filterset_class = VersionFilterSet
    queryset = Version.objects.all()
    query_parameters = (ON,)

    def get_queryset(self) -> Any:
        return _in_effect(self.day)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        day, decisions = self.day, chapter_decisions()
        return [_serializable(row, day, decisions) for row in super().paginate_queryset(queryset)]


class InForceDetailView(RegisterAccess, BaseView, RetrieveAPIView[Any]):
    """One licensee's game on a day: the wagers, their paytables and holds, and every answer."""

    serializer_class = InForceSerializer
    query_parameters = (ON, TABLE)

    def get_object(self) -> Row:
        day = self.day
        chapter = find_chapter(self.kwargs["chapter"], day).number
        game = {"organization__slug": self.kwargs["licensee"], "chapter": chapter}
        row = first_or_not_found(_games().filter(from_day__lte=day, **game), NO_GAME)
        if row["revision"] is None:  # it was discontinued
            raise not_found(NO_GAME)
        groups = {"groups": [_group(group) for group in _groups(row)], "on_table_list": self._on_table_list(day)}
        return _serializable(row, day, chapter_decisions()) | groups

    def _on_table_list(self, day: date) -> ListStatus | None:
        """Return the list status of the table that is named; None without one."""
        if (name := self.request.query_params.get("table")) is None:
            return None
        try:
            number = parse_table(name)
        except ValueError as error:
            raise Refusal("no-table", option="table", error=error) from None
        licensee = licensees().get(slug=self.kwargs["licensee"])
        return table_status(licensee, number, day, self.kwargs["chapter"]).status


# These query sets are put together once and narrowed for each call: composing one takes longer than asking it.
@cache
def _filed() -> Any:
    """Return every version that something was filed for: the others end a game."""
    return Version.objects.filter(revision__isnull=False).values(*VERSION_VALUES)


@lru_cache(maxsize=100)
def _in_effect(day: date) -> Any:
    return versions_in_effect(day).values(*VERSION_VALUES)


@cache
def _games() -> Any:
    """Return the versions with what was frozen, the latest first."""
    return Version.objects.order_by("-from_day", "-pk").values(*VERSION_VALUES, *FROZEN)


def _serializable(row: Row, day: date, decisions: Mapping[str, ChapterDecision]) -> Row:
    """Return the row with its state on the day, and the end of its chapter."""
    decision = decisions.get(row["chapter"])
    ends, successor, signed = row["period__ends"], row["period__successor"], row["revision__document__signed"]
    return row | {
        "title": title_of(row["chapter"]),
        "last_day": day_before(ends),
        "successor": successor or "",
        "standing": version_state(row["from_day"], ends, successor, day),
        "chapter_ended": decision.last_day if decision and decision.has_ended(day) else None,
        "document": verify_address(signed) if signed else None,
    }


def _groups(row: Row) -> list[OfferedGroup]:
    """Return the configurations, from the frozen filing."""
    frozen = Revision(
        receipt=row["revision__receipt"], snapshot=row["revision__snapshot"], sha256=row["revision__sha256"]
    )
    refuse_damaged(frozen)
    return offered_groups(row["revision"], frozen.content, analyses_of([row["revision"]]))


def _group(group: OfferedGroup) -> Row:
    return {
        "name": group.name,
        "tables": group.tables,
        "pit": group.pit,
        "offers": group.offers,
        "answers": [
            {"option": key, "citation": citation, "question": question, "answer": answer}
            for key, (citation, question, answer) in group.answers.items()
        ],
    }
