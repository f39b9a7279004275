"""Which credential a token is, why it is refused, and which scopes and networks it has."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from submissions.core.errors import Forbidden
from submissions.models import Credential, Organization, Person, Role, Scope
from submissions.permissions import credentials
from submissions.permissions.credentials import UnrecognizedCredential
from tests import cast

SECRET = "ab" * 32
ADDRESS = "198.51.100.7"
ANOTHER = "Use another API key. An administrator of your organization can create one."
WRONG = (
    "credential-wrong",
    "This API key does not exist.",
    "Send the whole key, as it was shown once. If it is lost, an administrator can create another one.",
)
UNREADABLE = (
    "credential-unreadable",
    "The Authorization header does not contain an API key of this portal.",
    "Send the header “Authorization: Bearer rsp_live_…” with the whole key, as it was shown once.",
)


@pytest.fixture
def credential(manager: Person) -> Credential:
    return made(manager)


def made(by: Person, **given: Any) -> Credential:
    account = cast.person(by.organization, Role.PREPARER, f"Service account {Credential.objects.count()}")
    Person.objects.filter(pk=account.pk).update(is_system=True)
    values: dict[str, Any] = {
        "organization": by.organization, "name": "Nightly", "scopes": ["read", "file"], "live": True,
        "prefix": "0123456789ab", "secret_sha256": sha256(SECRET.encode()).hexdigest(), "service_account": account,
        "by": by, "made_at": timezone.now(), "expires_at": timezone.now() + timedelta(days=9),
    }  # fmt: skip
    return Credential.objects.create(**{**values, **given})


def of(token: str, address: str = ADDRESS, **later: float) -> Credential:
    return credentials.credential_of_token(token, address, timezone.now() + timedelta(**later))


def refusal(token: str, address: str = ADDRESS, **later: float) -> tuple[str, str, str]:
    with pytest.raises(UnrecognizedCredential) as refused:
        of(token, address, **later)
    assert refused.value.status == 401
    return refused.value.code, refused.value.message, refused.value.fix


def day(at: Any) -> str:
    return f"{timezone.localdate(at):%B} {timezone.localdate(at).day}, {timezone.localdate(at).year}"


def test_credential_of_its_token(credential: Credential, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        found = of(f"{credential.key_id}_{SECRET}")
        assert found.service_account.organization == credential.organization
    assert found == credential


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("rsp_live_0123456789ab_" + "cd" * 32, WRONG),
        ("rsp_live_000000000000_" + SECRET, WRONG),
        ("rsp_test_0123456789ab_" + SECRET, WRONG),
        ("rsp_live_0123456789ab_" + SECRET[:-1], UNREADABLE),
        ("", UNREADABLE),
    ],
)
def test_token_that_is_wrong(credential: Credential, token: str, expected: tuple[str, str, str]) -> None:
    assert refusal(token) == expected


def test_test_credential_is_none_of_the_live_ones(manager: Person) -> None:
    credential = made(manager, live=False)
    assert of(f"rsp_test_0123456789ab_{SECRET}") == credential
    assert refusal(f"rsp_live_0123456789ab_{SECRET}") == WRONG


def test_client_without_a_secret_has_no_key(manager: Person) -> None:
    made(manager, secret_sha256="")
    assert refusal(f"rsp_live_0123456789ab_{SECRET}") == WRONG
    assert refusal(f"rsp_live_000000000000_{'0' * 64}") == WRONG


def test_credential_that_ended(credential: Credential) -> None:
    token, now = f"{credential.key_id}_{SECRET}", timezone.now()
    assert of(token, days=8) == credential
    assert refusal(token, days=10) == (
        "credential-expired", f"“Nightly” expired on {day(credential.expires_at)}.", ANOTHER,
    )  # fmt: skip
    Credential.objects.update(expires_at=now)
    with pytest.raises(UnrecognizedCredential):
        credentials.refuse_unusable(Credential.objects.get(), ADDRESS, now)  # the last moment is over
    Credential.objects.update(expires_at=now + timedelta(days=9), overlap_until=now + timedelta(days=2))
    assert of(token, days=1) == credential
    with pytest.raises(UnrecognizedCredential):
        credentials.refuse_unusable(Credential.objects.get(), ADDRESS, now + timedelta(days=2))
    assert refusal(token, days=3) == (
        "credential-replaced",
        f"“Nightly” was replaced by another key. Both were valid until {day(now + timedelta(days=2))}.",
        "Use the key that replaced it. An administrator of your organization can create another one.",
    )
    before = now - timedelta(days=3)
    Credential.objects.update(revoked_at=before)
    assert refusal(token) == ("credential-revoked", f"“Nightly” was revoked on {day(before)}.", ANOTHER)


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("198.51.100.7", True), ("203.0.113.9", True), ("198.51.101.7", False), ("::ffff:198.51.100.7", True),
        ("::ffff:198.51.101.7", False), ("2001:db8::7", True), ("2001:db9::7", False),
    ],
)  # fmt: skip
def test_networks_of_a_credential(manager: Person, address: str, allowed: bool) -> None:
    made(manager, networks=["198.51.100.0/24", "203.0.113.9/32", "2001:db8::/32"])
    token = f"rsp_live_0123456789ab_{SECRET}"
    if allowed:
        assert of(token, address)
        return
    assert refusal(token, address) == (
        "credential-elsewhere",
        f"“Nightly” is not allowed from {address.removeprefix('::ffff:')}.",
        "Call from 198.51.100.0/24 or 203.0.113.9/32 or 2001:db8::/32, or ask an administrator to allow this network.",
    )


def test_credential_named_in_a_token(
    credential: Credential, manager: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    other = made(manager, live=False, prefix="ba9876543210")
    for token in (credential.key_id, f"{credential.key_id}_{'0' * 64}", f"{credential.key_id}_eyJ.1-a.sig_"):
        assert credentials.credential_named_in(token) == (credential.key_id, credential)
    assert credentials.credential_named_in(other.key_id) == (other.key_id, other)
    assert credentials.credential_named_in("rsp_live_ba9876543210") == ("rsp_live_ba9876543210", None)
    assert credentials.credential_named_in("rsp_test_0123456789ab") == ("rsp_test_0123456789ab", None)
    for text in ("", "rsp_live_0123456789a", f"x{credential.key_id}", f"{credential.key_id} "):
        assert credentials.credential_named_in(text) == ("", None)
    with django_assert_num_queries(1):
        found = credentials.credential_named_in(credential.key_id)[1]
        assert found is not None
        assert (found.organization, found.service_account.organization) == (manager.organization, manager.organization)


def missing_scope(credential: Credential, *scopes: Scope) -> tuple[str, str, str]:
    with pytest.raises(Forbidden) as refused:
        credentials.require_scope(credential, *scopes)
    return refused.value.code, refused.value.message, refused.value.fix


def test_scopes_of_a_credential(credential: Credential, board: Organization) -> None:
    credentials.require_scope(credential, Scope.READ)
    credentials.require_scope(credential, Scope.PREPARE, Scope.FILE)
    assert missing_scope(credential, Scope.PREPARE) == (
        "scope-missing",
        "“Nightly” does not have the scope “prepare”. Its scopes: read, file.",
        "Ask an administrator of Casino East for an API key with the scope “prepare”.",
    )
    leave = "Leave this call to them. Your own key cannot make it."
    assert missing_scope(credential, Scope.REVIEW) == (
        "scope-missing", "Only API keys of the Board can have the scope “review”.", leave,
    )  # fmt: skip
    credential.organization = board
    assert missing_scope(credential, Scope.PREPARE, Scope.REVIEW)[1] == (
        "“Nightly” does not have the scope “prepare” or “review”. Its scopes: read, file."
    )
    credential.scopes = []
    assert missing_scope(credential, Scope.FILE) == (
        "scope-missing", "Only API keys of licensees can have the scope “file”.", leave,
    )  # fmt: skip


class TestAccessTokens:
    """Tokens that the portal signs for a client with a public key."""

    @pytest.fixture
    def client(self, manager: Person) -> Credential:
        return made(manager, public_key={"kty": "OKP"}, secret_sha256="")

    def refused(self, token: str, address: str = ADDRESS) -> str:
        with pytest.raises(UnrecognizedCredential) as refused:
            credentials.credential_of_access_token(token, address, timezone.now())
        return f"{refused.value.code}: {refused.value.message}"

    def test_token_has_the_scopes_that_it_names(self, client: Credential) -> None:
        token = credentials.access_token(client, ["read", "review"])
        assert token.startswith(f"{client.key_id}_")
        assert credentials.is_access_token(token)
        assert not credentials.is_access_token(f"{client.key_id}_{SECRET}")
        found = credentials.credential_of_access_token(token, ADDRESS, timezone.now())
        assert (found, found.scopes) == (client, ["read"])
        assert Credential.objects.get(pk=client.pk).scopes == ["read", "file"]

    def test_token_of_another_credential_is_wrong(self, client: Credential, manager: Person) -> None:
        other = made(manager, public_key={"kty": "OKP"}, secret_sha256="", prefix="ba9876543210")
        token = credentials.access_token(client, ["read"])
        wrong = "token-wrong: The portal did not issue this access token."
        assert self.refused(token.replace(client.key_id, other.key_id)) == wrong
        assert self.refused(token.replace(client.key_id, "rsp_live_000000000000")) == wrong
        assert self.refused(client.key_id) == wrong
        assert self.refused(f"{token[:-3]}AAA") == wrong
        Credential.objects.filter(pk=client.pk).update(public_key=None)
        assert self.refused(token) == wrong

    def test_token_ends_after_ten_minutes(self, client: Credential, monkeypatch: pytest.MonkeyPatch) -> None:
        token = credentials.access_token(client, ["read"])
        monkeypatch.setattr(credentials, "LIFETIME", timedelta(minutes=-10))
        expired = "token-expired: The access token has expired. An access token is valid for -10 minutes."
        assert self.refused(token) == expired
        monkeypatch.undo()
        assert timedelta(minutes=10) == credentials.LIFETIME

    def test_token_ends_with_its_credential(self, client: Credential) -> None:
        token = credentials.access_token(client, ["read"])
        Credential.objects.update(networks=["203.0.113.0/24"])
        assert self.refused(token).startswith("credential-elsewhere")
        Credential.objects.update(revoked_at=timezone.now())
        assert self.refused(token).startswith("credential-revoked")
