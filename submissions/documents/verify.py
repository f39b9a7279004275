"""Whether a PDF bears the portal's seal and says what it said when it was sealed. No Django, no network, no database.

Not here: whether the file is one that the portal stores (`examine`). What is accepted: one signature in the field
`Seal` whose chain ends in the root given, with its timestamps, by the full analysis of every later revision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Any

from asn1crypto import parser, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESPassed
from pyhanko.sign.validation import SignatureCoverageLevel
from pyhanko.sign.validation.ades import AdESLTAValidationResult, ades_lta_validation
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.policy_decl import (
    CertificateFetchingRule,
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager

from submissions.documents.apart import apart
from submissions.documents.field import FIELD


@dataclass(frozen=True, slots=True)
class Verification:
    """What a file says of itself. `problems` are sentences, empty where all is well."""

    signed_by: str = ""
    signed_at: str = ""  # ISO, by the embedded timestamp
    intact: bool = False  # the bytes that the seal covers are those that were sealed
    trusted: bool = False  # the chain of certificates ends in our root, also at the time of sealing
    changed_since: bool = True  # something was added after the seal's own last timestamp
    covers_whole_file: bool = False
    problems: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        return self.intact and self.trusted and self.covers_whole_file and not self.changed_since and not self.problems

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "problems": list(self.problems), "good": self.good}


def verify(content: bytes, roots: Sequence[x509.Certificate]) -> Verification:
    """Judge a file. Whatever is wrong with it is a problem in the answer, never an exception."""
    try:
        return _verify(content, roots)
    except Exception as error:  # a hostile file may break the parser at any place: that is a finding
        return Verification(problems=(f"The file cannot be read as a signed PDF: {_sentence(error)}",))


def _verify(content: bytes, roots: Sequence[x509.Certificate]) -> Verification:
    reader = PdfFileReader(BytesIO(content), strict=True)
    seals = [found for found in reader.embedded_regular_signatures if found.field_name == FIELD]
    if not seals:
        return Verification(problems=("The file bears no seal of this portal.",))
    others = len(reader.embedded_regular_signatures) - len(seals)
    result = apart(ades_lta_validation(seals[0], _policy(roots)))
    status = result.api_status
    problems = [
        *_status_problems(result),
        *(["The file bears a signature besides the seal."] if others else []),
        *_loose_bytes(content, reader, roots),
    ]
    last = reader.embedded_signatures[-1]
    whole = last.evaluate_signature_coverage() == SignatureCoverageLevel.ENTIRE_FILE
    timestamps = reader.embedded_timestamp_signatures
    expected_revisions = bool(timestamps) and last is timestamps[-1] and len(timestamps) == 1
    if not whole:
        problems.append("Something was added to the file after it was sealed.")
    return Verification(
        signed_by=str(seals[0].signer_cert.subject.native.get("common_name", "")),
        signed_at=_moment(result),
        intact=bool(status and status.intact and status.valid),
        trusted=result.ades_subindic == AdESPassed.OK,
        changed_since=not (whole and expected_revisions and status and status.intact and status.docmdp_ok),
        covers_whole_file=whole,
        problems=tuple(problems),
    )


def _policy(roots: Sequence[x509.Certificate]) -> PdfSignatureValidationSpec:
    """Only our roots, nothing fetched, the full difference analysis (pyHanko's default).

    Revocation is judged by what was embedded; where a list has run out years later, the signature stays
    what it was when it was sealed.
    """
    certificates = CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build(trust_roots=list(roots)),
        revinfo_policy=CertRevTrustPolicy(RevocationCheckingPolicy.from_legacy("soft-fail")),
    )
    return PdfSignatureValidationSpec(
        SignatureValidationSpec(
            cert_validation_policy=certificates,
            revinfo_gathering_policy=RevocationInfoGatheringSpec(
                online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY,
                certificate_fetching_rule=CertificateFetchingRule.NEVER_FETCH,
            ),
        )
    )


def _status_problems(result: AdESLTAValidationResult) -> list[str]:
    status = result.api_status
    if status is None or not status.intact:
        return ["The sealed bytes are not those that were sealed."]  # and what else fails follows from that
    problems = []
    if not status.valid:
        problems.append("The signature does not belong to its certificate.")
    if not status.docmdp_ok:
        problems.append("The document was changed after it was sealed, beyond what keeps a signature readable.")
    if result.ades_subindic != AdESPassed.OK:
        why = result.failure_msg or str(result.ades_subindic)
        problems.append(f"The seal is not confirmed by this portal's root certificate: {_sentence(why)}")
    if result.oldest_evidence_record_timestamp is None:
        problems.append("The timestamp over the whole document is missing or not confirmed.")
    return problems


def _loose_bytes(content: bytes, reader: PdfFileReader, roots: Sequence[x509.Certificate]) -> list[str]:
    """The one place that no signature covers, the last one's own container, must be written as it always is."""
    last: EmbeddedPdfSignature = reader.embedded_signatures[-1]
    _, start, end, _ = (int(number) for number in last.byte_range)
    signature, frame = last.pkcs7_content, last.signed_data
    unused = signature[parser.peek(signature) :]
    if content[start:end] != b"<" + signature.hex().upper().encode() + b">" or any(unused):
        return ["The container of the last timestamp is not written as it was."]
    kept = {each.dump() for each in (*DocumentSecurityStore.read_dss(reader).load_certs(), *roots)}
    declared = [each.dump() for each in frame["digest_algorithms"]]
    if (
        frame["version"].native != "v3"
        or declared != [last.signer_info["digest_algorithm"].dump()]
        or any(each.chosen.dump() not in kept for each in frame["certificates"])
    ):
        return ["The frame of the last timestamp is not what it was."]
    return []


def _moment(result: AdESLTAValidationResult) -> str:
    """When the timestamp says that it was sealed; "" where no timestamp is confirmed."""
    timestamp = result.signature_timestamp_status
    if timestamp is None or timestamp.ades_subindic != AdESPassed.OK:
        return ""
    return str(result.best_signature_time.isoformat())


def _sentence(problem: object) -> str:
    text = " ".join(str(problem).split())[:300] or type(problem).__name__
    return text if text.endswith(".") else f"{text}."
