"""What `StrictSerializer` takes, and the one refusal of each fault."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from rest_framework import serializers as of

from submissions.api.framework.serializers import HIGHEST, StrictSerializer
from submissions.core.errors import Refusal


class RowRequestSerializer(StrictSerializer):
    number = of.CharField()
    open = of.BooleanField(default=True)


class ListRequestSerializer(StrictSerializer):
    version = of.IntegerField(min_value=0, max_value=HIGHEST)
    share = of.FloatField(required=False)
    person = of.IntegerField(required=False, allow_null=True)
    verbs = of.ListField(child=of.CharField(), required=False)
    rows = RowRequestSerializer(many=True, required=False)


class OtherCodesSerializer(StrictSerializer):
    codes = {"required": "field-shape"}
    url = of.CharField()


def read(data: Any) -> Any:
    serializer = ListRequestSerializer(data=data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def test_what_is_sent_stays_as_it_is() -> None:
    sent = {"version": 3, "share": 1, "person": None, "verbs": [" a", ""], "rows": [{"number": "  "}]}
    assert read(sent) == {**sent, "rows": [{"number": "  ", "open": True}]}


def test_form_has_its_numbers_as_text() -> None:
    assert read(QueryDict("version=3"))["version"] == 3
    for text in ("", "two", "+3", "3.0", "1_000", "٣"):
        with pytest.raises(Refusal) as refused:
            read(QueryDict(f"version={text}"))
        assert (refused.value.code, refused.value.option) == ("field-shape", "version")


@pytest.mark.parametrize(
    ("more", "code", "option", "words"),
    [
        ({"version": "3"}, "field-shape", "version", '“version” was sent as "3". It must be a whole number.'),
        ({"version": True}, "field-shape", "version", "“version” was sent as true. It must be a whole number."),
        ({"version": 1.5}, "field-shape", "version", "“version” was sent as 1.5. It must be a whole number."),
        ({"version": None}, "field-shape", "version", "“version” was sent as null. This field may not be null."),
        ({"version": -1}, "field-shape", "version",
         "“version” was sent as -1. Ensure this value is greater than or equal to 0."),
        ({"share": "0.5"}, "field-shape", "share", '“share” was sent as "0.5". It must be a number.'),
        ({"share": False}, "field-shape", "share", "“share” was sent as false. It must be a number."),
        ({"verbs": "filed"}, "field-shape", "verbs", '“verbs” was sent as "filed". It must be a list.'),
        ({"verbs": ["a", 7]}, "field-shape", "verbs", "“item 2 of verbs” was sent as 7. It must be text."),
        ({"verbs": ["\0"]}, "control-characters", "verbs",
         r'“item 1 of verbs” was sent as "\u0000". Null characters are not allowed.'),
        ({"rows": {}}, "field-shape", "rows", '“rows” was sent as {}. Expected a list of items but got type "dict".'),
        ({"rows": [{"number": "1"}, 7]}, "field-shape", "rows",
         "“item 2 of rows” was sent as 7. Invalid data. Expected a dictionary, but got int."),
        ({"rows": [{"number": "1"}, {"number": 1}]}, "field-shape", "number",
         "“number of item 2 of rows” was sent as 1. It must be text."),
        ({"rows": [{"number": "1", "open": 1}]}, "field-shape", "open",
         "“open of item 1 of rows” was sent as 1. It must be true or false."),
        ({"rows": [{}]}, "field-missing", "number", "The field “number of item 1 of rows” is missing."),
        ({"rows": [{"number": "1", "color": 1}]}, "unknown-field", "color",
         "The body has an unknown field “color of item 1 of rows”."),
        ({"color": 1}, "unknown-field", "color", "The body has an unknown field “color”."),
        ({"": 1}, "unknown-field", "", "The body has an unknown field “”."),
    ],
)  # fmt: skip
def test_fault_is_refused_by_name(more: Any, code: str, option: str, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        read({"version": 3, **more})
    assert (refused.value.code, refused.value.option, refused.value.message) == (code, option, words)


@pytest.mark.parametrize("data", [None, [], 7, "version"])
def test_anything_but_an_object_is_no_body(data: Any) -> None:
    with pytest.raises(Refusal) as refused:
        read(data)
    assert (refused.value.code, refused.value.option) == ("body-shape", "")
    assert refused.value.fix == "Send an object with these fields: version, share, person, verbs, rows."


def test_missing_member_has_the_code_of_its_address() -> None:
    for kind, code in ((ListRequestSerializer, "field-missing"), (OtherCodesSerializer, "field-shape")):
        with pytest.raises(Refusal) as refused:
            kind(data={}).is_valid(raise_exception=True)
        assert refused.value.code == code
        assert "is missing" in refused.value.message
