"""What a balancer and a collector of figures ask: plain http, by IP address, without a session; what strangers see."""

from __future__ import annotations

import json
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.portal.broker import real_broker, speaking_to

pytestmark = pytest.mark.django_db
TOKEN = "a token of the collector of figures"
BY_ADDRESS = {"HTTP_HOST": "10.1.2.3"}


@pytest.fixture(autouse=True)
def _service(settings: LazySettings, tmp_path: Path) -> None:
    """As in service: https, one trusted proxy, static files collected."""
    settings.SECURE_SSL_REDIRECT, settings.ALLAUTH_TRUSTED_PROXY_COUNT = True, 1
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "staticfiles.json").write_text('{"version": "1.1", "paths": {}}')


def ask(address: str, **options: object) -> HttpResponse:
    return Client(**options).get(address)


def test_live_asks_no_database(django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):
        answer = ask("/health/live", **BY_ADDRESS)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json() == {"status": "ok", "checks": {"process": "ok"}}


def test_ready_names_each_check_and_no_more() -> None:
    with real_broker():
        answer = ask("/health/ready", **BY_ADDRESS)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    names = ("database", "migrations", "database disk", "broker", "keys", "disk", "static files")
    assert answer.json() == {"status": "ok", "checks": dict.fromkeys(names, "ok")}


def test_what_is_wrong_is_in_the_log_and_not_in_the_answer(
    settings: LazySettings, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    settings.SIGNING_PKCS12 = str(tmp_path / "secret-place.p12")
    with speaking_to("redis://127.0.0.1:1"):
        answer = ask("/health/ready", **BY_ADDRESS)
    assert (answer.status_code, answer.json()["status"]) == (503, "failed")
    failed = [name for name, state in answer.json()["checks"].items() if state == "failed"]
    assert failed == ["broker", "keys"]
    assert "secret-place" not in answer.content.decode()
    assert "secret-place" in caplog.text


def test_database_that_does_not_answer_is_not_ready_but_live() -> None:
    def refuse(*_: object) -> None:
        raise connection.Database.OperationalError("the server closed the connection")

    with real_broker(), connection.execute_wrapper(lambda *_: connection.wrap_database_errors(refuse)()):
        ready, live = ask("/health/ready"), ask("/health/live")
    assert (ready.status_code, ready.json()["checks"]["database"], live.status_code) == (503, "failed", 200)


@pytest.mark.parametrize("address", ["/health/live", "/health/ready", "/metrics"])
def test_other_methods_are_refused(address: str) -> None:
    answer = Client().post(address)
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # from this machine
        ({"REMOTE_ADDR": "192.0.2.10"}, 404),
        ({"REMOTE_ADDR": "10.9.8.7"}, 200),
        ({"HTTP_X_FORWARDED_FOR": "192.0.2.10"}, 404),  # someone outside, through the proxy of this machine
        ({"HTTP_X_FORWARDED_FOR": "127.0.0.1, 192.0.2.10"}, 404),
        ({"HTTP_X_FORWARDED_FOR": "192.0.2.10, 10.9.8.7"}, 200),
        ({"HTTP_X_FORWARDED_PROTO": "https"}, 404),  # a proxy that does not say for whom it asks
        ({"REMOTE_ADDR": ""}, 404),
        ({"REMOTE_ADDR": "192.0.2.10", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}, 200),
        ({"REMOTE_ADDR": "192.0.2.10", "HTTP_AUTHORIZATION": "Bearer another"}, 404),
        ({"REMOTE_ADDR": "192.0.2.10", "HTTP_AUTHORIZATION": "Bearer "}, 404),
    ],
)
def test_figures_are_for_networks_and_holders_of_the_token(
    headers: dict[str, str], status: int, settings: LazySettings
) -> None:
    settings.SECURE_SSL_REDIRECT = False  # those who may not read them go on to the pages
    settings.METRICS_NETWORKS = [ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8")]
    settings.METRICS_TOKEN = TOKEN
    assert ask("/metrics", **headers).status_code == status


def test_without_a_token_in_the_settings_none_opens_the_figures(settings: LazySettings) -> None:
    settings.SECURE_SSL_REDIRECT, settings.METRICS_TOKEN = False, ""
    for token in ("Bearer ", "Bearer", ""):
        assert ask("/metrics", REMOTE_ADDR="192.0.2.10", HTTP_AUTHORIZATION=token).status_code == 404


def test_requests_are_counted_by_the_pattern_of_their_address(settings: LazySettings) -> None:
    settings.SECURE_SSL_REDIRECT = False
    secret = "0123456789abcdef"
    for address in (reverse("chapter", args=["686a"]), f"/invitations/{secret}/", f"/no/such/{secret}/"):
        ask(address)
    Client().generic("BREW", "/register/")
    figures = ask("/metrics").content.decode()
    counted = [line for line in figures.splitlines() if line.startswith("portal_requests_total")]
    for labels in (
        'method="GET",route="games/<slug:number>/",status="200"',
        'method="GET",route="invitations/<str:secret>/",status="404"',
        'method="GET",route="none",status="404"',
        'method="other",route="register/",status="405"',
    ):
        assert [line for line in counted if labels in line], labels
    assert secret not in figures
    assert 'portal_request_duration_seconds_bucket{le="0.5",method="GET",route="games/<slug:number>/"}' in figures


def test_answers_are_json_without_a_cookie() -> None:
    answer = ask("/health/live")
    assert (json.loads(answer.content)["status"], dict(answer.cookies)) == ("ok", {})
