"""The public log as the portal publishes it: complete, signed, provable, and compared with the history."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from pytest_django import Settings

from submissions.audit.record import record_event
from submissions.filings import drafts, filing
from submissions.jobs.leases import TryLater
from submissions.models import Event, LogCheckpoint, LogEntry, LogTile, Person, Tip, append_only
from submissions.transparency.approval_proof import approval_proof
from submissions.transparency.entries import filed_digest
from submissions.transparency.log_key import log_verifier
from submissions.transparency.log_verification import log_problems
from submissions.transparency.merkle import leaf_hash, root_hash
from submissions.transparency.offline_proof import proof_problem
from submissions.transparency.published_end import FILE
from submissions.transparency.publishing import latest_checkpoint, publish
from submissions.transparency.signed_note import open_note, read_checkpoint
from submissions.transparency.tiles import subtree_reader, tile_address
from tests.submissions.approved import Cast

MANY = 600  # events: two full tiles and a part of the third


@pytest.fixture(autouse=True)
def _own_key(settings: Settings, tmp_path: Path) -> None:
    settings.LOG_KEY = str(tmp_path / "log.pem")


@pytest.fixture
def many(preparer: Person) -> None:
    drafts.start_submission(preparer, "686a")
    publish()
    with transaction.atomic():
        for number in range(Event.objects.count(), MANY):
            record_event(preparer, None, "saved", after={"number": number})
    publish()


def test_log_has_every_event_and_its_checkpoint_is_signed(many: None, client: Client) -> None:
    note = client.get("/log/checkpoint").content.decode()
    content = read_checkpoint(open_note(note, log_verifier()))
    assert (content.size, LogEntry.objects.count(), LogTile.objects.count()) == (MANY, MANY, 2)
    assert [row.size for row in LogCheckpoint.objects.all()] == [1, MANY]

    def tiles(level: int, index: int, width: int) -> bytes:
        return client.get("/log/" + tile_address(level, index, width)).content

    assert root_hash(MANY, subtree_reader(tiles, MANY)) == content.root
    assert list(log_problems()) == []
    assert publish() is None


def test_tiles_of_entries_have_the_leaves_and_nothing_else(many: None, client: Client) -> None:
    content = client.get("/log/tile/entries/002.p/88").content
    hashes = client.get("/log/tile/0/002.p/88").content
    assert len(content) == 88 * 34
    entries = [content[start + 2 : start + 34] for start in range(0, len(content), 34)]
    assert b"".join(map(leaf_hash, entries)) == hashes
    event = Event.objects.get(sequence=513)
    assert entries[0] != hashlib.sha256(event.digest.encode()).digest()  # nobody who knows the event can find it


def test_addresses_are_cached_as_long_as_they_hold(many: None, client: Client) -> None:
    assert client.get("/log/tile/0/000")["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get("/log/tile/0/002.p/88")["Cache-Control"] == "public, max-age=60"
    assert client.get("/log/checkpoint")["Cache-Control"] == "public, max-age=5"


@pytest.mark.parametrize(
    "address", ["0/002", "0/002.p/89", "0/003.p/1", "9/000", "1/000", "entries/002", "0/2", "0/x002"]
)
def test_tile_that_the_checkpoint_does_not_cover_is_not_found(many: None, client: Client, address: str) -> None:
    assert client.get(f"/log/tile/{address}").status_code == 404


def test_page_shows_key_and_checkpoints(many: None, client: Client) -> None:
    text = client.get("/log/").content.decode()
    assert str(log_verifier()).replace("+", "+") in text.replace("&#x2B;", "+")
    assert latest_checkpoint().root in text


def test_log_is_append_only(many: None) -> None:
    for model in (LogEntry, LogTile, LogCheckpoint):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            model.objects.all().delete()


def change_entry() -> None:
    LogEntry.objects.filter(sequence=7).update(entry="0" * 64)


def change_salt() -> None:
    LogEntry.objects.filter(sequence=7).update(salt="0" * 64)


def delete_entry() -> None:
    LogEntry.objects.filter(sequence=300).delete()


def change_tile() -> None:
    LogTile.objects.filter(index=1).update(hashes=bytes(8192))


def change_root() -> None:
    LogCheckpoint.objects.filter(size=MANY).update(root="0" * 64)


def change_note() -> None:
    LogCheckpoint.objects.filter(size=1).update(note=LogCheckpoint.objects.get(size=MANY).note)


def change_event() -> None:
    Event.objects.filter(sequence=9).update(digest="f" * 64)


@pytest.mark.parametrize(
    ("tamper", "words"),
    [
        (change_entry, "entry 7"), (change_salt, "entry 7"), (delete_entry, "entry 300: it is missing"),
        (change_tile, "tile 1 of level 0"), (change_root, "checkpoint of size 600"),
        (change_note, "checkpoint of size 1"), (change_event, "entry 9"),
    ],
)  # fmt: skip
def test_changed_log_is_found(many: None, tamper: Callable[[], None], words: str) -> None:
    append_only.drop(connection)
    try:
        tamper()
        problems = list(log_problems())
    finally:
        append_only.create(connection)
    assert words in problems[0]


def delete_log() -> None:
    for model in (LogEntry, LogTile, LogCheckpoint):
        model.objects.all().delete()


def delete_its_end() -> None:
    LogEntry.objects.filter(sequence=MANY).delete()
    LogCheckpoint.objects.filter(size=MANY).delete()


def delete_last_checkpoint() -> None:
    LogCheckpoint.objects.filter(size=MANY).delete()


def cut_history_and_log() -> None:
    delete_its_end()
    Event.objects.filter(sequence=MANY).delete()
    Tip.objects.update(sequence=MANY - 1, digest=Event.objects.latest("sequence").digest)


@pytest.mark.parametrize("tamper", [delete_log, delete_its_end, delete_last_checkpoint, cut_history_and_log])
def test_log_whose_published_end_is_missing_is_named_and_not_published_again(
    preparer: Person, django_capture_on_commit_callbacks: Any, settings: Settings, tamper: Callable[[], None]
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        with transaction.atomic():
            for number in range(MANY):
                record_event(preparer, None, "saved", after={"number": number})
        publish()
    assert list(log_problems()) == []
    append_only.drop(connection)
    try:
        tamper()
    finally:
        append_only.create(connection)
    before = [model.objects.count() for model in (LogEntry, LogTile, LogCheckpoint)]
    named = f"public log, checkpoint of size {MANY}: it is not in the database as it was published and kept in "
    assert any(problem.startswith(named) for problem in log_problems())
    with pytest.raises(TryLater, match=f"of size {MANY}|entry {MANY}|event {MANY}"):
        publish()
    assert [model.objects.count() for model in (LogEntry, LogTile, LogCheckpoint)] == before
    (settings.CHECKPOINTS / FILE).rename(settings.CHECKPOINTS / "aside")  # an earlier database was restored
    publish()
    assert latest_checkpoint().size == Event.objects.count()


def test_end_that_cannot_be_read_is_named(many: None, settings: Settings) -> None:
    settings.CHECKPOINTS.mkdir()
    (settings.CHECKPOINTS / FILE).write_text("")
    assert next(log_problems()).endswith("cannot be read")
    with pytest.raises(TryLater, match="cannot be read"):
        publish()


@pytest.fixture
def proof(manager: Person, analyst: Person, director: Person) -> dict[str, Any]:
    revision = Cast(manager, analyst, director, computes=False).version("686a")
    return {
        "receipt": revision.receipt,
        "sha256": revision.sha256,
        "proof": approval_proof(revision.receipt, revision.submission_id),
        "again": approval_proof(revision.receipt, revision.submission_id),
    }


def test_proof_of_an_approval_is_accepted_and_stays_the_same(proof: dict[str, Any], preparer: Person) -> None:
    subject = {"receipt": proof["receipt"], "sha256": proof["sha256"]}
    assert proof_problem(proof["proof"], log_verifier(), **subject) == ""
    assert filed_digest(proof["receipt"]) == proof["sha256"]
    drafts.start_submission(preparer, "687a")
    publish()
    assert proof["again"] == proof["proof"]


def test_proof_for_another_document_is_refused(proof: dict[str, Any], settings: Settings, tmp_path: Path) -> None:
    key, subject = log_verifier(), {"receipt": proof["receipt"], "sha256": proof["sha256"]}
    changes: tuple[tuple[dict[str, Any], dict[str, str], str], ...] = (
        ({}, {**subject, "receipt": "RS-2026-00009-R1"}, "about something else"),
        ({}, {**subject, "sha256": "0" * 64}, "about something else"),
        (
            {"statement": {**proof["proof"]["statement"], "receipt": "x"}},
            {**subject, "receipt": "x"},
            "not in the public",
        ),
        ({"statement": {**proof["proof"]["statement"], "verb": "filed"}}, subject, "about something else"),
        ({"index": 0}, subject, "about something else"),
        ({"path": [base64.b64encode(bytes(32)).decode()]}, subject, "not in the public log"),
        ({"path": "x"}, subject, "cannot be read"),
        ({"checkpoint": "x"}, subject, "A note is"),
        ({"statement": None}, subject, "cannot be read"),
    )
    for changed, about, words in changes:
        assert words in proof_problem({**proof["proof"], **changed}, key, **about)
    assert "cannot be read" in proof_problem(None, key, **subject)
    settings.LOG_KEY = str(tmp_path / "another.pem")
    assert "no valid signature" in proof_problem(proof["proof"], log_verifier(), **subject)


def test_statement_of_a_filing_names_its_digest(preparer: Person, manager: Person) -> None:
    from submissions.transparency.entries import statement_of
    from tests.submissions.example_drafts import ready_to_file

    draft = ready_to_file(preparer, "686a")
    revision = filing.file_submission(manager, draft, version=1, attested=True)
    statement = statement_of(Event.objects.get(verb="filed"), "00" * 32)
    assert (statement["receipt"], statement["sha256"]) == (revision.receipt, revision.sha256)
