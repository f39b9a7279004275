"""The chapters: the games of the regulations, their rule models and the answers that their lines take.

The rule model is that of any day, member by member as `games.rules.export.chapter_data` has it. The lines are described
for other programs as JSON Schema and as one table of all lines, both from the same rules (`games.rules.export`). Also
the fields by which any resource of the API describes answers, conditions and limits.
"""

import csv
import io
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from games.registry import UnknownChapter
from games.rules.export import ANSWER_KINDS, answers_schema, chapter_data
from games.rules.model import Chapter, Condition, Option, Test
from submissions.api.framework.bodies import CsvRenderer
from submissions.api.framework.query_parameters import ON
from submissions.api.framework.serializers import plain, plain_kind
from submissions.api.framework.views import BaseView
from submissions.core.dates import date_text
from submissions.core.errors import NotFound
from submissions.core.parameters import DATE_SCHEMA, day_of
from submissions.rules import chapter_on, chapter_problem, chapters_on

Schema = dict[str, Any]
ANSWER: Schema = {
    "description": "By the kind of its line: yes_no true or false; count a whole number; choice, paytable, text, money "
    '("50000.00") and percent ("2.5") a text; attachment the file. `/api/v1/chapters/{number}/schema/` has each line.',
    "anyOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}, ANSWER_KINDS["attachment"]],
    "examples": [True, 6, "DJWT-05", "50000.00"],
}
SENT_ANSWERS: Schema = {
    "type": "object",
    "additionalProperties": {"anyOf": [*ANSWER["anyOf"], {"type": "null"}]},
    "examples": [{"trips_bonus_wager": True, "trips_paytable": "DJWT-05", "adjacent_boxes": 3}],
}
RANGE: Schema = {
    "type": "object",
    "properties": {name: {"type": ["string", "null"]} for name in ("at_least", "at_most")},
    "required": ["at_least", "at_most"],
}
CONDITION: Schema = {
    "type": "array",
    "description": "Alternatives, of which one must hold: key of a line → its accepted answers, or their range. "
    "Empty = always.",
    "items": {
        "type": "object",
        "additionalProperties": {
            "anyOf": [{"type": "array", "items": {"type": ["boolean", "integer", "string"]}}, RANGE]
        },
    },
}


AnswersField = plain_kind({"type": "object", "additionalProperties": ANSWER}, "Answers")
ConditionField = plain_kind(CONDITION, "Condition")


class DatedSerializer(of.Serializer[Any]):
    effective = of.DateField(allow_null=True)
    expires = of.DateField(allow_null=True)


class ChoiceSerializer(of.Serializer[Any]):
    value = of.CharField(help_text="What is sent")
    label = of.CharField(help_text="In words")  # type: ignore[assignment]  # a field of that name


class LimitsSerializer(of.Serializer[Any]):
    at_least = of.CharField(allow_null=True, help_text="Of a number; null = 0")
    at_most = of.CharField(allow_null=True, help_text="Of a number; null = 1,000,000,000")
    longest = of.IntegerField(help_text="Characters of a text")
    format = of.CharField(help_text="`tables`: a list of tables, such as 3, 7-9, BJ-4; or empty")
    citation = of.CharField()
    subject = of.CharField(help_text="What the number counts")
    because = of.CharField(help_text="What limits it")


class OptionSerializer(DatedSerializer):
    """A line of a checklist."""

    key = of.CharField(help_text="Its name in `answers`")
    citation = of.CharField()
    question = of.CharField()
    choices = ChoiceSerializer(many=True, help_text="Of choice and paytable: what may be answered")
    asked_if = ConditionField()
    consistent_if = ConditionField(allow_null=True, help_text="While it holds, an answer contradicts nothing")
    basis = of.CharField(help_text="form, explicit or discretion")
    group = of.CharField(help_text="The heading above it")
    limits = LimitsSerializer()
    wager = of.CharField(help_text="Of paytable: the wager; else empty")
    required = of.BooleanField(help_text="Whether it must be answered if asked")  # type: ignore[assignment]
    help = of.CharField()
    as_printed = of.CharField(help_text="The form's own words, where they are others")


