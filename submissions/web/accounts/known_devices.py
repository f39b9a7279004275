"""Devices on which a person has signed in: a signed cookie, so that strangers' wrong attempts do not count there.

The cookie opens nothing. Whoever steals it may guess as slowly as everybody else.
"""

import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

SALT = "submissions.known-device"
LASTS = 365 * 24 * 60 * 60  # seconds
MOST_PEOPLE = 8  # of one device; the one who signed in first is forgotten


def device_of(request: HttpRequest, email: str) -> str:
    """The key of this device for this person; "" if they have not signed in here."""
    return _devices(request).get(_account(email), "")


def remember_device(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """After a complete sign-in: put the device's key for this person into the cookie."""
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
    """The account without its address, which the cookie of a shared device would give away."""
    return salted_hmac(SALT, email.lower(), algorithm="sha256").hexdigest()[:32]
