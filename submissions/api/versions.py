"""What is public: the register of approved versions, and what holds on a day. As the pages, for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from games.rules.registry import folders, title_of
from submissions.actions.snapshot import refuse_damaged
from submissions.actions.versions import all_in_force
from submissions.api.chapters import A_DAY, day_in, known, since
from submissions.api.filings import verify_address
from submissions.api.paging import Page, page_prepared
from submissions.api.reading import Door, One, Paged, Shape
from submissions.api.submissions import LicenseeShape, Row, no_such, the_only
from submissions.models import Revision, Version
from submissions.offers import Group, analyses_of, groups
from submissions.prepared import Prepared
from submissions.search.versions import narrowed, those
from submissions.search.wording import moment_of
from submissions.terms import State, last_day, state, with_ends

SLUG = {"type": "string", "minLength": 1}
LICENSEE = OpenApiParameter("licensee", SLUG, description="Of this licensee, by its short name.")
CHAPTER = OpenApiParameter("chapter", str, description="Of this chapter.", enum=list(folders()))
ON = OpenApiParameter("on", A_DAY, description="What is in force on this day; today, where none is named.")
STANDING = OpenApiParameter("standing", str, description="Standing so today.", enum=[one.value for one in State])


TOLD = (
    "pk", "chapter", "from_day", "made_at", "ends", "successor", "organisation__slug", "organisation__name",
    "revision__receipt", "revision__sha256", "revision__document__signed",
)  # fmt: skip
Asked = tuple[tuple[str, str], ...]  # filter → what it is narrowed to
NO_GAME = "game on that day"
FROZEN = ("revision", "revision__snapshot")


class VersionShape(Shape):
    receipt = of.CharField()
    licensee = LicenseeShape()
    chapter = of.CharField()
    title = of.CharField(help_text="The game")
    from_day = of.DateField(help_text="The first day on which it holds")
    last_day = of.DateField(allow_null=True, help_text="The last one; null = no end is known")
    successor = of.CharField(help_text="The receipt that takes its place, if one does")
    standing = of.ChoiceField(State.choices, help_text="On the day asked about; in the register, today")
    sha256 = of.CharField(help_text="Of what was filed")
    made_at = of.DateTimeField(help_text="When it was decided")
    document = of.CharField(allow_null=True, help_text="Where the signed document is verified and downloaded")


class OfferShape(Shape):
    wager = of.CharField()
    name = of.CharField()
    paytable = of.CharField()
    hold = of.CharField(help_text="In words: `5.605 %`")


class AnswerShape(Shape):
    option = of.CharField()
    citation = of.CharField()
    question = of.CharField()
    answer = of.CharField()


class GroupShape(Shape):
    name = of.CharField()
    tables = of.CharField()
    pit = of.CharField()
    offers = OfferShape(many=True)
    answers = AnswerShape(many=True)


class InForceShape(VersionShape):
    groups = GroupShape(many=True, help_text="Each configuration: for all tables, or for some")


class Register(Paged):
    """Every approved version, with where it stands today."""

    scope = None
    serializer_class = VersionShape
    asks = (LICENSEE, CHAPTER, STANDING, since("made_since", "Decided at this moment or later."))

    def page(self) -> Page:
        moment = self.request.query_params.get("made_since")
        since = moment_of(moment) if moment else None
        return page_prepared(self.request, _filed, _asked(self), timezone.localdate(), since)

    def seen(self, rows: Sequence[Row]) -> Iterable[Row]:
        today = timezone.localdate()
        return [_told(row, today) for row in rows]


class InForce(Paged):
    """What each licensee offers on a day, by which version."""

    scope = None
    serializer_class = VersionShape
    asks = (LICENSEE, CHAPTER, ON)

    def page(self) -> Page:
        return page_prepared(self.request, _holding, _asked(self), self._day)

    def seen(self, rows: Sequence[Row]) -> Iterable[Row]:
        day = self._day
        return [_told(row, day) for row in rows]

    @property
    def _day(self) -> date:
        return day_in(self.request.query_params.get("on"))


class OneInForce(One):
    """One licensee's game on a day: the wagers, their paytables and holds, and every answer."""

    scope = None
    serializer_class = InForceShape
    asks = (ON,)

    def thing(self) -> Row:
        day = day_in(self.request.query_params.get("on"))
        chapter = known(self.kwargs["chapter"]).number
        row = the_only(_latest(day).ask(licensee=self.kwargs["licensee"], chapter=chapter), NO_GAME)
        if row["revision"] is None:  # it was discontinued
            raise no_such(NO_GAME)
        return _told(row, day) | {"groups": [_group(one) for one in _groups(row)]}


def _asked(door: Door) -> Asked:
    """How the list is narrowed; a wrong word is refused."""
    chosen = narrowed(door.request.query_params)
    for fault in filter(None, chosen.faults.values()):
        raise fault
    return tuple(chosen.typed.items())


def _filed(asked: Asked, day: date, made_since: datetime | None) -> QuerySet[Any, Row]:
    """Every version that something was filed for: the others end a game."""
    rows = with_ends(Version.objects.filter(revision__isnull=False))
    if made_since:
        rows = rows.filter(made_at__gte=made_since)
    return _told_of(rows, asked, day)


def _holding(asked: Asked, day: date) -> QuerySet[Any, Row]:
    return _told_of(with_ends(all_in_force(day)), asked, day)


def _told_of(rows: QuerySet[Version], asked: Asked, day: date) -> QuerySet[Any, Row]:
    told: QuerySet[Any, Row] = those(rows, dict(asked), day).values(*TOLD)
    return told


@lru_cache(maxsize=100)
def _latest(day: date) -> Prepared[Row]:
    """The version of a `licensee`'s `chapter` that holds on the day, with what was frozen."""
    game = {"organisation__slug": "the licensee", "chapter": "the chapter"}
    rows = with_ends(Version.objects.filter(from_day__lte=day, **game)).order_by("-from_day", "-pk")
    return Prepared(rows.values(*TOLD, *FROZEN)[:1], licensee="the licensee", chapter="the chapter")


def _told(row: Row, day: date) -> Row:
    """The row with where it stands on the day."""
    signed = row["revision__document__signed"]
    return row | {
        "receipt": row["revision__receipt"],
        "licensee": {"slug": row["organisation__slug"], "name": row["organisation__name"]},
        "title": title_of(row["chapter"]),
        "last_day": last_day(row["ends"]),
        "successor": row["successor"] or "",
        "standing": state(row["from_day"], row["ends"], row["successor"], day),
        "sha256": row["revision__sha256"],
        "document": verify_address(signed) if signed else None,
    }


def _groups(row: Row) -> list[Group]:
    """The configurations, from the frozen filing."""
    frozen = Revision(
        receipt=row["revision__receipt"], snapshot=row["revision__snapshot"], sha256=row["revision__sha256"]
    )
    refuse_damaged(frozen)
    return groups(row["revision"], frozen.content, analyses_of([row["revision"]]))


def _group(group: Group) -> Row:
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
