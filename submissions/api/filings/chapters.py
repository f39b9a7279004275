"""The chapters: which games the regulations know, and the rule model of each on any day."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from games.registry import UnknownChapter
from games.rules.export import chapter_data
from games.rules.model import Chapter
from submissions.api.filings import rule_model_serializers as shapes
from submissions.api.filings.rule_model_serializers import several
from submissions.api.framework.plain_fields import plain
from submissions.api.framework.read_views import DetailView, ReadSerializer, UnpagedListView
from submissions.core.errors import NotFound
from submissions.rules.effective_rules import chapter_on, chapter_problem, chapters_on
from submissions.search.field_parsing import day_of

DATE_SCHEMA = {"type": "string", "format": "date", "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$"}
MOMENT_SCHEMA = {
    "type": "string",
    "format": "date-time",
    "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})$",
}
CHAPTER_SCHEMA = {"type": "string", "pattern": "^[0-9]+[a-h]?$"}
CHAPTER_NUMBER = "Of this chapter: its number in `/api/v1/chapters/`."  # the description names no chapter itself
ON = OpenApiParameter("on", DATE_SCHEMA, description="By the rules in effect on this day. Default: today.")


def moment_parameter(name: str, words: str) -> OpenApiParameter:
    """A parameter that asks for what came to be from a moment on."""
    return OpenApiParameter(name, MOMENT_SCHEMA, description=f"{words} ISO 8601, with its zone.")


class ChapterSerializer(ReadSerializer):
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
    options = plain(shapes.OPTIONS, help_text="The lines of the checklist")
    wagers = several(shapes.WagerSerializer)
    paytables = several(shapes.PaytableSerializer)
    requirements = several(shapes.RequirementSerializer)
    layout = several(shapes.LayoutElementSerializer, help_text="The elements that a layout must show")
    readings = several(shapes.ReadingSerializer, help_text="Where the printed text is wrong or ambiguous")
    published = several(shapes.PublishedSerializer, help_text="Figures that the Board printed")
    house_ways = several(shapes.HouseWaySerializer)


class ChaptersView(UnpagedListView):
    """Every chapter, in the Code's order."""

    scope = None
    serializer_class = ChapterSerializer

    def get_items(self) -> Iterable[Chapter]:
        return chapters_on(timezone.localdate())


class RuleModelView(DetailView):
    """One chapter with everything that it leaves open and demands, as it holds on a day."""

    scope = None
    serializer_class = RuleModelSerializer
    query_parameters = (ON,)

    def get_object(self) -> dict[str, Any]:
        chapter = find_chapter(self.kwargs["number"], parse_day(self.request.query_params.get("on")))
        return chapter_data(chapter) | {"begins": chapter.begins, "ends": chapter.ends}


def find_chapter(number: str, day: date) -> Chapter:
    """The chapter with this number on that day, or that there is none."""
    try:
        return chapter_on(number, day)
    except UnknownChapter as error:
        raise NotFound("not-found/chapter", problem=chapter_problem(number, error)) from None


def parse_day(text: str | None) -> date:
    """The day that is asked for; today, where none is."""
    return day_of(text.strip()) if text else timezone.localdate()
