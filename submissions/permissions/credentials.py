"""The rights of a credential: what it may see and do, and who may look at an organization's credentials.

What a credential does is done by its service account, a person of its organization or, for a test credential, of its
sandbox, under the same permissions as every person. Its scopes narrow that down. An access token is what a client with
a public key gets for a signed assertion. It is not stored: it names its credential and its scopes, is signed by the
portal, and ends after `LIFETIME`, or at once when its credential is revoked. Not here: making and revoking credentials
(`accounts.api_credentials`), who gets a token (`api.oauth`).
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from submissions.core.dates import date_text
from submissions.core.errors import Forbidden, Refusal
from submissions.models import SCOPES_OF, Batch, Credential, Event, Organization, Person, Scope, Webhook
from submissions.permissions.may import SIGNER_ROLES, administered_by, administered_history, own_or_sandboxes
from submissions.permissions.visible import Visitor

LIFETIME = timedelta(minutes=10)
_TOKEN_FORM = re.compile(r"(rsp_(?:live|test)_[0-9a-f]{12})_([\w-]+\.[\w-]+\.[\w-]+)", re.ASCII)


def is_access_token(token: str) -> bool:
    """Return whether it has the form of an access token; an API key has no periods."""
    return _TOKEN_FORM.fullmatch(token) is not None


def access_token(credential: Credential, scopes: Sequence[str]) -> str:
    """Return a token for these scopes: the displayable part of the credential, then scopes, time and signature."""
    return f"{credential.key_id}_{_signer(credential.key_id).sign_object(list(scopes))}"


def credential_of_access_token(token: str, address: str, at: datetime) -> Credential:
    """Return the credential with the token's scopes; `UnrecognizedCredential` if token or credential is not valid now.

    Its `scopes` are narrowed in memory only: do not save the row.
    """
    form = _TOKEN_FORM.fullmatch(token)
    credential = credential_named_in(token)[1]
    if form is None or credential is None or not credential.public_key:
        raise UnrecognizedCredential("token-wrong")
    try:
        scopes = _signer(form[1]).unsign_object(form[2], max_age=LIFETIME)
    except signing.SignatureExpired:
        raise UnrecognizedCredential("token-expired", minutes=LIFETIME // timedelta(minutes=1)) from None
    except signing.BadSignature:
        raise UnrecognizedCredential("token-wrong") from None
    refuse_unusable(credential, address, at)
    credential.scopes = [scope for scope in credential.scopes if scope in scopes]
    return credential


def _signer(key_id: str) -> signing.TimestampSigner:
    """Return a signer with a salt of its own for each credential, so that no signature is valid for another."""
    return signing.TimestampSigner(sep=".", salt=f"submissions.access-token.{key_id}")


ABOUT_CREDENTIALS = ("credential-made", "credential-rotated", "credential-revoked")
ABOUT_WEBHOOKS = ("webhook-made", "webhook-ended")
_FORM = re.compile(r"rsp_(live|test)_([0-9a-f]{12})_([0-9a-f]{64})", re.ASCII)
_NAMED = re.compile(r"(rsp_(live|test)_([0-9a-f]{12}))(?:_[\w.-]+)?", re.ASCII)  # also in an access token, or alone


class UnrecognizedCredential(Refusal):
    """Refusal of a caller whose credential does not exist, or is no longer valid."""

    status = 401


def credentials_visible_to(person: Visitor) -> QuerySet[Credential]:
    """Return the credentials of an organization, those that ended too, for who administers it."""
    rows = Credential.objects.select_related("organization", "by", "replaced_by")
    own = administered_by(person)
    return rows.filter(organization=own) if own else rows.none()


def credentials_history_visible_to(person: Visitor) -> QuerySet[Event]:
    """Return the events about the organization's credentials, for its administrators."""
    return administered_history(person, ABOUT_CREDENTIALS)


def credential_of_token(token: str, address: str, at: datetime) -> Credential:
    """Return the credential that a caller from `address` shows; `UnrecognizedCredential` says why it is refused.

    Only a caller that knows the secret learns why a credential is no longer valid.
    """
    form = _FORM.fullmatch(token)
    if form is None:
        raise UnrecognizedCredential("credential-unreadable")
    rows = Credential.objects.select_related("service_account__organization")
    try:
        row = rows.get(prefix=form[2], live=form[1] == "live")
    except Credential.DoesNotExist:
        row = None
    digest = sha256(form[3].encode()).hexdigest()
    if not compare_digest(digest, row.secret_sha256 if row else "0" * 64) or row is None:
        raise UnrecognizedCredential("credential-wrong")
    refuse_unusable(row, address, at)
    return row


