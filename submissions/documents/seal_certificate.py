"""Checks of the portal's seal certificates: those that are named, whole, and made for signing. No Django.

A chain that ends in the trusted root is not enough: an authority issues certificates to others too. A seal is pinned by
the SHA-256 of its whole certificate. Not here: which certificates this portal has used (`seal_conditions`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from asn1crypto import pem, x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

SIGNS = {"digital_signature", "non_repudiation"}  # key usage; the second is also called contentCommitment
OTHER_PURPOSES = {"time_stamping": "timestamps", "ocsp_signing": "answers about revocations"}  # extended key usage
NOT_PINNED, WRONG_PURPOSE = "seal-not-pinned", "seal-wrong-purpose"


@dataclass(frozen=True, slots=True)
class SealProblem:
    """The reason against a certificate: a stable code of the error catalog, and a sentence."""

    code: str
    message: str


def certificates(path: Path) -> tuple[x509.Certificate, ...]:
    """Return the certificates of a PEM file; `ValueError` if it is not one."""
    return tuple(x509.Certificate.load(content) for _, _, content in pem.unarmor(path.read_bytes(), multiple=True))


def pkcs12_certificate(path: Path, passphrase: bytes) -> x509.Certificate:
    """Return the certificate of a PKCS#12 file's key; `ValueError` if the file cannot be opened or has none."""
    try:
        content = load_pkcs12(path.read_bytes(), passphrase)
    except ValueError as error:
        raise ValueError(f"the PKCS#12 file cannot be opened with its passphrase ({error})") from error
    if content.cert is None or content.key is None:
        raise ValueError("the PKCS#12 file has no key with its certificate")
    return x509.Certificate.load(content.cert.certificate.public_bytes(Encoding.DER))


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of the whole certificate (DER), 64 lowercase hexadecimal digits."""
    return str(certificate.sha256.hex())


def fingerprints(seals: Iterable[x509.Certificate]) -> frozenset[str]:
    return frozenset(fingerprint(certificate) for certificate in seals)


def subject_text(certificate: x509.Certificate) -> str:
    """Return the subject in words: "Common Name: …, Organization: …"."""
    return str(certificate.subject.human_friendly)


def seal_problems(certificate: x509.Certificate, pinned: Collection[str]) -> tuple[SealProblem, ...]:
    """Return the reasons against the certificate as the seal; `pinned`: the accepted fingerprints, if empty none."""
    problems = []
    if not pinned:
        message = "No seal certificates were given to compare the signer with, so it is not known whose seal this is."
        problems.append(SealProblem(NOT_PINNED, message))
    elif fingerprint(certificate) not in pinned:
        message = f"The signer's certificate ({subject_text(certificate)}) is not a seal certificate of this portal."
        problems.append(SealProblem(NOT_PINNED, message))
    if wrong := purpose_problem(certificate):
        problems.append(SealProblem(WRONG_PURPOSE, f"The signer's certificate ({subject_text(certificate)}) {wrong}."))
    return tuple(problems)


def purpose_problem(certificate: x509.Certificate) -> str:
    """Return the reason why the certificate is not for sealing, as the end of a sentence; "" if it is.

    Key usage must be stated and allow signatures (RFC 5280, 4.2.1.3). Certificates of authorities, of timestamps and of
    answers about revocations are refused, also if they are pinned.
    """
    usage = certificate.key_usage_value
    if certificate.ca:
        return "is an authority's, not a seal's"
    if usage is None or not SIGNS & usage.native:
        return "does not state that its key may sign documents"
    extended = certificate.extended_key_usage_value
    wrong = [OTHER_PURPOSES[purpose] for purpose in (extended.native if extended else ()) if purpose in OTHER_PURPOSES]
    return f"is made for {' and '.join(wrong)}, not for sealing" if wrong else ""
