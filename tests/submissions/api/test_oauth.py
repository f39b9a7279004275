"""Programs sign in with their own key: who gets an access token, what it opens, and when it ends."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from django.conf import settings
from django.test import Client
from django.utils import timezone
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from submissions.accounts import api_credentials
from submissions.api.framework.authentication import RequestThrottle
from submissions.models import AccessRecord, Credential, Event, Organization, UsedAssertion
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.oauth_clients import TOKEN, Program, caller, jwk_text, new_ec, program, send
from tests.submissions.api.test_problems import refused

pytestmark = pytest.mark.service("constraints")

ROWS = "/api/v1/submissions/"
USED_BEFORE = "This assertion was used before. Its claim jti must be a new text each time."
HOME = "192.0.2.7"


@pytest.fixture
def nightly(casino: Organization) -> Program:
    return program(casino)


def with_shared_secret(claims: dict[str, Any], secret: bytes) -> str:
    """As a forger signs who hopes that the public key is taken for a secret."""
    parts = (urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in ({"alg": "HS256"}, claims))
    signed = b".".join(parts)
    return b".".join((signed, urlsafe_b64encode(hmac.digest(secret, signed, "sha256")).rstrip(b"="))).decode()


def denied(answer: Any, error: str = "invalid_client", code: str = "assertion-refused") -> str:
    """The words of a refusal as OAuth 2 writes it, which names its page."""
    body = answer.json()
    assert (answer.status_code, body["error"]) == (400, error), body
    assert body["error_uri"] == f"{settings.PUBLIC_URL}/errors/#{code}"
    return str(body.get("error_description", ""))


@pytest.fixture(scope="module")
def rsa() -> RSAKey:
    return RSAKey.generate_key(2048, private=True)


@pytest.mark.parametrize("algorithm", ["ES256", "PS256", "RS256"])
@pytest.mark.parametrize("form", ["jwk", "pem"])
def test_signed_assertion_gets_a_token_that_opens_the_api(
    casino: Organization, rsa: RSAKey, algorithm: str, form: str
) -> None:
    key: Any = new_ec() if algorithm == "ES256" else rsa
    text = jwk_text(key) if form == "jwk" else key.as_pem(private=False).decode()
    one = Program(made(casino, public_key=text).credential, key, algorithm)
    answer = one.ask()
    received = answer.json()
    assert (answer.status_code, answer["Cache-Control"], answer["Content-Type"]) == (
        200, "no-store", "application/json",
    )  # fmt: skip
    assert (received["token_type"], received["expires_in"], received["scope"]) == ("Bearer", 600, "read")
    assert received.keys() == {"token_type", "expires_in", "scope", "access_token"}
    assert system(received["access_token"]).get(ROWS).status_code == 200
    assert Credential.objects.get(pk=one.credential.pk).last_used_at is not None


def test_token_endpoint_is_an_audience_too(nightly: Program) -> None:
    for audience in (settings.PUBLIC_URL, f"{settings.PUBLIC_URL}{TOKEN}", [settings.PUBLIC_URL]):
        assert nightly.ask(nightly.assertion(aud=audience)).status_code == 200


def test_what_is_signed_with_another_key_or_none_is_refused(nightly: Program, rsa: RSAKey) -> None:
    unsigned = nightly.assertion().rpartition(".")[0] + "."
    none = jwt.encode({"alg": "none"}, nightly.claims(), OctKey.import_key(b"x" * 32), algorithms=["none"])
    shared = with_shared_secret(nightly.claims(), nightly.key.as_pem(private=False))
    strangers = Program(nightly.credential, new_ec()).assertion()
    another_kind = Program(nightly.credential, rsa, "RS256").assertion()
    for assertion in (unsigned, none, shared, strangers, another_kind):
        assert denied(nightly.ask(assertion)) == "The signature is not valid. Sign with the registered key and ES256."
    assert not UsedAssertion.objects.exists()


def test_key_that_names_its_algorithm_is_used_with_no_other(casino: Organization, rsa: RSAKey) -> None:
    row = made(casino, public_key=jwk_text(rsa, alg="PS256")).credential
    assert Program(row, rsa, "PS256").ask().status_code == 200
    denied(Program(row, rsa, "RS256").ask())


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "https://elsewhere.example"}, {"aud": None}, {"iss": "another"}, {"iss": None}, {"sub": "another"},
        {"sub": None}, {"sub": 7}, {"exp": None}, {"exp": "soon"}, {"jti": None}, {"jti": ""}, {"jti": 7},
        {"jti": "x" * 256}, {"exp": 10**20},
    ],
)  # fmt: skip
def test_claims_that_are_wrong_are_refused(nightly: Program, claims: dict[str, Any]) -> None:
    assert denied(nightly.ask(nightly.assertion(**claims)))
    assert not UsedAssertion.objects.exists()


@pytest.mark.parametrize(("claim", "seconds"), [("exp", -90), ("exp", 1000), ("nbf", 900)])
def test_times_that_are_wrong_are_refused(nightly: Program, claim: str, seconds: int) -> None:
    assert denied(nightly.ask(nightly.assertion(**{claim: int(time.time()) + seconds})))
    assert not UsedAssertion.objects.exists()


def test_clocks_may_differ_by_a_minute(nightly: Program) -> None:
    assert nightly.ask(nightly.assertion(exp=int(time.time()) - 30)).status_code == 200
    assert nightly.ask(nightly.assertion(iat=int(time.time()) + 30)).status_code == 200


@pytest.mark.parametrize(
    "assertion",
    ["", "x", "a.b.c", "e30.e30.e30", "e30.W10.", "\ud7ff", f"e30.{'W1' * 3000}.", "x" * 9000],
    ids=["empty", "x", "three parts", "empty objects", "list", "not ASCII", "nested", "long"],
)
def test_assertion_that_cannot_be_read_is_refused(nightly: Program, assertion: str) -> None:
    assert denied(nightly.ask(assertion))


def test_assertion_is_good_once(nightly: Program) -> None:
    assertion = nightly.assertion(jti="one")
    assert nightly.ask(assertion).status_code == 200
    assert denied(nightly.ask(assertion)) == USED_BEFORE
    assert denied(nightly.ask(nightly.assertion(jti="one"))) == USED_BEFORE
    assert UsedAssertion.objects.count() == 1
    with time_machine.travel(timezone.now() + timedelta(minutes=3)):
        assert denied(nightly.ask(assertion))  # it has expired
        assert nightly.ask().status_code == 200
    assert UsedAssertion.objects.count() == 1


def test_another_client_may_use_the_same_jti(nightly: Program, other_casino: Organization) -> None:
    for one in (nightly, program(other_casino)):
        assert one.ask(one.assertion(jti="one")).status_code == 200


def test_client_that_is_unknown_or_has_a_secret_is_refused(casino: Organization, nightly: Program) -> None:
    for key_id in (made(casino).credential.key_id, "rsp_live_000000000000", f"{nightly.credential.key_id}_x", ""):
        assertion = nightly.assertion(iss=key_id, sub=key_id)
        assert denied(nightly.ask(assertion)) == "The claims iss and sub do not name a client with a public key."


def test_request_that_is_not_oauth_is_refused(nightly: Program) -> None:
    denied(nightly.ask(grant_type="password"), "unsupported_grant_type", "token-request-refused")
    denied(send(nightly.client, {}), "unsupported_grant_type", "token-request-refused")
    denied(send(nightly.client, {"grant_type": "client_credentials"}))
    denied(nightly.ask(client_assertion_type="urn:other"))
    twice = send(nightly.client, {"grant_type": "client_credentials"}, f"{TOKEN}?scope=read")
    denied(twice, "invalid_request", "token-request-refused")
    refused(nightly.client.post(TOKEN, {}, content_type="application/json"), 415, "media-type")
    refused(nightly.client.get(TOKEN), 405, "method-not-allowed")


def test_token_has_the_scopes_that_were_asked_for(casino: Organization) -> None:
    one = program(casino, scopes=["read", "prepare"])
    assert one.ask().json()["scope"] == "prepare read"
    narrow = one.ask(scope="read").json()
    assert narrow["scope"] == "read"
    client = system(narrow["access_token"])
    assert client.get(ROWS).status_code == 200
    refused(client.post(ROWS, {"chapter": "585"}, content_type="application/json"), 403, "scope-missing")
    wide = system(one.token())
    assert wide.post(ROWS, {"chapter": "585"}, content_type="application/json").status_code == 201
    denied(one.ask(scope="read file"), "invalid_scope", "token-request-refused")
    assert Credential.objects.get(pk=one.credential.pk).scopes == ["read", "prepare"]


def test_token_ends_after_ten_minutes(nightly: Program) -> None:
    token = nightly.token()
    with time_machine.travel(timezone.now() + timedelta(minutes=9, seconds=50)):
        assert system(token).get(ROWS).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(minutes=10, seconds=10)):
        refused(system(token).get(ROWS), 401, "token-expired")


def test_token_ends_with_its_credential(nightly: Program, casino: Organization) -> None:
    token = nightly.token()
    api_credentials.revoke_credential(administrator(casino), nightly.credential)
    refused(system(token).get(ROWS), 401, "credential-revoked")
    assert denied(nightly.ask(), code="credential-revoked") == "The API key was revoked"


def test_expired_and_replaced_credentials_get_no_token(nightly: Program, casino: Organization) -> None:
    key = new_ec()
    until = timezone.now() + timedelta(days=9)
    issued = api_credentials.rotate_credential(
        administrator(casino), nightly.credential, expires_at=until, overlap=timedelta(0), public_key=jwk_text(key)
    )
    denied(nightly.ask(), code="credential-replaced")
    successor = Program(issued.credential, key)
    token = successor.token()
    assert system(token).get(ROWS).status_code == 200
    Credential.objects.filter(pk=issued.credential.pk).update(expires_at=timezone.now())
    refused(system(token).get(ROWS), 401, "credential-expired")
    denied(successor.ask(), code="credential-expired")


def test_networks_hold_for_the_token_and_for_its_calls(casino: Organization) -> None:
    one = program(casino, networks=["192.0.2.0/24"])
    denied(one.ask(), code="credential-elsewhere")
    one.client = caller(REMOTE_ADDR=HOME)
    token = one.token()
    assert system(token, REMOTE_ADDR=HOME).get(ROWS).status_code == 200
    refused(system(token, REMOTE_ADDR="198.51.100.1").get(ROWS), 401, "credential-elsewhere")


def test_test_client_reaches_the_sandbox_only(casino: Organization) -> None:
    one = program(casino, scopes=["read", "prepare"], live=False)
    client = system(one.token())
    made_now = client.post(ROWS, {"chapter": "585"}, content_type="application/json").json()["made"]
    assert client.get(f"{ROWS}{made_now['submission']}/").status_code == 200
    refused(system(program(casino).token()).get(f"{ROWS}{made_now['submission']}/"), 404, "not-found")


def test_changed_token_opens_nothing(nightly: Program, casino: Organization) -> None:
    token, other = nightly.token(), program(casino)
    rest = token.removeprefix(nightly.credential.key_id)
    secret = made(casino).credential.key_id
    for wrong in (f"{token}x", f"{other.credential.key_id}{rest}", f"{secret}{rest}", f"rsp_live_{'0' * 12}{rest}"):
        refused(system(wrong).get(ROWS), 401, "token-wrong")
    refused(system(f"{nightly.credential.key_id}_{'0' * 64}").get(ROWS), 401, "credential-wrong")


def test_old_tokens_are_good_while_the_secret_key_is_replaced(nightly: Program, settings: Any) -> None:
    token = nightly.token()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert system(token).get(ROWS).status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    refused(system(token).get(ROWS), 401, "token-wrong")


def test_refused_clients_and_tokens_are_recorded(nightly: Program, casino: Organization) -> None:
    nightly.client = caller(REMOTE_ADDR=HOME)
    token = nightly.token()
    assertion = nightly.assertion(aud="https://elsewhere.example")
    nightly.ask(assertion)
    nightly.ask("not an assertion")
    system(f"{token}x", REMOTE_ADDR=HOME).get(ROWS)
    rows = AccessRecord.objects.order_by("pk")
    assert [(row.kind, row.reason, row.credential, row.organization, row.address) for row in rows] == [
        ("key-refused", "assertion-refused", nightly.credential.key_id, casino, HOME),
        ("key-refused", "assertion-refused", "", None, HOME),
        ("key-refused", "token-wrong", nightly.credential.key_id, casino, HOME),
    ]
    tables = (AccessRecord, Credential, Event, UsedAssertion)
    stored = json.dumps([list(table.objects.values()) for table in tables], default=str)
    assert [part for part in (token, assertion, token.rpartition(".")[2]) if part in stored] == []


def test_tokens_are_limited_by_address(nightly: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RequestThrottle.THROTTLE_RATES, "token", "2/minute")
    with time_machine.travel(timezone.now().replace(second=5), tick=False):
        statuses = [nightly.ask().status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_no_token_is_issued_over_http_on_a_network(nightly: Program) -> None:
    nightly.client = Client(SERVER_NAME="testserver")
    denied(nightly.ask(), "insecure_transport", "token-request-refused")
    nightly.client = Client(SERVER_NAME="testserver")
    assert send(nightly.client, {}, secure=True).json()["error"] == "unsupported_grant_type"


def test_metadata_is_that_of_the_specification() -> None:
    received = Client().get("/.well-known/oauth-authorization-server").json()
    assert received["response_types_supported"] == []  # there is no authorization endpoint; Authlib wants at least one
    AuthorizationServerMetadata(received | {"response_types_supported": ["token"]}).validate()
    assert received["token_endpoint"] == f"{received['issuer']}{TOKEN}"
    assert received["token_endpoint_auth_signing_alg_values_supported"] == ["ES256", "PS256", "RS256"]
