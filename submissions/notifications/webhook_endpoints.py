"""The webhooks of an organization: created, tested, replayed and ended by its administrators and API clients.

The secret is shown once, to the creator; it is stored encrypted, because it signs every delivery. The deliveries of an
event are in `webhook_events`, their sending in `webhook_delivery`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.utils import timezone

from submissions import permissions
from submissions.accounts import sandboxes
from submissions.audit.record import record_event
from submissions.core.dates import moment_text
from submissions.core.encryption import encrypt
from submissions.core.errors import Conflict, NotFound, Refusal
from submissions.jobs import idempotency, leases
from submissions.models import Delivery, Job, Organization, Person, Webhook
from submissions.notifications import webhook_events
from submissions.notifications.safe_http import CallFailed, literal_address, refuse_private
from submissions.notifications.webhook_delivery import PURPOSE, due_deliveries
from submissions.notifications.webhook_signature import new_secret
from submissions.permissions.credentials import webhooks_visible_to

MOST = 10  # of an organization at a time
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
    """A webhook for these events of the actor's organization, or all (`verbs` empty); not `live`: of its sandbox.

    `form_token`: of the page's form, which can be sent only once.
    """
    permissions.require(actor, "connect")
    url = check_url(url)
    secret = new_secret()
    with transaction.atomic():
        own = Organization.objects.select_for_update(no_key=True).get(people=actor)
        organization = own if live or not own.is_live else sandboxes.sandbox_of(own)
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        if Webhook.objects.filter(organization=organization, ended_at=None).count() >= MOST:
            raise Conflict("webhooks-full", organization=organization, most=MOST)
        webhook = Webhook.objects.create(
            organization=organization,
            url=url,
            verbs=_verbs(organization, verbs),
            secret=encrypt(secret, PURPOSE),
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
    """A delivery without an event, sent at once, to test the address. One test is due at a time."""
    with transaction.atomic():
        active = _locked(actor, webhook)
        if test := due_deliveries(active).filter(event=None).first():
            return _send_again(active, test)
        _end_rest(active)
        return webhook_events.create_delivery(active, None, {"verb": TEST, "at": moment_text(timezone.now())})


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
    """The deliveries, each with the time `due_at` of its next attempt or None."""
    due = Job.objects.filter(kind=Job.Kind.WEBHOOK, subject=OuterRef("pk")).values("not_before")[:1]
    rows = Delivery.objects.filter(webhook=webhook).select_related("webhook", "event__submission")
    return rows.annotate(due_at=Case(When(delivered_at=None, given_up_at=None, then=Subquery(due))))


def _locked(actor: Person, webhook: Webhook) -> Webhook:
    """The current row, locked; refused if the actor may not change it or it was ended."""
    permissions.require(actor, "connect")
    rows = Webhook.objects.select_for_update(no_key=True).filter(pk__in=webhooks_visible_to(actor).values("pk"))
    row = rows.filter(pk=webhook.pk).first()
    if row is None:
        raise NotFound("not-found/webhook")
    if row.ended_at:
        raise Conflict("webhook-ended", row=row)
    return row


def _end_rest(webhook: Webhook) -> None:
    """A person wants to see whether the address answers: do not wait for the end of a rest."""
    Webhook.objects.filter(pk=webhook.pk).update(rests_until=None)


def _payload(webhook: Webhook) -> dict[str, object]:
    """The event's payload: without the path of the address, which may contain a secret."""
    return {"webhook": webhook.pk, "host": str(webhook), "verbs": webhook.verbs}


def check_url(text: str) -> str:
    """A well-formed address that is not private by its own words; a name is looked up at each call."""
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
    known = webhook_events.verbs_for(Organization.Kind(organization.kind))
    unknown = [verb for verb in verbs if verb not in known]
    if unknown:
        raise Refusal(
            "unknown-verb", option="verbs", name=unknown[0][:40], organization=organization, known=", ".join(known)
        )
    return [verb for verb in known if verb in verbs]
