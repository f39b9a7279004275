"""An organisation's credentials: made, rotated and revoked by its administrators; what a credential is used for.

The secret is told to who makes it, here and never again; only its digest is kept. Not here: who a caller is
(`access.programs`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from ipaddress import ip_network

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from submissions import access
from submissions.access.programs import credentials_visible_to
from submissions.actions import idempotency, sandboxes
from submissions.actions.history import record
from submissions.actions.wording import clean_name, clean_text
from submissions.errors import Conflict, Forbidden, Refusal
from submissions.models import SCOPES_OF, Credential, Organisation, Person, Scope

LONGEST = timedelta(days=366)
LONGEST_OVERLAP = timedelta(days=30)
OVERLAP = timedelta(days=7)
NOTED_EVERY = timedelta(minutes=1)
PATIENCE = timedelta(milliseconds=200)  # with which a call waits to note it
LONGEST_NAME = 80  # characters
MOST_NETWORKS = 20


@dataclass(frozen=True, slots=True)
class Made:
    """A credential with its token, which is told here and never again."""

    credential: Credential
    token: str


def make(
    actor: Person,
    *,
    name: str,
    scopes: Sequence[str],
    live: bool,
    expires_at: datetime,
    networks: Sequence[str] = (),
    mark: str | None = None,
) -> Made:
    """A credential of the actor's organisation. `mark`: of the form that asks for it, and gets one once."""
    with transaction.atomic():
        organisation = _administered(actor)
        if mark is not None:
            idempotency.note_sent(actor, mark)
        name = clean_name(
            name, most=LONGEST_NAME, missing="The credential has no name.", fix="Name the system that calls."
        )
        allowed = _scopes(organisation, scopes)
        made = _issued(
            Credential(
                organisation=organisation,
                name=name,
                scopes=allowed,
                seat=sandboxes.seat(organisation if live else sandboxes.of(organisation), name, allowed),
                live=live,
                networks=_networks(networks),
                expires_at=_expiry(expires_at),
                by=actor,
            )
        )
        record(actor, None, "credential-made", after=_told(made.credential))
    return made


def rotate(actor: Person, credential: Credential, *, expires_at: datetime, overlap: timedelta = OVERLAP) -> Made:
    """Another secret for the same purpose; the old one goes on for the time of the overlap, or until it expires."""
    with transaction.atomic():
        old = _held(actor, credential)
        if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
            raise Refusal(
                "overlap-too-long",
                f"Both shall be good for {overlap.days} days; up to {LONGEST_OVERLAP.days} can be.",
                fix="Choose fewer days.",
                option="overlap",
            )
        made = _issued(
            Credential(
                organisation=old.organisation,
                name=old.name,
                scopes=old.scopes,
                seat=old.seat,
                live=old.live,
                networks=old.networks,
                expires_at=_expiry(expires_at),
                by=actor,
            )
        )
        old.replaced_by, old.overlap_until = made.credential, min(timezone.now() + overlap, old.expires_at)
        old.save(update_fields=["replaced_by", "overlap_until"])
        ends = {"credential": old.shown, "overlap_until": old.overlap_until.isoformat()}
        record(actor, None, "credential-rotated", before=ends, after=_told(made.credential))
    return made


def revoke(actor: Person, credential: Credential, *, reason: str = "") -> None:
    """End it at once, replaced or not."""
    with transaction.atomic():
        old = _held(actor, credential, replaced=True)
        old.revoked_at = timezone.now()
        old.save(update_fields=["revoked_at"])
        reason = clean_text(reason, "The reason")
        record(actor, None, "credential-revoked", reason=reason, before=_told(old))


def note_use(credential: Credential, at: datetime) -> None:
    """Remember when it was used last, at most once a minute; `OperationalError` if somebody else writes for long."""
    if credential.last_used_at and at - credential.last_used_at < NOTED_EVERY:
        return
    due = Q(last_used_at=None) | Q(last_used_at__lte=at - NOTED_EVERY)
    with _impatient():
        Credential.objects.filter(due, pk=credential.pk).update(last_used_at=at)


