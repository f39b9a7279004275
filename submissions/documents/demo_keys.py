"""The demo authority: made once, at the first start of a demonstration. Never used in service (`signing_keys`).

It signs its certificates and its (empty) revocation lists once and does not store its private keys, only those of the
seal and of the clock. Not here: what signs with them (`signing_keys`).
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID

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
