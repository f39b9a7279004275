"""Once for each Idempotency-Key: the same call gets the same answer, whoever dies in between, however many send it."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.utils import timezone

from portal.processes.sweeper import Daily
from submissions.accounts import api_credentials
from submissions.core.errors import Refusal
from submissions.filings import drafts
from submissions.jobs import idempotency
from submissions.jobs.idempotency import InFlight, KeyedAnswer, KeyedWork, KeyReused
from submissions.models import Batch, Event, KeyedCall, Organization, Person, Submission
from tests.submissions.api.clients import administrator, made, system
from tests.submissions.api.test_problems import refused
from tests.submissions.test_safety_together import all_at_once

pytestmark = pytest.mark.service("locks", "transactions")

committing = pytest.mark.django_db(transaction=True)
SUBMISSIONS = "/api/v1/submissions/"
START = {"chapter": "687a"}
OTHER = {"chapter": "686a"}


def start(client: Client, body: Any = START, *, key: str = "k-1") -> Any:
    return client.post(SUBMISSIONS, body, content_type="application/json", headers={"Idempotency-Key": key})


@pytest.fixture
def client(casino: Organization) -> Client:
    return system(made(casino, scopes=["read", "prepare"]).token)


def answer_parts(answer: Any) -> tuple[int, bytes, str | None]:
    return answer.status_code, answer.content, answer.get("Location")


# The key


def test_key_that_is_none_is_refused_before_anything_is_done(client: Client) -> None:
    refused(start(client, key="a, b"), 400, "idempotency-key-unreadable")
    assert (Submission.objects.count(), KeyedCall.objects.count()) == (0, 0)


# The same call again


def test_same_call_gets_the_same_answer_and_does_nothing_more(client: Client) -> None:
    first = start(client)
    events = Event.objects.count()
    again = start(client, key='"k-1"')
    assert answer_parts(again) == answer_parts(first)
    assert first.status_code == 201
    assert (first.get("Idempotency-Replayed"), again["Idempotency-Replayed"]) == (None, "true")
    assert (Submission.objects.count(), Event.objects.count()) == (1, events)


def test_refusal_is_answered_again_as_it_was(client: Client) -> None:
    first = start(client, {"chapter": "999"})
    again = start(client, {"chapter": "999"})
    assert answer_parts(again) == answer_parts(first)
    assert again["Content-Type"] == first["Content-Type"] == "application/problem+json"
    assert (first.json()["code"], again["Idempotency-Replayed"]) == ("unknown-chapter", "true")


SENT = {"path": "/api/v1/bulk/", "data": b'{"mode": "live", "items": [{}]}', "content_type": "application/json"}


def test_answer_is_kept_unreadable_to_whoever_has_only_the_database(client: Client, settings: Any) -> None:
    first = start(client)
    kept = KeyedCall.objects.get()
    assert first.json()["made"]["submission"] not in kept.answer
    settings.SECRET_KEY = "another one, with which nothing was kept so far"
    refused(start(client), 409, "idempotency-answer-lost")
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"data": b'{"mode":"live", "items": [{}]}'}, {"path": "/api/v1/bulk/?mode=live"},
        {"path": "/api/v1/submissions/"}, {"content_type": "text/csv"},
    ],
    ids=["body", "query", "address", "media type"],
)  # fmt: skip
def test_other_call_with_the_key_is_refused(client: Client, changed: dict[str, Any]) -> None:
    headers = {"Idempotency-Key": "k-1"}
    assert client.generic("POST", **SENT, headers=headers).status_code == 202
    refused(client.generic("POST", **{**SENT, **changed}, headers=headers), 422, "idempotency-key-reused")
    assert (Submission.objects.count(), Batch.objects.count()) == (0, 1)


def test_keys_are_ones_own(client: Client, other_casino: Organization) -> None:
    other = system(made(other_casino, scopes=["read", "prepare"]).token)
    assert [start(one, body).status_code for one, body in ((client, START), (other, OTHER))] == [201, 201]


def test_credential_that_replaces_another_goes_on_with_its_keys(casino: Organization) -> None:
    old = made(casino, scopes=["read", "prepare"])
    first = start(system(old.token))
    expires_at = timezone.now() + timedelta(days=9)
    new = api_credentials.rotate_credential(administrator(casino), old.credential, expires_at=expires_at)
    assert answer_parts(start(system(new.token))) == answer_parts(first)


def test_call_without_a_key_is_done_each_time(client: Client) -> None:
    answers = [client.post(SUBMISSIONS, START, content_type="application/json") for _ in range(2)]
    assert ([one.status_code for one in answers], KeyedCall.objects.count()) == ([201, 201], 0)


# Under way, dead, at fault


@pytest.fixture
def service_account(casino: Organization) -> Person:
    return made(casino, scopes=["read", "prepare"]).credential.service_account


def begun(service_account: Person, age: timedelta) -> KeyedCall:
    """A call that somebody began and has not answered."""
    return KeyedCall.objects.create(
        service_account=service_account,
        key="k-1",
        request_sha256="d" * 64,
        holder="dead",
        begun_at=timezone.now() - age,
    )


def no_refusal(refusal: Refusal) -> KeyedAnswer:
    raise AssertionError(refusal)


def once(
    service_account: Person,
    do: KeyedWork,
    refused: Callable[[Refusal], KeyedAnswer] = no_refusal,
    digest: str = "d" * 64,
) -> KeyedAnswer:
    """The call of these tests; nothing has to be understood before."""
    return idempotency.run_once(service_account, "k-1", digest, lambda: do, refused)


def starting(service_account: Person) -> KeyedWork:
    return lambda: KeyedAnswer(201, drafts.start_submission(service_account, "687a").number)


def test_call_under_way_is_told_when_to_ask_again(casino: Organization) -> None:
    shown = made(casino, scopes=["read", "prepare"])
    digest = idempotency.call_digest("POST", SUBMISSIONS, "application/json", b'{"chapter": "687a"}')
    row = begun(shown.credential.service_account, timedelta(seconds=59))
    KeyedCall.objects.filter(pk=row.pk).update(request_sha256=digest)
    answer = start(system(shown.token))
    refused(answer, 409, "idempotency-in-flight")
    assert (answer["Retry-After"], Submission.objects.count()) == ("1", 0)


def test_call_of_who_died_is_taken_over(service_account: Person) -> None:
    begun(service_account, timedelta(seconds=61))
    answer = once(service_account, starting(service_account))
    assert (answer.status, answer.body, answer.replayed) == (201, Submission.objects.get().number, False)
    assert once(service_account, starting(service_account)) == KeyedAnswer(201, answer.body, {}, replayed=True)


def test_who_was_only_slow_does_nothing_once_the_call_is_taken_over(service_account: Person) -> None:
    def slowly() -> KeyedAnswer:
        number = drafts.start_submission(service_account, "687a").number
        KeyedCall.objects.update(holder="another")
        return KeyedAnswer(201, number)

    with pytest.raises(InFlight):
        once(service_account, slowly)
    assert (Submission.objects.count(), KeyedCall.objects.get().status) == (0, None)


def test_fault_of_ours_is_no_answer(service_account: Person) -> None:
    def faulty() -> KeyedAnswer:
        drafts.start_submission(service_account, "687a")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        once(service_account, faulty)
    assert (Submission.objects.count(), KeyedCall.objects.count()) == (0, 0)
    assert once(service_account, starting(service_account)).status == 201


def test_refusal_takes_back_what_was_done(service_account: Person) -> None:
    def half() -> KeyedAnswer:
        drafts.start_submission(service_account, "687a")
        raise Refusal("not-allowed", "No.")

    answer = once(service_account, half, lambda refusal: KeyedAnswer(refusal.status, refusal.message))
    assert (answer, Submission.objects.count()) == (KeyedAnswer(400, "No."), 0)
    assert once(service_account, starting(service_account)) == KeyedAnswer(400, "No.", {}, replayed=True)


def test_keys_are_forgotten_after_a_week(service_account: Person) -> None:
    for age, key in ((timedelta(days=6), "young"), (timedelta(days=8), "old")):
        KeyedCall.objects.create(service_account=service_account, key=key, holder="", begun_at=timezone.now() - age)
    with time_machine.travel(timezone.localtime().replace(hour=12), tick=False):
        Daily().turn()
    assert list(KeyedCall.objects.values_list("key", flat=True)) == ["young"]


# Several at once


@committing
def test_what_was_sent_is_understood_before_anything_is_held(service_account: Person) -> None:
    held = []

    def do() -> KeyedAnswer:
        held.append(connection.in_atomic_block)
        return KeyedAnswer(200, "")

    def prepare() -> KeyedWork:
        held.append(connection.in_atomic_block)
        return do

    idempotency.run_once(service_account, "k-1", "d" * 64, prepare, no_refusal)
    assert held == [False, True]


@committing
def test_call_that_comes_while_it_is_under_way_does_nothing(service_account: Person) -> None:
    """The first one holds its transaction open until the second was told so."""
    under_way, told_so, answers = threading.Event(), threading.Event(), []

    def waiting() -> KeyedAnswer:
        number = drafts.start_submission(service_account, "687a").number
        under_way.set()
        assert told_so.wait(30)
        return KeyedAnswer(201, number)

    def first() -> None:
        answers.append(once(service_account, waiting))
        connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    assert under_way.wait(30)
    try:
        with pytest.raises(InFlight):
            once(service_account, starting(service_account))
        with pytest.raises(KeyReused):
            once(service_account, starting(service_account), digest="e" * 64)
    finally:
        told_so.set()
        thread.join(30)
    assert [answer.body for answer in answers] == [Submission.objects.get().number]
    assert once(service_account, starting(service_account)).replayed


@committing
def test_many_who_send_the_same_at_once_make_one(casino: Organization) -> None:
    token, key = made(casino, scopes=["read", "prepare"]).token, str(uuid.uuid4())
    answers: list[Any] = []
    assert all_at_once(*[lambda: answers.append(start(system(token), key=key))] * 6) == []
    number = Submission.objects.get().number
    found = {
        (answer.status_code, answer.json().get("code") or answer.json()["made"]["submission"]) for answer in answers
    }
    assert (201, number) in found
    assert found <= {(201, number), (409, "idempotency-in-flight")}
    assert (len(answers), start(system(token), key=key)["Idempotency-Replayed"]) == (6, "true")


@committing
def test_of_several_who_take_over_one_does(service_account: Person) -> None:
    begun(service_account, timedelta(minutes=5))
    answers: list[KeyedAnswer] = []
    told_so = all_at_once(*[lambda: answers.append(once(service_account, starting(service_account)))] * 4)
    number = Submission.objects.get().number
    assert [(answer.status, answer.body) for answer in answers if not answer.replayed] == [(201, number)]
    assert (len(answers) + len(told_so), {type(one) for one in told_so} <= {InFlight}) == (4, True)
