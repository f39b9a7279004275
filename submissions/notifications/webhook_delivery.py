"""Sends webhook deliveries: signed, and tried again until the receiver accepts or three days have passed.

Each delivery is a job. After a failure the webhook rests, longer each time; until then only one delivery tries it:
a dead address delays neither workers nor other deliveries. If a worker dies between the answer and the note
of it, a delivery is sent twice, with the same `webhook-id`. Not here: the signature (`webhook_signature`).
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions.core.encryption import decrypt
from submissions.core.errors import Refusal
from submissions.jobs import leases
from submissions.models import Delivery, Job, Webhook
from submissions.notifications import safe_http
from submissions.notifications.webhook_signature import delivery_headers

PURPOSE = "webhook"  # of the encrypted secrets
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
TRIED_FOR = timedelta(days=3)
STORED_FOR = timedelta(days=90)  # after its end; until then it can be read and replayed
TURN = timedelta(seconds=30)  # for one delivery to try a resting webhook before the others
SLOW = 2.0  # seconds; a slower receiver rests three times as long, so that it does not block workers
REST_FACTOR = 3


def deliver(lease: leases.Lease) -> None:
    """Send the delivery, unless it was delivered or given up, or its webhook was ended."""
    delivery = Delivery.objects.select_related("webhook").get(pk=lease.job.subject)
    webhook, now = delivery.webhook, timezone.now()
    if webhook.ended_at or not delivery.waits:
        return
    if webhook.rests_until and webhook.rests_until > now:
        raise leases.TryLater(f"{webhook} rests", webhook.rests_until - now + TURN)
    body = delivery.body.encode()
    headers = delivery_headers(_secret(lease, delivery), delivery.key, now, body)
    lease.beat(0, 1, f"Calling {webhook}")
    answer = safe_http.post_safely(webhook.url, body, headers)
    with lease.commit():
        later = _note(delivery, answer, timezone.now())
    if later is not None:
        raise later


def _secret(lease: leases.Lease, delivery: Delivery) -> str:
    """The signing key; if it cannot be decrypted, the delivery is given up."""
    try:
        return decrypt(delivery.webhook.secret, PURPOSE)
    except Refusal as refusal:
        with lease.commit():
            Delivery.objects.filter(pk=delivery.pk).update(given_up_at=timezone.now(), note=refusal.message)
        raise


def due_deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Those of the webhook that are neither delivered nor given up."""
    return Delivery.objects.filter(webhook=webhook, delivered_at=None, given_up_at=None)


def delete_old_deliveries(now: datetime) -> int:
    """Delete the deliveries that ended long ago, with their jobs; returns how many."""
    old = Delivery.objects.filter(Q(delivered_at__lt=now - STORED_FOR) | Q(given_up_at__lt=now - STORED_FOR))
    with transaction.atomic():
        Job.objects.filter(kind=Job.Kind.WEBHOOK, state__in=leases.ENDED, subject__in=old.values("pk")).delete()
        return old.delete()[0]


def pause_after(failures: int) -> timedelta:
    """1, 2, 4 … minutes, up to six hours."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(failures - 1, 20)))


def _note(delivery: Delivery, answer: safe_http.HttpAnswer, now: datetime) -> Exception | None:
    """Store the result; returns how the job ends, unless it succeeded."""
    delivery.refresh_from_db(fields=["attempts", "asked_at"])  # it may have been replayed during the call
    webhook, attempts = delivery.webhook, delivery.attempts + 1
    own = Delivery.objects.filter(pk=delivery.pk)
    own.update(attempts=attempts, attempted_at=now, status=answer.status, note=answer.note)
    if answer.accepted:
        own.update(delivered_at=now, given_up_at=None)  # its webhook may have been ended in the meantime
        _resume(webhook, answer.seconds, now)
        return None
    _rest(webhook, now + pause_after(webhook.failures + 1), TURN)
    Webhook.objects.filter(pk=webhook.pk).update(failures=webhook.failures + 1)
    _give_up(webhook, now)
    if now - delivery.asked_at >= TRIED_FOR:
        return Refusal("webhook-not-delivered", webhook=webhook, note=answer.note)
    return leases.TryLater(f"{webhook}: {answer.note}", pause_after(attempts))


def _resume(webhook: Webhook, seconds: float, now: datetime) -> None:
    """The receiver accepts: the other deliveries are due at once, or later if it is slow."""
    if seconds > SLOW:
        _rest(webhook, now + timedelta(seconds=REST_FACTOR * seconds), timedelta(0))
    elif webhook.failures:
        Webhook.objects.filter(pk=webhook.pk).update(rests_until=None)
        _untried(webhook).update(not_before=now)
    Webhook.objects.filter(pk=webhook.pk).update(failures=0)


def _rest(webhook: Webhook, until: datetime, turn: timedelta) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(rests_until=until)
    _untried(webhook).update(not_before=until + turn)


def _untried(webhook: Webhook) -> QuerySet[Job]:
    """The jobs of its deliveries without an attempt; the others have their own time."""
    rows = due_deliveries(webhook).filter(attempts=0)
    return Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.DUE, subject__in=rows.values("pk"))


def _give_up(webhook: Webhook, now: datetime) -> None:
    """Give up the deliveries that were due for too long."""
    over = due_deliveries(webhook).filter(asked_at__lte=now - TRIED_FOR)
    over.filter(attempts=0).update(note="The address never answered.")
    over.update(given_up_at=now)
