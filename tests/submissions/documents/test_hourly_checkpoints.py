"""When a checkpoint is made, and whose seal of it is accepted."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine

from portal.processes.sweeper import run_upkeep
from submissions.documents import checkpoints
from submissions.documents.checkpoints import check_seal, make_seal
from submissions.documents.seal_certificate import certificates, fingerprint
from submissions.documents.seal_conditions import introduce_seal
from submissions.documents.signing_keys import load_seal, root_file
from submissions.filings import drafts
from submissions.models import Checkpoint, Person
from tests.submissions.seal_authority import Authority

FIRST = datetime(2026, 12, 1, 12, tzinfo=ZoneInfo("America/New_York"))
HOUR = timedelta(hours=1)


def test_checkpoint_is_made_once_an_hour_and_for_nothing_not_at_all(preparer: Person) -> None:
    def made(hours: float) -> int | None:
        with time_machine.travel(FIRST + hours * HOUR, tick=False):
            row = checkpoints.make_hourly_checkpoint(FIRST + hours * HOUR)
        return row.sequence if row else None

    assert made(0) is None
    with time_machine.travel(FIRST, tick=False):
        load_seal()  # introduces it, which is an event
    with time_machine.travel(FIRST, tick=False):
        first = drafts.start_submission(preparer, "686a").events.get().sequence
    assert made(0.1) == first
    assert made(2) is None  # nothing has changed but the checkpoint
    with time_machine.travel(FIRST + 2 * HOUR, tick=False):
        second = drafts.start_submission(preparer, "686a").events.get().sequence
    assert made(2.1) == second
    with time_machine.travel(FIRST + 2.2 * HOUR, tick=False):
        drafts.start_submission(preparer, "686a")
    assert made(3) is None  # the last one is less than an hour old


def test_sweeper_makes_the_checkpoint(preparer: Person) -> None:
    with time_machine.travel(FIRST, tick=False):
        drafts.start_submission(preparer, "686a")
        run_upkeep(FIRST)
    assert Checkpoint.objects.count() == 1


@pytest.mark.parametrize(
    ("signer", "accepted"), [("seal", True), ("past", True), ("customer", False), ("clock", False)]
)
def test_seal_is_accepted_of_a_listed_certificate_only(
    db: None, settings: Any, authority: Authority, tmp_path: Path, signer: str, accepted: bool
) -> None:
    """All four are valid below the one trusted root; the database names the customer's, the settings do not."""
    for name, value in authority.write(tmp_path / "service", authority.seal, [authority.seal, authority.past]).items():
        setattr(settings, name.removeprefix("PORTAL_"), value)
    introduce_seal(authority.customer.asn1)
    seal = make_seal(7, "a" * 64, authority.keys(getattr(authority, signer)))
    row = Checkpoint(sequence=7, link="a" * 64, seal=seal, made_at=authority.now)
    assert (checkpoints.seal_problem(row) == "") is accepted


def test_seal_without_timestamp_or_for_another_link_is_none(db: None) -> None:
    key = load_seal()
    roots, seals = certificates(root_file()), [fingerprint(key.signer.signing_cert)]
    seal = make_seal(7, "a" * 64, key)
    assert check_seal(7, "a" * 64, seal, roots, seals).problem == ""
    for sequence, link, changed in ((8, "a" * 64, seal), (7, "b" * 64, seal), (7, "a" * 64, ""), (7, "a" * 64, "%")):
        assert check_seal(sequence, link, changed, roots, seals).problem
    assert check_seal(7, "a" * 64, seal, roots, []).problem
