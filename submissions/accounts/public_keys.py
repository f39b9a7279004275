"""The public key of a client that signs in with its own key: read from JWK or PEM, and checked.

The portal never needs the private key, and refuses a text that contains one. Not here: what the client signs with it
(`api.oauth`).
"""

import json
import re
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, RSAKey

from submissions.core.errors import Refusal

ALGORITHMS = {"EC": ("ES256",), "RSA": ("PS256", "RS256")}  # by the type of the key
MEMBERS = {"EC": ("kty", "crv", "x", "y"), "RSA": ("kty", "n", "e")}  # of a public JWK (RFC 7518, section 6)
CURVE = "P-256"
RSA_BITS = (2048, 4096)
LONGEST = 4000  # characters of the text
_PRIVATE = ("d", "p", "q", "dp", "dq", "qi", "oth", "k")  # members of a private or secret JWK
_PRIVATE_TEXT = re.compile(rf'PRIVATE KEY|"(?:{"|".join(_PRIVATE)})"\s*:')


def parse_public_key(text: str) -> dict[str, str]:
    """Return the key as a JWK with only what verifies a signature; `Refusal` if the portal does not take it."""
    text = text.strip()
    if looks_private(text):
        raise Refusal("public-key-wrong/private", option="public_key")
    try:
        jwk = _members(text[: LONGEST + 1])
        key = public_key(jwk)
        size = key.public_key.key_size  # read now: a point that is not on the curve is refused here
    except (JoseError, ValueError, TypeError, KeyError, UnsupportedAlgorithm, RecursionError):
        raise Refusal("public-key-wrong/unreadable", option="public_key") from None
    if isinstance(key, ECKey) and key.curve_name != CURVE:
        raise Refusal("public-key-wrong/curve", option="public_key", curve=key.curve_name, allowed=CURVE)
    if isinstance(key, RSAKey) and not RSA_BITS[0] <= size <= RSA_BITS[1]:
        raise Refusal("public-key-wrong/size", option="public_key", size=size, least=RSA_BITS[0], most=RSA_BITS[1])
    names = (*MEMBERS[key.key_type], *(["alg"] if "alg" in jwk else []))
    if "alg" in jwk and jwk["alg"] not in ALGORITHMS[key.key_type]:
        given, allowed = str(jwk["alg"])[:20], " or ".join(ALGORITHMS[key.key_type])
        raise Refusal("public-key-wrong/algorithm", option="public_key", algorithm=given, allowed=allowed)
    return {name: str(jwk[name]) for name in names}


def looks_private(text: str) -> bool:
    """Return whether the text contains a private key, even an unreadable one; it must not be shown again."""
    return _PRIVATE_TEXT.search(text) is not None


def thumbprint(jwk: dict[str, Any]) -> str:
    """Return the SHA-256 of the key (RFC 7638), by which people compare it."""
    return public_key(jwk).thumbprint()


def public_key(jwk: dict[str, Any]) -> ECKey | RSAKey:
    """Return the stored key, ready to verify."""
    return (ECKey if jwk["kty"] == "EC" else RSAKey).import_key(jwk)


def _members(text: str) -> dict[str, Any]:
    if text.startswith("{"):
        jwk = dict(json.loads(text))
        if not jwk.keys().isdisjoint(_PRIVATE):
            raise Refusal("public-key-wrong/private", option="public_key")
        return jwk
    kind = ECKey if isinstance(load_pem_public_key(text.encode()), EllipticCurvePublicKey) else RSAKey
    return dict(kind.import_key(text).as_dict(private=False))