@contextmanager
def _impatient() -> Iterator[None]:
    """SQLite has one writer at a time, and others wait for minutes: a read does not, for the sake of a note."""
    if connection.vendor != "sqlite":  # elsewhere only this row is held, and never for long
        yield
        return
    connection.ensure_connection()
    [(usual,)] = connection.connection.execute("PRAGMA busy_timeout")
    connection.connection.execute(f"PRAGMA busy_timeout = {PATIENCE // timedelta(milliseconds=1)}")
    try:
        yield
    finally:
        connection.connection.execute(f"PRAGMA busy_timeout = {usual}")


def _administered(actor: Person) -> Organisation:
    access.demand(actor, "administer")
    return Organisation.objects.select_for_update(no_key=True).get(people=actor)


def _held(actor: Person, credential: Credential, *, replaced: bool = False) -> Credential:
    """The credential as it is now, held with its organisation, if it can still be changed."""
    _administered(actor)
    found = credentials_visible_to(actor).filter(pk=credential.pk).first()
    if found is None:
        raise Forbidden("not-allowed", "This credential belongs to another organisation.")
    if found.revoked_at:
        raise Conflict("credential-revoked-already", f"“{found}” was revoked already.", fix="Make another one.")
    if found.replaced_by and not replaced:
        raise Conflict(
            "credential-rotated-already",
            f"“{found}” was replaced by {found.replaced_by.shown} already.",
            fix="Rotate that one.",
        )
    return found


def _issued(credential: Credential) -> Made:
    secret = secrets.token_hex(32)
    credential.prefix = secrets.token_hex(6)
    credential.secret_sha256 = sha256(secret.encode()).hexdigest()
    credential.made_at = timezone.now()
    credential.save(force_insert=True)
    return Made(credential, f"{credential.shown}_{secret}")


def _told(credential: Credential) -> dict[str, object]:
    """What the history keeps of it: never its secret, nor the digest of that."""
    return {
        "credential": credential.shown,
        "name": credential.name,
        "scopes": credential.scopes,
        "networks": credential.networks,
        "expires_at": credential.expires_at.isoformat(),
    }


def _scopes(organisation: Organisation, scopes: Sequence[str]) -> list[str]:
    allowed = SCOPES_OF[Organisation.Kind(organisation.kind)]
    unknown = [scope for scope in scopes if scope not in allowed]
    if unknown or not scopes:
        raise Refusal(
            "scope-elsewhere",
            f"“{unknown[0][:40]}” is no scope of {organisation}." if unknown else "No scope is chosen.",
            fix=f"Choose of: {', '.join(allowed)}.",
            option="scopes",
        )
    return [scope.value for scope in Scope if scope in scopes]


def _expiry(expires_at: datetime) -> datetime:
    now = timezone.now()
    if not now < expires_at <= now + LONGEST:
        raise Refusal(
            "expiry-wrong",
            "A credential ends after it is made, and at the latest after a year.",
            fix=f"Choose a day up to {timezone.localdate(now + LONGEST)}; it can be rotated before it ends.",
            option="expires_at",
        )
    return expires_at


def _networks(networks: Sequence[str]) -> list[str]:
    if len(networks) > MOST_NETWORKS:
        raise Refusal(
            "networks-too-many",
            f"{len(networks)} networks are named; up to {MOST_NETWORKS} can be.",
            fix="Join neighbouring ones.",
            option="networks",
        )
    return list(dict.fromkeys(_network(text) for text in networks))


def _network(text: str) -> str:
    try:
        return str(ip_network(text.strip()))
    except ValueError:
        raise Refusal(
            "network-wrong",
            f"“{text[:60]}” is no network.",
            fix="Write it as 203.0.113.0/24 or 2001:db8::/32, or one address; the bits after the network's are zero.",
            option="networks",
        ) from None
