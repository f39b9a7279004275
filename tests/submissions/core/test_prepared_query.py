"""For any given values, a prepared query finds what its queryset finds, in one query."""

from typing import Any

import pytest
from django.db.models import CharField

from submissions.core.prepared_query import GivenValue, PreparedQuery, given_keys, keys_given
from submissions.models import Organization, Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizations() -> list[Organization]:
    kind = Organization.Kind.LICENSEE
    rows = [Organization.objects.create(name=f"Casino {place}", slug=f"casino-{place}", kind=kind) for place in "ab"]
    for place, row in enumerate(rows * 2):
        Person.objects.create_user(f"{place}@casino.example.test", name=f"Person {place}", organization=row)
    return rows


def test_objects_come_with_what_was_selected(organizations: list[Organization], django_assert_num_queries: Any) -> None:
    rows = Person.objects.select_related("organization").order_by("pk")
    prepared = PreparedQuery(rows.filter(organization=GivenValue()))
    for organization in (*organizations, *organizations):
        with django_assert_num_queries(1):
            people = prepared.ask(organization.pk)
            assert {person.organization.name for person in people} == {organization.name}
        assert people == list(rows.filter(organization=organization))


def test_texts_and_keys_are_given_by_name(organizations: list[Organization]) -> None:
    named = Person.objects.filter(name=GivenValue("name", CharField()), organization=GivenValue())
    prepared = PreparedQuery(named.values_list("name"))
    assert prepared.ask(organizations[0].pk, name="Person 2") == [("Person 2",)]
    assert prepared.ask(organizations[1].pk, name="Person 2") == []


def test_fewer_keys_may_be_given_than_there_is_room_for(organizations: list[Organization]) -> None:
    prepared = PreparedQuery(Organization.objects.filter(pk__in=given_keys(3)).order_by("pk"))
    assert prepared.ask(**keys_given([row.pk for row in organizations], 3)) == organizations
    assert prepared.ask(**keys_given([], 3)) == []


def test_more_keys_than_there_is_room_for_are_refused() -> None:
    with pytest.raises(ValueError, match="4 keys for a query that has room for 3"):
        keys_given(range(4), 3)
