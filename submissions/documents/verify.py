"""Verification of a PDF's seal, and that nothing has changed since it was sealed. No Django, network or database.

Accepted is one signature in the field `Seal` by one of the given seal certificates, whose chain ends in a given root
certificate, with its timestamps, by the full analysis of every later revision of the file. Not here: which certificates
may be a seal (`seal_certificate`), whether the portal stores the document (`verification`).
"""

import asyncio
from collections.abc import Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

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
from pyhanko_certvalidator.ltv.types import ValidationTimingInfo
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager

from submissions.core.isolated_process import IsolatedFunction, IsolatedProcessFailed
from submissions.documents.seal_certificate import certificates, fingerprint, seal_problems

FIELD = "Seal"  # the name of the signature field
SECONDS = 30  # of the processor, for one file; ten times as long by the clock, as a busy machine says nothing about it
NOT_COMPLETED = f"The file could not be verified within {SECONDS} seconds of the processor and 1 GiB."
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Verification:
    """The result for one file. `problems` are sentences; a valid file has none."""

    signed_by: str = ""
    signed_at: str = ""  # ISO 8601, from the embedded timestamp
    intact: bool = False  # the bytes that the seal covers are unchanged
    trusted: bool = False  # the signer is a pinned seal, and its chain ends in our root, also at the time of sealing
    changed_since: bool = True  # something was added after the seal's own last timestamp
    covers_whole_file: bool = False
    problems: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()  # of the problems with the signer's certificate: stable, in the error catalog
    signer_sha256: str = ""  # fingerprint of the signer's certificate

    @property
    def good(self) -> bool:
        return self.intact and self.trusted and self.covers_whole_file and not self.changed_since and not self.problems

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "problems": list(self.problems), "codes": list(self.codes), "good": self.good}


def verify(content: bytes, roots: Sequence[x509.Certificate], seals: Collection[str]) -> Verification:
    """Return the verification of a PDF. Anything wrong with it is one of its `problems`, never an exception.

    `roots`: the certificates in which chains may end. `seals`: the fingerprints of the certificates that may be the
    seal; without any, no file is good.
    """
    try:
        return _verify(content, roots, seals)
    except Exception as error:  # a hostile file can break the parser anywhere: that is a result, too
        return Verification(problems=(f"The file cannot be read as a signed PDF: {_sentence(error)}",))


def verify_isolated(content: bytes, root_file: Path, seals: Collection[str]) -> Verification:
    """Return the result of `verify_in_child`; too much time or memory is a problem of the file."""
    try:
        return verify_in_child(content, root_file, seals)
    except IsolatedProcessFailed:
        return Verification(problems=(NOT_COMPLETED,))


def verify_in_child(content: bytes, root_file: Path, seals: Collection[str]) -> Verification:
    """Run `verify` on an outsider's file in a child process, with roots as PEM; raise `IsolatedProcessFailed`."""
    fields = _verify_in_child(content, str(root_file.resolve()), *sorted(seals))
    return Verification(**{**fields, "problems": tuple(fields["problems"]), "codes": tuple(fields["codes"])})


def verification_data(content: bytes, root_file: str, *seals: str) -> dict[str, Any]:
    """Return the fields of the verification; only for the child process."""
    return asdict(verify(content, certificates(Path(root_file)), seals))


_verify_in_child = IsolatedFunction(verification_data, cpu_seconds=SECONDS, wall_seconds=10 * SECONDS, memory=1 << 30)


