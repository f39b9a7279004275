"""Which public keys the portal takes, in which forms, and that it never stores a private one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from joserfc.jwk import ECKey, OKPKey, RSAKey

from submissions.accounts import api_credentials
from submissions.accounts.public_keys import parse_public_key, thumbprint
from submissions.core.errors import Refusal
from submissions.models import Credential, Event, Organization
from tests.submissions.api.clients import administrator, made

EC = ECKey.generate_key("P-256", private=True)
RSA = RSAKey.generate_key(2048, private=True)


def jwk(key: Any, *, private: bool = False, **members: Any) -> str:
    return json.dumps(key.as_dict(private=private) | members)


@pytest.mark.parametrize("key", [EC, RSA], ids=["P-256", "RSA"])
def test_jwk_and_pem_are_the_same_key(key: Any) -> None:
    of_jwk, of_pem = (
        parse_public_key(jwk(key, kid="mine", use="sig")),
        parse_public_key(key.as_pem(private=False).decode()),
    )
    assert of_jwk == of_pem
    assert thumbprint(of_jwk) == key.thumbprint()
    assert of_jwk.keys() == ({"kty", "crv", "x", "y"} if key is EC else {"kty", "n", "e"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (jwk(EC, private=True), "private key"),
        (jwk(RSA, private=True), "private key"),
        (EC.as_pem(private=True).decode(), "private key"),
        (json.dumps({"kty": "oct", "k": "c2VjcmV0"}), "private key"),
        (jwk(ECKey.generate_key("P-384", private=True)), "on the curve P-384"),
        (ECKey.generate_key("P-521", private=True).as_pem(private=False).decode(), "on the curve P-521"),
        (jwk(RSAKey.generate_key(1024, private=True)), "has 1024 bits"),
        (jwk(OKPKey.generate_key("Ed25519", private=True)), "cannot be read"),
        (OKPKey.generate_key("Ed25519", private=True).as_pem(private=False).decode(), "cannot be read"),
        (jwk(EC, alg="HS256"), "names the algorithm HS256"),
        (jwk(RSA, alg="ES256"), "names the algorithm ES256"),
        (jwk(EC, x="AAAA"), "cannot be read"),
        ("{", "cannot be read"),
        ("{}", "cannot be read"),
        ('{"kty": "EC"}', "cannot be read"),
        ("-----BEGIN PUBLIC KEY-----", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ],
    ids=map(str, range(17)),
)
def test_what_cannot_be_used_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse_public_key(text)
    assert (refused.value.code, refused.value.option) == ("public-key-wrong", "public_key")
    assert words in refused.value.message


@pytest.mark.django_db
def test_client_with_a_public_key_has_no_secret_and_its_key_is_sealed(casino: Organization) -> None:
    issued = made(casino, public_key=jwk(EC))
    assert (issued.token, issued.credential.secret_sha256) == ("", "")
    made(casino)
    event, usual = Event.objects.filter(verb="credential-made").order_by("pk")
    assert event.after["public_key"] == EC.thumbprint()
    assert '"public_key"' in event.rows
    assert '"public_key"' not in usual.rows  # as those that were sealed before there was such a column


@pytest.mark.django_db
def test_rotation_of_such_a_client_needs_its_new_key(casino: Organization) -> None:
    row, chief = made(casino, public_key=jwk(EC)).credential, administrator(casino)
    with pytest.raises(Refusal) as refused:
        api_credentials.rotate_credential(chief, row, expires_at=row.expires_at)
    assert refused.value.code == "public-key-wrong"
    assert Credential.objects.count() == 1
    issued = api_credentials.rotate_credential(chief, row, expires_at=row.expires_at, public_key=jwk(RSA))
    assert thumbprint(issued.credential.public_key) == RSA.thumbprint()
