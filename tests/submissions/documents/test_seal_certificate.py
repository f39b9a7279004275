"""The seal is pinned: what another certificate below the same root signed is not the portal's."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from cryptography.x509.oid import ExtendedKeyUsageOID
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from pytest_django import Settings

from submissions.documents import signing_keys
from submissions.documents.seal_certificate import pkcs12_certificate, seal_problems
from submissions.documents.signed_pdf import sign_pdf
from submissions.documents.verification import Identity, examine
from submissions.documents.verify import Verification, verify
from tests.submissions.seal_authority import PASSPHRASE, Authority, Issued
from tests.submissions.signed_documents import Example

pytestmark = pytest.mark.usefixtures("verifies_here")
Sign = Callable[[Issued], bytes]


@pytest.fixture(scope="module")
def sealed_by(authority: Authority, example: Example) -> Sign:
    """The same document, sealed by this certificate; made once for each."""
    made: dict[str, bytes] = {}

    def sign(issued: Issued) -> bytes:
        if issued.sha256 not in made:
            by = example.record["approved"]["by"]
            made[issued.sha256] = sign_pdf(example.rendered.content, "Evidence", by, authority.keys(issued))
        return made[issued.sha256]

    return sign


@pytest.fixture
def service(settings: Settings, authority: Authority, tmp_path: Path) -> dict[str, str]:
    """The portal signs with the seal of the test's authority and accepts the one of before; the files by setting."""
    files = authority.write(tmp_path / "keys", authority.seal, [authority.seal, authority.past])
    for name, value in files.items():
        setattr(settings, name.removeprefix("PORTAL_"), value)
    return files


def verified(content: bytes, authority: Authority, *seals: Issued) -> Verification:
    return verify(content, [authority.root.asn1], [issued.sha256 for issued in seals])


def command(path: Path, *options: str) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        call_command("verify_document", str(path), *options)
    return ended.value.code


def test_document_by_the_seal_is_good(authority: Authority, sealed_by: Sign) -> None:
    verification = verified(sealed_by(authority.seal), authority, authority.past, authority.seal)
    assert verification.problems == ()
    assert (verification.good, verification.signer_sha256) == (True, authority.seal.sha256)


def test_new_certificates_and_lists_are_good_in_the_repeated_hour(example: Example) -> None:
    with time_machine.travel(datetime(2027, 11, 7, 6, 30, tzinfo=UTC)):  # 1:30 a.m., the second time
        authority = Authority()
        signed = sign_pdf(
            example.rendered.content, "Evidence", example.record["approved"]["by"], authority.keys(authority.seal)
        )
        assert verified(signed, authority, authority.seal).problems == ()


def test_document_by_a_past_seal_of_the_list_is_good(authority: Authority, sealed_by: Sign) -> None:
    assert verified(sealed_by(authority.past), authority, authority.seal, authority.past).good
    assert verified(sealed_by(authority.past), authority, authority.seal).codes == ("seal-not-pinned",)


def test_document_by_another_certificate_of_the_same_root_is_refused(authority: Authority, sealed_by: Sign) -> None:
    verification = verified(sealed_by(authority.customer), authority, authority.seal, authority.past)
    assert (verification.good, verification.trusted, verification.intact) == (False, False, True)
    assert verification.codes == ("seal-not-pinned",)
    assert verification.problems == (
        "The signer's certificate (Common Name: Evil Customer Inc.) is not a seal certificate of this portal.",
    )
    assert verification.signer_sha256 == authority.customer.sha256


def test_document_by_the_timestamp_key_is_refused_even_if_it_is_pinned(authority: Authority, sealed_by: Sign) -> None:
    content = sealed_by(authority.clock)
    assert verified(content, authority, authority.seal).codes == ("seal-not-pinned", "seal-wrong-purpose")
    pinned = verified(content, authority, authority.seal, authority.clock)
    assert (pinned.good, pinned.codes) == (False, ("seal-wrong-purpose",))
    assert "is made for timestamps, not for sealing." in pinned.problems[-1]


def test_without_a_list_of_seals_nothing_is_good(authority: Authority, sealed_by: Sign) -> None:
    verification = verified(sealed_by(authority.seal), authority)
    assert (verification.good, verification.codes) == (False, ("seal-not-pinned",))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"extended": [ExtendedKeyUsageOID.EMAIL_PROTECTION]}, ""),
        ({"extended": [ExtendedKeyUsageOID.EMAIL_PROTECTION, ExtendedKeyUsageOID.TIME_STAMPING]}, "timestamps"),
        ({"extended": [ExtendedKeyUsageOID.OCSP_SIGNING]}, "answers about revocations"),
        ({"signs": False}, "does not state that its key may sign"),
        ({"usage": False}, "does not state that its key may sign"),
    ],
)
def test_purpose_of_a_certificate_decides(authority: Authority, options: dict[str, object], problem: str) -> None:
    issued = authority.issue("Purpose", **options)
    problems = seal_problems(issued.asn1, [issued.sha256])
    assert [row.code for row in problems] == (["seal-wrong-purpose"] if problem else [])
    assert all(problem in row.message for row in problems)


