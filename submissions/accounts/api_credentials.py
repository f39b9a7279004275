"""An organization's API keys: issued, rotated and revoked by its administrators; when each was last used.

Only the digest of a secret is stored; a client with a public key has none (`api.oauth`). A service account acts for
each key; those of test keys belong to the organization's sandbox, in which nobody signs in: its filings are read only
by the test systems of the Board and are never in effect. Not here: who a caller is (`permissions.credentials`).
"""

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

from submissions.accounts.members import lock_administered
from submissions.accounts.public_keys import parse_public_key, thumbprint
from submissions.audit.record import record_event
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.core.text import clean_name, clean_text
from submissions.jobs import idempotency
from submissions.models import SCOPES_OF, Credential, MailPreference, Organization, Person, Role, Scope
from submissions.permissions.credentials import credentials_visible_to

ROLES = {Scope.READ: Role.READER, Scope.PREPARE: Role.PREPARER, Scope.FILE: Role.PREPARER, Scope.REVIEW: Role.ANALYST}
SIGNER = "Sandbox signer"
SIGNERS: dict[str, Role] = {Organization.Kind.LICENSEE: Role.MANAGER, Organization.Kind.REGULATOR: Role.ANALYST}


def sandbox_of(organization: Organization) -> Organization:
    """Return the organization's sandbox, created when it is first needed. The caller has locked the organization."""
    sandbox, made = Organization.objects.get_or_create(
        sandbox_of=organization,
        defaults={
            "kind": organization.kind,
            "name": f"{organization.name[:110]} (sandbox)",
            "slug": f"{organization.slug[:42]}-sandbox",
        },
    )
    if made:
        signer = _person(sandbox, SIGNER, SIGNERS[organization.kind])
        after = {"organisation": sandbox.pk, "name": sandbox.name, "kind": sandbox.kind}
        record_event(None, None, "founded", after=after, seals=(sandbox, signer))
    return sandbox


def sandbox_signer(sandbox: Organization) -> Person:
    """Return the account that takes the signed steps of a sandbox, where nothing is signed."""
    rows = Person.objects.filter(organization=sandbox, name=SIGNER, role=SIGNERS[sandbox.kind])
    return rows.earliest("pk")  # later service accounts may have the same name


def _person(organization: Organization, name: str, role: Role) -> Person:
    return Person.objects.create_user(
        f"{secrets.token_hex(8)}@programs.invalid",
        None,
        name=name,
        organization=organization,
        role=role,
        is_system=True,
        mails=MailPreference.NONE,
    )


LONGEST = timedelta(days=366)
LONGEST_OVERLAP = timedelta(days=30)
OVERLAP = timedelta(days=7)
NOTED_EVERY = timedelta(minutes=1)
LOCK_TIMEOUT = timedelta(milliseconds=200)  # for noting the use of a key
LONGEST_NAME = 80  # characters
MOST_NETWORKS = 20
SCOPE_TEXTS = {
    Scope.READ: "read what your users read, the register and the rules",
    Scope.PREPARE: "start, change and amend submissions, answer questions, prepare layouts, change table lists, "
    "create webhooks",
    Scope.FILE: "send filings and withdrawals, which a named person then confirms",
    Scope.REVIEW: "write comments, assign filings, and send recommendations and returns, which a named person then "
    "confirms",
}
COPIED = ("organization", "name", "scopes", "service_account", "live", "networks")  # by a rotation


@dataclass(frozen=True, slots=True)
class IssuedCredential:
    """A credential with its token, which is shown only once; "" if its client has a key of its own."""

    credential: Credential
    token: str


def issue_credential(
    actor: Person,
    *,
    name: str,
    scopes: Sequence[str],
    live: bool,
    expires_at: datetime,
    networks: Sequence[str] = (),
    public_key: str = "",
    form_token: str | None = None,
) -> IssuedCredential:
    """Return a credential of the actor's organization. `form_token`: of the page's form, which can be sent only once.

    `public_key`: as JWK or PEM, of a client that signs in with it.
    """
    with transaction.atomic():
        organization = lock_administered(actor)
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        fix = "Enter the name of the system that uses it."
        name = clean_name(name, most=LONGEST_NAME, missing="The name of the API key is missing.", fix=fix)
        allowed = _scopes(organization, scopes)
        owner = organization if live else sandbox_of(organization)
        role = ROLES[max(map(Scope, allowed), key=list(Scope).index)]
        credential = Credential(
            organization=organization,
            name=name,
            scopes=allowed,
            service_account=_person(owner, name, role),
            live=live,
            networks=check_networks(networks),
            public_key=parse_public_key(public_key) if public_key.strip() else None,
            expires_at=_expiry(expires_at),
            by=actor,
        )
        issued = _issued(credential)
        rows = (credential, credential.service_account)
        record_event(actor, None, "credential-made", after=_payload(credential), seals=rows)
    return issued


