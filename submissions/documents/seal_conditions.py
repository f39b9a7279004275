"""The conditions for sealing, which the database decides for all machines: the newest certificate, and a correct clock.

A portal runs on several machines, each with settings and a clock of its own. With a wrong clock a seal may not verify:
its validation data and the verification follow the clock of this machine. Not here: the keys (`signing_keys`), whether
a certificate may be a seal at all (`seal_certificate`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from asn1crypto import pem, x509
from django.db import transaction
from django.utils import timezone

from submissions.audit.record import record_event
from submissions.core.errors import Refusal
from submissions.documents.seal_certificate import fingerprint, purpose_problem, subject_text
from submissions.jobs import clock
from submissions.jobs.leases import LeaseLost, TryLater
from submissions.models import SealCertificate

INTRODUCED = "seal-introduced"  # the event's verb
NO_KEYS = "none"  # in place of a fingerprint


def newest_seal() -> SealCertificate | None:
    """Return the certificate that the portal signs with; None before the first start."""
    return SealCertificate.objects.order_by("pk").last()


def introduced_seals() -> frozenset[str]:
    """Return the fingerprints of all of them: what one of them sealed stays good."""
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


CLOCK_TOLERANCE = timedelta(seconds=10)  # between the clock of this machine and the database's
CLOCK_PAUSE = timedelta(seconds=5)  # another machine may take the job, and a clock is soon corrected


@contextmanager
def correct_clock() -> Iterator[None]:
    """Check the clock before and after the block: if it is wrong, nothing is stored and the attempt does not count.

    Raises `TryLater`, also in place of an error that the block raised, but not of `LeaseLost`.
    """
    _require_correct_clock()
    try:
        yield
    except LeaseLost:
        raise
    except Exception as error:
        _require_correct_clock(error)
        raise
    _require_correct_clock()


def _require_correct_clock(error: Exception | None = None) -> None:
    difference = clock.difference()
    if abs(difference) > CLOCK_TOLERANCE:
        raise TryLater(
            f"The clock of this machine is {clock_difference_words(difference)}; it seals nothing.", CLOCK_PAUSE
        ) from error


def clock_difference_words(difference: timedelta) -> str:
    """Return "3,600 seconds ahead of the database's" or "the same as the database's"."""
    if abs(difference) < timedelta(seconds=1):
        return "the same as the database's"
    side = "ahead of" if difference > clock.ZERO else "behind"
    return f"{abs(difference).total_seconds():,.0f} seconds {side} the database's"
