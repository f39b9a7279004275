"""Where an organisation is told of events: made, tried, replayed and ended by its administrators and its programs.

The secret is told to who makes it, here and never again; it is kept enciphered, since it signs every delivery. What is
told is `telling`, how it is sent `delivering`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.utils import timezone

from submissions import access
from submissions.access.programs import webhooks_visible_to
from submissions.actions import idempotency, jobs, sandboxes, telling
from submissions.actions.calling import NotCalled, refuse_private
from submissions.actions.delivering import PURPOSE, waiting
from submissions.actions.enciphered import encipher
from submissions.actions.history import record
from submissions.errors import Conflict, NotThere, Refusal
from submissions.models import Delivery, Job, Organisation, Person, Webhook

MOST = 10  # of an organisation at a time
LONGEST_URL = 500  # characters
TEST = "test"  # what stands for the verb of an event


@dataclass(frozen=True, slots=True)
class Made:
    """A webhook with its secret, which is told here and never again."""

    webhook: Webhook
    secret: str


def make(actor: Person, *, url: str, verbs: Sequence[str] = (), live: bool = True, mark: str | None = None) -> Made:
    """Have the actor's organisation told of these events, or of all; not `live`: of those of its sandbox.

    `mark`: of the form that asks for it, and gets one once.
    """
    access.demand(actor, "connect")
    url = _url(url)
    secret = f"whsec_{secrets.token_hex(32)}"
    with transaction.atomic():
        organisation = _held(actor, live=live)
        if mark is not None:
            idempotency.note_sent(actor, mark)
        if Webhook.objects.filter(organisation=organisation, ended_at=None).count() >= MOST:
            raise Conflict("webhooks-full", f"{organisation} has {MOST} webhooks.", fix="End one first.")
        webhook = Webhook.objects.create(
            organisation=organisation,
            url=url,
            verbs=_verbs(organisation, verbs),
            secret=encipher(secret, PURPOSE),
            by=actor,
            made_at=timezone.now(),
        )
        record(actor, None, "webhook-made", after=_told(webhook))
    return Made(webhook, secret)


def end(actor: Person, webhook: Webhook) -> None:
    """Nothing is sent to it any more; what still waited is given up."""
    with transaction.atomic():
        going, now = _going(actor, webhook), timezone.now()
        going.ended_at = now
        going.save(update_fields=["ended_at"])
        waiting(going).update(given_up_at=now, note="The webhook was ended before it was delivered.")
        record(actor, None, "webhook-ended", before=_told(going))


def try_out(actor: Person, webhook: Webhook) -> Delivery:
    """A delivery that tells of nothing, sent at once: whether the address takes it. One test waits at a time."""
    with transaction.atomic():
        going = _going(actor, webhook)
        if test := waiting(going).filter(event=None).first():
            return _sent_again(going, test)
        _wake(going)
        return telling.put_down(going, None, {"verb": TEST, "at": timezone.now().isoformat()})


def replay(actor: Person, delivery: Delivery) -> Delivery:
    """Send it once more, at once: the same key and body, a new time and signature."""
    with transaction.atomic():
        return _sent_again(_going(actor, delivery.webhook), delivery)


def _sent_again(webhook: Webhook, delivery: Delivery) -> Delivery:
    """Due now, as if it were new; one that is being sent this very moment is left to it."""
    _wake(webhook)
    delivery.asked_at, delivery.attempts = timezone.now(), 0
    delivery.delivered_at = delivery.given_up_at = None
    delivery.save(update_fields=["asked_at", "attempts", "delivered_at", "given_up_at"])
    job = jobs.enqueue(Job.Kind.WEBHOOK, delivery.pk)
    jobs.run_again(job.pk, among=(Job.State.DUE, *jobs.ENDED))
    return delivery


def deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Each with the time `due_at` of its next attempt; None, if there is none."""
    due = Job.objects.filter(kind=Job.Kind.WEBHOOK, subject=OuterRef("pk")).values("not_before")[:1]
    rows = Delivery.objects.filter(webhook=webhook).select_related("webhook", "event__submission")
    return rows.annotate(due_at=Case(When(delivered_at=None, given_up_at=None, then=Subquery(due))))


def _going(actor: Person, webhook: Webhook) -> Webhook:
    """The webhook as it is now, held, if the actor may change it and it has not ended."""
    access.demand(actor, "connect")
    rows = Webhook.objects.select_for_update(no_key=True).filter(pk__in=webhooks_visible_to(actor).values("pk"))
    found = rows.filter(pk=webhook.pk).first()
    if found is None:
        raise NotThere("not-found", "There is no such webhook.")
    if found.ended_at:
        raise Conflict("webhook-ended", f"The webhook to {found} was ended.", fix="Make another one.")
    return found


def _wake(webhook: Webhook) -> None:
    """Somebody wants to see whether the address answers: it need not wait for the end of a rest."""
    Webhook.objects.filter(pk=webhook.pk).update(rests_until=None)


def _held(actor: Person, *, live: bool) -> Organisation:
    """The organisation whose events are told, held: the actor's own, or its sandbox."""
    own = Organisation.objects.select_for_update(no_key=True).get(people=actor)
    return own if live or not own.is_live else sandboxes.of(own)


def _told(webhook: Webhook) -> dict[str, object]:
    """What the history keeps of it: not the whole address, which may have a secret in it."""
    return {"webhook": webhook.pk, "host": str(webhook), "verbs": webhook.verbs}


def _url(text: str) -> str:
    """An address that can be called, as far as one can tell from its letters; its host is looked up at each call."""
    schemes = ("https", "http") if settings.WEBHOOK_PRIVATE else ("https",)
    try:
        parts = urlsplit(url := text.strip())
        whole = parts.scheme in schemes and parts.hostname and parts.port != 0
    except ValueError:  # no address, no number for a port
        whole = False
    if not whole or len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise _no_address(schemes)
    if parts.username is not None or parts.fragment:
        raise _no_address(schemes)
    _refuse_private(parts)
    return url


def _no_address(schemes: Sequence[str]) -> Refusal:
    return Refusal(
        "webhook-address",
        "This is no address that can be called.",
        fix=f"Write it as {schemes[0]}://host/path, in ASCII, without a name and passphrase, "
        f"in up to {LONGEST_URL} characters.",
        option="url",
    )


def _refuse_private(parts: SplitResult) -> None:
    """Where the address itself says so, at once; whatever a name leads to is seen at the call."""
    try:
        refuse_private([ip_address(parts.hostname or "")])
    except ValueError:  # a name
        return
    except NotCalled:
        raise Refusal(
            "webhook-private",
            f"{parts.hostname} is no public address.",
            fix="Name a host that can be reached from everywhere; the operator can allow others.",
            option="url",
        ) from None


def _verbs(organisation: Organisation, verbs: Sequence[str]) -> list[str]:
    known = telling.verbs_for(Organisation.Kind(organisation.kind))
    unknown = [verb for verb in verbs if verb not in known]
    if unknown:
        raise Refusal(
            "unknown-verb",
            f"“{unknown[0][:40]}” is no event of which {organisation} is told.",
            fix=f"Choose of: {', '.join(known)}; none = all.",
            option="verbs",
        )
    return [verb for verb in known if verb in verbs]
