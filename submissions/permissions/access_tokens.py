"""Access tokens: what a client with a public key gets for a signed assertion, and sends with its calls.

A token is not stored. It names its credential and its scopes, is signed by the portal, and ends after `LIFETIME`. Each
call checks the credential's row again, so a token ends at once when its credential is revoked. Not here: who gets a
token (`api.oauth`).
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core import signing

from submissions.models import Credential
from submissions.permissions.credentials import UnrecognizedCredential, credential_named_in, refuse_unusable

LIFETIME = timedelta(minutes=10)
_FORM = re.compile(r"(rsp_(?:live|test)_[0-9a-f]{12})_([\w-]+\.[\w-]+\.[\w-]+)", re.ASCII)


def is_access_token(token: str) -> bool:
    """Whether it has the form of an access token; an API key has no periods."""
    return _FORM.fullmatch(token) is not None


def access_token(credential: Credential, scopes: Sequence[str]) -> str:
    """A token for these scopes: the displayable part of the credential, then scopes, time and signature."""
    return f"{credential.key_id}_{_signer(credential.key_id).sign_object(list(scopes))}"


def credential_of_access_token(token: str, address: str, at: datetime) -> Credential:
    """The credential with the token's scopes; `UnrecognizedCredential` if token or credential is not valid now.

    Its `scopes` are narrowed in memory only: do not save the row.
    """
    form = _FORM.fullmatch(token)
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
    """A salt of its own for each credential: the signature of one is none of another."""
    return signing.TimestampSigner(sep=".", salt=f"submissions.access-token.{key_id}")
