"""Sending a delivery: signed, called, and tried again until it is taken or three days have passed.

Each delivery is a job of its own. A webhook that does not take one rests, longer each time, and meanwhile one delivery
alone tries it: an address that is dead holds up neither the workers nor anybody else's deliveries. It may come twice
(a worker that dies between the answer and the note of it), and then with the same `Webhook-Id`.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from submissions.actions import calling, jobs
from submissions.actions.enciphered import decipher
from submissions.errors import Refusal
from submissions.models import Delivery, Job, Webhook

PURPOSE = "webhook"  # which secrets are enciphered for
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
TRIED_FOR = timedelta(days=3)
KEPT = timedelta(days=90)  # once it is over: until then it can be read and replayed
TURN = timedelta(seconds=30)  # which one delivery has to try a resting webhook, before the others come
SLOW = 2.0  # seconds; an address that takes longer rests three times as long, so that it holds no worker
SHARE = 3


def run(lease: jobs.Lease) -> None:
    """Send it, unless that is over: delivered, given up, or its webhook ended."""
    delivery = Delivery.objects.select_related("webhook").get(pk=lease.job.subject)
    webhook, now = delivery.webhook, timezone.now()
    if webhook.ended_at or not delivery.waits:
        return
    if webhook.rests_until and webhook.rests_until > now:
        raise jobs.TryLater(f"{webhook} rests", webhook.rests_until - now + TURN)
    body = delivery.body.encode()
    headers = signed(_secret(lease, delivery), delivery.key, now, body)
    lease.beat(0, 1, f"Calling {webhook}")
    answer = calling.call(webhook.url, body, headers)
    with lease.commit():
        later = _note(delivery, answer, timezone.now())
    if later is not None:
        raise later


def _secret(lease: jobs.Lease, delivery: Delivery) -> str:
    """What signs it; without it nothing is sent, now or later."""
    try:
        return decipher(delivery.webhook.secret, PURPOSE)
    except Refusal as refusal:
        with lease.commit():
            Delivery.objects.filter(pk=delivery.pk).update(given_up_at=timezone.now(), note=refusal.message)
        raise


def signed(secret: str, key: str, at: datetime, body: bytes) -> dict[str, str]:
    """The headers: whoever has the secret can tell that it is we who say this, and when."""
    stamp = str(int(at.timestamp()))
    mark = hmac.new(secret.encode(), b".".join((key.encode(), stamp.encode(), body)), sha256).hexdigest()
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rules-Submission-Portal",
        "Webhook-Id": key,
        "Webhook-Timestamp": stamp,
        "Webhook-Signature": f"v1={mark}",
    }


def waiting(webhook: Webhook) -> QuerySet[Delivery]:
    return Delivery.objects.filter(webhook=webhook, delivered_at=None, given_up_at=None)


def clean(now: datetime) -> int:
    """Forget the deliveries that were over long ago, with their jobs; how many."""
    old = Delivery.objects.filter(Q(delivered_at__lt=now - KEPT) | Q(given_up_at__lt=now - KEPT))
    with transaction.atomic():
        Job.objects.filter(kind=Job.Kind.WEBHOOK, state__in=jobs.ENDED, subject__in=old.values("pk")).delete()
        return old.delete()[0]


def pause_after(failures: int) -> timedelta:
    """1, 2, 4 … minutes, up to six hours."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(failures - 1, 20)))


def _note(delivery: Delivery, answer: calling.Answer, now: datetime) -> Exception | None:
    """Keep what came of it; how the job ends, if it does not end well."""
    delivery.refresh_from_db(fields=["attempts", "asked_at"])  # somebody may have replayed it during the call
    webhook, attempts = delivery.webhook, delivery.attempts + 1
    own = Delivery.objects.filter(pk=delivery.pk)
    own.update(attempts=attempts, attempted_at=now, status=answer.status, note=answer.note)
    if answer.taken:
        own.update(delivered_at=now, given_up_at=None)  # its webhook may have been ended meanwhile
        _taken(webhook, answer.seconds, now)
        return None
    _rest(webhook, now + pause_after(webhook.failures + 1), TURN)
    Webhook.objects.filter(pk=webhook.pk).update(failures=webhook.failures + 1)
    _give_up(webhook, now)
    if now - delivery.asked_at >= TRIED_FOR:
        return Refusal("webhook-not-delivered", f"{webhook} did not take it within three days. {answer.note}")
    return jobs.TryLater(f"{webhook}: {answer.note}", pause_after(attempts))


def _taken(webhook: Webhook, seconds: float, now: datetime) -> None:
    """It answers again: the others' turn, at once; or after a while, if it takes its time."""
    if seconds > SLOW:
        _rest(webhook, now + timedelta(seconds=SHARE * seconds), timedelta(0))
    elif webhook.failures:
        Webhook.objects.filter(pk=webhook.pk).update(rests_until=None)
        _untried(webhook).update(not_before=now)
    Webhook.objects.filter(pk=webhook.pk).update(failures=0)


def _rest(webhook: Webhook, until: datetime, turn: timedelta) -> None:
    Webhook.objects.filter(pk=webhook.pk).update(rests_until=until)
    _untried(webhook).update(not_before=until + turn)


def _untried(webhook: Webhook) -> QuerySet[Job]:
    """The jobs of its deliveries that were never tried: those that were keep to a time of their own."""
    rows = waiting(webhook).filter(attempts=0)
    return Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.DUE, subject__in=rows.values("pk"))


def _give_up(webhook: Webhook, now: datetime) -> None:
    """What was tried, or waited for its turn, for too long."""
    over = waiting(webhook).filter(asked_at__lte=now - TRIED_FOR)
    over.filter(attempts=0).update(note="The address did not answer at any time.")
    over.update(given_up_at=now)
