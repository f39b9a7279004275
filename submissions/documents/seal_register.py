"""The seal certificates that this database was told of, each with its event; the newest one signs.

A portal runs on several machines, each with settings of its own. What they may sign with is decided once, here. Rows
are only added (see `models.append_only`). Not here: the keys (`signing_keys`), whether a certificate may be a seal at
all (`seal_certificate`).
"""

from asn1crypto import pem, x509
from django.db import transaction
from django.utils import timezone

from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.documents.seal_certificate import fingerprint, purpose_problem, subject_text
from submissions.models import SealCertificate

INTRODUCED = "seal-introduced"  # the event's verb
NO_KEYS = "none"  # in place of a fingerprint


def newest_seal() -> SealCertificate | None:
    """The certificate that the portal signs with; None before the first start."""
    return SealCertificate.objects.order_by("pk").last()


def introduced_seals() -> frozenset[str]:
    """The fingerprints of all of them: what one of them sealed stays good."""
    return frozenset(SealCertificate.objects.values_list("sha256", flat=True))


def introduce_seal(certificate: x509.Certificate) -> SealCertificate:
    """Sign with this certificate from now on: its row and its event. A `Refusal` if it is not made for sealing."""
    if wrong := purpose_problem(certificate):
        raise Refusal("seal-wrong-purpose", subject=subject_text(certificate), problem=wrong)
    with transaction.atomic():
        before = newest_seal()
        row = SealCertificate.objects.create(
            sha256=fingerprint(certificate),
            subject=subject_text(certificate),
            pem=pem.armor("CERTIFICATE", certificate.dump()).decode(),
            valid_from=certificate.not_valid_before,
            valid_until=certificate.not_valid_after,
            introduced_at=timezone.now(),
        )
        after = {
            "sha256": row.sha256,
            "subject": row.subject,
            "valid_from": row.valid_from.isoformat(),
            "valid_until": row.valid_until.isoformat(),
            "introduced_at": row.introduced_at.isoformat(),
        }
        previous = {"sha256": before.sha256} if before else {}
        record_event(None, None, INTRODUCED, before=previous, after=after, seals=(row,))
    return row


def require_newest_seal(sha256: str, *, demo: bool) -> None:
    """Raise `Refusal` unless this fingerprint is the newest one. `sha256`: "" if there are no keys."""
    newest, ours = newest_seal(), sha256 or NO_KEYS
    if newest is None:
        raise Refusal("seal-differs/none", ours=ours)
    if newest.sha256 == sha256:
        return
    if demo:
        raise Refusal("seal-differs/demo", ours=ours, newest=newest.sha256)
    raise Refusal("seal-differs", ours=ours, newest=newest.sha256, subject=newest.subject)
