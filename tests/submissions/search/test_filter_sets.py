"""Filter sets: a bad value is a refusal of its field, and the other fields still narrow the list."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict
from django.test import Client

from submissions.core.errors import Refusal
from submissions.models import Person, Version
from submissions.public.list_filters import VersionFilterSet
from tests.submissions.filing_rows import filing, put_in_force

pytestmark = pytest.mark.service("queries")


@pytest.fixture
def two(manager: Person, stranger: Person, director: Person) -> None:
    for person, chapter in ((manager, "687a"), (stranger, "686a")):
        put_in_force(filing(person, chapter, {}), date(2026, 3, 1), director)


def test_fields_narrow_the_list(two: None) -> None:
    for query, chapters in (("licensee=east", ["687a"]), ("chapter=686a", ["686a"]), ("", ["687a", "686a"])):
        rows = VersionFilterSet.narrow(QueryDict(query), Version.objects.order_by("pk"))
        assert [row.chapter for row in rows] == chapters


def test_bad_value_is_refused_and_does_not_narrow(two: None) -> None:
    query, rows = QueryDict("licensee=east&chapter=999z%00"), Version.objects.all()
    filters = VersionFilterSet(query, rows)
    assert {name: fault.code for name, fault in filters.faults.items()} == {"chapter": "unknown-game"}
    assert [row.chapter for row in filters.qs] == ["687a"]
    with pytest.raises(Refusal, match="is not a known game"):
        VersionFilterSet.narrow(query, rows)


def test_parameter_of_the_register_alone_is_ignored_by_the_page_of_what_is_in_effect(two: None) -> None:
    assert Client().get("/in-force/?standing=superseded").status_code == 200