def refuse_unusable(credential: Credential, address: str, at: datetime) -> None:
    """Raise `UnrecognizedCredential` if it ended, or may not be used from this network."""
    refuse_revoked(credential)
    if credential.overlap_until and credential.overlap_until <= at:
        raise UnrecognizedCredential("credential-replaced", name=credential.name, day=_day(credential.overlap_until))
    if credential.expires_at <= at:
        raise UnrecognizedCredential("credential-expired", name=credential.name, day=_day(credential.expires_at))
    caller = _plain(address)
    if credential.networks and not any(caller in ip_network(network) for network in credential.networks):
        networks = " or ".join(credential.networks)
        raise UnrecognizedCredential("credential-elsewhere", name=credential.name, caller=caller, networks=networks)


def credential_named_in(token: str) -> tuple[str, Credential | None]:
    """Return the displayable part of a token and the credential that has it, whether its secret is right or not.

    "" and None for a text that is no token.
    """
    form = _NAMED.fullmatch(token)
    if form is None:
        return "", None
    rows = Credential.objects.select_related("organization", "service_account__organization")
    return form[1], rows.filter(prefix=form[3], live=form[2] == "live").first()


def batches_visible_to(person: Visitor) -> QuerySet[Batch]:
    """Return the bulk updates of one's own organization; those of its test systems are its sandbox's."""
    rows = Batch.objects.select_related("organization", "by", "signer", "credential")
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return rows.none()
    return rows.filter(organization=person.organization)


def signers_of(organization: Organization) -> QuerySet[Person]:
    """Return the people who can confirm a bulk update that takes steps of filings."""
    people = Person.objects.filter(organization=organization, role__in=SIGNER_ROLES, is_active=True, is_system=False)
    if not settings.SECOND_FACTOR:
        return people.order_by("pk")
    own = Authenticator.objects.filter(user=Coalesce(OuterRef("account"), OuterRef("pk"))).exclude(
        type=Authenticator.Type.RECOVERY_CODES
    )
    return people.filter(Exists(own)).order_by("pk")


def webhooks_visible_to(person: Visitor) -> QuerySet[Webhook]:
    """Return the webhooks of one's own organization, including ended ones: for its programs and administrators.

    Administrators see those of its sandbox as well: no person signs in there.
    """
    rows = Webhook.objects.select_related("organization", "by")
    if not isinstance(person, AnonymousUser) and person.is_system and person.is_active:
        return rows.filter(organization=person.organization)
    own = administered_by(person)
    return rows.filter(own_or_sandboxes(own)) if own else rows.none()


def webhooks_history_visible_to(person: Visitor) -> QuerySet[Event]:
    """Return the events about the organization's webhooks, for its administrators."""
    return administered_history(person, ABOUT_WEBHOOKS, with_sandbox=True)


def require_scope(credential: Credential, *scopes: Scope) -> None:
    """Raise `Forbidden` unless the credential has the scope; of several, one."""
    if set(scopes) & set(credential.scopes):
        return
    wanted = " or ".join(f"“{scope}”" for scope in scopes)
    possible = set(scopes) & set(SCOPES_OF[credential.organization.kind])
    if not possible:
        at_regulator = credential.organization.kind == Organization.Kind.REGULATOR
        raise Forbidden("scope-missing/other-side", wanted=wanted, owner="licensees" if at_regulator else "the Board")
    raise Forbidden(
        "scope-missing",
        name=credential.name,
        wanted=wanted,
        scopes=", ".join(credential.scopes),
        organization=credential.organization,
    )


def refuse_revoked(credential: Credential) -> None:
    """Refuse what was sent with a revoked credential; what one sent before it expired is still done."""
    if credential.revoked_at:
        raise UnrecognizedCredential("credential-revoked", name=credential.name, day=_day(credential.revoked_at))


def _plain(address: str) -> IPv4Address | IPv6Address:
    """Return the address; an IPv4 one that came over an IPv6 socket as what it is."""
    parsed = ip_address(address)
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed


def _day(at: datetime) -> str:
    return date_text(timezone.localdate(at))
