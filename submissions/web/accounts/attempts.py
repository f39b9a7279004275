"""How often a passphrase or a code may be tried: whoever guesses waits longer and longer, and nobody else does.

The attempts of strangers are counted by account and network, by network, and, as a last bound against many networks at
once, by account. A device on which the person has signed in (`known_devices`) has a counter of its own, and so has each
session in which something is confirmed: a stranger reaches neither. The rates are `ACCOUNT_RATE_LIMITS` of the
settings; several periods for one counter make the delay grow. django-allauth counts.
"""

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.http import HttpRequest

from submissions.models import Person
from submissions.security_log.addresses import network_of_address
from submissions.web.access_gate import account_of
from submissions.web.accounts import known_devices


def network_of(request: HttpRequest) -> str:
    """The caller's IPv4 address; of an IPv6 address its network."""
    return network_of_address(get_adapter().get_client_ip(request))


def may_try_passphrase(request: HttpRequest, email: str) -> bool:
    """Count an attempt to sign in as this account; False if it must wait. It need not exist."""
    if device := known_devices.device_of(request, email):
        return _count(request, "sign_in_device", device)
    # The narrowest first: what it refuses is not counted against the account.
    return (
        _count(request, "sign_in_account_network", _place(request, email))
        and _count(request, "sign_in_network", network_of(request))
        and _count(request, "sign_in_account", email.lower())
    )


def clear_passphrase_attempts(request: HttpRequest, email: str) -> None:
    """After the right passphrase. The network's counter goes on: one's own account does not open the others."""
    _clear(request, "sign_in_device", known_devices.device_of(request, email))
    _clear(request, "sign_in_account_network", _place(request, email))


def may_try_code(request: HttpRequest, person: Person) -> bool:
    """Count a code entered to sign in, after the right passphrase; False if it must wait."""
    if device := known_devices.device_of(request, person.email):
        return _count(request, "code_device", device)
    place = _place(request, person.email)
    return _count(request, "code_account_network", place) and _count(request, "code_account", str(person.pk))


def clear_code_attempts(request: HttpRequest, person: Person) -> None:
    """After the right code."""
    _clear(request, "code_device", known_devices.device_of(request, person.email))
    _clear(request, "code_account_network", _place(request, person.email))


def may_try_confirmation(request: HttpRequest) -> bool:
    """Count a passphrase or code entered in an open session; False if it must wait. Sign-ins do not count here."""
    person = str(account_of(request).pk)
    return _count(request, "confirm_session", _session(request)) and _count(request, "confirm_person", person)


def clear_confirmation_attempts(request: HttpRequest) -> None:
    """After the right passphrase or code."""
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
