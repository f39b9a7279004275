"""Addresses with the British spelling lead to the American ones for good, with everything behind them."""

import pytest
from django.test import Client
from django.urls import reverse


@pytest.mark.parametrize(
    ("old", "name", "arguments"),
    [
        ("/organisation/credentials/", "credentials", ()),
        ("/organisation/credentials/7/", "credential", (7,)),
        ("/organisation/webhooks/", "webhooks", ()),
        ("/organisation/webhooks/7/deliveries/evt-1/replay/", "webhook-replay", (7, "evt-1")),
    ],
)
def test_old_address_leads_to_the_new_one_for_good(old: str, name: str, arguments: tuple[object, ...]) -> None:
    for answer in (Client().get(old), Client().post(old, {"any": "field"})):
        assert (answer.status_code, answer.headers["Location"]) == (308, reverse(name, args=arguments))


def test_query_of_an_old_address_is_kept() -> None:
    answer = Client().get("/organisation/webhooks/?page=2&words=a%26b")
    assert answer.headers["Location"] == f"{reverse('webhooks')}?page=2&words=a%26b"


def test_old_address_leads_to_no_other_site() -> None:
    answer = Client().get("/organisation//other.example/")
    assert answer.headers["Location"].startswith("/organization/")
