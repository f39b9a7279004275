"""What is sent can be told to be ours, is tried again while it is not taken, and holds up nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.utils import timezone
from standardwebhooks import Webhook as StandardWebhook

from portal.processes.sweeper import Daily
from submissions.jobs import leases
from submissions.models import Delivery, Job, Organization, Person, Webhook
from submissions.notifications import webhooks
from submissions.tasks import run_task
from tests.submissions.api.clients import administrator
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.notifications.receiver import Receiver, receiving

pytestmark = [pytest.mark.usefixtures("jobs_travel"), pytest.mark.service("locks", "broker")]

DEAD = "http://127.0.0.1:1/"  # nobody listens there


@pytest.fixture(autouse=True)
def _private(settings: Any) -> None:
    settings.SECOND_FACTOR, settings.WEBHOOK_PRIVATE = False, True


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def made(organization: Organization, url: str, **given: Any) -> webhooks.CreatedWebhook:
    return webhooks.create_webhook(administrator(organization), url=url, **given)


def work() -> int:
    """What the workers do with the deliveries that are due now, one after the other; how many of them they called."""
    before = sum(Delivery.objects.values_list("attempts", flat=True))
    for job in Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.DUE).order_by("pk"):
        run_task(job)
    return sum(Delivery.objects.values_list("attempts", flat=True)) - before


def later(**by: int) -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(**by), tick=True)


def outcomes() -> list[str]:
    return ["delivered" if one.delivered_at else "given up" if one.given_up_at else "waits" for one in rows()]


def rows() -> list[Delivery]:
    return list(Delivery.objects.order_by("pk"))


def state_of(delivery: Delivery) -> str:
    return Job.objects.get(kind=Job.Kind.WEBHOOK, subject=delivery.pk).state


def test_delivery_is_signed_with_the_secret(casino: Organization, manager: Person, receiver: Receiver) -> None:
    found = made(casino, receiver.url(), verbs=["started"])
    ready_to_file(manager, "585")
    assert work() == 1
    [delivery], [got] = rows(), receiver.received
    key, stamp = got.headers["Webhook-Id"], got.headers["Webhook-Timestamp"]
    assert StandardWebhook(found.secret).verify(got.body, dict(got.headers)) == json.loads(delivery.body)
    assert (got.headers["Content-Type"], key) == ("application/json", delivery.key)
    assert abs(timezone.now().timestamp() - int(stamp)) < 60
    assert json.loads(got.body)["verb"] == "started"
    assert (delivery.status, delivery.note, delivery.attempts) == (204, "It answered 204.", 1)
    assert (outcomes(), state_of(delivery)) == (["delivered"], Job.State.DONE)


@pytest.mark.parametrize("status", [302, 400, 410, 429, 500])
def test_what_is_not_taken_comes_again(casino: Organization, receiver: Receiver, status: int) -> None:
    receiver.statuses = [status, status, 200]
    webhooks.send_test(administrator(casino), made(casino, receiver.url()).webhook)
    called, told = [work()], [(rows()[0].status, outcomes())]
    for seconds in (50, 70, 110, 190):  # a minute after the first attempt, two after the second
        with later(seconds=seconds):
            called.append(work())
            told.append((rows()[0].status, outcomes()))
    assert called == [1, 0, 1, 0, 1]
    assert told == [(status, ["waits"])] * 4 + [(200, ["delivered"])]
    assert {got.headers["Webhook-Id"] for got in receiver.received} == {rows()[0].key}
    stamps = [int(got.headers["Webhook-Timestamp"]) for got in receiver.received]
    assert stamps == sorted(set(stamps))


def test_pauses_double_up_to_six_hours() -> None:
    minutes = [webhooks.pause_after(failures).total_seconds() / 60 for failures in (1, 2, 3, 9, 10, 11, 10_000)]
    assert minutes == [1, 2, 4, 256, 360, 360, 360]
    assert webhooks.LONGEST_PAUSE + webhooks.TURN < leases.LONGEST_REST


def test_after_three_days_it_is_given_up(casino: Organization) -> None:
    webhook = made(casino, DEAD).webhook
    webhooks.send_test(administrator(casino), webhook)
    attempts, begun, at = 0, timezone.now(), timezone.now()
    while outcomes() == ["waits"]:
        at = max(at, webhooks.deliveries(webhook).get().due_at) + timedelta(seconds=1)
        with time_machine.travel(at, tick=True):
            attempts += work()
    assert attempts == 21
    assert timedelta(days=3) <= at - begun < timedelta(days=3, hours=6)
    [delivery] = rows()
    assert (outcomes(), state_of(delivery)) == (["given up"], Job.State.FAILED)
    assert delivery.note == "There was no answer: Connection refused."
    assert "did not accept the event within three days" in Job.objects.get(subject=delivery.pk).message


def test_address_that_is_dead_is_tried_by_one_delivery_at_a_time(
    casino: Organization, manager: Person, receiver: Receiver
) -> None:
    dead, alive = made(casino, DEAD).webhook, made(casino, receiver.url()).webhook
    ready_to_file(manager, "585")
    count = alive.deliveries.count()
    assert count > 1
    assert work() == 1 + count
    assert set(alive.deliveries.values_list("attempts", "status")) == {(1, 204)}
    called = []
    for minutes in (1, 3, 7, 15):
        with later(minutes=minutes, seconds=5):
            called.append(work())
    assert called == [1, 1, 1, 1]
    assert sorted(dead.deliveries.values_list("attempts", flat=True)) == [0] * (count - 1) + [5]


def test_address_that_answers_again_gets_everything_at_once(
    casino: Organization, manager: Person, receiver: Receiver
) -> None:
    receiver.statuses = [503, 503, 200]
    made(casino, receiver.url())
    ready_to_file(manager, "585")
    work()
    with later(minutes=1, seconds=5):
        work()
    assert set(outcomes()) == {"waits"}
    with later(minutes=3, seconds=10):
        work()
        jobs_left = Job.objects.filter(kind=Job.Kind.WEBHOOK, state=Job.State.DUE)
        assert not jobs_left.filter(not_before__gt=timezone.now()).exists()
        work()
    assert set(outcomes()) == {"delivered"}
    webhook = Webhook.objects.get()
    assert (webhook.failures, webhook.rests_until) == (0, None)


def test_one_event_that_is_never_taken_does_not_hold_up_the_others(
    casino: Organization, manager: Person, receiver: Receiver
) -> None:
    webhook = made(casino, receiver.url()).webhook
    webhooks.send_test(administrator(casino), webhook)
    receiver.statuses = [400]
    work()
    receiver.statuses = [200]
    ready_to_file(manager, "585")
    poisoned = rows()[0]
    Job.objects.filter(subject=poisoned.pk).update(not_before=timezone.now() + timedelta(hours=4))
    with later(minutes=2):
        work()
        work()
    assert outcomes() == ["waits"] + ["delivered"] * (len(rows()) - 1)


def test_address_that_takes_its_time_gets_pauses(
    casino: Organization, manager: Person, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "SLOW", 0.0)
    monkeypatch.setattr(webhooks, "REST_FACTOR", 10_000)
    made(casino, receiver.url())
    ready_to_file(manager, "585")
    assert (work(), work()) == (1, 0)
    assert outcomes()[:2] == ["delivered", "waits"]
    assert Webhook.objects.get().rests_until > timezone.now()


def test_what_waited_too_long_for_its_turn_is_given_up_too(casino: Organization, manager: Person) -> None:
    made(casino, DEAD)
    ready_to_file(manager, "585")
    with later(days=4):
        work()
    assert set(outcomes()) == {"given up"}
    assert {one.note for one in rows()[1:]} == {"The address never answered."}
    with later(days=4, hours=1):
        assert work() == 0
    assert set(Job.objects.filter(kind=Job.Kind.WEBHOOK).values_list("state", flat=True)) == {"failed", "done"}


def test_nothing_is_sent_once_the_webhook_has_ended(casino: Organization, manager: Person, receiver: Receiver) -> None:
    webhook = made(casino, receiver.url()).webhook
    ready_to_file(manager, "585")
    webhooks.end_webhook(administrator(casino), webhook)
    assert (work(), receiver.received) == (0, [])
    assert set(Job.objects.filter(kind=Job.Kind.WEBHOOK).values_list("state", flat=True)) == {Job.State.DONE}


@pytest.mark.django_db(transaction=True)
def test_what_is_taken_while_its_webhook_ends_is_delivered(casino: Organization, receiver: Receiver) -> None:
    """And not given up as well: it is in one state."""
    chief, webhook = administrator(casino), made(casino, receiver.url()).webhook
    webhooks.send_test(chief, webhook)

    def end() -> None:
        webhooks.end_webhook(chief, webhook)
        connection.close()

    receiver.before = end
    work()
    assert (outcomes(), rows()[0].given_up_at) == (["delivered"], None)


def test_replay_sends_the_same_with_a_new_time(casino: Organization, manager: Person, receiver: Receiver) -> None:
    webhook = made(casino, receiver.url(), verbs=["started"]).webhook
    ready_to_file(manager, "585")
    work()
    [delivery] = rows()
    with later(minutes=5):
        webhooks.replay_delivery(administrator(casino), delivery)
        assert work() == 1
    first, second = receiver.received
    assert (first.body, first.headers["Webhook-Id"]) == (second.body, second.headers["Webhook-Id"])
    assert int(second.headers["Webhook-Timestamp"]) >= int(first.headers["Webhook-Timestamp"]) + 300
    assert first.headers["Webhook-Signature"] != second.headers["Webhook-Signature"]
    assert (outcomes(), webhook.deliveries.count()) == (["delivered"], 1)


@pytest.mark.django_db(transaction=True)
def test_replay_during_the_last_attempt_begins_anew(casino: Organization, receiver: Receiver) -> None:
    """Its three days and its pauses, too: that attempt fails, and the next one comes a minute later."""
    chief = administrator(casino)
    delivery = webhooks.send_test(chief, made(casino, receiver.url()).webhook)
    Delivery.objects.update(asked_at=timezone.now() - timedelta(days=4), attempts=20)
    receiver.statuses = [500, 204]

    def replay() -> None:
        webhooks.replay_delivery(chief, Delivery.objects.get())
        connection.close()
        receiver.before = lambda: None

    receiver.before = replay
    work()
    assert (outcomes(), state_of(delivery), rows()[0].attempts) == (["waits"], Job.State.DUE, 1)
    with later(seconds=70):
        work()
    assert (outcomes(), state_of(delivery)) == (["delivered"], Job.State.DONE)


def test_replay_of_what_was_given_up_tries_a_resting_webhook(casino: Organization, receiver: Receiver) -> None:
    webhook = made(casino, DEAD).webhook
    chief = administrator(casino)
    webhooks.send_test(chief, webhook)
    with later(days=4):
        work()
        assert outcomes() == ["given up"]
        Webhook.objects.update(url=receiver.url())
        webhooks.replay_delivery(chief, rows()[0])
        assert work() == 1
    assert outcomes() == ["delivered"]


def test_without_its_secret_nothing_is_sent(casino: Organization, receiver: Receiver, settings: Any) -> None:
    webhooks.send_test(administrator(casino), made(casino, receiver.url()).webhook)
    settings.SECRET_KEY = "another one, since then"
    assert (work(), receiver.received) == (0, [])
    [delivery] = rows()
    assert (outcomes(), state_of(delivery)) == (["given up"], Job.State.FAILED)
    assert delivery.note == "The secret was encrypted with another key of the portal and cannot be read."


def test_test_tells_of_nothing(casino: Organization, receiver: Receiver) -> None:
    webhooks.send_test(administrator(casino), made(casino, receiver.url(), verbs=["filed"]).webhook)
    work()
    [delivery] = rows()
    assert delivery.event is None
    assert {key: value for key, value in json.loads(receiver.received[0].body).items() if key != "at"} == {
        "id": delivery.key, "verb": "test",
    }  # fmt: skip


def test_deliveries_are_forgotten_ninety_days_after_they_were_over(casino: Organization) -> None:
    webhook, now = made(casino, DEAD).webhook, timezone.now()
    young, old = now - timedelta(days=89), now - timedelta(days=91)
    ends: dict[str, dict[str, Any]] = {
        "waits": {}, "young": {"delivered_at": young}, "old": {"delivered_at": old},
        "given up lately": {"given_up_at": young}, "given up long ago": {"given_up_at": old},
        "replayed": {"delivered_at": now},
    }  # fmt: skip
    for key, end in ends.items():
        delivery = webhooks.create_delivery(webhook, None, {"verb": "test"})
        Delivery.objects.filter(pk=delivery.pk).update(key=key, made_at=old, **end)
        if end:
            Job.objects.filter(subject=delivery.pk).update(state=Job.State.DONE)
    with time_machine.travel(timezone.localtime().replace(hour=12), tick=False):
        Daily().turn()
    assert [one.key for one in rows()] == ["waits", "young", "given up lately", "replayed"]
    jobs_of = Job.objects.filter(kind=Job.Kind.WEBHOOK).values_list("subject", flat=True)
    assert sorted(jobs_of) == [one.pk for one in rows()]


@pytest.mark.django_db(transaction=True)
def test_worker_that_is_lost_after_the_answer_sends_it_again_with_the_same_key(
    casino: Organization, receiver: Receiver
) -> None:
    """The answer came, but somebody else holds the job by then: it is told twice, and noted once."""
    webhooks.send_test(administrator(casino), made(casino, receiver.url()).webhook)
    [job] = Job.objects.filter(kind=Job.Kind.WEBHOOK)

    def take_over() -> None:
        Job.objects.filter(pk=job.pk).update(fence=99, lease_until=timezone.now() - timedelta(seconds=1))
        connection.close()
        receiver.before = lambda: None

    receiver.before = take_over
    run_task(job)
    assert (outcomes(), rows()[0].attempts) == (["waits"], 0)
    run_task(job)
    assert (outcomes(), rows()[0].attempts) == (["delivered"], 1)
    assert [got.headers["Webhook-Id"] for got in receiver.received] == [rows()[0].key] * 2