def run_in_thread(work: Coroutine[object, object, Result]) -> Result:
    """Return the result of a coroutine, run in a thread of its own: the caller may already run an event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def _verify(content: bytes, roots: Sequence[x509.Certificate], seals: Collection[str]) -> Verification:
    reader = PdfFileReader(BytesIO(content), strict=True)
    signatures = [row for row in reader.embedded_regular_signatures if row.field_name == FIELD]
    if not signatures:
        return Verification(problems=("The file has no seal of this portal.",))
    other_signatures = len(reader.embedded_regular_signatures) - len(signatures)
    now = ValidationTimingInfo.now()  # UTC: local time has a repeated hour, which pyHanko loses
    result = run_in_thread(ades_lta_validation(signatures[0], _policy(roots), timing_info=now))
    status = result.api_status
    signer = status.signing_cert if status else signatures[0].signer_cert
    signer_problems = seal_problems(signer, seals)
    problems = [
        *_status_problems(result),
        *(problem.message for problem in signer_problems),
        *(["The file has a signature in addition to the seal."] if other_signatures else []),
        *_loose_bytes(content, reader, roots),
    ]
    last = reader.embedded_signatures[-1]
    whole = last.evaluate_signature_coverage() == SignatureCoverageLevel.ENTIRE_FILE
    timestamps = reader.embedded_timestamp_signatures
    expected_revisions = bool(timestamps) and last is timestamps[-1] and len(timestamps) == 1
    if not (whole and expected_revisions):
        problems.append("Something was added to the file after it was sealed.")
    return Verification(
        signed_by=str(signer.subject.native.get("common_name", "")),
        signed_at=_moment(result),
        intact=bool(status and status.intact and status.valid),
        trusted=result.ades_subindic == AdESPassed.OK and not signer_problems,
        changed_since=not (whole and expected_revisions and status and status.intact and status.docmdp_ok),
        covers_whole_file=whole,
        problems=tuple(problems),
        codes=tuple(problem.code for problem in signer_problems),
        signer_sha256=fingerprint(signer),
    )


def _policy(roots: Sequence[x509.Certificate]) -> PdfSignatureValidationSpec:
    """Return our policy: only our roots, nothing fetched, the full difference analysis (pyHanko's default).

    Revocation is checked with the lists embedded in the file. A list that expired years later changes nothing.
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
        return ["The sealed bytes are not those that were sealed."]  # other failures follow from this
    why = _sentence(result.failure_msg or result.ades_subindic)
    requirements = (
        (status.valid, "The signature does not belong to its certificate."),
        (status.docmdp_ok, "The document was changed after it was sealed, beyond what keeps a signature readable."),
        (result.ades_subindic == AdESPassed.OK, f"The seal is not confirmed by this portal's root certificate: {why}"),
        (
            result.oldest_evidence_record_timestamp is not None,
            "The timestamp over the whole document is missing or not confirmed.",
        ),
    )
    return [problem for met, problem in requirements if not met]


def _loose_bytes(content: bytes, reader: PdfFileReader, roots: Sequence[x509.Certificate]) -> list[str]:
    """Return problems of the only unsigned bytes: the last signature's container, which has one valid form."""
    last: EmbeddedPdfSignature = reader.embedded_signatures[-1]
    _, start, end, _ = (int(number) for number in last.byte_range)
    signature, frame = last.pkcs7_content, last.signed_data
    unused = signature[parser.peek(signature) :]
    if content[start:end] != b"<" + signature.hex().upper().encode() + b">" or any(unused):
        return ["The container of the last timestamp is not written as it was."]
    stored_certificates = {each.dump() for each in (*DocumentSecurityStore.read_dss(reader).load_certs(), *roots)}
    declared = [each.dump() for each in frame["digest_algorithms"]]
    if (
        frame["version"].native != "v3"
        or declared != [last.signer_info["digest_algorithm"].dump()]
        or any(each.chosen.dump() not in stored_certificates for each in frame["certificates"])
    ):
        return ["The frame of the last timestamp is not what it was."]
    return []


def _moment(result: AdESLTAValidationResult) -> str:
    """Return the time of the confirmed timestamp; "" without one."""
    timestamp = result.signature_timestamp_status
    if timestamp is None or timestamp.ades_subindic != AdESPassed.OK:
        return ""
    return str(result.best_signature_time.isoformat())


def _sentence(problem: object) -> str:
    text = " ".join(str(problem).split())[:300] or type(problem).__name__
    return text if text.endswith(".") else f"{text}."
