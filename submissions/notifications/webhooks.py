"""The webhooks of an organization, and their deliveries: created with an event, in its transaction, and sent by a job.

Administrators and API clients create, test, replay and end them. The secret is shown once, to the creator; it is stored
encrypted, because it signs every delivery, by the Standard Webhooks specification (https://www.standardwebhooks.com):
libraries of many languages verify it.

A webhook gets exactly what the people of its organization can read in the submission's history at that moment: nothing
internal to the Board, nothing before filing, and for a sandbox only its own events. Each delivery is a job, tried again
until the receiver accepts or three days have passed. After a failure the webhook rests, longer each time; until then
only one delivery tries it: a dead address delays neither workers nor other deliveries. If a worker dies between the
answer and the note of it, a delivery is sent twice, with the same `webhook-id`. Not here: the call (`safe_http`).
"""

import hmac
import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from submissions import permissions
from submissions.accounts import api_credentials
from submissions.audit.record import record_event
from submissions.audit.timeline import VERB_TEXTS, event_chapter, timeline_entry
from submissions.core.dates import moment_text
from submissions.core.encryption import decrypt, encrypt
from submissions.core.errors import Conflict, NotFound, Refusal
from submissions.jobs import idempotency, leases
from submissions.models import Delivery, Event, Job, Organization, Person, Submission, Webhook
from submissions.notifications import safe_http
from submissions.notifications.safe_http import CallFailed, literal_address, refuse_private
from submissions.permissions import history_visible_to
from submissions.permissions.credentials import webhooks_visible_to
from submissions.permissions.visible import BOARD_ONLY_VERBS, LICENSEE_ONLY_VERBS, UNFILED_VERBS

MOST_WEBHOOKS = 10  # of an organization at a time
LONGEST_URL = 500  # characters
TEST = "test"  # the verb of a test delivery


@dataclass(frozen=True, slots=True)
class CreatedWebhook:
    """A webhook with its secret, which is shown only once."""

    webhook: Webhook
    secret: str


def create_webhook(
    actor: Person, *, url: str, verbs: Sequence[str] = (), live: bool = True, form_token: str | None = None
) -> CreatedWebhook:
    """Return a new webhook for these events of the actor's organization, or all (`verbs` empty).

    Not `live`: of its sandbox. `form_token`: of the page's form, which can be sent only once.
    """
    permissions.require(actor, "connect")
    url = check_url(url)
    secret = new_secret()
    with transaction.atomic():
        own = Organization.objects.select_for_update(no_key=True).get(people=actor)
        organization = own if live or not own.is_live else api_credentials.sandbox_of(own)
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        if Webhook.objects.filter(organization=organization, ended_at=None).count() >= MOST_WEBHOOKS:
            raise Conflict("webhooks-full", organization=organization, most=MOST_WEBHOOKS)
        webhook = Webhook.objects.create(
            organization=organization,
            url=url,
            verbs=_verbs(organization, verbs),
            secret=encrypt(secret, ENCRYPTION_PURPOSE),
            by=actor,
            made_at=timezone.now(),
        )
        record_event(actor, None, "webhook-made", after=_payload(webhook), seals=(webhook,))
    return CreatedWebhook(webhook, secret)


def end_webhook(actor: Person, webhook: Webhook) -> None:
    """End the webhook and give up its due deliveries."""
    with transaction.atomic():
        active, now = _locked(actor, webhook), timezone.now()
        active.ended_at = now
        active.save(update_fields=["ended_at"])
        due_deliveries(active).update(given_up_at=now, note="The webhook was ended before it was delivered.")
        record_event(actor, None, "webhook-ended", before=_payload(active), seals=(active,))


def send_test(actor: Person, webhook: Webhook) -> Delivery:
    """Return a delivery without an event, sent at once, to test the address. One test is due at a time."""
    with transaction.atomic():
        active = _locked(actor, webhook)
        if test := due_deliveries(active).filter(event=None).first():
            return _send_again(active, test)
        _end_rest(active)
        return create_delivery(active, None, {"verb": TEST, "at": moment_text(timezone.now())})


def replay_delivery(actor: Person, delivery: Delivery) -> Delivery:
    """Send it again at once: the same key and body, a new time and signature."""
    with transaction.atomic():
        return _send_again(_locked(actor, delivery.webhook), delivery)


def _send_again(webhook: Webhook, delivery: Delivery) -> Delivery:
    """Make it due, as if it were new; a delivery that is being sent now is left alone."""
    _end_rest(webhook)
    delivery.asked_at, delivery.attempts = timezone.now(), 0
    delivery.delivered_at = delivery.given_up_at = None
    delivery.save(update_fields=["asked_at", "attempts", "delivered_at", "given_up_at"])
    job = leases.enqueue(Job.Kind.WEBHOOK, delivery.pk)
    leases.run_again(job.pk, among=(Job.State.DUE, *leases.ENDED))
    return delivery


def deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries, each with the time `due_at` of its next attempt or None."""
    due = Job.objects.filter(kind=Job.Kind.WEBHOOK, subject=OuterRef("pk")).values("not_before")[:1]
    rows = Delivery.objects.filter(webhook=webhook).select_related("webhook", "event__submission")
    return rows.annotate(due_at=Case(When(delivered_at=None, given_up_at=None, then=Subquery(due))))


def _locked(actor: Person, webhook: Webhook) -> Webhook:
    """Return the current row, locked; refused if the actor may not change it or it was ended."""
    permissions.require(actor, "connect")
    rows = Webhook.objects.select_for_update(no_key=True).filter(pk__in=webhooks_visible_to(actor).values("pk"))
    row = rows.filter(pk=webhook.pk).first()
    if row is None:
        raise NotFound("not-found/webhook")
    if row.ended_at:
        raise Conflict("webhook-ended", row=row)
    return row


def _end_rest(webhook: Webhook) -> None:
    """End the rest of a webhook: a person wants to see now whether the address answers."""
    Webhook.objects.filter(pk=webhook.pk).update(rests_until=None)


def _payload(webhook: Webhook) -> dict[str, object]:
    """Return the event's payload: without the path of the address, which may contain a secret."""
    return {"webhook": webhook.pk, "host": str(webhook), "verbs": webhook.verbs}


def check_url(text: str) -> str:
    """Return a well-formed address that is not private by its own words; a name is looked up at each call."""
    schemes = ("https", "http") if settings.WEBHOOK_PRIVATE else ("https",)
    try:
        parts = urlsplit(url := text.strip())
        is_complete = parts.scheme in schemes and parts.hostname and parts.port != 0
    except ValueError:  # no address, no number for a port
        is_complete = False
    is_plain = len(url) <= LONGEST_URL and url.isascii() and url.isprintable() and " " not in url
    if not is_complete or not is_plain or parts.username is not None or parts.fragment:
        raise Refusal("webhook-address", option="url", url=url[:80], schemes=schemes[0], longest_url=LONGEST_URL)
    _refuse_private(parts.hostname or "")
    return url


def _refuse_private(host: str) -> None:
    """Refuse what is a private address however it is written; a name is looked up at each call."""
    address = literal_address(host)
    if address is None:
        return
    try:
        refuse_private([address])
    except CallFailed:
        if str(address) == host:
            raise Refusal("webhook-private/address", option="url", hostname=host) from None
        raise Refusal("webhook-private/spelling", option="url", hostname=host, address=address) from None


def _verbs(organization: Organization, verbs: Sequence[str]) -> list[str]:
    known = verbs_for(Organization.Kind(organization.kind))
    if unknown := next((verb for verb in verbs if verb not in known), ""):
        names = ", ".join(known)
        raise Refusal("unknown-verb", option="verbs", name=unknown[:40], organization=organization, known=names)
    return [verb for verb in known if verb in verbs]


def create_deliveries(events: Sequence[Event], **_: object) -> None:
    """Create the deliveries of these events; a receiver of `events_recorded`."""
    if Webhook.objects.filter(ended_at=None).exists():  # asked once: a batch has hundreds of events
        for event in events:
            notify_webhooks(event)


def notify_webhooks(event: Event) -> list[Delivery]:
    """Return a delivery, with its job, for each webhook that subscribes to the event and may get it."""
    if event.submission is None:
        return []
    webhooks = _permitted(_subscribed(event, event.submission), event, event.submission)
    if not webhooks:
        return []
    body = _body(event, event.submission)
    return [create_delivery(webhook, event, body) for webhook in webhooks]


@cache
def verbs_for(kind: Organization.Kind) -> tuple[str, ...]:
    """Return the events that an organization of this kind can get."""
    if kind == Organization.Kind.LICENSEE:
        return tuple(verb for verb in VERB_TEXTS if verb not in BOARD_ONLY_VERBS)
    before_filing = ("started", "amends", *UNFILED_VERBS, *LICENSEE_ONLY_VERBS)
    return tuple(verb for verb in VERB_TEXTS if verb not in before_filing)


def create_delivery(webhook: Webhook, event: Event | None, body: dict[str, Any]) -> Delivery:
    """Return the delivery of this body, and the job that sends it after this transaction."""
    key, now = secrets.token_hex(16), timezone.now()
    delivery = Delivery.objects.create(
        webhook=webhook,
        event=event,
        key=key,
        body=json.dumps({"id": key, **body}, ensure_ascii=False),
        made_at=now,
        asked_at=now,
    )
    leases.enqueue(Job.Kind.WEBHOOK, delivery.pk)
    return delivery


