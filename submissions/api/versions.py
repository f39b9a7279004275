"""What is public: the register of approved versions, and what holds on a day. As the pages, for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from games.rules.registry import chapter as chapter_of
from games.rules.registry import folders
from submissions.access import licensees
from submissions.actions.snapshot import refuse_damaged
from submissions.actions.versions import all_in_force, in_force
from submissions.api.chapters import ON, day_in, known
from submissions.api.filings import verify_address
from submissions.api.reading import Door, One, Rows, Shape
from submissions.api.submissions import LicenseeShape, only
from submissions.models import Organisation, Version
from submissions.offers import Group, analyses_of, groups
from submissions.search.versions import light, narrowed
from submissions.terms import State, Term, term, with_ends

LICENSEE = OpenApiParameter("licensee", str, description="Of this licensee, by its short name.")
CHAPTER = OpenApiParameter("chapter", str, description="Of this chapter.", enum=list(folders()))
STANDING = OpenApiParameter("standing", str, description="Standing so today.", enum=[one.value for one in State])


class VersionShape(Shape):
    receipt = of.CharField(source="version.revision.receipt")
    licensee = LicenseeShape(source="version.organisation")
    chapter = of.CharField(source="version.chapter")
    title = of.CharField(help_text="The game")
    from_day = of.DateField(source="version.from_day", help_text="The first day on which it holds")
    last_day = of.DateField(source="term.last_day", allow_null=True, help_text="The last one; null = no end is known")
    successor = of.CharField(source="term.successor", help_text="The receipt that takes its place, if one does")
    standing = of.ChoiceField(State.choices, help_text="On the day asked about; in the register, today")
    sha256 = of.CharField(source="version.revision.sha256", help_text="Of what was filed")
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


@dataclass(frozen=True, slots=True)
class Standing:
    """A version, with where it stands on a day."""

    version: Version
    term: Term
    standing: State
    groups: tuple[dict[str, Any], ...] = ()

    @property
    def title(self) -> str:
        return chapter_of(self.version.chapter).title if self.version.chapter in folders() else ""

    @property
    def document(self) -> str | None:
        found = getattr(self.version.revision, "document", None)
        return verify_address(found.signed_id) if found else None


class Register(Rows):
    """Every approved version, with where it stands today."""

    scope = None
    serializer_class = VersionShape
    asks = (LICENSEE, CHAPTER, STANDING)

    def rows(self) -> QuerySet[Version]:
        return _chosen(self, with_ends(Version.objects.filter(revision__isnull=False)), timezone.localdate())

    def seen(self, rows: Sequence[Version]) -> Iterable[Standing]:
        today = timezone.localdate()
        return [Standing(row, term(row), term(row).state(today)) for row in rows]


class InForce(Rows):
    """What each licensee offers on a day, by which version."""

    scope = None
    serializer_class = VersionShape
    asks = (LICENSEE, CHAPTER, ON)

    def rows(self) -> QuerySet[Version]:
        day = day_in(self.request.query_params.get("on"))
        return _chosen(self, with_ends(all_in_force(day)), day)

    def seen(self, rows: Sequence[Version]) -> Iterable[Standing]:
        return [Standing(row, term(row), State.IN_FORCE) for row in rows]


class OneInForce(One):
    """One licensee's game on a day: the wagers, their paytables and holds, and every answer."""

    scope = None
    serializer_class = InForceShape
    asks = (ON,)

    def thing(self) -> Standing:
        licensee: Organisation = only(licensees().filter(slug=self.kwargs["licensee"]), "licensee")
        chapter, day = known(self.kwargs["chapter"]), day_in(self.request.query_params.get("on"))
        held = in_force(licensee, chapter.number, day)
        rows = with_ends(Version.objects.filter(pk__in=[held.pk] if held else []))
        row: Version = only(rows.select_related("organisation", "revision__document"), "game on that day")
        return Standing(row, term(row), State.IN_FORCE, tuple(map(_told, _groups(row))))


def _chosen(door: Door, rows: QuerySet[Version], day: date) -> QuerySet[Version]:
    """The rows that were asked for, with what is told of them; a wrong word is refused."""
    chosen = narrowed(door.request.query_params)
    for fault in filter(None, chosen.faults.values()):
        raise fault
    return light(chosen.of(rows, day))


def _groups(row: Version) -> list[Group]:
    if row.revision is None:
        return []
    refuse_damaged(row.revision)
    return groups(row.revision.pk, row.revision.content, analyses_of([row.revision.pk]))


def _told(group: Group) -> dict[str, Any]:
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
