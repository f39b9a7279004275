"""Where a program begins: links that lead somewhere, who it is, and how the portal is."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.registry import chapters
from submissions.accounts import api_credentials
from submissions.api.framework.authentication import RequestThrottle
from submissions.models import Organization, ProcessReport
from submissions.operations import work_checks
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.oauth_clients import caller, program

ROOT = "/api/v1/"


def test_links_of_the_root_lead_to_what_they_name(casino: Organization) -> None:
    client, received = system(made(casino).token), Client().get(ROOT).json()
    gets = {name: client.get(address).status_code for name, address in received["links"].items() if name != "token"}
    assert set(gets.values()) == {200}, gets
    assert client.get(received["links"]["token"]).status_code == 405  # it takes POST only
    assert [Client().get(received[name]).status_code for name in ("errors_page", "oauth_metadata")] == [200, 200]


def test_program_learns_who_it_is(casino: Organization) -> None:
    key = made(casino, scopes=["prepare"], networks=["192.0.2.0/24"])
    received = system(key.token, REMOTE_ADDR="192.0.2.7").get(f"{ROOT}me/").json()
    assert received == {
        "organization": {"slug": "east", "name": "Casino East", "kind": "licensee"}, "service_account": "Nightly",
        "credential": key.credential.key_id, "sign_in": "api-key", "scopes": ["prepare"], "live": True,
        "networks": ["192.0.2.0/24"], "address": "192.0.2.7",
        "expires_at": timezone.localtime(key.credential.expires_at).isoformat(), "replaced": False,
        "limit": {"requests": 12_000, "seconds": 60},
    }  # fmt: skip


def test_token_learns_its_own_scopes_and_a_test_key_its_sandbox(casino: Organization) -> None:
    token = program(casino, scopes=["read", "prepare"], live=False).token(scope="read")
    received = caller(HTTP_AUTHORIZATION=f"Bearer {token}").get(f"{ROOT}me/").json()
    assert (received["sign_in"], received["scopes"], received["live"]) == ("oauth", ["read"], False)
    assert received["organization"]["slug"] == "east-sandbox"


def test_replaced_key_learns_when_it_ends(casino: Organization) -> None:
    key, until = made(casino), timezone.now() + timedelta(days=9)
    api_credentials.rotate_credential(administrator(casino), key.credential, expires_at=until)
    key.credential.refresh_from_db()
    received = system(key.token).get(f"{ROOT}me/").json()
    assert (received["replaced"], received["expires_at"]) == (
        True,
        timezone.localtime(key.credential.overlap_until).isoformat(),
    )


@pytest.mark.django_db
def test_status_says_whether_work_goes_on() -> None:
    assert Client().get(f"{ROOT}status/").json()["work"] == "delayed"  # nobody works
    for process in ("sweeper", "worker"):
        work_checks.report_process(process, timezone.now())
    received = Client().get(f"{ROOT}status/").json()
    assert (received["work"], received["environment"]) == ("normal", "demo")
    assert {row["chapter"]: row["digest"] for row in received["rules"]} == {
        one.number: one.digest for one in chapters()
    }
    ProcessReport.objects.filter(process="sweeper").update(at=timezone.now() - timedelta(hours=1))
    assert Client().get(f"{ROOT}status/").json()["work"] == "delayed"


@pytest.mark.django_db
def test_status_tells_nothing_of_the_machines(settings: object) -> None:
    work_checks.report_process("sweeper", timezone.now())
    text = json.dumps(Client().get(f"{ROOT}status/").json())
    assert ProcessReport.objects.get().host not in text
    assert RequestThrottle.THROTTLE_RATES["address"] == "600/minute"
    assert json.loads(text)["limit"] == {"requests": 600, "seconds": 60}