def _subscribed(event: Event, submission: Submission) -> list[Webhook]:
    """Return the webhooks of the licensee and of the Board, its sandbox too, that subscribe to the event."""
    active = Webhook.objects.filter(ended_at=None)
    sides = Q(organization=submission.organization_id) | Q(organization__kind=Organization.Kind.REGULATOR)
    return [
        webhook
        for webhook in active.filter(sides).select_related("organization").order_by("pk")
        if event.verb in (webhook.verbs or verbs_for(Organization.Kind(webhook.organization.kind)))
    ]


def _permitted(webhooks: list[Webhook], event: Event, submission: Submission) -> list[Webhook]:
    """Return the webhooks whose organization's people may read the event; one query for each organization."""
    organizations = {webhook.organization_id: webhook.organization for webhook in webhooks}
    # Without a role: all read the same.
    readers = {key: Person(organization=organization) for key, organization in organizations.items()}
    may_read = {
        key for key, person in readers.items() if history_visible_to(person, submission).filter(pk=event.pk).exists()
    }
    return [webhook for webhook in webhooks if webhook.organization_id in may_read]


def _body(event: Event, submission: Submission) -> dict[str, Any]:
    """Return the event as in the API, with the submission's current status and version."""
    entry = timeline_entry(event_chapter(submission.chapter, submission.takes_effect, event.at), event)
    current = Submission.objects.values("status", "version").get(pk=submission.pk)
    return {
        "verb": entry.verb,
        "at": moment_text(entry.at),
        "number": entry.number,
        "submission": submission.number,
        "chapter": submission.chapter,
        "licensee": submission.organization.slug,
        **current,
        "who": entry.who,
        "role": entry.role,
        "what": entry.what,
        "detail": entry.detail,
        "reason": entry.reason,
        "changes": entry.lines,
        "href": f"{settings.PUBLIC_URL}/api/v1/submissions/{submission.number}/",
    }


ENCRYPTION_PURPOSE = "webhook"  # of the encrypted secrets
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
    """Return the signing key; if it cannot be decrypted, the delivery is given up."""
    try:
        return decrypt(delivery.webhook.secret, ENCRYPTION_PURPOSE)
    except Refusal as refusal:
        with lease.commit():
            Delivery.objects.filter(pk=delivery.pk).update(given_up_at=timezone.now(), note=refusal.message)
        raise


def due_deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries of the webhook that are neither delivered nor given up."""
    return Delivery.objects.filter(webhook=webhook, delivered_at=None, given_up_at=None)


def delete_old_deliveries(now: datetime) -> int:
    """Delete the deliveries that ended long ago, with their jobs; returns how many."""
    old = Delivery.objects.filter(Q(delivered_at__lt=now - STORED_FOR) | Q(given_up_at__lt=now - STORED_FOR))
    with transaction.atomic():
        Job.objects.filter(kind=Job.Kind.WEBHOOK, state__in=leases.ENDED, subject__in=old.values("pk")).delete()
        return old.delete()[0]


def pause_after(failures: int) -> timedelta:
    """Return the pause after this number of failures: 1, 2, 4 … minutes, up to six hours."""
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
    """Resume after the receiver accepts: the other deliveries are due at once, or later if it is slow."""
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
    """Return the jobs of its deliveries without an attempt; the others have their own time."""
    rows = due_deliveries(webhook).filter(attempts=0)
    return Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.DUE, subject__in=rows.values("pk"))


def _give_up(webhook: Webhook, now: datetime) -> None:
    """Give up the deliveries that were due for too long."""
    over = due_deliveries(webhook).filter(asked_at__lte=now - TRIED_FOR)
    over.filter(attempts=0).update(note="The address never answered.")
    over.update(given_up_at=now)


PREFIX = "whsec_"
SECRET_BYTES = 32  # the specification takes 24 to 64


def new_secret() -> str:
    """Return a new secret: `whsec_` and 32 random bytes in Base64."""
    return PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def delivery_headers(secret: str, key: str, at: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of a delivery, with a signature of its key, time and body."""
    timestamp = str(int(at.timestamp()))
    signed = b".".join((key.encode(), timestamp.encode(), body))
    signing_key = b64decode(secret.removeprefix(PREFIX), validate=True)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rules-Submission-Portal",
        "webhook-id": key,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{b64encode(hmac.digest(signing_key, signed, 'sha256')).decode()}",
    }