def test_authority_itself_is_no_seal(authority: Authority) -> None:
    (problem,) = seal_problems(authority.issuing.asn1, [authority.issuing.sha256])
    assert "is an authority's, not a seal's" in problem.message


def test_page_refuses_a_seal_of_another_certificate(
    db: None, service: dict[str, str], authority: Authority, sealed_by: Sign
) -> None:
    examination = examine(sealed_by(authority.customer))
    assert (examination.good, examination.identity) == (False, Identity.UNKNOWN)
    assert examination.verification is not None
    assert examination.verification.codes == ("seal-not-pinned",)
    assert any("is not a seal certificate of this portal" in problem for problem in examination.problems)
    assert {authority.seal.sha256, authority.past.sha256} <= set(signing_keys.pinned_seals())


def test_command_refuses_a_seal_of_another_certificate(
    service: dict[str, str],
    authority: Authority,
    sealed_by: Sign,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    forged, past = tmp_path / "evil.pdf", tmp_path / "past.pdf"
    forged.write_bytes(sealed_by(authority.customer))
    past.write_bytes(sealed_by(authority.past))
    root, seals = service["PORTAL_SIGNING_ROOT"], service["PORTAL_SIGNING_SEALS"]
    assert command(past, "--root", root, "--seals", seals) == 0
    capsys.readouterr()
    assert command(forged, "--json") == 1  # by the settings
    shown = json.loads(capsys.readouterr().out)
    assert (shown["good"], shown["codes"]) == (False, ["seal-not-pinned"])


def test_command_with_a_root_and_no_seals_calls_nothing_good(
    service: dict[str, str],
    authority: Authority,
    sealed_by: Sign,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "document.pdf"
    path.write_bytes(sealed_by(authority.seal))
    assert command(path, "--root", service["PORTAL_SIGNING_ROOT"]) == 1
    assert capsys.readouterr().out == (
        "document.pdf: NOT verified (seal-not-pinned).\n"
        "  - No seal certificates were given to compare the signer with, so it is not known whose seal this is.\n"
        f"  - The SHA-256 of the signer's certificate is {authority.seal.sha256}.\n"
        "It carries no checkpoint of the history: it states no approval, or was signed before version 0.9.\n"
    )


def test_command_with_a_list_that_is_none_is_bad_use(service: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "document.pdf"
    path.write_bytes(b"%PDF-1.7")
    assert command(path, "--seals", str(path)) == 2


def test_keys_that_are_not_in_the_list_do_not_sign(
    settings: Settings, service: dict[str, str], authority: Authority, tmp_path: Path
) -> None:
    assert signing_keys.settings_seal().sha256 == authority.seal.sha256
    settings.SIGNING_PKCS12 = authority.write(tmp_path / "wrong", authority.customer, [])["PORTAL_SIGNING_PKCS12"]
    with pytest.raises(ImproperlyConfigured, match=r"seal-not-pinned.*PORTAL_SIGNING_SEALS"):
        signing_keys.settings_seal()


@pytest.mark.parametrize("name", ["SIGNING_ROOT", "SIGNING_SEALS", "TIMESTAMP_URL"])
def test_keys_without_their_settings_do_not_sign(settings: Settings, service: dict[str, str], name: str) -> None:
    setattr(settings, name, "")
    with pytest.raises(ImproperlyConfigured, match=f"PORTAL_{name} is empty"):
        signing_keys.settings_seal()


@pytest.mark.parametrize(("in_service", "demo"), [(True, False), (True, True), (False, False)])
def test_demo_keys_are_refused_outside_the_demonstration(
    db: None, settings: Settings, in_service: bool, demo: bool
) -> None:
    settings.SERVICE, settings.DEMO = in_service, demo
    for use in (signing_keys.load_seal, signing_keys.root_file, signing_keys.seal_file, signing_keys.pinned_seals):
        with pytest.raises(ImproperlyConfigured, match="PORTAL_SIGNING_PKCS12 is empty"):
            use()


def test_certificate_of_a_pkcs12_file_is_that_of_its_key(service: dict[str, str], authority: Authority) -> None:
    path = Path(service["PORTAL_SIGNING_PKCS12"])
    assert pkcs12_certificate(path, PASSPHRASE).dump() == authority.seal.asn1.dump()
    with pytest.raises(ValueError, match="cannot be opened"):
        pkcs12_certificate(path, b"another")
