"""The guide keeps its word: every block of it is run in its order against a running portal, and prints what it says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from joserfc.jwk import ECKey

from submissions.bulk import intake
from submissions.models import Batch, Organization, Person, Role
from tests.cast import person
from tests.portal.running import Running, free_port
from tests.submissions.api.clients import made
from tests.submissions.api.guide_blocks import Desk, blocks
from tests.submissions.approved import Cast

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("programs"), pytest.mark.django_db(transaction=True)]
SCOPES = ("read", "prepare", "file")


def test_every_block_does_what_it_says(
    portal: Running, casino: Organization, manager: Person, analyst: Person, director: Person, tmp_path: Path
) -> None:
    names = ("West", "North", "South", "River", "Hill")
    others = [Organization.objects.create(kind="licensee", name=f"Casino {one}", slug=one.lower()) for one in names]
    managers = [manager, *(person(one, Role.MANAGER, f"Manager {one.name}") for one in others)]
    casts = [Cast(one, analyst, director, computes=False) for one in managers]
    approved = [one.version("687a") for one in casts]
    casts[-1].amend(approved[-1].submission, adjacent_boxes=3)  # so what it amended stays approved, and is not in force
    tokens = [made(one, scopes=SCOPES).token for one in (casino, *others)]
    key = ECKey.generate_key("P-256", private=True)
    (tmp_path / "client.pem").write_bytes(key.as_pem(private=True))
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "CREDENTIAL": tokens[0],
        "CREDENTIALS": " ".join(tokens),
        "TEST": made(casino, scopes=SCOPES, live=False).token,
        "CLIENT": made(casino, scopes=SCOPES, public_key=key.as_pem(private=False).decode()).credential.key_id,
        "RECEIVER": f"http://127.0.0.1:{free_port()}/hook/",
    }
    desk = Desk(tmp_path, {**environment, "PORTAL": f"http://127.0.0.1:{portal.port}"})
    for block in blocks():
        if block.kind == "person":
            confirm(managers)
            continue
        desk.check(block)


def confirm(managers: list[Person]) -> None:
    """On the page of each batch, as the manager of its casino."""
    waiting = Batch.objects.filter(state=Batch.State.UNCONFIRMED, organization__sandbox_of=None)
    for batch in waiting:
        intake.confirm_batch(
            next(one for one in managers if one.organization == batch.organization), batch, attested=True
        )
