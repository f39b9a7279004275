"""An authority of the tests: a root, an issuing authority, and what it issues: to the portal, and to anyone else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from asn1crypto import keys as asn1_keys
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from cryptography.x509.oid import ExtendedKeyUsageOID, ObjectIdentifier
from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper
from pyhanko_certvalidator.registry import SimpleCertificateStore

from submissions.documents.seal_certificate import fingerprint
from submissions.documents.signing_keys import SealKey

PASSPHRASE = b"of the test's PKCS#12"
YEAR = timedelta(days=365)


@dataclass(frozen=True)
class Issued:
    """A key with its certificate."""

    key: rsa.RSAPrivateKey
    certificate: x509.Certificate

    @cached_property
    def asn1(self) -> asn1_x509.Certificate:
        return asn1_x509.Certificate.load(self.certificate.public_bytes(Encoding.DER))

    @cached_property
    def asn1_key(self) -> asn1_keys.PrivateKeyInfo:
        return asn1_keys.PrivateKeyInfo.load(self.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def sha256(self) -> str:
        return fingerprint(self.asn1)


class Authority:
    """`seal`: the portal's. `past`: its seal of before. `customer`: anyone else's below the same issuing authority.

    With `lists`, the address of a server, each certificate names the list of revocations `lists`/serial number.
    """

    def __init__(self, lists: str = "") -> None:
        self.lists = lists
        self.now = datetime.now(UTC).replace(microsecond=0)
        self.root = self._authority("Test root", None)
        self.issuing = self._authority("Test issuing authority", self.root)
        self.clock = self.issue("Test clock", extended=[ExtendedKeyUsageOID.TIME_STAMPING])
        self.seal, self.past = self.issue("Seal of the Board"), self.issue("Past seal of the Board")
        self.customer = self.issue("Evil Customer Inc.")

    def issue(
        self, name: str, *, extended: Sequence[ObjectIdentifier] = (), signs: bool = True, usage: bool = True
    ) -> Issued:
        """A certificate for signatures. `signs`: whether its key usage allows them; `usage`: whether it states any."""
        return self._issue(name, self.issuing, authority=None, extended=extended, signs=signs, usage=usage)

    def keys(self, issued: Issued) -> SealKey:
        """What signs with this certificate, with the authority's own clock."""
        store = SimpleCertificateStore.from_certs([self.root.asn1, self.issuing.asn1])
        signer = SimpleSigner(issued.asn1, issued.asn1_key, store)
        clock = DummyTimeStamper(self.clock.asn1, self.clock.asn1_key, store)
        crls = tuple(map(self.no_revocations, (self.root, self.issuing)))
        return SealKey(signer, clock, (self.root.asn1,), crls)

    def write(self, folder: Path, seal: Issued, seals: Sequence[Issued]) -> dict[str, str]:
        """The files of a service, and the variables of its environment that name them."""
        files = {
            "PORTAL_SIGNING_PKCS12": serialize_key_and_certificates(
                None, seal.key, seal.certificate, [self.issuing.certificate], BestAvailableEncryption(PASSPHRASE)
            ),
            "PORTAL_SIGNING_PASSPHRASE_FILE": PASSPHRASE + b"\n",
            "PORTAL_SIGNING_ROOT": self.root.pem,
            "PORTAL_SIGNING_SEALS": b"".join(each.pem for each in seals),
        }
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        return {name: str(folder / name) for name in files} | {"PORTAL_TIMESTAMP_URL": "https://tsa.example.test"}

    def _authority(self, name: str, issuer: Issued | None) -> Issued:
        return self._issue(name, issuer, authority=0 if issuer else 1, extended=(), signs=False, usage=True)

    def _issue(
        self,
        name: str,
        issuer: Issued | None,
        *,
        authority: int | None,
        extended: Sequence[ObjectIdentifier],
        signs: bool,
        usage: bool,
    ) -> Issued:
        key, ca = rsa.generate_private_key(65537, 2048), authority is not None
        subject = x509.Name.from_rfc4514_string(f"CN={name}")
        issuer_key = issuer.key if issuer else key
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer.certificate.subject if issuer else subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self.now - timedelta(minutes=5))
            .not_valid_after(self.now + YEAR)
            .add_extension(x509.BasicConstraints(ca, authority), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
        )
        if usage:
            stated = x509.KeyUsage(
                digital_signature=signs, content_commitment=signs, key_encipherment=not signs and not ca,
                data_encipherment=False, key_agreement=False, key_cert_sign=ca, crl_sign=ca, encipher_only=False,
                decipher_only=False,
            )  # fmt: skip
            builder = builder.add_extension(stated, critical=True)
        if self.lists and issuer:
            address = x509.UniformResourceIdentifier(f"{self.lists}/{issuer.certificate.serial_number}")
            place = x509.DistributionPoint([address], None, None, None)
            builder = builder.add_extension(x509.CRLDistributionPoints([place]), critical=False)
        if extended:
            builder = builder.add_extension(x509.ExtendedKeyUsage(extended), critical=True)
        return Issued(key, builder.sign(issuer_key, hashes.SHA256()))

    def no_revocations(self, issuer: Issued) -> bytes:
        """The list of what this authority revoked: nothing."""
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(issuer.certificate.subject)
            .last_update(self.now - timedelta(minutes=5))
            .next_update(self.now + YEAR)
            .add_extension(x509.CRLNumber(1), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key()), critical=False)
        )
        return builder.sign(issuer.key, hashes.SHA256()).public_bytes(Encoding.DER)
