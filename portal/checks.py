"""Start-up checks: in service mode the portal refuses to start on what is meant for a demonstration.

Each refusal has a code, says what was met, and names the setting to change. The commands ask for these checks
(`requires_system_checks`); the web server and the worker call `require_service_settings`.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from games.registry import unfinished
from submissions.documents.seal_certificate import (
    certificates,
    fingerprint,
    fingerprints,
    pkcs12_certificate,
    seal_problems,
)


def signing_keys() -> list[CheckMessage]:
    named = {"PORTAL_SIGNING_ROOT": settings.SIGNING_ROOT, "PORTAL_SIGNING_SEALS": settings.SIGNING_SEALS}
    if settings.SIGNS:
        named["PORTAL_SIGNING_PKCS12"] = settings.SIGNING_PKCS12
        named["PORTAL_SIGNING_PASSPHRASE_FILE"] = settings.SIGNING_PASSPHRASE_FILE
    missing = [name for name, path in named.items() if not path or not os.access(Path(path), os.R_OK)]
    if settings.SIGNS and not settings.TIMESTAMP_URL:
        missing.append("PORTAL_TIMESTAMP_URL")
    if not missing:
        return _seal() if settings.SIGNS else []
    verb = "signed" if settings.SIGNS else "verified"
    return [
        Error(
            f"Documents cannot be {verb}: {', '.join(missing)} not set, or the file cannot be read.",
            hint="Name the PKCS#12 with the Board's seal, the file with its passphrase, the root certificate, "
            "the present and past seal certificates, and a timestamp authority (RFC 3161).",
            id="portal.E005",
        )
    ]


def _seal() -> list[CheckMessage]:
    try:
        passphrase = Path(settings.SIGNING_PASSPHRASE_FILE).read_bytes().strip()
        seal = pkcs12_certificate(Path(settings.SIGNING_PKCS12), passphrase)
        problems = [
            f"{problem.message} Its SHA-256 is {fingerprint(seal)}."
            for problem in seal_problems(seal, fingerprints(_accepted_seals()))
        ]
    except ValueError as error:
        problems = [f"{error}."]
    return [
        Error(
            f"Documents cannot be signed: {problem}",
            hint="PORTAL_SIGNING_PKCS12 must contain a certificate that PORTAL_SIGNING_SEALS (PEM) lists, made for "
            "sealing; PORTAL_SIGNING_PASSPHRASE_FILE its passphrase.",
            id="portal.E008",
        )
        for problem in problems
    ]


def _accepted_seals() -> Sequence[Any]:
    try:
        return certificates(Path(settings.SIGNING_SEALS))
    except ValueError as error:
        raise ValueError(f"PORTAL_SIGNING_SEALS is not a PEM file of certificates ({error})") from error


TAG = "portal"  # the commands that load every chapter ask for these checks, not for all of Django's
SERVICE_TAG = "portal-service"  # every other command of ours asks for those of a service
SHORTEST_SECRET = 40  # characters


@register(TAG, SERVICE_TAG)
def service_settings(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """Return a message for each setting that a public service needs and a demonstration does without."""
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
    """Return a warning on chapters that nobody can file under, because their data cannot be loaded."""
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
