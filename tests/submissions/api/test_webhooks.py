"""Webhooks through the API: made, read, tried, replayed and ended, by whom it may be, and the secret told once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from standardwebhooks import Webhook as StandardWebhook

from submissions.models import Delivery, Event, KeyedCall, Organization, Webhook
from submissions.notifications import webhooks
from tests.submissions.api.clients import made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.notifications.receiver import Receiver, receiving
from tests.submissions.web.clients import work

HOOKS = "/api/v1/webhooks/"
URL = "https://hooks.example.test/in"


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare"]).token)


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_PRIVATE = True
    with receiving() as found:
        yield found


def post(client: Client, address: str, body: Any = None, **headers: str) -> Any:
    return client.post(address, b"" if body is None else body, content_type="application/json", headers=headers)


def one(client: Client, **body: Any) -> dict[str, Any]:
    """The webhook that was made, as it is told."""
    answer = post(client, HOOKS, {"url": URL, **body})
    assert answer.status_code == 201
    told: dict[str, Any] = answer.json()
    return told


def results(client: Client, address: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = client.get(address).json()["results"]
    return told


def test_webhook_is_made_and_its_secret_told_once(client: Client, casino: Organization) -> None:
    answer = post(client, HOOKS, {"url": URL, "verbs": ["approved", "filed"]})
    assert answer.status_code == 201
    told, secret = answer.json()["webhook"], answer.json()["secret"]
    assert answer["Location"] == f"http://testserver{HOOKS}{told['id']}/"
    assert (told["url"], told["verbs"], told["by"], told["ended_at"]) == (URL, ["filed", "approved"], "Nightly", None)
    assert client.get(answer["Location"]).json() == told
    assert results(client, HOOKS) == [told]
    tables = (Webhook, Event, KeyedCall)
    assert secret not in json.dumps([list(table.objects.values()) for table in tables], default=str)
    assert Webhook.objects.get().organization == casino


def test_same_key_tells_the_same_secret_and_keeps_it_nowhere_in_clear(client: Client) -> None:
    answers = [post(client, HOOKS, {"url": URL}, **{"Idempotency-Key": "one"}) for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert Webhook.objects.count() == 1
    assert answers[0].json()["secret"] not in KeyedCall.objects.get().answer


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (None, "body-shape"),
        ([], "body-shape"),
        ({}, "field-shape"),
        ({"url": 7}, "field-shape"),
        ({"url": URL, "verbs": "filed"}, "field-shape"),
        ({"url": URL, "verbs": [7]}, "field-shape"),
        ({"url": URL, "secret": "mine"}, "unknown-field"),
        ({"url": URL, "verbs": ["lost"]}, "unknown-verb"),
        ({"url": "http://hooks.example.test/"}, "webhook-address"),
        ({"url": "https://169.254.169.254/latest/"}, "webhook-private"),
    ],
)
def test_what_cannot_be_made_is_refused(client: Client, body: Any, code: str) -> None:
    refused(post(client, HOOKS, body), 400, code)
    assert not Webhook.objects.exists()


def test_reading_takes_read_and_changing_takes_prepare(client: Client, casino: Organization) -> None:
    hook = one(client)["webhook"]["id"]
    delivery = post(client, f"{HOOKS}{hook}/test/").json()["id"]
    reading, preparing = (system(made(casino, scopes=[scope]).token) for scope in ("read", "prepare"))
    reads = [HOOKS, f"{HOOKS}{hook}/", f"{HOOKS}{hook}/deliveries/"]
    changes = [HOOKS, *(f"{HOOKS}{hook}/{what}/" for what in ("test", "end", f"deliveries/{delivery}/replay"))]
    assert [reading.get(address).status_code for address in reads] == [200, 200, 200]
    for address in changes:
        refused(post(reading, address, {}), 403, "scope-missing")
    for address in reads:
        refused(preparing.get(address), 403, "scope-missing")
    assert (Webhook.objects.filter(ended_at=None).count(), Delivery.objects.count()) == (1, 1)


def test_webhooks_of_others_are_not_there(
    client: Client, casino: Organization, other_casino: Organization, board: Organization
) -> None:
    hook = one(client)["webhook"]["id"]
    delivery = post(client, f"{HOOKS}{hook}/test/").json()["id"]
    others = [
        made(other_casino, scopes=["read", "prepare"]), made(board, scopes=["read", "review"]),
        made(casino, scopes=["read", "prepare"], live=False),
    ]  # fmt: skip
    for other in (system(one.token) for one in others):
        assert results(other, HOOKS) == []
        for address in (f"{HOOKS}{hook}/", f"{HOOKS}{hook}/deliveries/"):
            refused(other.get(address), 404, "not-found")
        for what in ("test", "end", f"deliveries/{delivery}/replay"):
            refused(post(other, f"{HOOKS}{hook}/{what}/"), 404, "not-found")
    assert (Webhook.objects.get().ended_at, Delivery.objects.count()) == (None, 1)


def test_test_credential_makes_one_of_the_sandbox(casino: Organization) -> None:
    one(system(made(casino, scopes=["prepare"], live=False).token))
    assert Webhook.objects.get().organization == casino.sandbox


def test_test_is_sent_signed_and_told(client: Client, receiver: Receiver) -> None:
    told = one(client, url=receiver.url())
    hook = f"{HOOKS}{told['webhook']['id']}/"
    answer = post(client, f"{hook}test/")
    assert (answer.status_code, answer.json()["state"], answer.json()["note"]) == (202, "waiting", "")
    assert answer.json()["next_at"] is not None
    assert results(client, answer["Location"].removeprefix("http://testserver")) == [answer.json()]
    work()
    [got], [sent] = receiver.received, results(client, f"{hook}deliveries/")
    assert StandardWebhook(told["secret"]).verify(got.body, dict(got.headers)) == sent["body"]
    assert (sent["state"], sent["status"], sent["note"], sent["next_at"]) == (
        "delivered", 204, "It answered 204.", None,
    )  # fmt: skip
    assert sent["body"] == json.loads(got.body)
    assert sent["id"] == sent["body"]["id"] == got.headers["Webhook-Id"]


def test_replay_sends_it_once_more(client: Client, receiver: Receiver) -> None:
    hook = f"{HOOKS}{one(client, url=receiver.url())['webhook']['id']}/"
    key = post(client, f"{hook}test/").json()["id"]
    work()
    answer = post(client, f"{hook}deliveries/{key}/replay/")
    assert (answer.status_code, answer.json()["id"], answer.json()["state"]) == (202, key, "waiting")
    work()
    assert [got.headers["Webhook-Id"] for got in receiver.received] == [key, key]
    refused(post(client, f"{hook}deliveries/{'0' * 32}/replay/"), 404, "not-found")


def test_ended_webhook_stays_to_be_read(client: Client) -> None:
    hook = f"{HOOKS}{one(client)['webhook']['id']}/"
    key = post(client, f"{hook}test/").json()["id"]
    assert post(client, f"{hook}end/").json()["ended_at"] is not None
    assert client.get(hook).json()["ended_at"] is not None
    assert [sent["state"] for sent in results(client, f"{hook}deliveries/")] == ["given-up"]
    for what in ("end", "test", f"deliveries/{key}/replay"):
        refused(post(client, f"{hook}{what}/"), 409, "webhook-ended")
    refused(post(client, f"{hook}end/", {"why": "so"}), 400, "body-shape")


def test_deliveries_are_told_by_state_and_page_by_page(client: Client, casino: Organization) -> None:
    hook = f"{HOOKS}{one(client)['webhook']['id']}/"
    for _ in range(3):
        webhooks.create_delivery(Webhook.objects.get(), None, {"verb": "test"})
    first, second, third = Delivery.objects.order_by("pk")
    Delivery.objects.filter(pk=second.pk).update(given_up_at=second.made_at)
    Delivery.objects.filter(pk=third.pk).update(delivered_at=third.made_at)
    found = {
        state: [sent["id"] for sent in results(client, f"{hook}deliveries/?state={state}")]
        for state in ("waiting", "delivered", "given-up")
    }
    assert found == {"waiting": [first.key], "delivered": [third.key], "given-up": [second.key]}
    page = client.get(f"{hook}deliveries/?limit=2").json()
    assert [sent["id"] for sent in page["results"]] == [first.key, second.key]
    assert [sent["id"] for sent in results(client, page["next"])] == [third.key]
    refused(client.get(f"{hook}deliveries/?state=lost"), 400, "unknown-state")


def test_deliveries_cost_the_same_however_many(
    client: Client, casino: Organization, django_assert_max_num_queries: Any
) -> None:
    hook = f"{HOOKS}{one(client)['webhook']['id']}/"
    for _ in range(12):
        webhooks.create_delivery(Webhook.objects.get(), None, {"verb": "test"})
    with django_assert_max_num_queries(4):
        assert len(results(client, f"{hook}deliveries/")) == 12
