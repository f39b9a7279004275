"""Refuse webhook addresses that are not public, in every spelling, before a row is written."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import Any

import pytest

from submissions.core.errors import Refusal
from submissions.models import Organization, Webhook
from submissions.notifications import webhooks
from tests.submissions.api.clients import administrator

URL = "https://hooks.example.test/portal?from=1"
ODDLY_WRITTEN = {  # as resolvers read it
    "127.1": "127.0.0.1", "2130706433": "127.0.0.1", "0x7f000001": "127.0.0.1", "0x7f.1": "127.0.0.1",
    "0177.0.0.1": "127.0.0.1", "017700000001": "127.0.0.1", "0": str(IPv4Address(0)), "127.0.0.1.": "127.0.0.1",
    "localhost": "127.0.0.1", "LOCALHOST.": "127.0.0.1", "in.localhost": "127.0.0.1", "ip6-localhost": "127.0.0.1",
    "10.65793": "10.1.1.1", "2852039166": "169.254.169.254", "0xA9FEA9FE": "169.254.169.254",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _one_factor(settings: Any) -> None:
    settings.SECOND_FACTOR = False


def webhook_of(organization: Organization, **given: Any) -> Webhook:
    return webhooks.create_webhook(administrator(organization), **{"url": URL, **given}).webhook


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"url": url}, "webhook-address")
        for url in (
            "", "hooks.example.test", "http://hooks.example.test/", "ftp://hooks.example.test/", "https://",
            "https://me:word@hooks.example.test/", "https://@hooks.example.test/", "https://hooks.example.test/#part",
            "https://hooks.example.test:70000/", "https://hooks.example.test:x/", "https://hooks.example.test/a b",
            "https://hooks.example.test/\r\nHost:other", "https://höoks.example.test/", "https://[::1/",
            "https://hooks.example.test/" + "x" * 500, "javascript:alert(1)", "file:///etc/passwd",
        )
    ]
    + [
        ({"url": f"https://{host}/"}, "webhook-private")
        for host in (
            "127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[fd00::1]:8443",
            *ODDLY_WRITTEN,
        )
    ]
    + [({"verbs": verbs}, "unknown-verb") for verbs in (["filed", "lost"], ["remarked"])],
)  # fmt: skip
def test_wrong_wishes_are_refused(casino: Organization, given: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        webhook_of(casino, **given)
    assert refused.value.code == code
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("host", ODDLY_WRITTEN)
def test_private_address_in_another_spelling_is_named(casino: Organization, host: str) -> None:
    with pytest.raises(Refusal) as refused:
        webhook_of(casino, url=f"https://{host}/")
    assert f"means the address {ODDLY_WRITTEN[host]}, which is not public" in refused.value.message


@pytest.mark.parametrize("host", ["8.8.8.8", "134744072", "hooks.example.test", "localhost.example.test", "db"])
def test_public_address_and_name_are_taken(casino: Organization, host: str) -> None:
    assert webhook_of(casino, url=f"https://{host}/").url == f"https://{host}/"


@pytest.mark.parametrize("host", ["169.254.169.254", "2852039166", "0xA9FEA9FE", "[fe80::1]"])
def test_link_local_address_is_refused_whatever_the_operator_allows(
    casino: Organization, settings: Any, host: str
) -> None:
    settings.WEBHOOK_PRIVATE = True
    with pytest.raises(Refusal) as refused:
        webhook_of(casino, url=f"http://{host}/")
    assert refused.value.code == "webhook-private"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "localhost", "10.1.2.3"])
def test_operator_may_allow_private_addresses_in_any_spelling(casino: Organization, settings: Any, host: str) -> None:
    settings.WEBHOOK_PRIVATE = True
    assert webhook_of(casino, url=f"http://{host}:9000/in").url == f"http://{host}:9000/in"
