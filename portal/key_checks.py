"""Start-up checks of a service's keys: seal and timestamp authority. The others are in `checks`."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error

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