def rotate_credential(
    actor: Person, credential: Credential, *, expires_at: datetime, overlap: timedelta = OVERLAP, public_key: str = ""
) -> IssuedCredential:
    """Return a new secret or public key for the same purpose; the old one is valid for the overlap or until its end."""
    with transaction.atomic():
        old = _locked(actor, credential)
        if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
            raise Refusal("overlap-too-long/too-long", option="overlap", days=overlap.days, most=LONGEST_OVERLAP.days)
        if old.public_key and not public_key.strip():
            raise Refusal("public-key-wrong/missing", option="public_key")
        new_key = parse_public_key(public_key) if public_key.strip() else None
        copied = {name: getattr(old, name) for name in COPIED}
        issued = _issued(Credential(**copied, public_key=new_key, expires_at=_expiry(expires_at), by=actor))
        old.replaced_by, old.overlap_until = issued.credential, min(timezone.now() + overlap, old.expires_at)
        old.save(update_fields=["replaced_by", "overlap_until"])
        ends = {"credential": old.key_id, "overlap_until": old.overlap_until.isoformat()}
        rows = (old, issued.credential)
        record_event(actor, None, "credential-rotated", before=ends, after=_payload(issued.credential), seals=rows)
    return issued


def revoke_credential(actor: Person, credential: Credential, *, reason: str = "") -> None:
    """End it at once, replaced or not."""
    with transaction.atomic():
        old = _locked(actor, credential, replaced=True)
        old.revoked_at = timezone.now()
        old.save(update_fields=["revoked_at"])
        reason = clean_text(reason, "The reason")
        record_event(actor, None, "credential-revoked", reason=reason, before=_payload(old), seals=(old,))


def note_credential_use(credential: Credential, at: datetime) -> None:
    """Store the time of the last use, at most once a minute; `OperationalError` after `LOCK_TIMEOUT`."""
    if credential.last_used_at and at - credential.last_used_at < NOTED_EVERY:
        return
    due = Q(last_used_at=None) | Q(last_used_at__lte=at - NOTED_EVERY)
    with _short_lock_timeout():
        Credential.objects.filter(due, pk=credential.pk).update(last_used_at=at)


@contextmanager
def _short_lock_timeout() -> Iterator[None]:
    """Shorten SQLite's wait for its one writer, which takes minutes: a read must not wait only to note a time."""
    if connection.vendor != "sqlite":  # elsewhere only this row is locked, and briefly
        yield
        return
    connection.ensure_connection()
    [(usual,)] = connection.connection.execute("PRAGMA busy_timeout")
    connection.connection.execute(f"PRAGMA busy_timeout = {LOCK_TIMEOUT // timedelta(milliseconds=1)}")
    try:
        yield
    finally:
        connection.connection.execute(f"PRAGMA busy_timeout = {usual}")


def _locked(actor: Person, credential: Credential, *, replaced: bool = False) -> Credential:
    """Return the current row, with the organization locked; a `Conflict` if it can no longer be changed."""
    lock_administered(actor)
    row = credentials_visible_to(actor).filter(pk=credential.pk).first()
    if row is None:
        raise Forbidden("not-allowed/of-another-organization", what="credential")
    if row.revoked_at:
        raise Conflict("credential-revoked-already", found=row)
    if row.replaced_by and not replaced:
        raise Conflict("credential-rotated-already", found=row, key_id=row.replaced_by.key_id)
    return row


def _issued(credential: Credential) -> IssuedCredential:
    secret = "" if credential.public_key else secrets.token_hex(32)
    credential.prefix = secrets.token_hex(6)
    credential.secret_sha256 = sha256(secret.encode()).hexdigest() if secret else ""
    credential.made_at = timezone.now()
    credential.save(force_insert=True)
    return IssuedCredential(credential, f"{credential.key_id}_{secret}" if secret else "")


def _payload(credential: Credential) -> dict[str, object]:
    """Return the event's payload: never the secret or its digest."""
    return {
        "credential": credential.key_id,
        "name": credential.name,
        "scopes": credential.scopes,
        "networks": credential.networks,
        "expires_at": credential.expires_at.isoformat(),
        **({"public_key": thumbprint(credential.public_key)} if credential.public_key else {}),
    }


def _scopes(organization: Organization, scopes: Sequence[str]) -> list[str]:
    allowed = SCOPES_OF[organization.kind]
    names = ", ".join(allowed)
    if not scopes:
        raise Refusal("scope-elsewhere/none", option="scopes", allowed=names)
    if unknown := [scope[:40] for scope in scopes if scope not in allowed]:
        raise Refusal("scope-elsewhere/unknown", option="scopes", scope=unknown[0], owner=organization, allowed=names)
    return [scope.value for scope in Scope if scope in scopes]


def _expiry(expires_at: datetime) -> datetime:
    now = timezone.now()
    if not now < expires_at <= now + LONGEST:
        raise Refusal("expiry-wrong", option="expires_at", day=timezone.localdate(now + LONGEST))
    return expires_at


def check_networks(networks: Sequence[str]) -> list[str]:
    """Return the networks as they are stored, each once; a `Refusal` if one cannot be read or there are too many."""
    if len(networks) > MOST_NETWORKS:
        raise Refusal("networks-too-many", option="networks", count=len(networks), most_networks=MOST_NETWORKS)
    checked = {}
    for text in networks:
        try:
            checked[str(ip_network(text.strip()))] = True
        except ValueError:
            raise Refusal("network-wrong", option="networks", text=text[:60]) from None
    return list(checked)
