"""Start-up checks: in service mode the portal refuses to start on what is meant for a demonstration.

Each refusal has a code, says what was met, and names the setting to change. The commands ask for these checks
(`requires_system_checks`); the web server and the worker call `require_service_settings`.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from games.registry import unfinished
from portal.key_checks import signing_keys

TAG = "portal"  # the commands that load every chapter ask for these checks, not for all of Django's
SERVICE_TAG = "portal-service"  # every other command of ours asks for those of a service
SHORTEST_SECRET = 40  # characters


@register(TAG, SERVICE_TAG)
def service_settings(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Everything that a public service needs and a demonstration does without."""
    if not settings.SERVICE:
        return []
    return [message for check in CHECKS for message in check()]


def require_service_settings() -> None:
    """Raise `ImproperlyConfigured`, with every refusal and its remedy, unless a service may start on these settings."""
    refusals = [message for message in service_settings(None) if message.is_serious()]
    if refusals:
        raise ImproperlyConfigured(
            "The portal does not start with PORTAL_SERVICE=1:\n" + "\n".join(str(refusal) for refusal in refusals)
        )


@register(TAG)
def unfinished_chapters(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Chapters that nobody can file under, because their data cannot be loaded."""
    return [
        Warning(
            f"Chapter {number} is left out: {problem}.",
            hint=f"python -m games check-chapter {number} lists everything that is missing.",
            id="portal.W006",
        )
        for number, problem in unfinished().items()
    ]


def _secret_key() -> list[CheckMessage]:
    if len(os.environ.get("PORTAL_SECRET_KEY", "")) >= SHORTEST_SECRET:
        return []
    return [
        Error(
            f"PORTAL_SECRET_KEY is not set, or shorter than {SHORTEST_SECRET} characters.",
            hint="Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))', the same on every machine.",
            id="portal.E001",
        )
    ]


def _database() -> list[CheckMessage]:
    engine = str(settings.DATABASES["default"]["ENGINE"])
    if engine.endswith("postgresql"):
        return []
    return [
        Error(
            f"The database is {engine.rsplit('.', 1)[-1]}; a service needs PostgreSQL.",
            hint="Set DATABASE_URL to postgresql://USER:PASSWORD@HOST/NAME.",
            id="portal.E002",
        )
    ]


def _broker() -> list[CheckMessage]:
    if not settings.EMBEDDED_BROKER:
        return []
    return [
        Error(
            "REDIS_URL is not set: the embedded broker serves one machine only.",
            hint="Set REDIS_URL to redis://HOST:PORT/0, or rediss:// with TLS.",
            id="portal.E003",
        )
    ]


def _address() -> list[CheckMessage]:
    address = urlsplit(settings.PUBLIC_URL)
    any_host = [host for host in settings.ALLOWED_HOSTS if host.startswith(("*", "."))]
    if address.scheme == "https" and address.hostname in settings.ALLOWED_HOSTS and not any_host:
        return []
    return [
        Error(
            f"PORTAL_URL is {settings.PUBLIC_URL!r}, PORTAL_HOSTS is {','.join(settings.ALLOWED_HOSTS)!r}.",
            hint="Set PORTAL_URL to the public address, with https, and PORTAL_HOSTS to its host: "
            "signed documents print it. Name each host. With *, our e-mails could contain any address.",
            id="portal.E004",
        )
    ]


def _mail() -> list[CheckMessage]:
    if settings.EMAIL_BACKEND.endswith(("console.EmailBackend", "dummy.EmailBackend", "filebased.EmailBackend")):
        return [
            Warning(
                f"EMAIL_BACKEND is {settings.EMAIL_BACKEND}: decisions and links for new passphrases stay on this "
                "machine.",
                hint="Name the mail server in EMAIL_URL: smtp://USER:PASSWORD@HOST:PORT?tls=1, or smtps://….",
                id="portal.W003",
            )
        ]
    here = settings.EMAIL_HOST in ("localhost", "127.0.0.1", "::1")
    if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") and not (
        here or settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    ):
        return [
            Warning(
                f"Mail goes to {settings.EMAIL_HOST} unencrypted.",
                hint="Add ?tls=1 to EMAIL_URL, or write smtps://.",
                id="portal.W004",
            )
        ]
    return []


def _demonstration() -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    if settings.DEBUG:
        messages.append(
            Error("PORTAL_DEBUG is 1: error pages would show settings.", hint="Unset it.", id="portal.E006")
        )
    if not settings.SECOND_FACTOR:
        messages.append(
            Error(
                "PORTAL_SECOND_FACTOR is 0: anyone who guesses a passphrase could file and approve.",
                hint="Unset it; everyone who files or decides then sets up a second factor.",
                id="portal.E007",
            )
        )
    if settings.SIMULATION_ROUNDS:
        messages.append(
            Warning(
                f"PORTAL_SIMULATION_ROUNDS is {settings.SIMULATION_ROUNDS}: not what the chapters say is enough.",
                hint="Unset it.",
                id="portal.W002",
            )
        )
    if settings.WEBHOOK_PRIVATE:
        messages.append(
            Warning(
                "PORTAL_WEBHOOK_PRIVATE is 1: anyone who creates a webhook can have the portal call its own network.",
                hint="Unset it, unless the systems that are called are in that network.",
                id="portal.W005",
            )
        )
    if settings.ALLOW_MISSING_TEXT and not settings.DEMO:
        messages.append(
            Warning(
                "PORTAL_ALLOW_MISSING_TEXT is 1: licensees can file wagers, paytables and lines whose text is missing.",
                hint="Unset it.",
                id="portal.W007",
            )
        )
    if settings.DEMO:
        messages.append(
            Warning(
                "PORTAL_DEMO is 1: every document is marked DEMO, and demo people may sign in.",
                hint="Unset it, unless this service is for practice.",
                id="portal.W001",
            )
        )
    return messages


CHECKS: tuple[Callable[[], list[CheckMessage]], ...] = (
    _secret_key,
    _database,
    _broker,
    _address,
    signing_keys,
    _mail,
    _demonstration,
)
