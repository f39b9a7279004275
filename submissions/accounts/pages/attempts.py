"""Limits of attempts at a passphrase or a code: a person who guesses waits longer and longer, and nobody else does.

The attempts of strangers are counted by account and network, by network, and, as a last bound against many networks at
once, by account. A device on which the person has signed in has a counter of its own, by a signed cookie, which opens
nothing, and so has each session in which something is confirmed. django-allauth counts, by `ACCOUNT_RATE_LIMITS` of the
settings; several periods for one counter make the delay grow.
"""

import secrets

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from submissions.models import Person
from submissions.security_log.records import network_of_address
from submissions.web.access_gate import account_of

SALT = "submissions.known-device"
LASTS = 365 * 24 * 60 * 60  # seconds
MOST_PEOPLE = 8  # of one device; the one who signed in first is forgotten


def device_of(request: HttpRequest, email: str) -> str:
    """Return the key of this device for this person; "" if they have not signed in here."""
    return _devices(request).get(_account(email), "")


def remember_device(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Put the device's key for this person into the cookie, after a complete sign-in."""
    devices, account = _devices(request), _account(email)
    device = devices.pop(account, "") or secrets.token_urlsafe(16)
    latest = dict([*devices.items(), (account, device)][-MOST_PEOPLE:])
    response.set_cookie(
        settings.KNOWN_DEVICES_COOKIE_NAME,
        signing.dumps(latest, salt=SALT),
        max_age=LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _devices(request: HttpRequest) -> dict[str, str]:
    try:
        return dict(
            signing.loads(request.COOKIES.get(settings.KNOWN_DEVICES_COOKIE_NAME, ""), salt=SALT, max_age=LASTS)
        )
    except signing.BadSignature:
        return {}


def _account(email: str) -> str:
    """Return the account without its address, which the cookie of a shared device would give away."""
    return salted_hmac(SALT, email.lower(), algorithm="sha256").hexdigest()[:32]


def network_of(request: HttpRequest) -> str:
    """Return the caller's IPv4 address; of an IPv6 address its network."""
    return network_of_address(get_adapter().get_client_ip(request))


def may_try_passphrase(request: HttpRequest, email: str) -> bool:
    """Count an attempt to sign in as this account; False if it must wait. It need not exist."""
    if device := device_of(request, email):
        return _count(request, "sign_in_device", device)
    # The narrowest first: what it refuses is not counted against the account.
    return (
        _count(request, "sign_in_account_network", _place(request, email))
        and _count(request, "sign_in_network", network_of(request))
        and _count(request, "sign_in_account", email.lower())
    )


def clear_passphrase_attempts(request: HttpRequest, email: str) -> None:
    """Clear the person's attempts after the right passphrase, but not the network's: one's own opens no others."""
    _clear(request, "sign_in_device", device_of(request, email))
    _clear(request, "sign_in_account_network", _place(request, email))


def may_try_code(request: HttpRequest, person: Person) -> bool:
    """Count a code entered to sign in, after the right passphrase; False if it must wait."""
    if device := device_of(request, person.email):
        return _count(request, "code_device", device)
    place = _place(request, person.email)
    return _count(request, "code_account_network", place) and _count(request, "code_account", str(person.pk))


def clear_code_attempts(request: HttpRequest, person: Person) -> None:
    """Clear the attempts after the right code."""
    _clear(request, "code_device", device_of(request, person.email))
    _clear(request, "code_account_network", _place(request, person.email))


def may_try_confirmation(request: HttpRequest) -> bool:
    """Count a passphrase or code entered in an open session; False if it must wait. Sign-ins do not count here."""
    person = str(account_of(request).pk)
    return _count(request, "confirm_session", _session(request)) and _count(request, "confirm_person", person)


def clear_confirmation_attempts(request: HttpRequest) -> None:
    """Clear the attempts after the right passphrase or code."""
    _clear(request, "confirm_session", _session(request))


def _place(request: HttpRequest, email: str) -> str:
    return f"{email.lower()} {network_of(request)}"


def _session(request: HttpRequest) -> str:
    return request.session.session_key or ""


def _count(request: HttpRequest, action: str, key: str) -> bool:
    return bool(ratelimit.consume(request, action=action, key=key))


def _clear(request: HttpRequest, action: str, key: str) -> None:
    if key:
        ratelimit.clear(request, action=action, key=key)
