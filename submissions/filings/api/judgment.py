"""Judge a configuration without filing it: the answer has its findings and theoretical holds; nothing is stored.

The findings are those of the page, word for word, and so what a filing would be held to: an answer to a line that
another answer rules out blocks; what is kept of lines that are not asked is named under `unused`. The holds are those
that the checklist shows beside each paytable (`filings.evidence.computations`).
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers as of
from rest_framework.request import Request
from rest_framework.response import Response

from games.rules.evaluate import ALL_TABLES, judge, unused
from games.rules.export import finding_data
from games.rules.model import Answers, Chapter
from games.runs.hold_findings import on_holds
from submissions.api.framework.bodies import check_length, parse_json
from submissions.api.framework.preconditions import check_preconditions
from submissions.api.framework.query_parameters import ON
from submissions.api.framework.serializers import StrictSerializer
from submissions.api.framework.views import BaseView
from submissions.core.errors import Refusal
from submissions.filings.api.chapters import SENT_ANSWERS, find_chapter
from submissions.filings.evidence import computations
from submissions.filings.judging import licensee_slug, with_missing_text, with_warnings
from submissions.filings.orders.waived_findings import apply_orders

MAX_ANSWERS = 1_000  # answers; each that no line takes is a finding, and a body could hold 200,000


@extend_schema_field({**SENT_ANSWERS, "maxProperties": MAX_ANSWERS})
class SentAnswersField(of.DictField):
    """Answers of any kind: what is wrong with them is a finding."""


class JudgeRequestSerializer(StrictSerializer):
    """The answers to judge; a line that is left out is not answered."""

    codes = dict.fromkeys(("unknown", "required", "type", "null"), "body-shape")
    answers = SentAnswersField(
        help_text="Key of a line → answer: true or false, a choice, a number, an amount as text, a paytable's name"
    )


class WaiverSerializer(of.Serializer[Any]):
    number = of.CharField(help_text="`BO-2026-00001`: of the waiver in `/api/v1/orders/`")
    docket = of.CharField(help_text="The Board's own number; empty, where there is none")
    citation = of.CharField()
    text = of.CharField()
    first_day = of.CharField(help_text="Year, month and day")
    last_day = of.CharField(allow_null=True, help_text="null = until it is ended")


class FindingSerializer(of.Serializer[Any]):
    rule = of.CharField()
    severity = of.ChoiceField(["blocking", "warning", "note"])
    options = of.ListField(child=of.CharField(), help_text="The lines concerned")
    message = of.CharField()
    fix = of.CharField()
    citation = of.CharField()
    waiver = of.SerializerMethodField(help_text="The waiver that covers it, so that it does not block; or null")

    @extend_schema_field(WaiverSerializer(allow_null=True))
    def get_waiver(self, row: Mapping[str, Any]) -> Any:
        """Return the waiver; where it is stored, only a finding with a waiver has this member."""
        return row.get("waiver")


class HoldSerializer(of.Serializer[Any]):
    wager = of.CharField()
    paytable = of.CharField()
    spot = of.CharField(help_text="The spot, if the wager can be placed on several spots with different holds")
    method = of.ChoiceField(["exact", "estimate"])
    hold_pct = of.FloatField(help_text="Percent of all money wagered")
    hold_fraction = of.CharField(allow_null=True, help_text="The same, exact: `a/b`")
    standard_error_pct = of.FloatField(allow_null=True)
    hit_frequency_pct = of.FloatField()
    standard_deviation = of.FloatField()
    largest_win = of.FloatField()


@extend_schema_serializer(component_name="Judgement")  # the API's published name
class JudgmentSerializer(of.Serializer[Any]):
    chapter = of.CharField()
    on = of.DateField()
    rules_digest = of.CharField()
    blocking = of.IntegerField(help_text="How many findings block a filing")
    findings = FindingSerializer(many=True)
    asked = of.ListField(child=of.CharField(), help_text="The lines that these answers require")
    unused = of.ListField(child=of.CharField(), help_text="The lines with an answer that these answers do not require")
    offered = of.ListField(child=of.CharField(), help_text="The wagers that they offer")
    paytables = of.DictField(child=of.CharField(), help_text="Wager → paytable in use")
    computing = of.BooleanField(help_text="Whether the holds are still being computed: ask again in a minute")
    holds = HoldSerializer(many=True)


class JudgeView(BaseView):
    """Judge a configuration: what is wrong with it, by which section, how to mend it, and what it holds."""

    serializer_class = JudgmentSerializer
    request_serializer = JudgeRequestSerializer
    query_parameters = (ON,)

    def post(self, request: Request, number: str) -> Response:
        check_length(request, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        check_preconditions(request)
        day = self.day
        chapter, licensee = find_chapter(number, day), licensee_slug(self.reader.organization)
        body: Any = request.data
        sent = JudgeRequestSerializer(data=parse_json(body) if body else {})
        sent.is_valid(raise_exception=True)
        answers = sent.validated_data["answers"]
        if len(answers) > MAX_ANSWERS:
            raise Refusal("body-shape/too-many-answers", count=len(answers), max_answers=MAX_ANSWERS)
        return Response(self.get_serializer(judgment(chapter, answers, day, licensee)).data)


def judgment(chapter: Chapter, answers: Answers, day: date, licensee: str) -> dict[str, Any]:
    """Return the judgment of a filing of all tables of the caller's licensee on that day."""
    result = apply_orders(chapter, judge(chapter, answers), licensee, ALL_TABLES, day)
    result = with_missing_text(chapter, result, answers)
    figures = computations.figures_of(chapter, answers)
    holds = computations.analysis_in_use(chapter, result, answers, figures or {})["wagers"]
    result = with_warnings(result, list(on_holds(chapter, holds)))
    return {
        "chapter": chapter.number,
        "on": day,
        "rules_digest": chapter.digest,
        "blocking": len(result.blocking),
        "findings": [finding_data(finding) for finding in result.findings],
        "asked": list(result.asked_keys),
        "unused": list(unused(chapter, answers)),
        "offered": list(result.offered),
        "paytables": dict(result.paytables),
        "computing": figures is None,
        "holds": holds,
    }