def _option_of(answer_kind: str) -> type[OptionSerializer]:
    words = f"Answered with {ANSWER_KINDS[answer_kind]['description']}"

    @extend_schema_serializer(component_name=f"{answer_kind.title().replace('_', '')}Option")
    class KindSerializer(OptionSerializer):
        __doc__ = f"A line: {answer_kind}."
        kind = plain({"type": "string", "const": answer_kind, "description": words})

    return KindSerializer


OPTIONS = PolymorphicProxySerializer(
    component_name="Option",
    serializers={kind: _option_of(kind) for kind in ANSWER_KINDS},
    resource_type_field_name="kind",
    many=True,
)


class WagerSerializer(DatedSerializer):
    key = of.CharField()
    name = of.CharField()
    citation = of.CharField()
    size = of.CharField(help_text="The rule of its amount")
    offered_by = of.CharField(help_text="The line that offers it; empty = required")
    paytable_option = of.CharField(help_text="The line that chooses its paytable; empty = no choice")
    progressive = of.BooleanField()
    settled = of.CharField(help_text="The section on its settlement")
    part_of = of.CharField(help_text="The wager that it is decided with; empty = none")
    minimum = of.CharField(help_text="The line with its smallest amount; empty = the table's minimum wager")
    required = of.BooleanField()  # type: ignore[assignment]


class PaytableMetaSerializer(DatedSerializer):
    columns = of.ListField(child=of.CharField())
    wager_amount = of.CharField(allow_null=True, help_text="Dollars")
    seed = of.CharField(allow_null=True, help_text="The reset amount, in dollars")
    rate = of.CharField(allow_null=True, help_text="The rate of progression, as a fraction")
    reserve = of.CharField(allow_null=True)
    wager_returned = of.BooleanField(allow_null=True)
    fully_wild_joker = of.BooleanField()


class PaytableSerializer(of.Serializer[Any]):
    wager = of.CharField()
    name = of.CharField()
    citation = of.CharField()
    rows = of.ListField(
        child=of.ListField(child=of.CharField(), min_length=2, max_length=2), help_text="Outcome and what it pays"
    )
    envy = of.DictField(child=of.CharField(), help_text="Outcome → envy bonus, dollars")
    meta = PaytableMetaSerializer()


class RequirementSerializer(DatedSerializer):
    id = of.CharField()
    citation = of.CharField()
    severity = of.ChoiceField(["blocking", "warning", "note"])
    message = of.CharField()
    fix = of.CharField()
    options = of.ListField(child=of.CharField(), help_text="The lines concerned")
    when = ConditionField()
    must = ConditionField(allow_null=True)
    check = of.CharField(help_text="The name of a computed check; empty = `must` says it")
    covers = of.ListField(child=of.CharField(), help_text="Of a payout limit: the wagers")
    leaves_out = of.ListField(child=of.CharField(), help_text="Of a payout limit: the outcomes that it does not cover")


class LayoutElementSerializer(DatedSerializer):
    key = of.CharField()
    citation = of.CharField()
    element = of.CharField()
    kind = of.CharField()
    condition = ConditionField()
    wording = of.CharField(help_text="Of an inscription")
    per_position = of.BooleanField()
    wager = of.CharField()
    devised = of.BooleanField(help_text="Whether it needs approval under § 461a.4 or § 601a.10")


class ReadingSerializer(DatedSerializer):
    """An interpretation note: where the printed text is wrong or ambiguous."""

    id = of.CharField()
    citation = of.CharField()
    printed = of.CharField()
    reading = of.CharField()
    evidence = of.CharField()
    touches = of.ListField(child=of.CharField(), help_text="Lines, wagers, paytables and layout elements")


