"""What a chapter is made of, member by member, as `games.rules.export.chapter_data` has it."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers as of

from games.rules.json_schema import ANSWER_KINDS
from submissions.api.filings.answer_fields import condition_field
from submissions.api.framework.plain_fields import PlainField, a_list, plain
from submissions.api.framework.read_views import ReadSerializer


def day_field() -> PlainField:
    """A day, or null."""
    return plain({"type": ["string", "null"], "format": "date"})


class DatedSerializer(ReadSerializer):
    effective = day_field()
    expires = day_field()


class ChoiceSerializer(ReadSerializer):
    value = of.CharField(help_text="What is sent")
    label = of.CharField(help_text="In words")  # type: ignore[assignment]  # a field of that name


class LimitsSerializer(ReadSerializer):
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
    asked_if = condition_field()
    consistent_if = condition_field(allow_null=True, help_text="While it holds, an answer contradicts nothing")
    basis = of.CharField(help_text="form, explicit or discretion")
    group = of.CharField(help_text="The heading above it")
    limits = LimitsSerializer()
    wager = of.CharField(help_text="Of paytable: the wager; else empty")
    required = of.BooleanField(help_text="Whether it must be answered if asked")  # type: ignore[assignment]
    help = of.CharField()
    as_printed = of.CharField(help_text="The form's own words, where they are others")


def _option_of(kind: str) -> type[OptionSerializer]:
    words = {"type": "string", "const": kind, "description": f"Answered with {ANSWER_KINDS[kind]['description']}"}
    name = "".join(part.title() for part in kind.split("_"))
    return type(f"{name}OptionSerializer", (OptionSerializer,), {"kind": plain(words), "__doc__": f"A line: {kind}."})


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
    columns = a_list()
    wager_amount = of.CharField(allow_null=True, help_text="Dollars")
    seed = of.CharField(allow_null=True, help_text="The reset amount, in dollars")
    rate = of.CharField(allow_null=True, help_text="The rate of progression, as a fraction")
    reserve = of.CharField(allow_null=True)
    wager_returned = of.BooleanField(allow_null=True)
    fully_wild_joker = of.BooleanField()


class PaytableSerializer(ReadSerializer):
    wager = of.CharField()
    name = of.CharField()
    citation = of.CharField()
    rows = plain(
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}},
        help_text="Outcome and what it pays",
    )
    envy = plain(
        {"type": "object", "additionalProperties": {"type": "string"}}, help_text="Outcome → envy bonus, dollars"
    )
    meta = PaytableMetaSerializer()


class RequirementSerializer(DatedSerializer):
    id = of.CharField()
    citation = of.CharField()
    severity = of.ChoiceField(["blocking", "warning", "note"])
    message = of.CharField()
    fix = of.CharField()
    options = a_list(help_text="The lines concerned")
    when = condition_field()
    must = condition_field(allow_null=True)
    check = of.CharField(help_text="The name of a computed check; empty = `must` says it")
    covers = a_list(help_text="Of a payout limit: the wagers")
    leaves_out = a_list(help_text="Of a payout limit: the outcomes that it does not cover")


class LayoutElementSerializer(DatedSerializer):
    key = of.CharField()
    citation = of.CharField()
    element = of.CharField()
    kind = of.CharField()
    condition = condition_field()
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
    touches = a_list(help_text="Lines, wagers, paytables and layout elements")


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
    rules = plain(
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}},
        help_text="What the cards make, and how they are set",
    )


def several(kind: type[ReadSerializer], **given: Any) -> PlainField:
    """Parts of one kind."""
    return plain(kind(many=True), **given)
