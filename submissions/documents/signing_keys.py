"""The seal's keys: made at first start in a demonstration, named by the settings in production.

The demo authority signs its certificates and its (empty) revocation lists once and does not store its private keys,
only those of the seal and of the clock. Not here: how a document is signed (`signed_pdf`).
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
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.timestamps import HTTPTimeStamper, TimeStamper
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

from submissions.documents.verify import certificates

YEARS = timedelta(days=10 * 365)
KEY_BITS = 3072
PRIVATE_KEY = (Encoding.DER, PrivateFormat.PKCS8, NoEncryption())  # the file's form


@dataclass(frozen=True)
class SealKey:
    """The signer, the timestamp authority, and the root certificates of both."""

    signer: SimpleSigner
    timestamper: TimeStamper
    roots: tuple[asn1_x509.Certificate, ...]
    crls: tuple[bytes, ...] = ()
    online: bool = False  # in production: revocations are looked up while signing

    def context(self) -> ValidationContext:
        """The certificates and revocation lists to embed for a later verification, gathered while signing."""
        return ValidationContext(
            trust_roots=list(self.roots),
            other_certs=list(self.signer.cert_registry),
            crls=list(self.crls),
            allow_fetching=self.online,
            revocation_mode="hard-fail" if self.online else "require",
        )


def load_seal() -> SealKey:
    """The keys that this portal signs with."""
    return _service_seal() if settings.SIGNING_PKCS12 else demo_seal(settings.KEYS)


def root_file() -> Path:
    """The file of the only accepted root certificates, as PEM."""
    if settings.SIGNING_PKCS12:
        return Path(settings.SIGNING_ROOT)
    make_demo_keys(settings.KEYS)
    return Path(settings.KEYS) / "root.crt"


def _service_seal() -> SealKey:
    named = {"PORTAL_SIGNING_ROOT": settings.SIGNING_ROOT, "PORTAL_TIMESTAMP_URL": settings.TIMESTAMP_URL}
    for name, value in named.items():
        if not value:
            raise ImproperlyConfigured(f"{name} is empty; with PORTAL_SIGNING_PKCS12 it must be set.")
    secret = settings.SIGNING_PASSPHRASE_FILE
    signer = SimpleSigner.load_pkcs12(
        settings.SIGNING_PKCS12, passphrase=Path(secret).read_bytes().strip() if secret else None
    )
    if signer is None:
        raise ImproperlyConfigured(
            "The PKCS#12 file named by PORTAL_SIGNING_PKCS12 cannot be opened with the passphrase in the file "
            "named by PORTAL_SIGNING_PASSPHRASE_FILE."
        )
    roots = certificates(Path(settings.SIGNING_ROOT))
    return SealKey(signer, HTTPTimeStamper(settings.TIMESTAMP_URL), roots, online=True)


def demo_seal(folder: Path) -> SealKey:
    """The demo keys in this folder, made if they are missing."""
    make_demo_keys(folder)
    root, issuing = certificates(folder / "root.crt"), certificates(folder / "issuing.crt")
    store = SimpleCertificateStore.from_certs([*root, *issuing])
    signer = SimpleSigner(certificates(folder / "seal.crt")[0], _key(folder / "seal.key"), store)
    clock = DummyTimeStamper(certificates(folder / "clock.crt")[0], _key(folder / "clock.key"), store)
    crls = tuple((folder / name).read_bytes() for name in ("root.crl", "issuing.crl"))
    return SealKey(signer, clock, root, crls)


def make_demo_keys(folder: Path) -> None:
    """Make the demo authority unless it exists: root → issuing → seal and clock. The first process wins."""
    if folder.exists():
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".keys-"))  # readable by the owner only
    try:
        for name, content in _demo_files(datetime.now(UTC).replace(microsecond=0)).items():
            (made / name).write_bytes(content)
        os.rename(made, folder)  # all or nothing
    except OSError:
        if not folder.exists():
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _demo_files(now: datetime) -> Mapping[str, bytes]:
    root, issuing, seal_key, clock = (rsa.generate_private_key(65537, KEY_BITS) for _ in range(4))
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
    key: rsa.RSAPrivateKey,
    issuer_key: rsa.RSAPrivateKey,
    *,
    authority: int | None = None,
    clock: bool = False,
) -> x509.Certificate:
    """`authority`: how many authorities may be below this one; None for a seal or a clock."""
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
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + YEARS)
        .add_extension(x509.BasicConstraints(ca, authority), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if clock:
        builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
    return builder.sign(issuer_key, hashes.SHA256())


def _no_revocations(now: datetime, issuer: x509.Name, key: rsa.RSAPrivateKey) -> bytes:
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(issuer)
        .last_update(now - timedelta(minutes=5))
        .next_update(now + YEARS)
        .add_extension(x509.CRLNumber(1), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
    )
    return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


def _name(common: str) -> x509.Name:
    return x509.Name.from_rfc4514_string(f"CN={common},O=Rules Submission Portal DEMO,C=US")


def _key(path: Path) -> asn1_keys.PrivateKeyInfo:
    return asn1_keys.PrivateKeyInfo.load(path.read_bytes())
