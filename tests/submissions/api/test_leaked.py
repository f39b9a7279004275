"""A credential that leaked: what whoever has it gets at every address, with calls that would do something.

A read credential changes no row of any table but that it was used; a test credential none that is not a sandbox's; one
that is over, or shown from elsewhere, says so everywhere.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.apps import apps
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from submissions.accounts import api_credentials
from submissions.bulk.items import ITEM_VERBS
from submissions.models import (
    SCOPES_OF,
    AccessRecord,
    Batch,
    Credential,
    Event,
    FailureCount,
    Organization,
    Person,
    Remark,
    Role,
    Submission,
    Tip,
)
from tests import cast
from tests.submissions.api.addresses import ADDRESSES, ARGUMENTS, PUBLIC, WRITES, asked
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.world import World, build

# What stands in the fields that an item needs, so that it could be done
FIELDS: dict[str, Any] = {
    "chapter": "687a", "group": 1, "answers": {"abandoned_wagers": False}, "name": "High limit", "tables": "3",
    "reason": "Because.", "kind": "answered", "text": "As it was.", "revision": 1, "audience": "board",
}  # fmt: skip
Rows = dict[tuple[str, Any], str]  # table and key → digest
PARTS = {
    "tables": "",
    "bulk": "{batch}",
    "submissions": "{number}",
    "layouts": "{layout} 1",
    "webhooks": "{webhook} {delivery}",
}


@pytest.fixture(scope="module")
def built(module_rows: None) -> World:
    with override_settings(SECOND_FACTOR=False):
        return build(cast.manager(), cast.analyst())


@pytest.fixture
def world(built: World, db: None) -> World:
    return copy.deepcopy(built)


def calls(world: World) -> Iterator[tuple[str, str, Any]]:
    """Every address that changes something: its name, where it is, and a body that would do so."""
    named = world.arguments
    for route, _, name in ADDRESSES:
        if name in WRITES:
            places = PARTS[route.partition("/")[0]].format(**named).split()
            yield name, reverse(f"api:{name}", args=places[: route.count("<")]), body(name, world)


def body(name: str, world: World) -> Any:
    verb = "create" if name == "submissions" else name
    if verb in ITEM_VERBS:
        return {field: value for field, value in item(verb, world).items() if field not in ("action", "submission")}
    if name == "batches":
        return {"mode": "live", "items": [item("create", world), item("update", world), item("file", world)]}
    if name == "tables":
        day = timezone.localdate() + timedelta(days=1)
        return {"from_day": day.isoformat(), "tables": [{"number": "3", "game": "687a", "open": True}]}
    if name in ("assignment", "layout-assignment"):
        filing = world.layout if name == "layout-assignment" else world.submission
        return {"person": Person.objects.filter(role=Role.ANALYST).earliest("pk").pk, "version": filing.version}
    return {"url": "https://hooks.example.test/"} if name == "webhooks" else {}


def item(verb: str, world: World) -> dict[str, Any]:
    submission = world.submission
    seen = submission.configurations.get() if verb == "update" else submission
    known = {"submission": submission.number, "version": seen.version, "remark": Remark.objects.get().pk}
    return {"action": verb, **{name: {**FIELDS, **known}[name] for name in ITEM_VERBS[verb].needs}}


def send(client: Client, address: str, given: Any) -> Any:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    return client.post(address, given, content_type="application/json", headers=key)


def rows() -> Rows:
    """Every row of every table but the security log's, which refused calls are to be in, and a digest of it; but when a
    credential was used last is not looked at.
    """
    found: Rows = {}
    for model in apps.get_models(include_auto_created=True):
        if model in (AccessRecord, FailureCount):
            continue
        names = [one.attname for one in model._meta.concrete_fields if one.name != "last_used_at"]
        for row in model._default_manager.values_list("pk", *names):
            found[model._meta.db_table, row[0]] = sha256(repr(row).encode()).hexdigest()
    return found


WORKBOOKS = ("tables-xlsx", "batch-result-workbook")


def read(client: Client, world: World) -> dict[str, str]:
    """What is read at every address that is not public, where something is; but judging computes holds.

    A workbook has the time at which it was made; its rows are those of the CSV beside it.
    """
    named = world.arguments
    names = [name for name in ARGUMENTS if name not in (*PUBLIC, "judge", *WORKBOOKS)]
    answers = {name: asked(client, name, named) for name in names}
    return {name: answer.getvalue().decode("latin-1") for name, answer in answers.items() if answer.status_code == 200}


@pytest.mark.parametrize("kind", Organization.Kind)
def test_read_credential_writes_nothing(
    world: World, casino: Organization, board: Organization, kind: Organization.Kind
) -> None:
    client = system(made(casino if kind == Organization.Kind.LICENSEE else board).token)
    before = rows()
    found = {}
    for name, address, given in calls(world):
        answer = send(client, address, given)
        found[name] = answer.status_code, answer.json()["code"]
    assert found == dict.fromkeys(found, (403, "scope-missing"))
    assert len(found) > len(ITEM_VERBS)
    assert rows() == before


@pytest.mark.slow
def test_with_the_scopes_for_it_the_same_calls_write(world: World, casino: Organization, board: Organization) -> None:
    done, all_calls = set(), list(calls(world))
    for whose in (casino, board):
        client = system(made(whose, scopes=SCOPES_OF[Organization.Kind(whose.kind)]).token)
        done |= {name for name, address, given in all_calls if send(client, address, given).status_code < 300}
    assert {"submissions", "batches", "tables", "update", "add-group", "webhooks", "webhook-end"} <= done


def test_test_credential_changes_and_tells_nothing_live(
    world: World, casino: Organization, board: Organization
) -> None:
    live = [system(made(whose).token) for whose in (casino, board)]
    said = [read(one, world) for one in live]
    for whose in (casino, board):
        client = system(made(whose, scopes=SCOPES_OF[Organization.Kind(whose.kind)], live=False).token)
        before = rows()
        statuses = {send(client, address, given).status_code for _, address, given in calls(world)}
        after = rows()
        assert {202, 404} <= statuses <= {200, 201, 202, 400, 403, 404, 415}  # 400, 415: no file is sent
        changed = {table for (table, pk), digest in before.items() if after[table, pk] != digest}
        assert changed <= {Tip._meta.db_table}  # where the history ends: there is one for all
        for model in (Submission, Batch, Event):
            made_now = [pk for table, pk in after.keys() - before.keys() if table == model._meta.db_table]
            owners = model._default_manager.filter(pk__in=made_now).values_list("organization__sandbox_of", flat=True)
            assert set(owners) <= {whose.pk}
        ours = (world.submission.number, world.version.receipt, world.layout.number, world.batch.number)
        assert [(name, one) for name, text in read(client, world).items() for one in ours if one in text] == []
    assert [read(one, world) for one in live] == said


def test_whatever_is_over_or_elsewhere_says_so_everywhere(world: World, casino: Organization) -> None:
    scopes, chief, soon = ("read", "prepare", "file"), administrator(casino), timezone.now() + timedelta(days=9)
    tokens = {
        f"credential-{what}": made(casino, scopes=scopes, networks=["192.0.2.0/24"] if what == "elsewhere" else ())
        for what in ("expired", "revoked", "replaced", "elsewhere")
    }
    expired = tokens["credential-expired"].credential
    Credential.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    api_credentials.revoke_credential(chief, tokens["credential-revoked"].credential)
    replaced = tokens["credential-replaced"].credential
    api_credentials.rotate_credential(chief, replaced, expires_at=soon, overlap=timedelta(0))
    before = rows()
    for code, one in tokens.items():
        client = system(one.token)
        answers = [send(client, address, given) for _, address, given in calls(world)]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(401, code)}
    assert rows() == before
