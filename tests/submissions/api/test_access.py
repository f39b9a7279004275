"""Every address × everybody who may call: what is answered, and that no row of one licensee is told to another.

Whoever writes an address names its arguments here, or the last test fails.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.api.framework.write_views import WriteView
from submissions.api.urls import ADDRESSES
from submissions.models import Credential, Event, Organization, Person
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.world import World, build

# name → arguments of an address
ARGUMENTS: dict[str, str] = {
    "chapter-schema": "687a", "data-dictionary": "",
    "root": "", "me": "", "status": "",
    "errors": "", "error": "not-found", "chapters": "", "chapter": "687a", "judge": "585", "submissions": "",
    "submission": "{number}", "revisions": "{number}", "revision": "{number} 1", "configurations": "{number}",
    "findings": "{number}", "simulations": "{number}", "remarks": "{number}", "layouts-of": "{number}",
    "documents": "{number}", "attachments": "{number}", "attachment": "{number} {attachment}", "events": "{number}",
    "feed": "", "layouts": "", "layout": "{layout}", "drawings": "{layout}", "drawing": "{layout} {drawing}",
    "papers": "{layout}", "inspection": "{layout}", "marks": "{layout}", "tables-csv": "{licensee}",
    "tables-xlsx": "{licensee}", "document": "{approved} {signed}", "document-file": "{approved} {signed}",
    "paper": "{layout} {paper}", "paper-file": "{layout} {paper}",
    "assignment": "{number}", "layout-assignment": "{layout}", "orders": "", "tables": "",
    "register": "", "in-force": "", "in-force-game": "{licensee} 687a", "batches": "", "batch": "{batch}",
    "batch-items": "{batch}", "batch-result": "{batch}", "batch-result-workbook": "{batch}",
    "webhooks": "", "webhook": "{webhook}",
    "webhook-deliveries": "{webhook}",
}  # fmt: skip
PUBLIC = (
    "root", "status", "errors", "error", "chapters", "chapter", "chapter-schema", "data-dictionary", "register",
    "in-force", "in-force-game",
)  # fmt: skip
NOBODYS = (  # nothing of one licensee is in the address
    *PUBLIC, "me", "judge", "submissions", "layouts", "feed", "orders", "tables", "batches", "webhooks",
)  # fmt: skip
WRITTEN = (  # read there, too
    "submissions", "tables", "batches", "webhooks", "assignment", "layout-assignment", "attachments", "drawings",
    "marks", "layouts-of",
)  # fmt: skip
OVER = {"expired": "credential-expired", "revoked": "credential-revoked"}


@pytest.fixture
def world(manager: Person, analyst: Person) -> World:
    return build(manager, analyst)


@pytest.fixture
def callers(casino: Organization, other_casino: Organization, board: Organization) -> dict[str, Client]:
    revoked = made(casino)
    api_credentials.revoke_credential(administrator(casino), revoked.credential)
    expired = made(casino)
    Credential.objects.filter(pk=expired.credential.pk).update(expires_at=timezone.now() - timedelta(days=1))
    return {
        "nobody": system(),
        "licensee": system(made(casino).token),
        "other licensee": system(made(other_casino).token),
        "board": system(made(board).token),
        "preparing only": system(made(casino, scopes=["prepare"]).token),
        "test": system(made(casino, live=False).token),
        "expired": system(expired.token),
        "revoked": system(revoked.token),
    }


def expected(who: str, name: str) -> tuple[int, str]:
    """Status, and code of the refusal."""
    if who in OVER:
        return 401, OVER[who]
    if name in PUBLIC:
        return 200, ""
    if who == "nobody":
        return 401, "credential-missing"
    if who == "preparing only" and name != "me":
        return 403, "scope-missing"
    if name in ("batch", "webhook") or name.startswith(("batch-", "webhook-")):
        return (200, "") if who == "licensee" else (404, "not-found")
    if who in ("other licensee", "test") and name not in NOBODYS:
        return 404, "not-found"
    return 200, ""


def address(name: str, world: World) -> str:
    return reverse(f"api:{name}", args=ARGUMENTS[name].format(**world.arguments).split())


def asked(client: Client, name: str, world: World) -> Any:
    if name == "judge":
        return client.post(address(name, world), {"answers": {}}, content_type="application/json")
    return client.get(address(name, world))


def content_at(client: Client, name: str, world: World) -> Any:
    """What is read there; a file as its bytes."""
    answer = asked(client, name, world)
    return answer.json() if answer["Content-Type"] == "application/json" else answer.getvalue().decode("latin-1")


def test_everybody_is_answered_as_the_table_says(world: World, callers: dict[str, Client]) -> None:
    found, wanted, events = {}, {}, Event.objects.count()
    for who, client in callers.items():
        for name in ARGUMENTS:
            answer = asked(client, name, world)
            found[who, name] = answer.status_code, "" if answer.status_code == 200 else answer.json()["code"]
            wanted[who, name] = expected(who, name)
    assert found == wanted
    assert Event.objects.count() == events


def test_lists_hold_the_rows_of_ones_own(world: World, callers: dict[str, Client]) -> None:
    seen = {
        (who, name): [row["number"] for row in asked(callers[who], name, world).json()["results"]]
        for who in ("licensee", "other licensee", "board", "test")
        for name in ("submissions", "layouts")
    }
    both = [world.submission.number, world.version.submission.number]
    assert seen == {
        ("licensee", "submissions"): both, ("licensee", "layouts"): [world.layout.number],
        ("other licensee", "submissions"): [], ("other licensee", "layouts"): [],
        ("board", "submissions"): both, ("board", "layouts"): [world.layout.number],
        ("test", "submissions"): [], ("test", "layouts"): [],
    }  # fmt: skip


def test_every_address_tells_something(world: World, callers: dict[str, Client]) -> None:
    found = {name: content_at(callers["licensee"], name, world) for name in ARGUMENTS}
    empty = [
        name for name, said in found.items() if not (said.get("results", said) if isinstance(said, dict) else said)
    ]
    assert empty == ["documents", "marks"]  # it is not approved; nothing is marked


def test_draft_after_a_return_is_not_the_boards(world: World, callers: dict[str, Client], manager: Person) -> None:
    row = world.submission.configurations.get()
    key = next(key for key, answer in row.answers.items() if isinstance(answer, bool))
    row.answers[key] = None
    row.save()
    own, boards = (
        asked(callers[who], "configurations", world).json()["results"][0]["answers"] for who in ("licensee", "board")
    )
    assert (own[key], key in boards) == (None, True)
    assert boards[key] is not None


def test_remark_on_the_whole_filing_is_about_no_answer(world: World, callers: dict[str, Client]) -> None:
    (told,) = asked(callers["licensee"], "remarks", world).json()["results"]
    assert (told["option"], told["answer_then"], told["answer_now"]) == ("", "", "")


def test_nothing_is_written_by_whatever_method(world: World, callers: dict[str, Client]) -> None:
    before = Event.objects.count()
    found = {
        (name, method, answer.status_code, answer.json()["code"])
        for name in ARGUMENTS
        if name != "judge"
        for method in ("post", "put", "patch", "delete")
        if (answer := getattr(callers["licensee"], method)(address(name, world), {}, content_type="application/json"))
    }
    elsewhere = {(name, "post", 403, "scope-missing") for name in WRITTEN}
    assert {(status, code) for _, _, status, code in found - elsewhere} == {(405, "method-not-allowed")}
    assert len(found) == 4 * (len(ARGUMENTS) - 1)
    assert Event.objects.count() == before


def test_head_is_answered_as_get_without_a_body(world: World, callers: dict[str, Client]) -> None:
    for name in ARGUMENTS:
        if name == "judge":
            continue
        answer = callers["licensee"].head(address(name, world))
        assert (answer.status_code, answer.getvalue()) == (200, b""), name


def test_no_secret_is_told(world: World, callers: dict[str, Client]) -> None:
    names = [name for name in ARGUMENTS if name != "me"]  # which tells the caller its own displayable part
    said = json.dumps([content_at(callers["licensee"], name, world) for name in names])
    assert not [one for one in Credential.objects.all() if one.secret_sha256 in said or one.prefix in said]


def test_every_address_is_in_the_matrix() -> None:
    """Those that only write are in `test_writing`."""
    reading = [name for _, view, name in ADDRESSES if hasattr(view, "get") or not issubclass(view, WriteView)]
    assert sorted(reading) == sorted(ARGUMENTS)
    assert {name for _, view, name in ADDRESSES if not view().scopes("GET")} == set(PUBLIC)
