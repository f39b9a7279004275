"""One certificate signs: the one that the database was told of last, with an event; other keys sign nothing."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from asn1crypto import pem, x509
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from pytest_django import Settings

from submissions.core.errors import Refusal
from submissions.documents import signing_keys
from submissions.documents.seal_certificate import certificates, fingerprint
from submissions.documents.seal_conditions import introduce_seal, newest_seal
from submissions.documents.submission_document import produce_document
from submissions.documents.verification import examine
from submissions.jobs import leases
from submissions.models import Document, Event, Job, Revision, SealCertificate, StoredFile
from tests.submissions.seal_authority import Authority
from tests.submissions.signed_documents import lease_on


@pytest.fixture
def own_keys(key_folder: Path, settings: Settings, tmp_path: Path) -> Path:
    """A copy of the demo keys that a test may lose."""
    settings.KEYS = tmp_path / "var" / "keys"
    shutil.copytree(key_folder, settings.KEYS)
    return Path(settings.KEYS)


@pytest.fixture
def no_static_files(settings: Settings, tmp_path: Path) -> None:
    """`prepare` collects them for seconds."""
    settings.STATICFILES_FINDERS, settings.STATIC_ROOT = [], tmp_path / "static"


def our_seal(folder: Path) -> x509.Certificate:
    return certificates(folder / "seal.crt")[0]


def run(*command: str) -> str:
    output = StringIO()
    call_command(*command, stdout=output, stderr=output)
    return output.getvalue()


@pytest.mark.usefixtures("no_static_files")
def test_first_start_introduces_the_certificate_with_its_event(db: None, own_keys: Path) -> None:
    certificate = our_seal(own_keys)
    assert f"SHA-256 {fingerprint(certificate)}" in run("prepare")
    assert "introduced" not in run("prepare")
    (row,) = SealCertificate.objects.all()
    assert (row.sha256, row.subject) == (fingerprint(certificate), certificate.subject.human_friendly)
    assert (row.valid_from, row.valid_until) == (certificate.not_valid_before, certificate.not_valid_after)
    assert pem.unarmor(row.pem.encode())[2] == certificate.dump()
    (event,) = Event.objects.filter(verb="seal-introduced")
    assert (event.actor, event.submission, event.before) == (None, None, {})
    assert event.after == {
        "sha256": row.sha256,
        "subject": row.subject,
        "valid_from": row.valid_from.isoformat(),
        "valid_until": row.valid_until.isoformat(),
        "introduced_at": row.introduced_at.isoformat(),
    }


def test_introduced_certificate_is_neither_changed_nor_deleted(db: None, own_keys: Path) -> None:
    introduce_seal(our_seal(own_keys))
    for attempt in (lambda: SealCertificate.objects.update(sha256="0" * 64), SealCertificate.objects.all().delete):
        with pytest.raises(DatabaseError, match="submissions_sealcertificate is append-only"), transaction.atomic():
            attempt()


def test_certificate_of_a_clock_is_not_introduced(db: None, authority: Authority) -> None:
    with pytest.raises(Refusal) as refusal:
        introduce_seal(authority.clock.asn1)
    assert refusal.value.code == "seal-wrong-purpose"
    assert not SealCertificate.objects.exists()
    assert not Event.objects.exists()


def test_worker_with_other_keys_signs_nothing(approved: Revision, own_keys: Path, authority: Authority) -> None:
    introduce_seal(authority.seal.asn1)
    with pytest.raises(Refusal) as refusal:
        produce_document(lease_on(approved))
    assert refusal.value.code == "seal-differs"
    said = f"{refusal.value.message} {refusal.value.fix}"
    for words in (fingerprint(our_seal(own_keys)), authority.seal.sha256, "manage.py renew_seal"):
        assert words in said
    assert not Document.objects.exists()
    assert not StoredFile.objects.exists()


def test_job_of_a_worker_with_other_keys_says_why_and_can_be_run_again(
    approved: Revision, own_keys: Path, authority: Authority
) -> None:
    introduce_seal(authority.seal.asn1)
    job = leases.enqueue(Job.Kind.DOCUMENT, approved.pk)
    leases.run_leased(job.pk, produce_document)
    job.refresh_from_db()
    assert (job.state, authority.seal.sha256 in job.message) == (Job.State.FAILED, True)
    run("renew_seal", "--yes")
    assert leases.run_again(job.pk)
    leases.run_leased(job.pk, produce_document)
    (document,) = Document.objects.all()
    assert document.verification["signer_sha256"] == fingerprint(our_seal(own_keys))


def test_service_signs_nothing_before_its_certificate_is_introduced(
    db: None, settings: Settings, authority: Authority, tmp_path: Path
) -> None:
    for name, value in authority.write(tmp_path, authority.seal, [authority.seal]).items():
        setattr(settings, name.removeprefix("PORTAL_"), value)
    with pytest.raises(Refusal, match="This database has no seal certificate yet") as refusal:
        signing_keys.load_seal()
    assert (refusal.value.code, refusal.value.fix) == ("seal-differs", "Run: manage.py prepare")
    introduce_seal(signing_keys.settings_seal().signer.signing_cert)
    assert signing_keys.load_seal().sha256 == authority.seal.sha256


def test_renewed_seal_signs_and_the_earlier_one_stays_accepted(
    document: Document, signed: bytes, settings: Settings, authority: Authority, tmp_path: Path, key_folder: Path
) -> None:
    """The demonstration's document, after a service's seal took over; both roots are trusted."""
    introduce_seal(our_seal(key_folder))
    for name, value in authority.write(tmp_path, authority.seal, [authority.seal]).items():
        setattr(settings, name.removeprefix("PORTAL_"), value)
    with Path(settings.SIGNING_ROOT).open("ab") as roots:
        roots.write((key_folder / "root.crt").read_bytes())
    said = run("renew_seal", "--yes")
    assert f"{fingerprint(our_seal(key_folder))}, is not in {settings.SIGNING_SEALS}" in said
    assert [row.sha256 for row in SealCertificate.objects.all()] == [
        fingerprint(our_seal(key_folder)),
        authority.seal.sha256,
    ]
    assert signing_keys.load_seal().sha256 == authority.seal.sha256
    assert examine(signed).good
    assert "already" in run("renew_seal")
    assert Event.objects.filter(verb="seal-introduced").count() == 2


@pytest.mark.parametrize("answer", ["no", "", None])
def test_renewal_without_confirmation_changes_nothing(
    db: None, own_keys: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch, answer: str | None
) -> None:
    introduce_seal(authority.seal.asn1)
    monkeypatch.setattr("sys.stdin", StringIO("" if answer is None else f"{answer}\n"))
    with pytest.raises(CommandError, match="Nothing was changed"):
        run("renew_seal")
    assert SealCertificate.objects.count() == 1


def test_renewal_that_is_confirmed_takes_place(
    db: None, own_keys: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    introduce_seal(authority.seal.asn1)
    monkeypatch.setattr("sys.stdin", StringIO("yes\n"))
    assert "introduced" in run("renew_seal")
    newest = newest_seal()
    assert newest is not None
    assert newest.sha256 == fingerprint(our_seal(own_keys))


@pytest.mark.usefixtures("no_static_files")
def test_demonstration_whose_keys_were_lost_says_what_to_do(db: None, own_keys: Path) -> None:
    before = fingerprint(our_seal(own_keys))
    introduce_seal(our_seal(own_keys))
    shutil.rmtree(own_keys)
    for attempt in (lambda: run("prepare"), lambda: run("prepare")):  # the second must not find keys made by the first
        with pytest.raises(CommandError, match="demonstration keys were lost") as refusal:
            attempt()
        assert before in str(refusal.value)
        assert "manage.py renew_seal" in str(refusal.value)
        assert "seal-differs" in str(refusal.value)
    assert not own_keys.exists()
    run("renew_seal", "--yes")
    assert signing_keys.load_seal().sha256 == fingerprint(our_seal(own_keys)) != before


def test_demonstration_with_replaced_keys_signs_nothing(db: None, own_keys: Path) -> None:
    introduce_seal(our_seal(own_keys))
    shutil.rmtree(own_keys)
    signing_keys.make_demo_keys(own_keys)
    with pytest.raises(Refusal, match="lost or replaced"):
        signing_keys.load_seal()


def test_keys_are_readable_by_their_owner_only(own_keys: Path, key_folder: Path) -> None:
    assert {path.stat().st_mode & 0o077 for path in key_folder.glob("*.key")} == {0}
