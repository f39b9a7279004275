"""A search: how its fields are read, what it finds, and for whom."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from submissions.models import Person, Status
from submissions.permissions import read_scope_of
from submissions.public.submission_search import SubmissionSearch, with_latest_within
from submissions.rules import chapter_on
from tests.submissions.filing_rows import draft, filing, put_in_force

pytestmark = [pytest.mark.django_db, pytest.mark.service("queries", "JSON")]


def search(person: Person, query: str) -> SubmissionSearch:
    request = RequestFactory().get(f"/search/?{query}")
    request.user = person
    return SubmissionSearch(request.GET, with_latest_within(read_scope_of(person)), request=request)


def numbers(person: Person, query: str) -> list[int]:
    """The running numbers of what is found."""
    found = search(person, query)
    found.refuse_faults()
    return [int(row.number[-5:]) for row in found.qs]


@pytest.fixture
def two(manager: Person, stranger: Person) -> None:
    """1: East, DJ Wild, filed on March 3; 2: West, Over/Under, recommended, filed late on March 4."""
    filing(manager, "687a", {"trips_paytable": "DJWT-05", "automated_shuffler": True})
    answers = {"adjacent_boxes": 3, "odds_posted": "layout"}
    filing(stranger, "686a", answers, at="2026-03-04T23:30", status=Status.RECOMMENDED)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {1, 2}),
        ("words=rs-2026-00002", {2}),
        ("words=RS-2026-00001-R1", {1}),
        ("words=west", {2}),
        ("words=east+wild", {1}),
        ("words=east+over", set()),
        ("words=686A", {2}),
        ("words=100%25", set()),
        ("licensee=west", {2}),
        ("chapter=687a", {1}),
        ("status=recommended", {2}),
        ("waiting=analyst", {1}),
        ("waiting=director", {2}),
        ("waiting=licensee", set()),
        ("chapter=687a&paytable=trips/DJWT-05", {1}),
        ("chapter=687a&paytable=trips/DJWT-04", set()),
        ("chapter=686a&option=adjacent_boxes&value=3", {2}),
        ("chapter=686a&option=adjacent_boxes&value=2", set()),
        ("chapter=686a&option=adjacent_boxes", {2}),
        ("chapter=686a&option=odds_posted&value=layout", {2}),
        ("chapter=687a&option=trips_paytable&value=DJWT-05", {1}),
        ("filed_from=2026-03-04", {2}),
        ("filed_to=2026-03-03", {1}),
        ("filed_from=2026-03-04&filed_to=2026-03-04", {2}),  # half past eleven at night, Pennsylvania's time
        ("filed_from=2026-03-05", set()),
        ("in_force=2026-03-05", set()),
    ],
)
def test_board_finds_by_each_field(analyst: Person, two: None, query: str, expected: set[int]) -> None:
    assert set(numbers(analyst, query)) == expected


def test_licensee_finds_only_its_own(manager: Person, stranger: Person, two: None) -> None:
    assert numbers(manager, "") == [1]
    assert numbers(stranger, "words=east") == []


def test_draft_is_found_by_its_own_people_alone(manager: Person, stranger: Person, analyst: Person) -> None:
    draft(manager)
    assert numbers(manager, "status=draft&words=wild&chapter=687a") == [1]
    assert numbers(manager, "chapter=687a&option=automated_shuffler") == []
    assert numbers(analyst, "") == numbers(stranger, "") == []


def test_only_the_latest_filing_counts(manager: Person, analyst: Person) -> None:
    first = filing(manager, answers={"trips_paytable": "DJWT-04"}, status=Status.RETURNED)
    filing(manager, answers={"trips_paytable": "DJWT-05"}, submission=first.submission)
    assert numbers(analyst, "chapter=687a&paytable=trips/DJWT-04") == []
    assert numbers(analyst, "chapter=687a&paytable=trips/DJWT-05") == [1]
    assert [row.receipt for row in search(analyst, "").qs] == ["RS-2026-00001-R2"]


def test_what_was_in_force_on_a_day(manager: Person, director: Person) -> None:
    old = filing(manager, answers={"trips_paytable": "DJWT-04"})
    new = filing(manager, answers={"trips_paytable": "DJWT-05"})
    put_in_force(old, date(2026, 3, 10), director)
    put_in_force(new, date(2026, 4, 1), director)
    days = {"2026-03-09": [], "2026-03-10": [1], "2026-03-31": [1], "2026-04-01": [2], "2027-01-01": [2]}
    assert {day: numbers(director, f"in_force={day}") for day in days} == days
    assert numbers(director, "chapter=687a&paytable=trips/DJWT-04&in_force=2026-03-31") == [1]


def test_text_is_looked_for_anywhere_in_an_answer(manager: Person, analyst: Person) -> None:
    key = next(one.key for one in chapter_on("687a", date(2026, 3, 1)).options if one.kind == "text")
    filing(manager, answers={key: "Letter of May 2, shoe B"}, chapter="687a")
    assert numbers(analyst, f"chapter=687a&option={key}&value=may+2") == [1]


@pytest.mark.parametrize(
    ("query", "allowed"),
    [("licensee=north", "east, west"), ("status=lost", "draft, filed"), ("chapter=999z", "581, 583")],
)
def test_what_is_allowed_is_told(analyst: Person, two: None, query: str, allowed: str) -> None:
    [fault] = search(analyst, query).faults.values()
    assert f"from the list: {allowed}" in fault.fix


@pytest.mark.parametrize(("by", "expected"), [("number", [1, 2]), ("filed", [2, 1]), ("licensee", [1, 2]), ("chapter", [2, 1])])  # fmt: skip # noqa: E501
def test_order(analyst: Person, two: None, by: str, expected: list[int]) -> None:
    assert numbers(analyst, f"by={by}") == expected


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("chapter=999z", "chapter", "The portal does not have chapter “999z”."),
        ("chapter=686a&option=trips_paytable", "option", "Chapter 686a does not have a line “trips_paytable”."),
        ("option=automated_shuffler", "option", "A line can be searched only within one game."),
        ("chapter=687a&value=yes", "value", "An answer can be searched only within one line."),
        ("chapter=687a&option=automated_shuffler&value=perhaps", "value", "does not allow the answer “perhaps”."),
        ("chapter=686a&option=adjacent_boxes&value=three", "value", "This line does not allow the answer “three”."),
        ("chapter=687a&paytable=trips/DJWT-99", "paytable", "does not have a paytable “DJWT-99”."),
        ("paytable=trips/DJWT-05", "paytable", "A paytable can be searched only within one game."),
        ("licensee=north", "licensee", "“north” is not a known licensee."),
        ("status=lost", "status", "“lost” is not a known status."),
        ("waiting=godot", "waiting", "“godot” is not a known party."),
        ("by=colour", "by", "“colour” is not a known sort order."),
        ("filed_from=31.12.2026", "filed_from", "“31.12.2026” is not a valid date."),
        ("in_force=2026-02-30", "in_force", "“2026-02-30” is not a valid date."),
        ("filed_to=9999-12-31", "filed_to", "The portal has no filings from 9999."),
        ("filed_from=2026-03-04&filed_to=2026-03-03", "filed_to", "The last day is before the first day."),
        ("words=" + "x" * 10_000, "words", "The search has 10,000 characters. The limit is 200."),
        ("words=" + "a+" * 11, "words", "The search has 11 words. The limit is 10."),
        ("words=a%00b", "words", "cannot be printed"),
    ],
)
def test_bad_field_is_told_and_kept(analyst: Person, query: str, field: str, words: str) -> None:
    entered = search(analyst, query)
    assert list(entered.faults) == [field]
    assert words in entered.faults[field].message
    assert entered.faults[field].fix
    assert entered.entered[field] == QueryDict(query)[field].strip()
    assert entered.values.get(field) == entered.defaults.get(field)


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("by=changed&words=++east+++wild+", "words=east+wild"),
        ("chapter=687a&option=automated_shuffler&value=YES", "chapter=687a&option=automated_shuffler&value=yes"),
        ("value=3.00&option=adjacent_boxes&chapter=686a&page=7&other=1", "chapter=686a&option=adjacent_boxes&value=3"),
        ("in_force=2026-03-03&status=", "in_force=2026-03-03"),
    ],
)
def test_query_has_one_form(analyst: Person, typed: str, canonical: str) -> None:
    assert search(analyst, typed).query == search(analyst, canonical).query == canonical
