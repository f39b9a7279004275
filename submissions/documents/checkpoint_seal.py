"""The seal of a checkpoint of the history: made, and checked without database and network.

Sealed is the canonical JSON of {format, sequence, link}: the event with this number has this link (`audit.chain`). The
seal is a CMS signature by the key that seals documents, with a timestamp (RFC 3161) by the authority that timestamps
documents. The format is that of version 0.9 and stays: documents that others hold have such seals in them.
"""

import base64
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from asn1crypto import cms, x509
from django.utils import timezone
from pyhanko.sign.general import find_unique_cms_attribute
from pyhanko.sign.signers.pdf_cms import PdfCMSSignedAttributes
from pyhanko.sign.validation import async_validate_detached_cms
from pyhanko.sign.validation.status import StandardCMSSignatureStatus
from pyhanko_certvalidator import ValidationContext

from submissions.core.canonical_json import canonical_json
from submissions.documents.seal_certificate import seal_problems
from submissions.documents.signing_keys import SealKey
from submissions.documents.verify import run_in_thread

FORMAT = 1


@dataclass(frozen=True, slots=True)
class SealedMoment:
    """When a seal was made, and whose timestamp says so; `problem`: why the seal cannot be relied on, "" if it can."""

    at: datetime | None = None
    authority: str = ""
    problem: str = ""


def checkpoint_text(sequence: int, link: str) -> bytes:
    """The content that is sealed."""
    return canonical_json({"format": FORMAT, "sequence": sequence, "link": link}).encode()


def make_seal(sequence: int, link: str, key: SealKey) -> str:
    """The seal, in base64. Errors: those of the timestamp authority."""
    attributes = PdfCMSSignedAttributes(signing_time=timezone.now())
    signed = run_in_thread(
        key.signer.async_sign_general_data(
            checkpoint_text(sequence, link), "sha256", timestamper=key.timestamper, signed_attr_settings=attributes
        )
    )
    return base64.b64encode(signed.dump()).decode()


def check_seal(
    sequence: int, link: str, seal: str, roots: Sequence[x509.Certificate], seals: Collection[str]
) -> SealedMoment:
    """Check seal and timestamp. `roots`: where chains may end; `seals`: the fingerprints of accepted certificates.

    Any text is accepted as `seal`: what is wrong with it is the `problem`. Certificates are valid if they were when
    the timestamp was made.
    """
    try:
        signed = cms.ContentInfo.load(base64.b64decode(seal, validate=True))["content"]
        at = _timestamp(signed)
        context = ValidationContext(
            trust_roots=list(roots), allow_fetching=False, revocation_mode="soft-fail", moment=at
        )
        status = run_in_thread(
            async_validate_detached_cms(
                checkpoint_text(sequence, link),
                signed,
                signer_validation_context=context,
                ts_validation_context=context,
            )
        )
    except Exception:  # a forged container may break the parser anywhere: it is not a seal of ours
        return SealedMoment(problem="its seal cannot be read")
    return _judged(status, seals)


def _timestamp(signed: cms.SignedData) -> datetime:
    """When the timestamp in the signature says that it was made, before it is verified."""
    token = find_unique_cms_attribute(signed["signer_infos"][0]["unsigned_attrs"], "signature_time_stamp_token")
    moment: datetime = token["content"]["encap_content_info"]["content"].parsed["gen_time"].native
    return moment


def _judged(status: StandardCMSSignatureStatus, seals: Collection[str]) -> SealedMoment:
    stamp = status.timestamp_validity
    if stamp is None or not (stamp.intact and stamp.valid and stamp.trusted):
        return SealedMoment(problem="its timestamp is not valid, or not by an authority that this portal trusts")
    if not (status.intact and status.valid and status.trusted) or seal_problems(status.signing_cert, seals):
        return SealedMoment(problem="it is not what was sealed, or not sealed by a certificate that this portal lists")
    return SealedMoment(stamp.timestamp, str(stamp.signing_cert.subject.native.get("common_name", "")))
