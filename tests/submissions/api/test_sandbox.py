"""What is tried out and what is real never meet: every address that reads, on both sides, as program and as person.

The world is there twice, filed by the same casino: live, and in its sandbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from submissions.accounts import sandboxes
from submissions.audit.record import record_event
from submissions.bulk import intake
from submissions.models import Batch, LayoutFiling, Notice, Organization, Person, Submission, Version
from submissions.web.urls import ADDRESSES
from tests.submissions import filing_rows
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_access import ARGUMENTS, PUBLIC
from tests.submissions.layout_rows import layout_row
from tests.submissions.web.clients import browser
from tests.submissions.web.test_access import WALK

GAME = "687a"


@dataclass(frozen=True, slots=True)
class Side:
    """What one casino filed there: `manager` filed it."""

    manager: Person
    submission: Submission
    layout: LayoutFiling
    batch: Batch

    @property
    def words(self) -> list[str]:
        """What only this side may read."""
        return [self.submission.number, self.layout.number, self.batch.number]

    @property
    def arguments(self) -> dict[str, Any]:
        return {
            "number": self.submission.number, "filed": self.submission.number, "returned": self.submission.number,
            "layout": self.layout.number, "shown": self.layout.number, "batch": self.batch.number,
            "drawing": self.layout.drawings.get().stored_id, "attachment": "0" * 64,
            "approved": self.submission.number, "signed": "0" * 64, "paper": "0" * 64,
            "licensee": self.manager.organization.slug,
            "draft": self.submission.number, "laid": self.layout.number, "colleague": self.manager.pk,
            "question": 1, "webhook": 1, "order": "BO-2026-99999", "export": 1, "rulemaking": "RM-2026-99999",
        }  # fmt: skip


def side(manager: Person) -> Side:
    """A submission filed and one drafted, a layout, a batch, and a notice."""
    revision = filing_rows.filing(manager, GAME, {"adjacent_boxes": 3}, findings=[])
    layout = layout_row(revision, parts=("layout",))
    parcel = intake.Upload([{"action": "create", "chapter": GAME}], "json", "0" * 64)
    batch = intake.accept_upload(manager, parcel, mode=Batch.Mode.VALIDATE, atomic=False)
    return Side(manager, revision.submission, layout, batch)


@pytest.fixture
def live(manager: Person) -> Side:
    return side(manager)


@pytest.fixture
def tried(casino: Organization) -> Side:
    return side(sandboxes.sandbox_signer(sandboxes.sandbox_of(casino)))


@pytest.fixture
def programs(casino: Organization, board: Organization) -> dict[tuple[str, bool], Client]:
    """(whose, live or not) → the program."""
    return {
        (who, is_live): system(made(organization, live=is_live).token)
        for who, organization in (("licensee", casino), ("board", board))
        for is_live in (True, False)
    }


def body(answer: Any) -> str:
    return str(answer.getvalue().decode("latin-1"))


def test_programs_read_one_side_only(live: Side, tried: Side, programs: dict[tuple[str, bool], Client]) -> None:
    leaks, refused = [], {}
    for (who, is_live), client in programs.items():
        own, other = (live, tried) if is_live else (tried, live)
        for name, given in ARGUMENTS.items():
            if name in (*PUBLIC, "judge") or "webhook" in name:
                continue
            mine, theirs = (
                client.get(reverse(f"api:{name}", args=given.format(**each.arguments).split())) for each in (own, other)
            )
            said = body(mine) + (body(theirs) if theirs.status_code == 200 else "")
            leaks += [(who, is_live, name, word) for word in other.words if word in said]
            if given:
                refused[who, is_live, name] = theirs.status_code
    assert leaks == []
    assert set(refused.values()) == {404}


def test_programs_read_their_own_side(live: Side, tried: Side, programs: dict[tuple[str, bool], Client]) -> None:
    for (who, is_live), client in programs.items():
        own = live if is_live else tried
        for name, number in (("submissions", own.submission.number), ("layouts", own.layout.number)):
            rows = client.get(reverse(f"api:{name}")).json()["results"]
            assert [row["number"] for row in rows] == [number], (who, is_live, name)


def test_feeds_tell_one_side_only(
    live: Side, tried: Side, programs: dict[tuple[str, bool], Client], analyst: Person
) -> None:
    """With events of every kind that a filing leaves behind."""
    for each in (live, tried):
        record_event(each.manager, each.submission, "started")
        record_event(each.manager, each.submission, "filed", after={"receipt": f"{each.submission.number}-R1"})
        record_event(None, each.submission, "simulated", after={"passed": True})
    for (_, is_live), client in programs.items():
        own = live if is_live else tried
        told = client.get("/api/v1/events/").json()["results"]
        assert [(row["submission"], row["verb"]) for row in told] == [
            (own.submission.number, verb) for verb in ("started", "filed", "simulated")
        ]


def test_what_is_public_holds_nothing_of_a_sandbox(live: Side, tried: Side, programs: Any) -> None:
    for client in (*programs.values(), system()):
        for name in (one for one in PUBLIC if one not in ("in-force-game", "error")):
            answer = client.get(reverse(f"api:{name}", args=ARGUMENTS[name].split()))
            assert [word for word in (*tried.words, "sandbox)") if word in body(answer)] == []
    assert system().get(f"/api/v1/in-force/{tried.manager.organization.slug}/{GAME}/").status_code == 404


def test_nothing_of_a_sandbox_comes_into_force(tried: Side, analyst: Person) -> None:
    assert not Version.objects.filter(organization__sandbox_of__isnull=False).exists()
    assert not Notice.objects.filter(person=analyst).exists()


def plain() -> list[str]:
    """The pages that need no arguments: homes, lists, searches and exports."""
    found = []
    for address in ADDRESSES:
        try:
            found.append(reverse(address.name))
        except NoReverseMatch:
            continue
    return found


@pytest.fixture
def people(manager: Person, reader: Person, stranger: Person, analyst: Person, director: Person) -> list[Person]:
    for one in (manager, director):
        one.administrator = True
        one.save()
    return [manager, reader, stranger, analyst, director]


def test_pages_show_nothing_of_a_sandbox(live: Side, tried: Side, people: list[Person]) -> None:
    words = (*tried.words, "sandbox)", tried.manager.organization.slug)
    asked = [
        *plain(), f"/search/?words={tried.submission.number}", f"/search/?chapter={GAME}", f"/in-force/east/{GAME}/",
    ]  # fmt: skip
    leaks, shown = [], set()
    for person in [*people, None]:
        for page in asked:
            answer = browser(person).get(page)
            said = body(answer) if answer.status_code == 200 else ""
            leaks += [(str(person), page, word) for word in words if word in said and f"words={word}" not in page]
            shown |= {(str(person), word) for word in live.words if word in said}
    assert leaks == []
    assert {(str(live.manager), word) for word in live.words} <= shown  # the same pages do show what is real


def test_people_open_nothing_of_a_sandbox(live: Side, tried: Side, people: list[Person]) -> None:
    opened = []
    for name, method, given, _ in WALK:
        if method != "get" or "{" not in given or "{order}" in given:  # a sandbox has no orders of the Board
            continue
        address = reverse(name, args=given.format(**tried.arguments).split())
        opened += [
            (person.name, address) for person in people if browser(person).get(address).status_code not in (404, 405)
        ]
    assert opened == []


def test_nobody_signs_in_for_a_program(tried: Side) -> None:
    client = Client()
    answer = client.post("/accounts/login/", {"login": tried.manager.email, "password": ""})
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
    assert not tried.manager.has_usable_password()
