"""The rows as which an account may act, and what each person reads of remarks, replies and the feed of all events."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from submissions.models import Decision, Event, Organization, Person, Remark, Reply, Revision, Role, Submission
from submissions.permissions import acting_rows, visible
from submissions.permissions.visible import START, FeedCursor, events_after
from tests.submissions import filing_rows
from tests.submissions.properties import membership

NOW = timezone.now()


def test_rows_of_an_account(
    manager: Person, other_casino: Organization, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    third = Organization.objects.create(kind="licensee", name="Casino North", slug="north")
    west, north = membership(manager, other_casino), membership(manager, third, Role.READER)
    with django_assert_num_queries(1):
        rows = acting_rows(manager.pk)
        assert [row.organization.name for row in rows] == ["Casino East", "Casino North", "Casino West"]
        assert {row.sign_in_account for row in rows} == {manager}
    assert rows == [manager, north, west]


Change = Callable[[Person, Person], Any]
ALONE: dict[str, tuple[Change, bool]] = {
    "membership ended": (lambda own, there: change(there, is_active=False), True),
    "without an organization": (lambda own, there: change(own, organization=None), True),
    "membership nowhere": (lambda own, there: change(there, organization=None), True),
    "another company": (lambda own, there: Organization.objects.filter(slug="west").update(company="Other"), True),
    "account ended since": (lambda own, there: change(own, is_active=False), False),
}


def change(person: Person, **fields: Any) -> None:
    Person.objects.filter(pk=person.pk).update(**fields)


@pytest.mark.parametrize("case", ALONE)
def test_membership_that_does_not_count(manager: Person, other_casino: Organization, case: str) -> None:
    there, (happens, own) = membership(manager, other_casino), ALONE[case]
    happens(manager, there)
    assert acting_rows(manager.pk) == ([manager] if own else [])


@pytest.mark.parametrize("fields", [{"is_active": False}, {"is_system": True}])
def test_who_does_not_sign_in_acts_as_nobody(manager: Person, other_casino: Organization, fields: Any) -> None:
    there = membership(manager, other_casino)
    assert acting_rows(there.pk) == []
    change(manager, **fields)
    assert acting_rows(manager.pk) == []


@pytest.fixture
def revision(manager: Person) -> Revision:
    return filing_rows.filing(manager)


def remark(revision: Revision, by: Person, audience: str, shown_with: Decision | None) -> Remark:
    text = f"{audience} {'shown' if shown_with else 'not yet'}"
    return Remark.objects.create(revision=revision, audience=audience, text=text, by=by, at=NOW, shown_with=shown_with)


def decision(revision: Revision, kind: str, by: Person, at: Any = NOW) -> Decision:
    return Decision.objects.create(revision=revision, kind=kind, by=by, at=at)


def test_remarks(
    revision: Revision, manager: Person, stranger: Person, analyst: Person,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    shown = decision(revision, "return", analyst)
    for audience in ("licensee", "board"):
        for given in (None, shown):
            remark(revision, analyst, audience, given)
    remark(filing_rows.filing(manager), analyst, "licensee", shown)
    texts = {
        manager: ["licensee shown"], stranger: [], AnonymousUser(): [],
        analyst: ["licensee not yet", "licensee shown", "board not yet", "board shown"],
    }  # fmt: skip
    submission = Submission.objects.get(pk=revision.submission_id)
    for rows in (visible.remarks_visible_to, visible.read_remarks):
        for reader, expected in texts.items():
            assert [row.text for row in rows(reader, submission)] == expected
        with django_assert_num_queries(1):
            assert {(row.by.name, row.shown_with) for row in rows(manager, submission)} == {("Analyst One", shown)}
    with django_assert_num_queries(1):
        assert {row.revision.number for row in visible.remarks_visible_to(manager, submission)} == {1}


def test_replies_of_the_other_side_once_they_were_sent(
    revision: Revision, manager: Person, stranger: Person, analyst: Person,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    heard = decision(revision, "return", analyst)
    decision(revision, "recommend", analyst, NOW + timedelta(days=90))  # of which the licensee does not hear
    row = remark(revision, analyst, "licensee", heard)
    internal = remark(revision, analyst, "board", None)
    filed = revision.filed_at
    times = {"early": min(filed, NOW), "late": max(filed, NOW) + timedelta(days=1)}
    for kind in Reply.Kind.values:
        for name, at in times.items():
            by = manager if kind in ("answered", "disputed") else analyst
            Reply.objects.create(remark=row, kind=kind, text=f"{kind} {name}", by=by, at=at)
    Reply.objects.create(remark=internal, kind="said", text="internal", by=analyst, at=NOW)
    every = [f"{kind} {name}" for kind in Reply.Kind.values for name in times]
    submission = Submission.objects.get(pk=revision.submission_id)
    read = {who: [one.text for one in visible.read_replies(who, submission)] for who in (manager, analyst, stranger)}
    assert read == {
        manager: [text for text in every if text not in ("resolved late", "reopened late")],
        analyst: [text for text in every if text not in ("answered late", "disputed late")] + ["internal"],
        stranger: [],
    }
    with django_assert_num_queries(1):
        assert {one.by.name for one in visible.read_replies(manager, submission)} == {"Manager East", "Analyst One"}


def event(by: Person, verb: str, submission: Submission | None) -> int:
    sequence = Event.objects.count() + 1
    Event.objects.create(
        sequence=sequence, at=NOW, actor=by, submission=submission, verb=verb, digest=str(sequence), reason=verb
    )
    return sequence


def feed(reader: Any, limit: int, after: FeedCursor = START) -> list[tuple[FeedCursor, str]]:
    """All events, read page by page."""
    pages: list[tuple[FeedCursor, str]] = []
    while page := events_after(reader, after, limit):
        assert len(page) <= limit
        assert [place[1] for place, _ in page] == [row.pk for _, row in page]
        pages += [(place, row.verb) for place, row in page]
        after = page[-1][0]
    return pages


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_feed_of_each_side(manager: Person, stranger: Person, analyst: Person, preparer: Person, limit: int) -> None:
    own, other = filing_rows.filing(manager).submission, filing_rows.filing(stranger).submission
    draft = filing_rows.draft(preparer)
    steps = (
        (own, "started"), (own, "saved"), (other, "started"), (own, "layout-drawn"), (own, "filed"), (draft, "started"),
        (own, "remarked"), (own, "returned"), (own, "answered"), (other, "filed"), (own, "commented"), (own, "filed"),
        (own, "saved"), (None, "invited"), (own, "recommended"), (other, "filed"),
    )  # fmt: skip
    for submission, verb in steps:
        event(manager, verb, submission)
    licensee = [
        ((number, number), verb) for number, (row, verb) in enumerate(steps, 1) if row in (own, draft)
        and verb != "remarked"
    ]  # fmt: skip
    assert feed(manager, limit) == licensee
    assert feed(analyst, limit) == [
        ((5, 1), "started"), ((5, 2), "saved"), ((5, 5), "filed"), ((7, 7), "remarked"), ((8, 8), "returned"),
        ((10, 3), "started"), ((10, 10), "filed"), ((12, 9), "answered"), ((12, 12), "filed"),
        ((15, 15), "recommended"), ((16, 16), "filed"),
    ]  # fmt: skip
    assert feed(AnonymousUser(), limit) == []


def test_row_of_the_feed(manager: Person, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    submission = filing_rows.filing(manager).submission
    event(manager, "filed", submission)
    ((_, row),) = events_after(manager, START, 5)
    assert (row.actor__name, row.submission__number, row.submission__organization__slug, row.reason) == (
        "Manager East", submission.number, "east", "filed",
    )  # fmt: skip
    with django_assert_num_queries(2):
        events_after(manager, START, 5)
