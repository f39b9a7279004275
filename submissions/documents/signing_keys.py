"""The seal's keys: those that the settings name, or the demonstration's own, which are refused anywhere else.

The demo authority is made once, at the first start of a demonstration, and does not store its own private keys. Not
here: how a document is signed (`signed_pdf`), which certificates may be a seal (`seal_certificate`).
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from asn1crypto import keys as asn1_keys
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.timestamps import HTTPTimeStamper, TimeStamper
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.fetchers.requests_fetchers import RequestsFetcherBackend
from pyhanko_certvalidator.registry import SimpleCertificateStore

from submissions.documents.seal_certificate import certificates, fingerprint, fingerprints, seal_problems
from submissions.documents.seal_conditions import introduce_seal, introduced_seals, newest_seal, require_newest_seal


@dataclass(frozen=True)
class SealKey:
    """The signer, the timestamp authority, and the root certificates of both."""

    signer: SimpleSigner
    timestamper: TimeStamper
    roots: tuple[asn1_x509.Certificate, ...]
    crls: tuple[bytes, ...] = ()
    online: bool = False  # in production: revocations are looked up while signing

    @property
    def sha256(self) -> str:
        """The fingerprint of the seal's certificate."""
        return fingerprint(self.signer.signing_cert)

    def context(self) -> ValidationContext:
        """Return the certificates and revocation lists to embed for a later verification, gathered while signing."""
        return ValidationContext(
            trust_roots=list(self.roots),
            other_certs=list(self.signer.cert_registry),
            crls=list(self.crls),
            allow_fetching=self.online,
            fetcher_backend=RequestsFetcherBackend(),  # leaves no session open, unlike the library's default
            revocation_mode="hard-fail" if self.online else "require",
        )


def load_seal() -> SealKey:
    """Return the keys that this portal signs with; refuse a certificate that is not the last recorded one.

    Raises `ImproperlyConfigured` if the settings name no keys, and this is no demonstration.
    """
    demo = uses_demo_keys()
    if demo and not Path(settings.KEYS).exists() and newest_seal():  # lost: others would not be the same
        require_newest_seal("", demo=demo)
    seal = settings_seal()
    if demo and newest_seal() is None:  # a demonstration needs no command before its first document
        introduce_seal(seal.signer.signing_cert)
    require_newest_seal(seal.sha256, demo=demo)
    return seal


def settings_seal() -> SealKey:
    """Return the keys that the settings name, whether or not this database has recorded them."""
    return demo_seal(settings.KEYS) if uses_demo_keys() else _service_seal()


def root_file() -> Path:
    """Return the file of the only accepted root certificates, as PEM."""
    return _demo_file("root.crt") if uses_demo_keys() else _named("PORTAL_SIGNING_ROOT", settings.SIGNING_ROOT)


def seal_file() -> Path:
    """Return the file of the seal certificates that the settings accept, present and past, as PEM."""
    return _demo_file("seal.crt") if uses_demo_keys() else _named("PORTAL_SIGNING_SEALS", settings.SIGNING_SEALS)


def listed_seals() -> frozenset[str]:
    """Return the fingerprints of the seal certificates that the settings accept, without those of the database."""
    return fingerprints(certificates(seal_file()))


def pinned_seals() -> frozenset[str]:
    """Return the fingerprints of all certificates accepted as a document's seal, by settings and database."""
    return listed_seals() | introduced_seals()


def uses_demo_keys() -> bool:
    """Return whether the demo keys sign. Refused in service, and wherever `PORTAL_DEMO` is 0."""
    if settings.SIGNING_PKCS12 or not settings.SIGNS:
        return False
    if settings.DEMO and not settings.SERVICE:
        return True
    raise ImproperlyConfigured(
        f"PORTAL_SIGNING_PKCS12 is empty, with PORTAL_SERVICE={int(settings.SERVICE)} and "
        f"PORTAL_DEMO={int(settings.DEMO)}. Name the PKCS#12 file of the seal: demonstration keys are used only with "
        "PORTAL_SERVICE=0 and PORTAL_DEMO=1."
    )


def demo_seal(folder: Path) -> SealKey:
    """Return the demo keys in this folder, made if they are missing."""
    make_demo_keys(folder)
    root, issuing = certificates(folder / "root.crt"), certificates(folder / "issuing.crt")
    store = SimpleCertificateStore.from_certs([*root, *issuing])
    signer = SimpleSigner(certificates(folder / "seal.crt")[0], _key(folder / "seal.key"), store)
    clock = DummyTimeStamper(certificates(folder / "clock.crt")[0], _key(folder / "clock.key"), store)
    crls = tuple((folder / name).read_bytes() for name in ("root.crl", "issuing.crl"))
    return SealKey(signer, clock, root, crls)


