"""The pages of webhooks: the secret once, what was sent and what came of it, tests, replays and ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from submissions.models import Delivery, Organization, Person, Webhook
from submissions.notifications import webhooks
from tests.submissions.api.clients import administrator
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.notifications.receiver import Receiver, receiving
from tests.submissions.web.clients import browser, work

URL = "https://hooks.example.test/in?key=1"
FORM = {"url": URL, "verbs": ["filed", "approved"], "reach": "live"}


@pytest.fixture
def chief(casino: Organization, settings: Any) -> Person:
    settings.SECOND_FACTOR = False
    settings.WEBHOOK_PRIVATE = True
    return administrator(casino)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def shown(person: Person, name: str, *parts: object) -> str:
    return re.sub(r"\s+", " ", browser(person).get(reverse(name, args=parts)).content.decode())


def deed(person: Person, webhook: Webhook, what: str, *, confirmed: bool = True) -> Any:
    return browser(person, confirmed=confirmed).post(reverse("webhook-action", args=[webhook.pk, what]), follow=True)


def test_secret_stands_on_the_page_that_answers(chief: Person) -> None:
    answer = browser(chief).post(reverse("webhooks"), FORM)
    secret = re.search(r'value="(whsec_[A-Za-z0-9+/]{43}=)"', answer.content.decode())[1]
    assert (answer.status_code, "no-store" in answer["Cache-Control"]) == (200, True)
    row = Webhook.objects.get()
    assert (row.url, row.verbs, row.organization, row.by) == (URL, ["filed", "approved"], chief.organization, chief)
    pages = shown(chief, "webhooks") + shown(chief, "webhook", row.pk)
    assert secret not in pages
    assert "had events sent to https://hooks.example.test" in pages


def test_form_that_is_sent_again_makes_nothing(chief: Person) -> None:
    mark = re.search(r'name="mark" value="([0-9a-f]{32})"', shown(chief, "webhooks"))[1]
    answers = [browser(chief).post(reverse("webhooks"), {**FORM, "mark": mark}) for _ in range(2)]
    again = answers[1].content.decode()
    assert [answer.status_code for answer in answers] == [200, 409]
    assert all(words in again for words in ("This form was already sent", f'value="{URL}"'))
    assert "filed" in re.findall(r'value="(\w+)"[^>]* checked', again)
    assert (Webhook.objects.count(), mark in again) == (1, False)


def test_not_live_is_of_the_sandbox(chief: Person) -> None:
    browser(chief).post(reverse("webhooks"), {**FORM, "reach": "test"})
    assert Webhook.objects.get().organization == chief.organization.sandbox
    assert "The sandbox" in shown(chief, "webhooks")


def test_refused_form_keeps_what_was_typed(chief: Person) -> None:
    answer = browser(chief).post(reverse("webhooks"), {**FORM, "url": "hooks.example.test"})
    page = answer.content.decode()
    assert (answer.status_code, "is not an address that the portal can call." in page) == (400, True)
    for kept in ('value="hooks.example.test"', '<details class="verbs" open'):
        assert kept in page
    assert {"filed", "approved"} <= set(re.findall(r'value="(\w+)"[^>]* checked', page))
    assert not Webhook.objects.exists()


def test_making_and_ending_ask_who_it_is(chief: Person) -> None:
    webhook = webhooks.create_webhook(chief, url=URL).webhook
    assert browser(chief, confirmed=False).post(reverse("webhooks"), FORM).status_code == 403
    assert deed(chief, webhook, "end", confirmed=False).status_code == 403
    webhook.refresh_from_db()
    assert (Webhook.objects.count(), webhook.ended_at) == (1, None)


def test_test_is_sent_and_what_came_of_it_is_told(chief: Person, receiver: Receiver) -> None:
    webhook = webhooks.create_webhook(chief, url=receiver.url()).webhook
    receiver.statuses = [500, 204]
    assert "The portal is sending the test." in deed(chief, webhook, "test").content.decode()
    assert "No response yet." in shown(chief, "webhook", webhook.pk)
    work()
    page = shown(chief, "webhook", webhook.pk)
    for words in ("Waiting", "It answered 500.", "1 attempt, last", ", next ", "Not delivered"):
        assert words in page
    [delivery] = Delivery.objects.all()
    replay = reverse("webhook-replay", args=[webhook.pk, delivery.key])
    assert "The portal is sending it again." in browser(chief).post(replay, follow=True).content.decode()
    work()
    page = shown(chief, "webhook", webhook.pk)
    for words in ("Delivered", "It answered 204.", "Active"):
        assert words in page
    assert len(receiver.received) == 2


def test_deliveries_are_told_in_words_with_their_submission(chief: Person, manager: Person) -> None:
    webhook = webhooks.create_webhook(chief, url=URL).webhook
    submission = ready_to_file(manager, "585")
    page = shown(chief, "webhook", webhook.pk)
    assert f'<a href="/submissions/{submission.number}/">{submission.number}</a>: Manager East started' in page


def test_ended_webhook_has_nothing_more_to_be_done(chief: Person) -> None:
    webhook = webhooks.create_webhook(chief, url=URL).webhook
    webhooks.send_test(chief, webhook)
    assert (
        "The portal no longer sends events to https://hooks.example.test."
        in deed(chief, webhook, "end").content.decode()
    )
    page = shown(chief, "webhook", webhook.pk)
    assert "Given up" in page
    for word in ("Replay", "Send test", "End webhook"):
        assert word not in page
    assert deed(chief, webhook, "test").status_code == 409


def test_webhooks_of_others_are_not_there(chief: Person, other_casino: Organization, manager: Person) -> None:
    webhook = webhooks.create_webhook(administrator(other_casino), url="https://west.example.test/").webhook
    delivery = webhooks.send_test(administrator(other_casino), webhook)
    assert "west.example.test" not in shown(chief, "webhooks")
    client = browser(chief)
    assert client.get(reverse("webhook", args=[webhook.pk])).status_code == 404
    assert [deed(chief, webhook, what).status_code for what in ("test", "end")] == [404, 404]
    assert client.post(reverse("webhook-replay", args=[webhook.pk, delivery.key])).status_code == 404
    own = webhooks.create_webhook(chief, url=URL).webhook
    assert client.post(reverse("webhook-replay", args=[own.pk, delivery.key])).status_code == 404
    assert deed(chief, own, "forget").status_code == 404
    assert browser(manager).get(reverse("webhooks")).status_code == 403


def test_page_of_deliveries_costs_the_same_however_many(
    chief: Person, manager: Person, django_assert_max_num_queries: Any
) -> None:
    webhook = webhooks.create_webhook(chief, url=URL).webhook
    ready_to_file(manager, "686a")
    for _ in range(40):
        webhooks.create_delivery(webhook, None, {"verb": "test"})
    client = browser(chief)
    with django_assert_max_num_queries(9):
        page = client.get(reverse("webhook", args=[webhook.pk])).content.decode()
    assert "Page 1 of 2" in page
