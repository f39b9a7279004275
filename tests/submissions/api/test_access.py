"""Every address of the API, for every key: the answer, and that no licensee reads a row of another.

The table is written by hand. A new address belongs into it and into `addresses`, or the last test fails. What lists
hold is compared to the table of rows (`tests/submissions/access/rows.py`).
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
from submissions.models import Configuration, Credential, Event
from tests import cast
from tests.submissions.access.readers import BOARD_PROGRAM, BOARD_TEST, EAST_PROGRAM, EAST_TEST, PROGRAMS
from tests.submissions.access.rows import SEEN
from tests.submissions.access.world import World, build
from tests.submissions.api.addresses import ADDRESSES, ARGUMENTS, PUBLIC, WRITES, asked, content_at
from tests.submissions.api.clients import administrator, made, system

OWN, FILED, TRIED = EAST_PROGRAM, EAST_PROGRAM | BOARD_PROGRAM, EAST_TEST | BOARD_TEST
OF_DRAFT = (
    "submission", "revisions", "configurations", "findings", "simulations", "remarks", "assignment", "layouts-of",
    "documents", "attachments", "events",
)  # fmt: skip
OF_LAYOUT = ("layout", "layout-assignment", "drawings", "papers", "inspection", "marks")
# address, its parts (of Casino East), and whose key reads it; anyone else's gets 404
READ_BY: tuple[tuple[str, str, set[str]], ...] = (
    *((name, "", PROGRAMS) for name in ("me", "submissions", "feed", "layouts", "orders", "tables")),
    *((name, "", PROGRAMS) for name in ("batches", "webhooks")),
    ("judge", "585", PROGRAMS),
    *((name, "{draft}", OWN) for name in OF_DRAFT),
    *((name, parts, FILED) for name in OF_DRAFT for parts in ("{filed}", "{returned}")),
    *((name, "{sandbox}", TRIED) for name in OF_DRAFT),
    ("revision", "{filed} 1", FILED),
    ("revision", "{returned} 1", FILED),
    ("revision", "{draft} 1", set()),  # there is none
    ("document", "{approved} {signed}", FILED),
    ("document-file", "{approved} {signed}", FILED),
    ("document", "{filed} {signed}", set()),  # it is another submission's
    ("attachment", "{returned} {attachment}", FILED),
    ("attachment", "{returned} {unfiled}", OWN),  # given after the return
    ("attachment", "{filed} {attachment}", set()),
    *((name, "{laid}", OWN) for name in OF_LAYOUT),
    *((name, "{shown}", FILED) for name in OF_LAYOUT),
    *((name, "{sandbox_layout}", TRIED) for name in OF_LAYOUT),
    ("drawing", "{laid} {never_filed_file}", OWN),
    ("drawing", "{shown} {drawing_file}", FILED),
    ("drawing", "{shown} {unfiled_file}", OWN),
    ("paper", "{shown} {paper}", FILED),
    ("paper-file", "{shown} {paper}", FILED),
    ("tables-csv", "{licensee}", FILED),
    ("tables-xlsx", "{licensee}", FILED),
    *((name, "{batch}", OWN) for name in ("batch", "batch-items", "batch-result", "batch-result-workbook")),
    *((name, "{sandbox_batch}", EAST_TEST) for name in ("batch", "batch-items", "batch-result")),
    ("webhook", "{webhook}", OWN),
    ("webhook-deliveries", "{webhook}", OWN),
)
LISTS = (  # address, its parts, the field that names a row, its kind in the table of rows, the rows that belong there
    ("submissions", "", "number", "submission", {row for row in SEEN["submission"] if "deleted" not in row}),
    ("layouts", "", "number", "layout", SEEN["layout"].keys()),
    ("orders", "", "text", "order", SEEN["order"].keys()),
    ("remarks", "{filed}", "text", "remark", {"internal", "not disclosed yet"}),
    ("remarks", "{returned}", "text", "remark", {"internal, returned", "question"}),
    ("attachments", "{returned}", "name", "attachment", SEEN["attachment"].keys()),
)
WRITTEN = (  # read there, too
    "submissions", "tables", "batches", "webhooks", "assignment", "layout-assignment", "attachments", "drawings",
    "marks", "layouts-of",
)  # fmt: skip
ENDED = ("expired", "revoked", "replaced", "elsewhere")


@pytest.fixture(scope="module")
def world(module_rows: None) -> World:
    return build()


@pytest.fixture
def keys(world: World) -> dict[str, Client]:
    return {who: system(token) for who, token in world.tokens.items()}


def ended() -> dict[str, Client]:
    """Keys that are no longer valid, or not from here, by the code that says so."""
    east, soon = cast.casino(), timezone.now() + timedelta(days=9)
    issued = {why: made(east, networks=["192.0.2.0/24"] if why == "elsewhere" else ()) for why in ENDED}
    Credential.objects.filter(pk=issued["expired"].credential.pk).update(expires_at=timezone.now())
    api_credentials.revoke_credential(administrator(east), issued["revoked"].credential)
    replaced = issued["replaced"].credential
    api_credentials.rotate_credential(administrator(east), replaced, expires_at=soon, overlap=timedelta(0))
    return {f"credential-{why}": system(one.token) for why, one in issued.items()}


def said(answer: Any) -> tuple[int, str]:
    """Status, and code of the refusal."""
    return answer.status_code, "" if answer.status_code == 200 else answer.json()["code"]


def parts_of(name: str) -> str:
    """The parts of an address that Casino East reads; of a public one as they are."""
    if name in PUBLIC:
        return ARGUMENTS[name].format(licensee="east")
    unfiled = ("{draft}", "{laid}", "{filed}")
    return next(parts for one, parts, who in READ_BY if one == name and who >= OWN and parts not in unfiled)


@pytest.mark.slow
def test_addresses_answer_as_the_table_says(world: World, keys: dict[str, Client]) -> None:
    found, wanted, events = {}, {}, Event.objects.count()
    for name, parts, whose in READ_BY:
        for who, client in keys.items():
            found[who, name, parts] = said(asked(client, name, world.arguments, parts))
            wanted[who, name, parts] = (200, "") if who in whose else (404, "not-found")
    assert found == wanted
    assert Event.objects.count() == events


def test_public_addresses_are_read_by_all_and_hold_nothing_of_a_sandbox(world: World, keys: dict[str, Client]) -> None:
    for client in (*keys.values(), system()):
        shown = "".join(json.dumps(content_at(client, name, world.arguments, parts_of(name))) for name in PUBLIC)
        assert [word for word in world.sandbox_words() if word in shown] == []
    assert asked(system(), "in-force-game", world.arguments, "east-sandbox 687a").status_code == 404


def test_callers_without_a_valid_key_or_scope_read_nothing(world: World) -> None:
    preparing = system(made(cast.casino(), scopes=["prepare"]).token)
    private = [name for name in ARGUMENTS if name not in PUBLIC]
    for name in private:
        assert said(asked(system(), name, world.arguments, parts_of(name))) == (401, "credential-missing"), name
        refused = (200, "") if name == "me" else (403, "scope-missing")
        assert said(asked(preparing, name, world.arguments, parts_of(name))) == refused, name
    for code, client in ended().items():
        assert {said(asked(client, name, world.arguments, parts_of(name))) for name in ARGUMENTS} == {(401, code)}


@pytest.mark.parametrize(("name", "parts", "field", "kind", "rows"), LISTS)
def test_lists_hold_the_rows_of_the_table(
    world: World, keys: dict[str, Client], name: str, parts: str, field: str, kind: str, rows: set[str]
) -> None:
    names = {**world.submissions, **world.layouts}
    for who, client in keys.items():
        listed = asked(client, name, world.arguments, parts).json().get("results", ())
        shown = {names.get(row[field], row[field]) for row in listed}
        assert shown & rows == {row for row in rows if who in SEEN[kind][row] and listed}, who
        assert listed or parts, who  # a list of all has something for each key; one of a submission, for who sees it


def test_events_are_those_of_the_table(world: World, keys: dict[str, Client]) -> None:
    """In the feed of all submissions, and in the history of one."""
    named = [row.removesuffix(" again").split(": ") for row in SEEN["event"]]
    for who, client in keys.items():
        rows = [row.removesuffix(" again").split(": ") for row, whose in SEEN["event"].items() if who in whose]
        fed = client.get(reverse("api:feed"), {"limit": 200}).json()["results"]
        shown = [[world.submissions.get(row["submission"], ""), row["verb"]] for row in fed]
        assert sorted(row for row in shown if row in named) == sorted(rows), who
        history = asked(client, "events", world.arguments, "{returned}").json().get("results", ())
        assert sorted(row["verb"] for row in history) == sorted(verb for name, verb in rows if name == "east returned")


def test_every_address_tells_something(world: World, keys: dict[str, Client]) -> None:
    found = {name: content_at(keys["east program"], name, world.arguments, parts_of(name)) for name in ARGUMENTS}
    empty = [
        name for name, shown in found.items() if not (shown.get("results", shown) if isinstance(shown, dict) else shown)
    ]
    assert empty == ["documents", "marks"]  # it is not approved; nothing is marked


def test_draft_after_a_return_is_not_the_boards(world: World, keys: dict[str, Client]) -> None:
    row = Configuration.objects.get(submission__number=world.arguments["returned"])
    key = next(key for key, answer in row.answers.items() if isinstance(answer, bool))
    row.answers[key] = None
    row.save()
    own, boards = (
        asked(keys[who], "configurations", world.arguments, "{returned}").json()["results"][0]["answers"]
        for who in ("east program", "board program")
    )
    assert (own[key], boards[key] is None) == (None, False)


def test_remark_on_the_whole_filing_is_about_no_answer(world: World, keys: dict[str, Client]) -> None:
    shown = asked(keys["board program"], "remarks", world.arguments, "{filed}").json()["results"]
    assert {(row["option"], row["answer_then"], row["answer_now"]) for row in shown} == {("", "", "")}


def test_nothing_is_written_by_any_other_method(world: World, keys: dict[str, Client]) -> None:
    before = Event.objects.count()
    found = {
        (name, method, *said(getattr(keys["east program"], method)(address, {}, content_type="application/json")))
        for name in ARGUMENTS
        if name != "judge"
        for address in [reverse(f"api:{name}", args=parts_of(name).format(**world.arguments).split())]
        for method in ("post", "put", "patch", "delete")
    }
    elsewhere = {(name, "post", 403, "scope-missing") for name in WRITTEN}
    assert {(status, code) for _, _, status, code in found - elsewhere} == {(405, "method-not-allowed")}
    assert len(found) == 4 * (len(ARGUMENTS) - 1)
    assert Event.objects.count() == before


def test_no_secret_is_told(world: World, keys: dict[str, Client]) -> None:
    names = [name for name in ARGUMENTS if name != "me"]  # which tells the caller its own displayable part
    shown = json.dumps([content_at(keys["east program"], name, world.arguments, parts_of(name)) for name in names])
    assert not [one for one in Credential.objects.all() if one.secret_sha256 in shown or one.prefix in shown]


def test_every_address_is_in_the_tables() -> None:
    """Those that only write are in `test_writing`."""
    reading = {name for _, view, name in ADDRESSES if hasattr(view, "get") or name not in WRITES}
    assert reading == ARGUMENTS.keys() == {name for name, _, _ in READ_BY} | {*PUBLIC}
    assert {name for _, view, name in ADDRESSES if not view.scopes("GET")} == {*PUBLIC}
