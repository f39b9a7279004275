"""Nobody writes without the scope for it, nor to what another licensee has."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from submissions.models import Batch, Delivery, Event, Job, KeyedCall, Organization, Person, Remark, Scope, Submission
from tests.submissions.api.addresses import ADDRESSES, WRITES
from tests.submissions.api.clients import made, system
from tests.submissions.api.people_at_work import run_jobs
from tests.submissions.api.test_problems import refused
from tests.submissions.api.uploading import post
from tests.submissions.api.world import World

FILES = ("attachments", "drawings")  # take files: `test_uploads`, `test_layout_drafts`
OWN_LISTS = ("submissions", "bulk", "webhooks", "tables")  # where one makes something of one's own


def written() -> tuple[int, ...]:
    return tuple(kind.objects.count() for kind in (Event, Submission, Batch, KeyedCall, Remark, Job))


@pytest.mark.parametrize("scope", list(Scope))
def test_every_address_that_writes_takes_its_scope(
    world: World, casino: Organization, board: Organization, scope: Scope
) -> None:
    client = system(made(board if scope == Scope.REVIEW else casino, scopes=[scope]).token)
    before = written()
    refusing = {name for name, view in WRITES.items() if scope not in view.write_scopes}
    for name in refusing:
        refused(post(client, _address(name, world), {}, **{"Idempotency-Key": name}), 403, "scope-missing")
    assert written() == before
    assert refusing == set(WRITES) if scope == Scope.READ else refusing < set(WRITES)


def test_nobody_writes_without_a_credential(world: World) -> None:
    before = written()
    for name in WRITES:
        refused(post(system(), _address(name, world), {}, **{"Idempotency-Key": name}), 401, "credential-missing")
    assert written() == before


def _address(name: str, world: World) -> str:
    route = next(route for route, _, called in ADDRESSES if called == name)
    parts = {"batch": [world.batch.number], "webhook": [world.delivery.webhook_id, world.delivery.key]}
    own = world.layout if route.startswith("layouts/") else world.submission
    given = parts.get(name.split("-")[0], [own.number])
    return reverse(f"api:{name}", args=[*given, 1][: route.count("<")])


def test_no_address_that_writes_reaches_what_another_licensee_has(
    world: World, other_casino: Organization, stranger: Person
) -> None:
    """A step that a person confirms is taken in as a bulk update of one's own, and comes to nothing."""
    client = system(made(other_casino, scopes=["read", "prepare", "file"]).token)
    bodies: dict[str, dict[str, Any]] = {
        "update": {"answers": {}}, "add-group": {"name": "A", "tables": "1"}, "remove-group": {"group": 1},
        "answer": {"remark": 1, "kind": "answered"}, "withdraw": {"reason": "Theirs."},
        "discontinue": {"from_day": "2026-12-01", "reason": "Theirs."}, "layouts-of": {"parts": ["sign"]},
        "reference-drawing": {"version": 1}, "inspect-again": {"version": 1}, "mark-remove": {"drawing": 1},
        "positions": {"version": 1, "positions": 3},
        "marks": {"drawing": 1, "element": "x", "page": 1, "left": 0, "top": 0, "width": 0.5, "height": 0.5},
    }  # fmt: skip
    run_jobs(Job.Kind.CHECK, Job.Kind.BULK)
    before, rows, statuses = Event.objects.latest("pk").pk, _rows(world), {}
    for name, view in WRITES.items():
        address = _address(name, world)
        if (
            name in FILES
            or not {"prepare", "file"} & set(view.write_scopes)
            or address.rstrip("/").rsplit("/", 1)[-1] in OWN_LISTS
        ):
            continue
        version = {"version": world.submission.version} if "submissions" in address else {}
        answer = post(client, address, {**version, **bodies.get(name, {})}, **{"Idempotency-Key": name})
        statuses[name] = answer.status_code, answer.json().get("code", "")
    taken = {name for name, (status, _) in statuses.items() if status == 202}
    assert {name: said for name, said in statuses.items() if name not in taken and said != (404, "not-found")} == {}
    assert len(statuses) - len(taken) >= 10
    run_jobs(Job.Kind.CHECK, Job.Kind.BULK)
    items = [item for batch in Batch.objects.filter(organization=other_casino) for item in batch.items.all()]
    assert (len(items), {item.code for item in items}) == (len(taken), {"not-found"} if taken else set())
    assert _rows(world) == rows
    assert not Event.objects.filter(pk__gt=before, submission=world.submission).exists()


def _rows(world: World) -> list[dict[str, Any]]:
    """What the other licensee has, as it is in the database."""
    kept = (world.submission, world.layout, world.batch, world.delivery, world.delivery.webhook)
    rows = [type(row)._default_manager.filter(pk=row.pk).values().get() for row in kept]
    return [*rows, {"remarks": Remark.objects.count(), "deliveries": Delivery.objects.count()}]
