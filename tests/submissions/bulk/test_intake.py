"""A batch comes in, or is refused as a whole; it is confirmed once, by somebody who may, or discarded."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import LazySettings

from submissions.bulk import intake
from submissions.bulk.items import LARGEST_ITEM, MOST_ITEMS
from submissions.core.errors import Conflict, Forbidden, NotFound, Refusal
from submissions.models import Batch, Event, Item, Job, Organization, Person
from submissions.permissions.workflow import TRANSITIONS
from tests.submissions.api.clients import made
from tests.submissions.bulk.batches import confirmed, item, outcomes, send, sent, work
from tests.submissions.example_drafts import ready_to_file

pytestmark = [pytest.mark.django_db, pytest.mark.service("locks", "constraints")]
CREATE = {"action": "create", "chapter": "687a"}
REMARK = {"action": "remark"}


def filed_by(manager: Person) -> dict[str, object]:
    draft = ready_to_file(manager, "687a")
    return {"action": "file", "submission": draft.number, "version": draft.version}


@pytest.mark.parametrize(
    ("items", "given", "code"),
    [
        ([], {}, "items-count"),
        ([CREATE] * (MOST_ITEMS + 1), {}, "items-count"),
        ([CREATE, "create"], {}, "item-shape"),
        ([CREATE], {"mode": "perhaps"}, "unknown-mode"),
        ([CREATE], {"mode": None}, "unknown-mode"),
    ],
    ids=["none", "too-many", "no-object", "no-mode", "null"],
)
def test_batch_without_shape_is_refused_as_a_whole(
    items: list[Any], given: dict[str, Any], code: str, casino: Organization
) -> None:
    with pytest.raises(Refusal) as refusal:
        send(made(casino, scopes=["prepare"]).credential, *items, **given)
    assert (refusal.value.code, Batch.objects.count(), Job.objects.count()) == (code, 0, 0)


@pytest.mark.parametrize(
    ("scopes", "items"),
    [(["read"], [CREATE]), (["prepare"], [CREATE, {"action": "file"}]), (["file"], [CREATE]), (["read"], [{}])],
    ids=["reads", "prepares-and-files", "files", "nothing-known"],
)
def test_credential_without_the_scope_of_every_item_is_refused(
    scopes: list[str], items: list[Any], casino: Organization
) -> None:
    with pytest.raises(Forbidden) as refusal:
        send(made(casino, scopes=scopes).credential, *items)
    assert (refusal.value.code, Batch.objects.count()) == ("scope-missing", 0)


def test_reader_uploads_nothing(reader: Person) -> None:
    with pytest.raises(Forbidden):
        send(reader, CREATE, needs_confirmation=True)


@pytest.mark.parametrize(
    ("sender", "mode", "items", "needs_confirmation", "state"),
    [
        ("program", "live", [CREATE], False, "running"),
        ("program", "live", [CREATE, {"action": "file"}], False, "checking"),
        ("program", "validate", [CREATE, {"action": "file"}], False, "checking"),
        ("person", "live", [CREATE], True, "checking"),
        ("person", "validate", [CREATE], True, "checking"),
    ],
)
def test_batch_is_checked_first_where_somebody_has_to_confirm_it(
    sender: str,
    mode: str,
    items: list[Any],
    needs_confirmation: bool,
    state: str,
    casino: Organization,
    manager: Person,
) -> None:
    by = manager if sender == "person" else made(casino, scopes=["prepare", "file"]).credential
    batch = send(by, *items, mode=mode, needs_confirmation=needs_confirmation)
    job = Job.objects.get(subject=batch.pk)
    assert (batch.state, job.kind) == (state, "bulk" if state == "running" else "check")
    assert (batch.number, batch.signs) == (f"B-{batch.created_at:%Y}-{batch.pk:05d}", mode == "live" and len(items) > 1)


def test_item_that_cannot_be_kept_is_answered_at_once_and_alone(casino: Organization) -> None:
    large = {"action": "create", "chapter": "687a", "answers": {"odds_posted": "x" * LARGEST_ITEM}}
    null = {"action": "create", "chapter": "687a\0"}
    written_out = {"action": "create", "chapter": "687a", "answers": {"automated_shuffler": False}, "name\\u0000": "x"}
    batch = sent(made(casino, scopes=["prepare"]).credential, large, null, written_out, CREATE)
    assert outcomes(batch) == [
        ("refused", "item-too-large"), ("refused", "control-characters"), ("refused", "unknown-field"), ("done", "")
    ]  # fmt: skip
    assert (item(batch).given, item(batch, 2).given) == ({"action": "create"}, {"action": "create"})


@pytest.mark.parametrize("key", ["action", "submission", "text", "\0"])
def test_null_character_is_told_wherever_it_stands(key: str, board: Organization) -> None:
    batch = sent(made(board, scopes=["review"]).credential, {**REMARK, key: "a\0b"})
    assert outcomes(batch) == [("refused", "control-characters")]


def test_confirmation_says_who_attested_what(casino: Organization, manager: Person) -> None:
    batch = sent(made(casino, scopes=["prepare", "file"]).credential, filed_by(manager), CREATE)
    confirmed(manager, batch)
    batch.refresh_from_db()
    assert (batch.signer, batch.attestation, batch.state) == (manager, TRANSITIONS["file"].attestation, "done")
    event = Event.objects.get(verb="bulk-confirmed")
    assert (event.actor, event.after) == (manager, {"batch": batch.number, "items": 2, "sha256": batch.sha256})
    assert outcomes(batch) == [("done", ""), ("done", "")]


def test_confirmation_without_attestation_is_refused(casino: Organization, manager: Person) -> None:
    batch = sent(made(casino, scopes=["file"]).credential, filed_by(manager))
    with pytest.raises(Refusal) as refusal:
        intake.confirm_batch(manager, batch, attested=False)
    batch.refresh_from_db()
    assert (refusal.value.code, batch.state) == ("attestation-missing", "waiting")


def test_confirmation_by_whoever_may_not_is_refused(
    casino: Organization, manager: Person, preparer: Person, stranger: Person, settings: LazySettings
) -> None:
    service_account = made(casino, scopes=["file"]).credential
    batch = sent(service_account, filed_by(manager))
    for person, error in ((preparer, Forbidden), (service_account.service_account, Forbidden), (stranger, NotFound)):
        with pytest.raises(error):
            intake.confirm_batch(person, batch, attested=True)
    settings.SECOND_FACTOR = True
    with pytest.raises(Forbidden) as refusal:
        intake.confirm_batch(manager, batch, attested=True)
    assert refusal.value.code == "second-factor-missing"
    Authenticator.objects.create(user=manager, type=Authenticator.Type.TOTP, data={})
    intake.confirm_batch(manager, batch, attested=True)


def test_batch_is_confirmed_or_discarded_once(casino: Organization, manager: Person) -> None:
    program = made(casino, scopes=["file"]).credential
    first, second = sent(program, filed_by(manager)), sent(program, filed_by(manager))
    intake.confirm_batch(manager, first, attested=True)
    intake.discard_batch(manager, second)
    for batch in (first, second):
        for again in (
            lambda one: intake.confirm_batch(manager, one, attested=True),
            lambda one: intake.discard_batch(manager, one),
        ):
            with pytest.raises(Conflict) as refusal:
                again(batch)
            assert refusal.value.code == "batch-not-waiting"
    second.refresh_from_db()
    assert (second.state, second.note) == ("discarded", "Discarded by Manager East.")
    assert outcomes(second) == [("passed", "")]


def test_discarded_batch_keeps_the_note_about_its_file(manager: Person) -> None:
    upload = intake.Upload([CREATE], "xlsx", "0" * 64, note="The sheet “Notes” was left out.")
    batch = work(intake.accept_upload(manager, upload, mode="live", atomic=False, needs_confirmation=True))
    intake.discard_batch(manager, batch)
    batch.refresh_from_db()
    assert batch.note == "The sheet “Notes” was left out. Discarded by Manager East."


def test_batch_that_is_still_checked_is_not_confirmed(casino: Organization, manager: Person) -> None:
    batch = send(made(casino, scopes=["file"]).credential, filed_by(manager))
    with pytest.raises(Conflict) as refusal:
        intake.confirm_batch(manager, batch, attested=True)
    assert refusal.value.fix == "Wait until it is checked."


def test_batch_of_which_nothing_can_be_done_waits_for_nobody(casino: Organization, manager: Person) -> None:
    batch = sent(made(casino, scopes=["file"]).credential, {"action": "file", "submission": "RS-1", "version": 1})
    assert (batch.state, outcomes(batch)) == ("done", [("refused", "not-found")])


def test_program_is_not_one_of_the_people_in_life_but_is_in_its_sandbox(casino: Organization) -> None:
    live = made(casino, scopes=["prepare", "file"]).credential
    test = made(casino, scopes=["prepare", "file"], live=False).credential
    file = {"action": "file", "submission": "#1", "version": 1}
    assert outcomes(sent(live, CREATE, file)) == [("passed", ""), ("refused", "nobody-signs")]
    batch = sent(test, CREATE, file)
    assert outcomes(batch) == [("passed", ""), ("refused", "blocking-findings")]
    assert Item.objects.filter(state="done").count() == 0
