"""The forms of API keys: what an administrator enters to create one, to rotate one or to revoke one."""

import re
from typing import Any

from django import forms

from submissions.accounts import api_credentials
from submissions.accounts.public_keys import looks_private, parse_public_key
from submissions.web.forms import Checkboxes, Radios, RefusalForm, SentChoice, SentChoices, SentText, explained

REACH = (
    ("test", explained("Test", "a sandbox of your own: nothing in it takes effect")),
    ("live", explained("Live", "your organization's real submissions")),
)
KEY_HINT = "A JWK or PEM: P-256, or RSA of 2048 to 4096 bits. Empty: the portal creates a secret."


def entered_networks(text: str) -> list[str]:
    """The networks of the field: one a line, or with commas."""
    return [network for network in re.split(r"[\s,;]+", text) if network]


class PublicKeyArea(forms.Textarea):
    """What was entered is shown again, but no private key: it would stand on one more page."""

    def format_value(self, value: Any) -> str | None:
        return None if looks_private(value or "") else super().format_value(value)


class PublicKeyText(SentText):
    """The public key of a client that signs in with OAuth 2."""

    def __init__(self, label: str) -> None:
        super().__init__(label, hint=KEY_HINT, check=parse_public_key, rows=5, autocomplete="off", spellcheck="false")
        self.widget = PublicKeyArea(self.widget.attrs)


class CredentialForm(RefusalForm):
    field_of = {"expires_at": "expires", "no-date": "expires"}
    needed = ("name", "scopes", "expires")
    name = SentText("Name of the system that uses it", autocomplete="off", maxlength=80, required=True)
    scopes = SentChoices(Checkboxes({"id": "scope"}), label="Scopes")
    reach = SentChoice(Radios(), choices=REACH)
    expires = SentText("Expiration date", kind="date", required=True)
    networks = SentText(
        "Allowed networks",
        hint="One a line, such as 203.0.113.0/24. Empty: from everywhere.",
        check=lambda text: api_credentials.check_networks(entered_networks(text)),
        rows=3,
        spellcheck="false",
    )
    public_key = PublicKeyText("Public key, if the system signs in with OAuth 2")


class RotationForm(RefusalForm):
    """Rotates a key, or revokes it for a reason."""

    field_of = CredentialForm.field_of
    expires = SentText("Expiration date of the new key", kind="date")
    overlap = SentText(
        "Days for which both keys are valid",
        hint=f"0 to {api_credentials.LONGEST_OVERLAP.days}.",
        inputmode="numeric",
        maxlength=3,
    )
    public_key = PublicKeyText("New public key, if the system signs in with OAuth 2")
    reason = SentText("Why", hint="The history keeps this reason.", rows=2)