class PublishedSerializer(DatedSerializer):
    id = of.CharField()
    wager = of.CharField()
    paytable = of.CharField()
    measure = of.CharField(help_text="payback or hold")
    value = of.CharField(help_text="Percent, as printed")
    source = of.CharField()  # type: ignore[assignment]  # a field of that name
    denominator = of.CharField()
    note = of.CharField()


class HouseWaySerializer(DatedSerializer):
    key = of.CharField()
    name = of.CharField()
    rules = of.ListField(
        child=of.ListField(child=of.CharField(), min_length=2, max_length=2),
        help_text="What the cards make, and how they are set",
    )


def several(kind: type[of.Serializer[Any]], **given: Any) -> of.JSONField:
    """Parts of one kind."""
    return plain(kind(many=True), **given)


class ChapterSerializer(of.Serializer[Any]):
    number = of.CharField(help_text="Of 58 Pa. Code: `687a`")
    title = of.CharField()
    status = of.ChoiceField(["temporary", "proposed", "final"])
    complete = of.BooleanField(help_text="Whether the data has everything that the chapter prints")
    digest = of.CharField(help_text="SHA-256 of the rules' data; each filing records it")


class RuleModelSerializer(ChapterSerializer):
    missing = of.CharField(help_text="What is not modeled; empty if everything is")
    source = of.CharField()  # type: ignore[assignment]  # a field of that name: where its text is published
    max_positions = of.IntegerField(allow_null=True)
    begins = of.DateField(allow_null=True, help_text="The first day of these rules; null: from the beginning")
    ends = of.DateField(allow_null=True, help_text="The last day of these rules; null: until further notice")
    options = plain(OPTIONS, help_text="The lines of the checklist")
    wagers = several(WagerSerializer)
    paytables = several(PaytableSerializer)
    requirements = several(RequirementSerializer)
    layout = several(LayoutElementSerializer, help_text="The elements that a layout must show")
    readings = several(ReadingSerializer, help_text="Where the printed text is wrong or ambiguous")
    published = several(PublishedSerializer, help_text="Figures that the Board printed")
    house_ways = several(HouseWaySerializer)


class ChaptersView(BaseView, ListAPIView[Any]):
    """Every chapter, in the Code's order."""

    scope = None
    serializer_class = ChapterSerializer

    def get_queryset(self) -> Any:
        return chapters_on(timezone.localdate())


class RuleModelView(BaseView, RetrieveAPIView[Any]):
    """One chapter with everything that it leaves open and demands, as it holds on a day."""

    scope = None
    serializer_class = RuleModelSerializer
    query_parameters = (ON,)

    def get_object(self) -> dict[str, Any]:
        chapter = find_chapter(self.kwargs["number"], self.day)
        return chapter_data(chapter) | {"begins": chapter.begins, "ends": chapter.ends}


def find_chapter(number: str, day: date) -> Chapter:
    """Return the chapter with this number on that day; raise `NotFound` if there is none."""
    try:
        return chapter_on(number, day)
    except UnknownChapter as error:
        raise NotFound("not-found/chapter", problem=chapter_problem(number, error)) from None


@extend_schema_field(DATE_SCHEMA)
class SentDayField(of.DateField):
    """A day that is sent; None for an empty text."""

    def to_internal_value(self, value: str) -> date | None:  # type: ignore[override]
        return day_of(value.strip()) if value else None


