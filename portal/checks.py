"""Start-up checks: in service mode the portal refuses to start on what is meant for a demonstration.

Each refusal has a code, says what was met, and names the setting to change. The commands ask for these checks
(`requires_system_checks`); the web server and the worker call `require_service_settings`.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ImproperlyConfigured

from games.registry import unfinished
from portal.env import LOOPBACK
from submissions.documents.seal_certificate import (
    certificates,
    fingerprint,
    fingerprints,
    pkcs12_certificate,
    seal_problems,
)


def signing_keys() -> Iterator[CheckMessage]:
    named = {"PORTAL_SIGNING_ROOT": settings.SIGNING_ROOT, "PORTAL_SIGNING_SEALS": settings.SIGNING_SEALS}
    if settings.SIGNS:
        named["PORTAL_SIGNING_PKCS12"] = settings.SIGNING_PKCS12
        named["PORTAL_SIGNING_PASSPHRASE_FILE"] = settings.SIGNING_PASSPHRASE_FILE
    missing = [name for name, path in named.items() if not path or not os.access(Path(path), os.R_OK)]
    if settings.SIGNS and not settings.TIMESTAMP_URL:
        missing.append("PORTAL_TIMESTAMP_URL")
    if missing:
        yield Error(
            f"Documents cannot be {'signed' if settings.SIGNS else 'verified'}: {', '.join(missing)} not set, or the "
            "file cannot be read.",
            hint="Name the PKCS#12 with the Board's seal, the file with its passphrase, the root certificate, "
            "the present and past seal certificates, and a timestamp authority (RFC 3161).",
            id="portal.E005",
        )
    elif settings.SIGNS:
        for problem in _seal_problems():
            yield Error(
                f"Documents cannot be signed: {problem}",
                hint="PORTAL_SIGNING_PKCS12 must contain a certificate that PORTAL_SIGNING_SEALS (PEM) lists, made for "
                "sealing; PORTAL_SIGNING_PASSPHRASE_FILE its passphrase.",
                id="portal.E008",
            )


def _seal_problems() -> list[str]:
    try:
        passphrase = Path(settings.SIGNING_PASSPHRASE_FILE).read_bytes().strip()
        seal = pkcs12_certificate(Path(settings.SIGNING_PKCS12), passphrase)
        problems = seal_problems(seal, fingerprints(_accepted_seals()))
        return [f"{problem.message} Its SHA-256 is {fingerprint(seal)}." for problem in problems]
    except ValueError as error:
        return [f"{error}."]


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


def _secret_key() -> Iterator[CheckMessage]:
    if len(os.environ.get("PORTAL_SECRET_KEY", "")) < SHORTEST_SECRET:
        yield Error(
            f"PORTAL_SECRET_KEY is not set, or shorter than {SHORTEST_SECRET} characters.",
            hint="Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))', the same on every machine.",
            id="portal.E001",
        )


def _database_and_broker() -> Iterator[CheckMessage]:
    engine = str(settings.DATABASES["default"]["ENGINE"])
    if not engine.endswith("postgresql"):
        yield Error(
            f"The database is {engine.rsplit('.', 1)[-1]}; a service needs PostgreSQL.",
            hint="Set DATABASE_URL to postgresql://USER:PASSWORD@HOST/NAME.",
            id="portal.E002",
        )
    if settings.EMBEDDED_BROKER:
        yield Error(
            "REDIS_URL is not set: the embedded broker serves one machine only.",
            hint="Set REDIS_URL to redis://HOST:PORT/0, or rediss:// with TLS.",
            id="portal.E003",
        )


def _address() -> Iterator[CheckMessage]:
    address = urlsplit(settings.PUBLIC_URL)
    any_host = [host for host in settings.ALLOWED_HOSTS if host.startswith(("*", "."))]
    if address.scheme != "https" or address.hostname not in settings.ALLOWED_HOSTS or any_host:
        yield Error(
            f"PORTAL_URL is {settings.PUBLIC_URL!r}, PORTAL_HOSTS is {','.join(settings.ALLOWED_HOSTS)!r}.",
            hint="Set PORTAL_URL to the public address, with https, and PORTAL_HOSTS to its host: "
            "signed documents print it. Name each host. With *, our e-mails could contain any address.",
            id="portal.E004",
        )


def _mail() -> Iterator[CheckMessage]:
    encrypted = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL or settings.EMAIL_HOST in LOOPBACK
    if settings.EMAIL_BACKEND.endswith(("console.EmailBackend", "dummy.EmailBackend", "filebased.EmailBackend")):
        yield Warning(
            f"EMAIL_BACKEND is {settings.EMAIL_BACKEND}: decisions and links for new passphrases stay on this machine.",
            hint="Name the mail server in EMAIL_URL: smtp://USER:PASSWORD@HOST:PORT?tls=1, or smtps://….",
            id="portal.W003",
        )
    elif settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") and not encrypted:
        yield Warning(
            f"Mail goes to {settings.EMAIL_HOST} unencrypted.",
            hint="Add ?tls=1 to EMAIL_URL, or write smtps://.",
            id="portal.W004",
        )


def _demonstration() -> Iterator[CheckMessage]:
    unset = "Unset it."
    if settings.DEBUG:
        yield Error("PORTAL_DEBUG is 1: error pages would show settings.", hint=unset, id="portal.E006")
    if not settings.SECOND_FACTOR:
        problem = "PORTAL_SECOND_FACTOR is 0: anyone who guesses a passphrase could file and approve."
        fix = "Unset it; everyone who files or decides then sets up a second factor."
        yield Error(problem, hint=fix, id="portal.E007")
    if settings.SIMULATION_ROUNDS:
        problem = f"PORTAL_SIMULATION_ROUNDS is {settings.SIMULATION_ROUNDS}: not what the chapters say is enough."
        yield Warning(problem, hint=unset, id="portal.W002")
    if settings.WEBHOOK_PRIVATE:
        problem = "PORTAL_WEBHOOK_PRIVATE is 1: anyone who creates a webhook can have the portal call its own network."
        fix = "Unset it, unless the systems that are called are in that network."
        yield Warning(problem, hint=fix, id="portal.W005")
    if settings.ALLOW_MISSING_TEXT and not settings.DEMO:
        problem = (
            "PORTAL_ALLOW_MISSING_TEXT is 1: licensees can file wagers, paytables and lines whose text is missing."
        )
        yield Warning(problem, hint=unset, id="portal.W007")
    if settings.DEMO:
        problem = "PORTAL_DEMO is 1: every document is marked DEMO, and demo people may sign in."
        yield Warning(problem, hint="Unset it, unless this service is for practice.", id="portal.W001")


CHECKS: tuple[Callable[[], Iterable[CheckMessage]], ...] = (
    _secret_key,
    _database_and_broker,
    _address,
    signing_keys,
    _mail,
    _demonstration,
)
