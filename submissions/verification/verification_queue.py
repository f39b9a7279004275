"""The queue of files that the portal does not know: bounded as a whole and for each caller, verified by a worker.

A file waits as a row with its bytes, which are deleted with the result; the result is deleted after a day. Not here:
what a worker finds (`examine`), stored documents, which never wait (`reverification`).
"""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone
from django.utils.crypto import salted_hmac

from submissions.core.errors import Busy, TooManyAtOnce
from submissions.jobs import leases
from submissions.jobs.queue_place import QueuePlace, queue_place, retry_after
from submissions.models import FileVerification, Job
from submissions.verification.examination_data import to_data, to_examination
from submissions.verification.examine import Examination, Identity, examine

STORED_FOR = timedelta(days=1)  # a result
GIVEN_UP_AFTER = timedelta(hours=1)  # a file that no worker has verified
MOST_BYTES = 10  # times the largest file: of all files that wait
NOT_VERIFIED = "The portal could not verify the file."


def queue_file(content: bytes, name: str, network: str) -> FileVerification:
    """Take a file into the queue.

    `network`: of the caller; only a keyed digest of it is stored.

    Raises:
        TooManyAtOnce: this caller has as many files waiting as one may have.
        Busy: as many files are waiting as there may be.
    """
    caller = salted_hmac("verification.caller", network, algorithm="sha256").hexdigest()
    with transaction.atomic():
        _refuse_above_limits(caller, len(content))
        row = FileVerification.objects.create(
            key=secrets.token_urlsafe(32),
            name=name[-200:],
            sha256=hashlib.sha256(content).hexdigest(),
            size=len(content),
            content=content,
            caller=caller,
            created_at=timezone.now(),
        )
        leases.enqueue(Job.Kind.VERIFY, row.pk)
    return row


def result_of(row: FileVerification) -> Examination | None:
    """The result; None while the file waits or is being verified."""
    return to_examination(row.result, row.finished_at) if row.result else None


def result_of_same_bytes(sha256: str) -> Examination | None:
    """What was found of these bytes within a day, for any caller: they are not verified twice."""
    row = FileVerification.objects.filter(sha256=sha256, finished_at__gt=timezone.now() - STORED_FOR).last()
    return result_of(row) if row else None


def place_of(row: FileVerification) -> QueuePlace:
    """Where the file is in the queue."""
    return queue_place(Job.Kind.VERIFY, row.pk, settings.VERIFICATION_WORKERS)


def run_verification(lease: leases.Lease) -> None:
    """The job: verify the file, store the result and delete the bytes."""
    row = FileVerification.objects.get(pk=lease.job.subject)
    if row.content is None:
        return
    data = to_data(examine(bytes(row.content)))
    with lease.commit():
        _finish(row.pk, data, timezone.now())


def delete_old_files(now: datetime) -> int:
    """Delete results after a day, and give up files that no worker could verify; returns how many rows it changed."""
    stopped = Job.objects.filter(kind=Job.Kind.VERIFY, state__in=leases.STOPPED).values("subject")
    given_up = _pending().filter(Q(pk__in=stopped) | Q(created_at__lt=now - GIVEN_UP_AFTER))
    changed = 0
    for pk, sha256 in given_up.values_list("pk", "sha256"):
        changed += _finish(pk, to_data(Examination(Identity.UNKNOWN, sha256, None, None, NOT_VERIFIED)), now)
    old = FileVerification.objects.filter(finished_at__lt=now - STORED_FOR)
    with transaction.atomic():
        Job.objects.filter(kind=Job.Kind.VERIFY, subject__in=old.values("pk")).delete()
        return changed + old.delete()[0]


def _pending() -> QuerySet[FileVerification]:
    return FileVerification.objects.filter(finished_at=None)


def _refuse_above_limits(caller: str, size: int) -> None:
    """Two requests at the same moment may pass together: the limits are exceeded by as many as there are threads."""
    most, of_caller = settings.VERIFICATION_QUEUE, settings.VERIFICATION_QUEUE_PER_CALLER
    if _pending().filter(caller=caller).count() >= of_caller:
        raise TooManyAtOnce("too-many-at-once/verifications", retry_after=retry_after(Job.Kind.VERIFY), limit=of_caller)
    total = _pending().aggregate(bytes=Sum("size"))["bytes"] or 0
    if _pending().count() >= most or total + size > MOST_BYTES * settings.ATTACHMENT_LIMIT:
        raise Busy("portal-busy/verifications", retry_after=retry_after(Job.Kind.VERIFY), limit=most)


def _finish(key: int, data: dict[str, object], now: datetime) -> int:
    return FileVerification.objects.filter(pk=key, finished_at=None).update(result=data, content=None, finished_at=now)