TEXT = {"type": "string"}
LINE = {
    "type": "object",
    "description": "What one line takes: keywords of JSON Schema",
    "properties": {"title": TEXT, "description": TEXT, "type": TEXT},
    "required": ["title", "description", "type"],
    "additionalProperties": True,
}
RULE = {
    "type": "object",
    "description": "Lines that must be answered (`then`) while the condition (`if`) is true",
    "properties": {
        "if": {
            "type": "object",
            "properties": {"required": {"type": "array", "items": TEXT}},
            "additionalProperties": True,
        },
        "then": {
            "type": "object",
            "properties": {"required": {"type": "array", "items": TEXT}},
            "required": ["required"],
        },
    },
    "required": ["if", "then"],
}
SCHEMA_OF_ANSWERS = {
    "type": "object",
    "description": "A JSON Schema (2020-12) of the `answers` of one configuration that is ready to be filed",
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "$id": {"type": "string", "format": "uri"},
        "title": TEXT,
        "description": TEXT,
        "type": {"type": "string", "const": "object"},
        "properties": {"type": "object", "additionalProperties": LINE},
        "required": {"type": "array", "items": TEXT},
        "allOf": {"type": "array", "items": RULE},
        "additionalProperties": {"type": "boolean"},
    },
    "required": ["$schema", "$id", "title", "description", "type", "properties", "required"],
    "additionalProperties": True,
}
COLUMNS = (
    "chapter", "title", "key", "heading", "citation", "question", "kind", "sent_as", "allowed", "at_least", "at_most",
    "longest", "required", "asked_if", "basis", "effective", "expires", "help",
)  # fmt: skip


class ChapterSchemaView(BaseView):
    """The JSON Schema of a chapter's answers on a day: a form or a typed client can be made from it.

    A draft may lack what `required` and `allOf` name. How answers go together, only judging says.
    """

    scope = None
    serializer_class = RuleModelSerializer
    parameters = (ON,)

    @extend_schema(responses={200: SCHEMA_OF_ANSWERS})
    def get(self, request: Request, number: str) -> Response:
        day = self.day
        chapter = find_chapter(number, day)
        address = f"{settings.PUBLIC_URL}{reverse('api:chapter-schema', args=[chapter.number])}?on={day}"
        words = f"By the rules in effect on {date_text(day)} (digest {chapter.digest})."
        schema = answers_schema(chapter)
        return Response({"$schema": schema.pop("$schema"), "$id": address, "description": words, **schema})


class DataDictionaryView(BaseView):
    """Every line of every chapter on a day as CSV: its question, section, kind, what it takes and when it is asked."""

    scope = None
    serializer_class = RuleModelSerializer
    renderer_classes = (CsvRenderer,)
    parameters = (ON,)

    def get(self, request: Request) -> HttpResponse:
        day = self.day
        headers = {"Content-Disposition": f'attachment; filename="data-dictionary-{day}.csv"'}
        return HttpResponse(data_dictionary(day), "text/csv; charset=utf-8", headers=headers)


def data_dictionary(day: date) -> str:
    """Return the table as text, with the byte order mark by which spreadsheets know UTF-8."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow(COLUMNS)
    for chapter in chapters_on(day):
        table.writerows(_rows(chapter))
    return f"\ufeff{written.getvalue()}"


def _rows(chapter: Chapter) -> Iterator[tuple[object, ...]]:
    for option in chapter.options:
        limits, period, kind = option.limits, option.period, ANSWER_KINDS[option.kind]
        yield (
            chapter.number, chapter.title, option.key, option.group, option.citation, option.question, option.kind,
            kind["type"], _allowed(chapter, option), limits.at_least, limits.at_most,
            limits.longest if option.kind == "text" else None, "yes" if option.required else "no",
            _in_words(option.asked_if), option.basis, period.effective, period.expires, option.help,
        )  # fmt: skip


def _allowed(chapter: Chapter, option: Option) -> str:
    if option.kind == "choice":
        return "; ".join(f"{choice.value} = {choice.label}" for choice in option.choices)
    if option.kind == "paytable":
        return "; ".join(table.name for table in chapter.tables_of(option.wager))
    return "a list of tables: 3, 7-9, BJ-4" if option.limits.format == "tables" else ""


def _in_words(condition: Condition) -> str:
    ways = [" and ".join(f"{key} is {_test(test)}" for key, test in way) for way in condition.alternatives]
    return "; or ".join(ways) or "always"


def _test(test: Test) -> str:
    if test.values:
        return " or ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in test.values)
    return f"from {test.at_least} to {test.at_most}"
