"""Whose rows each kind of actor reads, in which order and with how many queries; most rows here are nobody's filing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import LazySettings
from django.db.models import QuerySet
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from submissions.models import (
    AccessRecord,
    Batch,
    Computation,
    Credential,
    Event,
    Invitation,
    Job,
    LayoutStatus,
    LineComment,
    Notice,
    Order,
    Paper,
    Person,
    Role,
    Rulemaking,
    SavedFilter,
    StandIn,
    StandInEnd,
    StoredFile,
    Submission,
    TableEntry,
    Version,
    Webhook,
)
from submissions.permissions import (
    credentials,
    may_publish,
    may_write,
    require_allowed,
    rulemakings_visible_to,
    visible,
)
from submissions.permissions.may import (
    access_records_visible_to,
    invitations_visible_to,
    is_stand_in,
    people_history_visible_to,
    people_visible_to,
    role_title,
    stand_ins_on,
    stand_ins_visible_to,
)
from tests import cast
from tests.submissions import filing_rows, layout_rows
from tests.submissions.permissions import actors
from tests.submissions.permissions.actors import Actors

AT_CASINO = {
    "preparer", "manager", "reader", "another preparer", "stand-in", "administrator", "program", "read-only program",
    "director at the casino",
}  # fmt: skip
AT_TEST_CASINO = {"manager of the test casino", "test program"}
AT_BOARD = {"analyst", "director", "administrator of the Board", "program of the Board", "manager at the Board"}
AT_TEST_BOARD = {"administrator of the test Board", "director of the test Board"}
WITHOUT_ACCESS = {"former program", "former director", "without an organization", "visitor"}
EVERYONE = AT_CASINO | AT_TEST_CASINO | AT_BOARD | AT_TEST_BOARD | WITHOUT_ACCESS | {"stranger"}
NOW = timezone.now()


def test_actors_are_all_named(who: Actors) -> None:
    assert who.keys() == EVERYONE


def read(who: Actors, rows: Callable[[Any], Iterable[Any]], label: Callable[[Any], str] = str) -> dict[str, list[str]]:
    """Labels of the rows that each actor reads, without those who read none."""
    found = {name: [label(row) for row in rows(person)] for name, person in who.items()}
    return {name: labels for name, labels in found.items() if labels}


def expected(*groups: tuple[set[str], list[str]]) -> dict[str, list[str]]:
    return {name: labels for names, labels in groups for name in names}


def event(by: Person, verb: str, submission: Submission | None = None) -> Event:
    """The next event as a row: nobody is told of it."""
    sequence = Event.objects.count() + 1
    return Event.objects.create(
        sequence=sequence, at=NOW, actor=by, organization=by.organization, submission=submission, verb=verb,
        digest=str(sequence),
    )  # fmt: skip


def verbs(row: Event) -> str:
    return row.verb


def test_submissions(who: Actors) -> None:
    filed, drafted = filing_rows.filing(who["manager"]).submission, filing_rows.draft(who["preparer"])
    other = filing_rows.filing(who["stranger"]).submission
    tried = filing_rows.filing(who["manager of the test casino"]).submission
    assert read(who, lambda person: visible.visible_to(person).order_by("pk"), lambda row: row.number) == expected(
        (AT_CASINO, [filed.number, drafted.number]), ({"stranger"}, [other.number]),
        (AT_TEST_CASINO, [tried.number]), (AT_BOARD, [filed.number, other.number]), (AT_TEST_BOARD, [tried.number]),
    )  # fmt: skip
    seen = {name for name, person in who.items() if visible.is_visible_to(person, Submission.objects.get(pk=filed.pk))}
    assert seen == AT_CASINO | AT_BOARD


def test_submission_that_was_read_is_not_asked_for_again(
    who: Actors, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    submission = filing_rows.filing(who["manager"]).submission
    assert visible.is_visible_to(who["manager"], submission)
    with django_assert_num_queries(0):
        assert visible.is_visible_to(who["reader"], submission)
    assert not visible.is_visible_to(who["stranger"], submission)


def test_licensees_and_their_versions(who: Actors) -> None:
    east, west = "Casino East", "Casino West"
    assert read(who, visible.licensees_visible_to) == expected(
        (AT_CASINO, [east]), ({"stranger"}, [west]), (AT_TEST_CASINO, ["Casino East (test)"]),
        (AT_BOARD, [east, west]), (AT_TEST_BOARD, ["Casino East (test)"]),
    )  # fmt: skip
    assert [row.name for row in visible.licensees()] == [east, west]
    assert [row.name for row in visible.licensees(live=False)] == ["Casino East (test)"]
    for name, chapter in (("manager", "687a"), ("stranger", "688a"), ("manager of the test casino", "689a")):
        revision = filing_rows.filing(who[name], chapter)
        filing_rows.put_in_force(revision, timezone.localdate(), who["director"])
    assert read(who, visible.versions_visible_to, lambda row: row.chapter) == expected(
        (AT_CASINO, ["687a"]), ({"stranger"}, ["688a"]), (AT_TEST_CASINO, ["689a"]),
        (AT_BOARD, ["687a", "688a"]), (AT_TEST_BOARD, ["689a"]),
    )  # fmt: skip
    assert Version.objects.count() == 3


def test_tables(who: Actors) -> None:
    given = {"pit": "A", "chapter": "687a", "state": "open", "from_day": timezone.localdate(), "at": NOW}
    for number, name in (("1", "manager"), ("2", "stranger"), ("3", "manager of the test casino")):
        TableEntry.objects.create(organization=who[name].organization, number=number, by=who[name], **given)
    assert read(who, visible.tables_visible_to, lambda row: row.number) == expected(
        (AT_CASINO, ["1"]), ({"stranger"}, ["2"]), (AT_TEST_CASINO, ["3"]), (AT_BOARD, ["1", "2"]),
        (AT_TEST_BOARD, ["3"]),
    )  # fmt: skip
    published = visible.published_tables()
    assert [row.number for row in published] == ["1", "2"]
    public = {"id", "organization_id", "number", "chapter", "state", "from_day"}
    assert {name for row in published for name in row.__dict__ if name != "_state"} == public


def test_saved_filters_and_exports_are_ones_own(who: Actors) -> None:
    for name in ("reader", "analyst", "former director"):
        SavedFilter.objects.create(person=who[name], name=f"of the {name}", query="")
        arguments = {"person": who[name].pk, "name": name}
        Computation.objects.create(kind=Job.Kind.EXPORT, key=f"export:{name}", arguments=arguments)
    Computation.objects.create(kind=Job.Kind.REPLAY, key="replay", arguments={"person": who["reader"].pk})
    assert read(who, visible.filters_visible_to, lambda row: row.name) == {
        "reader": ["of the reader"], "analyst": ["of the analyst"],
    }  # fmt: skip
    assert read(who, visible.exports_visible_to, lambda row: row.key) == {
        "reader": ["export:reader"], "analyst": ["export:analyst"],
    }  # fmt: skip


def test_orders(who: Actors) -> None:
    given = {"kind": "order", "citation": "§ 1", "first_day": timezone.localdate(), "by": who["director"], "at": NOW}
    Order.objects.create(number="all", all_licensees=True, **given)
    for number, name in (("east", "manager"), ("west", "stranger"), ("test", "test program")):
        Order.objects.create(number=number, organization=who[name].organization, **given)
    assert read(who, visible.orders_visible_to, lambda row: row.number) == expected(
        (AT_CASINO, ["east", "all"]), ({"stranger"}, ["west", "all"]), (AT_TEST_CASINO | AT_TEST_BOARD, ["all"]),
        (AT_BOARD, ["test", "west", "east", "all"]),
    )  # fmt: skip


def test_layouts_and_papers(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    revision = filing_rows.filing(who["manager"])
    filed = layout_rows.layout_row(revision, parts=("sign",))
    drafted = layout_rows.LayoutFiling.objects.create(
        number="LF-2026-90000", submission=revision.submission, parts=["sign"], status=LayoutStatus.DRAFT,
        created_by=who["manager"],
    )  # fmt: skip
    other = layout_rows.layout_row(filing_rows.filing(who["stranger"]), parts=("sign",))
    assert read(who, lambda one: visible.layouts_visible_to(one).order_by("pk"), lambda row: row.number) == expected(
        (AT_CASINO, [filed.number, drafted.number]), ({"stranger"}, [other.number]),
        (AT_BOARD, [filed.number, other.number]),
    )  # fmt: skip
    stored = StoredFile.keep(b"%PDF", "application/pdf")
    Paper.objects.create(
        layout_revision=filed.revisions.get(), part="sign", signed=stored, pages=1, signed_at=NOW, verification={},
        demo=True,
    )  # fmt: skip
    for person in who.values():
        with django_assert_num_queries(1):
            (paper,) = visible.papers_visible_to(person)
            assert paper.layout_revision.filing.submission.organization.name == "Casino East"
            assert paper.signed == stored


def test_notices_of_what_one_still_sees(who: Actors) -> None:
    ours, others = filing_rows.filing(who["manager"]).submission, filing_rows.filing(who["stranger"]).submission
    made = event(who["analyst"], "recommended", ours)
    again = event(who["analyst"], "recommended", others)
    general = event(who["administrator"], "invited")
    for name in ("reader", "analyst", "former director"):
        for about, row in ((made, ours), (again, others), (general, None)):
            Notice.objects.create(person=who[name], event=about, submission=row, words=str(row), at=NOW)
    assert read(who, visible.notices_visible_to, lambda row: row.words) == {
        "reader": ["None", str(ours)], "analyst": ["None", str(others), str(ours)],
    }  # fmt: skip


def test_history_of_a_submission(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    submission = filing_rows.filing(who["manager"]).submission
    other = filing_rows.filing(who["stranger"]).submission
    early = ["started", "saved", "layout-drawn", "filed", "remarked", "returned", "saved", "filed"]
    late = ["recommended", "answered", "commented", "work-assigned", "layout-filed"]
    for verb in (*early, *late):
        event(who["manager"], verb, submission)
    event(who["stranger"], "filed", other)
    ours = [verb for verb in (*early, *late) if verb not in ("remarked", "work-assigned")]
    boards = [verb for verb in (*early, *late) if verb not in ("layout-drawn", "answered", "commented")]
    for rows in (visible.history_visible_to,):
        assert read(who, lambda one, rows=rows: rows(one, submission), verbs) == expected(
            (AT_CASINO, ours), (AT_BOARD, boards)
        )
        with django_assert_num_queries(1):
            assert {row.actor.name for row in rows(who["reader"], submission)} == {"Manager East"}
    drafted = filing_rows.draft(who["preparer"])
    event(who["preparer"], "saved", drafted)
    assert read(who, lambda one: visible.history_visible_to(one, drafted), verbs) == expected((AT_CASINO, ["saved"]))
    filing_rows.filing(who["manager"], submission=drafted)
    rows = visible.history_visible_to(who["analyst"], Submission.objects.get(pk=drafted.pk))
    assert list(rows) == []  # its event of the filing is not there


def test_line_comments_are_the_licensees(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for name in ("manager", "stranger"):
        row = filing_rows.filing(who[name]).submission
        LineComment.objects.create(submission=row, option="decks", text=f"by {name}", by=who[name], at=NOW)
    own, other = Submission.objects.order_by("pk")
    for row, readers, text in ((own, AT_CASINO, "by manager"), (other, {"stranger"}, "by stranger")):
        found = read(who, lambda one, row=row: visible.line_comments_visible_to(one, row), lambda one: one.text)
        assert found == expected((readers, [text]))
    with django_assert_num_queries(1):
        assert [one.by.name for one in visible.line_comments_visible_to(who["reader"], own)] == ["Manager East"]


def test_people(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    Person.objects.filter(name="Reader East").update(is_active=False)
    del who["reader"]  # who left
    east = [
        "Administrator East", "Director East", "Manager East", "Preparer East", "Preparer Two", "Stand-in East",
        "Reader East",
    ]  # fmt: skip
    board = ["Administrator Board", "Analyst One", "Director One", "Manager Board", "Director Gone"]
    assert read(who, people_visible_to) == expected(
        (AT_CASINO - {"reader"}, east), ({"stranger"}, ["Manager West"]), (AT_TEST_CASINO, ["Manager Test"]),
        (AT_BOARD, board), (AT_TEST_BOARD, ["Administrator Test", "Director Test"]),
    )  # fmt: skip
    twin = actors.actor(cast.other_casino(), Role.READER, "Manager West")
    account, casino, other_casino = cast.manager(), cast.casino(), cast.other_casino()
    Person.objects.filter(pk=twin.pk).update(account=account)
    with django_assert_num_queries(1):
        rows = list(people_visible_to(who["stranger"]))
        assert [row.pk for row in rows] == sorted(row.pk for row in rows)
        assert {row.organization for row in rows} == {other_casino}
        assert [row.account and row.account.organization for row in rows] == [None, casino]


ADMINISTRATORS = {
    "administrator": "east", "administrator of the Board": "board", "program of the Board": "board",
    "administrator of the test Board": "test board",
}  # fmt: skip
OWNERS = {
    "east": "administrator", "board": "administrator of the Board", "test": "manager of the test casino",
    "test board": "administrator of the test Board", "west": "stranger",
}  # fmt: skip


def owned(who: Actors) -> dict[str, Person]:
    """One person of each organization, by its short name."""
    return {place: who[name] for place, name in OWNERS.items()}


def test_invitations_that_are_open(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    given = {"role": Role.READER, "at": NOW, "expires_at": NOW - timedelta(days=1)}
    for place, by in owned(who).items():
        for kind in ("open", "accepted", "withdrawn"):
            Invitation.objects.create(
                organization=by.organization, by=by, email=f"{kind}@example.test", name=place,
                secret_sha256=f"{place} {kind}", withdrawn_at=NOW if kind == "withdrawn" else None,
                accepted_by=by if kind == "accepted" else None, **given,
            )  # fmt: skip
    assert read(who, invitations_visible_to, lambda row: f"{row.name} {row.email}") == {
        name: [f"{place} open@example.test"] for name, place in ADMINISTRATORS.items()
    }
    with django_assert_num_queries(1):
        assert [row.by for row in invitations_visible_to(who["administrator"])] == [who["administrator"]]


HISTORIES: dict[str, tuple[Callable[[Any], QuerySet[Event]], tuple[str, str]]] = {
    "people": (people_history_visible_to, ("invited", "stand-in-ended")),
    "credentials": (credentials.credentials_history_visible_to, ("credential-made", "credential-revoked")),
    "webhooks": (credentials.webhooks_history_visible_to, ("webhook-made", "webhook-ended")),
}


@pytest.mark.parametrize("kind", HISTORIES)
def test_history_of_an_organization(who: Actors, kind: str, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    rows, (first, second) = HISTORIES[kind]
    submission = filing_rows.filing(who["manager"]).submission
    for by in owned(who).values():
        for verb in (first, second, "order-entered"):
            event(by, verb)
    event(who["administrator"], first, submission)  # no such event is about a filing
    places = {name: {who[name].organization.name} for name in ADMINISTRATORS}
    if kind == "webhooks":  # those of its sandbox, too
        for name in ADMINISTRATORS.keys() - {"administrator of the test Board"}:
            places[name].add(f"{who[name].organization.name} (test)")
    assert {name: {row.organization.name for row in rows(person)} for name, person in who.items() if rows(person)} == (
        places
    )
    for name in ADMINISTRATORS:
        assert [row.verb for row in rows(who[name])] == [second, first] * len(places[name])
    with django_assert_num_queries(1):
        assert {row.actor.name for row in rows(who["administrator of the test Board"])} == {"Administrator Test"}


def test_credentials(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for place, by in owned(who).items():
        given = {"live": True, "made_at": NOW, "expires_at": NOW, "service_account": by, "by": by}
        new = Credential.objects.create(organization=by.organization, name=place, prefix=f"{place}2", **given)
        Credential.objects.create(
            organization=by.organization, name=f"old {place}", prefix=place, replaced_by=new, revoked_at=NOW, **given
        )
    assert read(who, credentials.credentials_visible_to, lambda row: row.name) == {
        name: [f"old {place}", place] for name, place in ADMINISTRATORS.items()
    }
    casino = cast.casino()
    with django_assert_num_queries(1):
        old, new = credentials.credentials_visible_to(who["administrator"])
        assert (old.organization, old.by, old.replaced_by) == (casino, who["administrator"], new)


def test_batches(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for place, by in owned(who).items():
        account = {"live": True, "made_at": NOW, "expires_at": NOW, "service_account": by, "by": by, "prefix": place}
        key = Credential.objects.create(organization=by.organization, name=place, **account)
        Batch.objects.create(
            number=place, organization=by.organization, by=by, signer=by, credential=key, mode="live", atomic=False,
            state="done", form="json", total=1, signs=False, needs_confirmation=False,
        )  # fmt: skip
    assert read(who, credentials.batches_visible_to) == expected(
        (AT_CASINO, ["east"]), ({"stranger"}, ["west"]), (AT_TEST_CASINO, ["test"]), (AT_BOARD, ["board"]),
        (AT_TEST_BOARD, ["test board"]),
    )  # fmt: skip
    casino = cast.casino()
    with django_assert_num_queries(1):
        (row,) = credentials.batches_visible_to(who["reader"])
        assert (row.organization, row.by, row.signer) == (casino, who["administrator"], who["administrator"])
        assert row.credential.name == "east"


def test_webhooks(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for place, by in owned(who).items():
        Webhook.objects.create(organization=by.organization, url=f"https://{place}/x", by=by, made_at=NOW)
    assert read(who, credentials.webhooks_visible_to) == {
        "administrator": ["https://test", "https://east"], "program": ["https://east"],
        "read-only program": ["https://east"], "test program": ["https://test"],
        "administrator of the Board": ["https://test board", "https://board"],
        "program of the Board": ["https://board"], "administrator of the test Board": ["https://test board"],
    }  # fmt: skip
    casino = cast.casino()
    with django_assert_num_queries(1):
        (row,) = credentials.webhooks_visible_to(who["program"])
        assert (row.organization, row.by) == (casino, who["administrator"])


def test_signers_of_a_bulk_update(who: Actors, settings: LazySettings) -> None:
    settings.SECOND_FACTOR = False
    Person.objects.filter(name="Director One").update(is_active=False)
    twin = actors.actor(cast.board(), Role.ANALYST, "Another Analyst")
    assert list(credentials.signers_of(cast.board())) == [who["analyst"], who["manager at the Board"], twin]
    assert list(credentials.signers_of(cast.casino())) == [who["manager"], who["director at the casino"]]
    settings.SECOND_FACTOR = True
    Authenticator.objects.create(user=twin, type=Authenticator.Type.TOTP, data={})
    Authenticator.objects.create(user=who["manager"], type=Authenticator.Type.RECOVERY_CODES, data={})
    assert list(credentials.signers_of(cast.board())) == [twin]
    assert list(credentials.signers_of(cast.casino())) == []
    Person.objects.filter(pk=who["manager"].pk).update(account=twin)  # whose second factor is the account's
    assert list(credentials.signers_of(cast.casino())) == [who["manager"]]
    Authenticator.objects.create(user=who["analyst"], type=Authenticator.Type.TOTP, data={})
    assert list(credentials.signers_of(cast.board())) == [who["analyst"], twin]


def test_security_log(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for place, by in {**owned(who), "nobody": None}.items():
        AccessRecord.objects.create(
            reference=place, at=NOW, kind="sign-in", outcome="success", person=by,
            organization=by.organization if by else None,
        )  # fmt: skip
    records = AccessRecord.objects.exclude(kind="access-denied").filter(reference__in=[*OWNERS, "nobody"])
    everything = sorted(row.reference for row in records)
    ours = lambda one: access_records_visible_to(one).order_by("reference")  # noqa: E731
    assert read(who, ours, lambda row: row.reference) == {
        "administrator": ["east", "test"], "administrator of the Board": everything,
        "program of the Board": everything, "administrator of the test Board": ["test board"],
    }  # fmt: skip
    with django_assert_num_queries(1):
        rows = access_records_visible_to(who["administrator"])
        assert {(row.person.name, row.organization.name) for row in rows} == {
            ("Administrator East", "Casino East"), ("Manager Test", "Casino East (test)"),
        }  # fmt: skip


def rulemaking(by: Person, **given: str) -> Rulemaking:
    return Rulemaking.objects.create(created_by=by, written_by=by, created_at=NOW, written_at=NOW, **given)


def test_rulemakings(who: Actors) -> None:
    for state in Rulemaking.State.values:
        rulemaking(who["director"], number=state, state=state)
    published = Rulemaking.objects.get(number="published")
    everything = Rulemaking.State.values
    assert read(who, lambda one: rulemakings_visible_to(one).order_by("pk"), lambda row: row.number) == expected(
        (EVERYONE - AT_BOARD, ["published"]), (AT_BOARD, everything)
    )
    assert {name for name, one in who.items() if may_write(one)} == {"analyst", "director"}
    assert {name for name, one in who.items() if may_publish(one, published)} == set()
    assert may_publish(cast.other_director(), published)
    only = "Only the Board writes rulemakings."
    for name in ("manager", "visitor", "director of the test Board"):
        assert (may_write(who[name]).reason, may_publish(who[name], published).reason) == (only, only)
    own = may_publish(who["director"], published)
    assert own.reason == "You wrote the last change of this rulemaking. Another director must publish it."
    assert may_publish(who["program of the Board"], published).code == "person-needed"
    require_allowed(may_write(who["analyst"]))
    with pytest.raises(Exception, match=only) as refused:
        require_allowed(may_write(who["manager"]))
    assert (refused.value.code, refused.value.status) == ("not-allowed", 403)
    with pytest.raises(Exception, match="A named person") as refused:
        require_allowed(may_write(who["program of the Board"]))
    assert refused.value.code == "person-needed"


def test_rulemaking_is_published_with_a_second_factor(who: Actors, settings: LazySettings) -> None:
    settings.SECOND_FACTOR = True
    row = rulemaking(who["analyst"], number="RM")
    assert may_write(who["director"])
    assert may_publish(who["director"], row).code == "second-factor-missing"


def test_stand_ins(who: Actors, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    row, day = StandIn.objects.get(), timezone.localdate()
    assert read(who, stand_ins_visible_to, lambda one: one.person.name) == expected((AT_CASINO, ["Stand-in East"]))
    assert list(stand_ins_on(day)) == [row]
    for other in (day - timedelta(days=1), day + timedelta(days=1)):
        assert list(stand_ins_on(other)) == []
    assert [name for name, one in who.items() if isinstance(one, Person) and is_stand_in(one)] == ["stand-in"]
    title = "Preparer, stand-in for the Table Games Manager"
    assert [role_title(who[name]) for name in ("stand-in", "preparer")] == [title, "Preparer"]
    lost = ({"role": Role.READER}, {"is_active": False}, {"is_system": True}, {"organization": cast.other_casino()})
    for change in lost:
        Person.objects.filter(pk=row.person_id).update(**change)
        assert list(stand_ins_on(day)) == []
        Person.objects.filter(pk=row.person_id).update(
            role=Role.PREPARER, is_active=True, is_system=False, organization=cast.casino()
        )
    StandInEnd.objects.create(stand_in=row, by=who["manager"], at=NOW)
    assert list(stand_ins_on(day)) == []
    with django_assert_num_queries(1):
        (found,) = stand_ins_visible_to(who["reader"])
        assert (found.person, found.by, found.end.by) == (who["stand-in"], who["manager"], who["manager"])


def test_stand_in_at_the_board_is_none(who: Actors) -> None:
    preparer = actors.actor(cast.board(), Role.PREPARER, "Preparer Board")
    actors.name_stand_in(preparer, cast.board())
    assert not is_stand_in(preparer)
