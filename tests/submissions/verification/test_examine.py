"""What the verify page says of a file: the bytes decide, then the seal."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from submissions.documents.verification import Identity, _difference, by_digest, examine
from submissions.layouts.document_status import document_status
from submissions.models import Document, Person, Revision, Status, Submission, Version
from tests.submissions.signed_documents import APPROVED, Example, in_force


def test_stored_document_is_good(signed: bytes, document: Document) -> None:
    found = examine(signed)
    assert found.identity is Identity.SEALED
    assert found.document == document
    assert found.problems == ()
    assert found.good


@pytest.mark.parametrize("place", [0, -1])
def test_changed_document_is_reported_with_its_difference(signed: bytes, document: Document, place: int) -> None:
    """By the function that the page uses; with another first byte, the file is no PDF."""
    found = examine(flipped(signed, place))
    assert (found.identity, found.document, found.good) == (Identity.CHANGED, document, False)
    assert found.problems[0] == _difference(flipped(signed, place), signed)


def test_difference_names_the_first_byte(signed: bytes) -> None:
    """First, last, in the cross-references, in a container's padding, and at random; added and missing bytes."""
    size = len(signed)
    for place in (0, size - 1, signed.rindex(b"xref"), signed.rindex(b"00000000>"), random.Random(1).randrange(size)):
        words = f"1 byte differs from the sealed document, first byte {place + 1:,} of {size:,}."
        assert _difference(flipped(signed, place), signed) == words
    assert _difference(signed + b"\n\n", signed) == "2 bytes were added at the end of the sealed document."
    assert _difference(signed[:-5], signed) == "The last 5 bytes of the sealed document are missing."


def flipped(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


def test_file_before_sealing_is_recognised_and_not_good(document: Document, example: Example) -> None:
    found = examine(example.rendered.content)
    assert found.identity is Identity.UNSEALED
    assert not found.good


def test_foreign_file_is_unknown(db: None) -> None:
    found = examine(b"%PDF-1.7 something else")
    assert found.identity is Identity.UNKNOWN
    assert found.problems[0] == "The portal does not have this document."


def test_document_is_found_by_each_of_its_digests(document: Document, approved: Revision) -> None:
    for digest in (document.signed_id, document.unsigned_sha256, approved.sha256, approved.sha256.upper()):
        assert by_digest(digest) == document
    assert by_digest("0" * 64) is None


def test_version_is_in_force_until_another_is_approved(document: Document) -> None:
    assert document_status(document, date(2026, 11, 20)).state == "in-force"


def test_later_version_of_the_same_casino_and_game_supersedes(document: Document, approved: Revision) -> None:
    later, its_day = _another_version(approved), date(2026, 11, 21)
    before, found = document_status(document, its_day - timedelta(days=1)), document_status(document, its_day)
    assert (before.state, before.detail.split(" Replaced")[0]) == ("in-force", "Since November 20, 2026.")
    assert (found.state, found.successor) == ("superseded", later)
    assert found.detail == ("In effect on November 20, 2026. Replaced by RS-2026-00002-R1 from November 21, 2026.")
    assert document_status(later, its_day).state == "in-force"
    assert document_status(later, its_day - timedelta(days=1)).state == "scheduled"


def test_discontinued_game_is_told(document: Document, approved: Revision, manager: Person) -> None:
    row = Version(organization=approved.submission.organization, chapter="687a", from_day=date(2026, 12, 1), by=manager)
    row.made_at = APPROVED
    row.save()
    assert document_status(document, date(2026, 11, 30)).state == "in-force"
    found = document_status(document, date(2026, 12, 1))
    assert (found.state, found.successor) == ("discontinued", None)
    assert found.detail.endswith("The game is not offered from December 1, 2026.")


def _another_version(revision: Revision) -> Document:
    approval = revision.decisions.get(kind="approve")
    other = Submission.objects.create(
        number="RS-2026-00002",
        organization=revision.submission.organization,
        chapter=revision.submission.chapter,
        status=Status.APPROVED,
        created_by=revision.filed_by,
    )
    copy = Revision.objects.create(
        submission=other,
        number=1,
        receipt="RS-2026-00002-R1",
        snapshot=revision.snapshot,
        sha256="1" * 64,
        rules_digest=revision.rules_digest,
        engine=revision.engine,
        attestation=revision.attestation,
        filed_by=revision.filed_by,
        filed_at=revision.filed_at,
    )
    at = approval.at + timedelta(days=1)
    copy.decisions.create(kind="approve", by=approval.by, at=at)
    in_force(copy, approval.by, at)
    document = revision.document
    return Document.objects.create(
        revision=copy,
        unsigned_sha256="2" * 64,
        signed=document.signed,
        pages=1,
        signer=document.signer,
        signed_at=document.signed_at,
        verification={},
        demo=True,
    )


@pytest.mark.parametrize("digest", ["", "é", "x" * 500])
def test_nonsense_digest_is_nothing(db: None, digest: str) -> None:
    assert by_digest(digest) is None
