"""What the lines of the chapters take, for other programs: as JSON Schema, and as one table of all lines.

Both are made from the same rules (`games.rules.json_schema`).
"""

import csv
import io
from collections.abc import Iterator
from datetime import date

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.rules.json_schema import ANSWER_KINDS, answers_schema
from games.rules.model import Chapter, Condition, Option, Test
from submissions.api.filings.chapters import ON, RuleModelSerializer, find_chapter, parse_day
from submissions.api.framework.read_views import BaseView
from submissions.api.framework.renderers import CsvRenderer
from submissions.core.dates import date_text
from submissions.rules.effective_rules import chapters_on

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
        day = parse_day(request.query_params.get("on"))
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
        day = parse_day(request.query_params.get("on"))
        headers = {"Content-Disposition": f'attachment; filename="data-dictionary-{day}.csv"'}
        return HttpResponse(data_dictionary(day), "text/csv; charset=utf-8", headers=headers)


def data_dictionary(day: date) -> str:
    """The table as text, with the byte order mark by which spreadsheets know UTF-8."""
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
