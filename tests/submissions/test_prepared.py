"""Prepared queries: they find what the query set finds, for each caller what is the caller's, from any thread."""

from __future__ import annotations

from datetime import date
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from submissions.access import reach_of
from submissions.api.versions import _filed
from submissions.models import Organisation, Person, Submission
from submissions.prepared import Prepared
from submissions.search.filters import Filter
from submissions.search.found import found, found_within
from tests.submissions.api.conftest import made, system
from tests.submissions.api.world import approved
from tests.submissions.filings import filing

NUMBER = "the number"


@pytest.fixture
def two(manager: Person, stranger: Person) -> list[str]:
    """The numbers of a filing of each of two casinos."""
    return [filing(one, "687a", {}).submission.number for one in (manager, stranger)]


def rows(number: str) -> QuerySet[Submission]:
    return Submission.objects.select_related("organisation").filter(number=number)


def test_same_rows_as_the_query_set(two: list[str]) -> None:
    whole, told = Prepared(rows(NUMBER), number=NUMBER), ("organisation__slug", "created_at", "version")
    values = Prepared(rows(NUMBER).values(*told), number=NUMBER)
    for number in (*two, "RS-1999-00001"):
        assert whole.ask(number=number) == list(rows(number))
        assert values.ask(number=number) == list(rows(number).values(*told))
    assert whole.ask(number=two[1])[0].organisation.slug == "west"


def test_filings_as_the_search_finds_them(two: list[str], manager: Person, analyst: Person) -> None:
    for reader, expected in ((manager, two[:1]), (analyst, two)):
        prepared = Prepared(found_within(reach_of(reader), Filter()))
        assert sorted(row.number for row in prepared.ask()) == expected
        assert prepared.ask() == list(found(reader, Filter()))


def test_list_of_versions_is_put_together_from_what_was_asked_alone(manager: Person) -> None:
    """Whether there is such a licensee is asked before, and not kept: it may be otherwise the next time."""
    approved(manager)
    assert [len(_filed((("licensee", slug),), date(2026, 11, 22), None)) for slug in ("east", "nobody")] == [1, 0]


def test_nothing_is_found_where_nothing_can_be(two: list[str], manager: Person) -> None:
    manager.is_active = False
    assert Prepared(found_within(reach_of(manager), Filter())).ask() == []


def test_mark_stands_there_once() -> None:
    with pytest.raises(ValueError, match="stands 0 times"):
        Prepared(rows("RS-1"), number=NUMBER)
    with pytest.raises(ValueError, match="stands 2 times"):
        Prepared(rows(NUMBER).filter(chapter=NUMBER), number=NUMBER)


def test_what_is_given_is_a_value_and_no_sql(two: list[str]) -> None:
    assert Prepared(rows(NUMBER), number=NUMBER).ask(number="x' OR '1'='1") == []


@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_over_its_own_connection(two: list[str]) -> None:
    prepared = Prepared(rows(NUMBER).values("number"), number=NUMBER)
    seen: list[Any] = []

    def ask(number: str) -> None:
        seen.extend(row["number"] for _ in range(20) for row in prepared.ask(number=number))
        connection.close()

    threads = [Thread(target=ask, args=(number,)) for number in two * 3]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(seen) == sorted(two * 60)


def test_whoever_asks_after_others_sees_ones_own(
    two: list[str], casino: Organisation, other_casino: Organisation, board: Organisation
) -> None:
    east, other, regulator = (system(made(one).token) for one in (casino, other_casino, board))
    for _ in range(2):
        for client, expected in ((regulator, two), (east, two[:1]), (other, two[1:])):
            listed = client.get("/api/v1/submissions/").json()["results"]
            assert [row["number"] for row in listed] == expected
            answers = [client.get(f"/api/v1/submissions/{number}/").status_code for number in two]
            assert answers == [200 if number in expected else 404 for number in two]
