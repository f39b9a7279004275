"""The seal's keys: those that the settings name, or the demonstration's own, which are refused anywhere else.

Not here: how a document is signed (`signed_pdf`), how demo keys are made (`demo_keys`), which certificates may be a
seal (`seal_certificate`), which ones this database was told of (`seal_register`).
"""

from dataclasses import dataclass
from pathlib import Path

from asn1crypto import keys as asn1_keys
from asn1crypto import x509 as asn1_x509
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.timestamps import HTTPTimeStamper, TimeStamper
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.fetchers.requests_fetchers import RequestsFetcherBackend
from pyhanko_certvalidator.registry import SimpleCertificateStore

from submissions.documents.demo_keys import make_demo_keys
from submissions.documents.seal_certificate import certificates, fingerprint, fingerprints, seal_problems
from submissions.documents.seal_register import introduce_seal, introduced_seals, newest_seal, require_newest_seal


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
        """The certificates and revocation lists to embed for a later verification, gathered while signing."""
        return ValidationContext(
            trust_roots=list(self.roots),
            other_certs=list(self.signer.cert_registry),
            crls=list(self.crls),
            allow_fetching=self.online,
            fetcher_backend=RequestsFetcherBackend(),  # leaves no session open, unlike the library's default
            revocation_mode="hard-fail" if self.online else "require",
        )


def load_seal() -> SealKey:
    """The keys that this portal signs with.

    Raises:
        ImproperlyConfigured: the settings name no keys, and this is no demonstration.
        Refusal: `seal-differs`, their certificate is not the one that this database was last told to sign with.
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
    """The keys that the settings name, whether or not this database was told of them."""
    return demo_seal(settings.KEYS) if uses_demo_keys() else _service_seal()


def root_file() -> Path:
    """The file of the only accepted root certificates, as PEM."""
    return _demo_file("root.crt") if uses_demo_keys() else _named("PORTAL_SIGNING_ROOT", settings.SIGNING_ROOT)


def seal_file() -> Path:
    """The file of the seal certificates that the settings accept, present and past, as PEM."""
    return _demo_file("seal.crt") if uses_demo_keys() else _named("PORTAL_SIGNING_SEALS", settings.SIGNING_SEALS)


def listed_seals() -> frozenset[str]:
    """The fingerprints of the seal certificates that the settings accept, without those of the database."""
    return fingerprints(certificates(seal_file()))


def pinned_seals() -> frozenset[str]:
    """The fingerprints of every certificate that is accepted as a document's seal: of the settings and the database."""
    return listed_seals() | introduced_seals()


def uses_demo_keys() -> bool:
    """Whether the demo keys sign. Refused in service, and wherever `PORTAL_DEMO` is 0."""
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
    """The demo keys in this folder, made if they are missing."""
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
    signer = SimpleSigner.load_pkcs12(
        settings.SIGNING_PKCS12, passphrase=Path(secret).read_bytes().strip() if secret else None
    )
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