def _service_seal() -> SealKey:
    if not settings.SIGNS:
        raise ImproperlyConfigured(
            "PORTAL_SIGNS is 0: this process has no seal. Set it to 1 where documents are signed."
        )
    roots, seals = certificates(root_file()), certificates(seal_file())
    if not settings.TIMESTAMP_URL:
        raise _missing("PORTAL_TIMESTAMP_URL")
    secret = settings.SIGNING_PASSPHRASE_FILE
    passphrase = Path(secret).read_bytes().strip() if secret else None
    signer = SimpleSigner.load_pkcs12(settings.SIGNING_PKCS12, passphrase=passphrase)
    if signer is None:
        raise ImproperlyConfigured(
            "The PKCS#12 file named by PORTAL_SIGNING_PKCS12 cannot be opened with the passphrase in the file "
            "named by PORTAL_SIGNING_PASSPHRASE_FILE."
        )
    if problems := seal_problems(signer.signing_cert, fingerprints(seals)):
        raise ImproperlyConfigured(
            " ".join(f"{problem.message} ({problem.code})" for problem in problems)
            + f" Its SHA-256 is {fingerprint(signer.signing_cert)}. PORTAL_SIGNING_PKCS12 must contain a seal that "
            "PORTAL_SIGNING_SEALS lists."
        )
    return SealKey(signer, HTTPTimeStamper(settings.TIMESTAMP_URL), roots, online=True)


def _demo_file(name: str) -> Path:
    make_demo_keys(settings.KEYS)
    return Path(settings.KEYS) / name


def _named(setting: str, value: str) -> Path:
    if not value:
        raise _missing(setting)
    return Path(value)


def _missing(setting: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{setting} is empty; with PORTAL_SIGNING_PKCS12 it must be set.")


def _key(path: Path) -> asn1_keys.PrivateKeyInfo:
    return asn1_keys.PrivateKeyInfo.load(path.read_bytes())


YEARS = timedelta(days=10 * 365)
EARLIER = timedelta(days=365)  # the demo's history goes back half a year, and its keys may have been made before it
# RSA: pyHanko's timestamp authority for trying things out knows no other kind. It checks the key at each signature,
# which takes 0.04 s with 2,048 bits and 0.11 s with 3,072.
CLOCK_BITS = 2048
PRIVATE_KEY = (Encoding.DER, PrivateFormat.PKCS8, NoEncryption())  # the file's form
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def make_demo_keys(folder: Path) -> None:
    """Make the demo authority unless it exists: root → issuing → seal and clock. The first process wins."""
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".keys-"))  # readable by the owner only
    try:
        for name, content in _demo_files(datetime.now(UTC).replace(microsecond=0)).items():
            (made / name).touch(mode=0o600)
            (made / name).write_bytes(content)
        os.rename(made, folder)  # all or nothing
    except OSError:
        if not folder.exists():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _demo_files(now: datetime) -> Mapping[str, bytes]:
    root, issuing, seal_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
    clock = rsa.generate_private_key(65537, CLOCK_BITS)
    root_name, issuing_name = _name("DEMO root"), _name("DEMO issuing authority")
    certificates = {
        "root": _certificate(now, root_name, root_name, root, root, authority=1),
        "issuing": _certificate(now, issuing_name, root_name, issuing, root, authority=0),
        "seal": _certificate(now, _name("DEMO seal of the Rules Submission Portal"), issuing_name, seal_key, issuing),
        "clock": _certificate(now, _name("DEMO timestamp authority"), issuing_name, clock, issuing, clock=True),
    }
    return {
        **{f"{name}.crt": made.public_bytes(Encoding.PEM) for name, made in certificates.items()},
        "root.crl": _no_revocations(now, root_name, root),
        "issuing.crl": _no_revocations(now, issuing_name, issuing),
        "seal.key": seal_key.private_bytes(*PRIVATE_KEY),
        "clock.key": clock.private_bytes(*PRIVATE_KEY),
    }


def _certificate(
    now: datetime,
    subject: x509.Name,
    issuer: x509.Name,
    key: Key,
    issuer_key: Key,
    *,
    authority: int | None = None,
    clock: bool = False,
) -> x509.Certificate:
    """Return a certificate; `authority`: how many authorities may be below it, None for a seal or a clock."""
    ca = authority is not None
    usage = x509.KeyUsage(
        digital_signature=not ca, content_commitment=not ca, key_encipherment=False, data_encipherment=False,
        key_agreement=False, key_cert_sign=ca, crl_sign=ca, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + YEARS)
        .add_extension(x509.BasicConstraints(ca, authority), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if clock:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
    return builder.sign(issuer_key, hashes.SHA256())


def _no_revocations(now: datetime, issuer: x509.Name, key: Key) -> bytes:
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(issuer)
        .last_update(now - EARLIER)
        .next_update(now + YEARS)
        .add_extension(x509.CRLNumber(1), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
    )
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


def _name(common: str) -> x509.Name:
    return x509.Name.from_rfc4514_string(f"CN={common},O=Rules Submission Portal DEMO,C=US")
