"""ID tokens by the provider's keys, by other keys, by none, for others and of yesterday."""

from __future__ import annotations

import json
import time
from typing import Any

import jwt
import pytest
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from submissions.accounts.pages.agency_sign_in import require_signature

RSA, OTHER, CURVE = rsa.generate_private_key(65537, 2048), rsa.generate_private_key(65537, 2048), ec.SECP256R1()
EC = ec.generate_private_key(CURVE)


def published() -> dict[str, Any]:
    """The keys as the provider publishes them."""
    first = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(RSA.public_key()))
    second = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(EC.public_key()))
    return {"keys": [first | {"use": "sig", "kid": "one"}, second | {"use": "sig", "kid": "two"}]}


def token(key: Any, algorithm: str = "RS256", kid: str | None = "one", **changed: object) -> str:
    now = int(time.time())
    claims = {"iss": "https://a.example", "sub": "7", "aud": "portal", "iat": now, "exp": now + 60, **changed}
    given = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(given, key, algorithm, headers={"kid": kid} if kid else None)


def is_accepted(text: str) -> bool:
    try:
        require_signature(text, published(), audience="portal")
    except OAuth2Error:
        return False
    return True


def test_token_by_a_published_key_is_accepted() -> None:
    assert is_accepted(token(RSA))
    assert is_accepted(token(EC, "ES256", "two"))
    assert is_accepted(token(EC, "ES256", None))


@pytest.mark.parametrize(
    "forged",
    [
        lambda: token(OTHER),
        lambda: token(OTHER, kid=None),
        lambda: token(RSA, kid="two"),
        lambda: token(RSA, kid="unknown"),
        lambda: token("", "none"),
        lambda: token(RSA, aud="another client"),
        lambda: token(RSA, aud=None),
        lambda: token(RSA, exp=int(time.time()) - 60),
        lambda: token(RSA, exp=None),
        lambda: token(RSA, sub=None),
        lambda: token(RSA)[:-5],
        lambda: "",
        lambda: "a.b.c",
    ],
)
def test_any_other_token_is_refused(forged: Any) -> None:
    assert not is_accepted(forged())


def test_public_key_is_no_secret() -> None:
    """A token whose authentication code was made with the published key, as if that were a secret (CVE-2015-9235)."""
    public = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    head, body, _ = token("x" * 32, "HS256").split(".")
    made = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(f"{head}.{body}".encode(), public)
    assert not is_accepted(f"{head}.{body}.{jwt.utils.base64url_encode(made).decode()}")
