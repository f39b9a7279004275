"""A keyed call as rows: the key in the header, whose call it is, what is stored and refused, and forms sent once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from submissions.core.encryption import decrypt
from submissions.core.errors import Conflict, Refusal, StorageFault
from submissions.jobs import idempotency
from submissions.jobs.idempotency import InFlight, KeyedAnswer, KeyReused
from submissions.models import KeyedCall, Person

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
ANSWER = KeyedAnswer(201, "made", {"Location": "/x"})
IN_FLIGHT = (
    "idempotency-in-flight",
    "The same call is in progress.",
    "Send it again after the number of seconds in the header Retry-After. The portal answers it once.",
    "Idempotency-Key",
)


@pytest.fixture(autouse=True)
def _clock() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


class Fault(Refusal):
    status = 500


def words(refusal: Refusal) -> tuple[str, str, str, str]:
    return refusal.code, refusal.message, refusal.fix, refusal.option


def answered(refusal: Refusal) -> KeyedAnswer:
    return KeyedAnswer(refusal.status, refusal.message)


def call(
    person: Person, do: Callable[[], KeyedAnswer] = lambda: ANSWER, *, key: str = "k", digest: str = "d"
) -> KeyedAnswer:
    return idempotency.run_once(person, key, digest, lambda: do, answered)


def begun(person: Person, at: datetime, **given: Any) -> KeyedCall:
    values = {"key": "k", "request_sha256": "d", "holder": "dead", "begun_at": at, **given}
    return KeyedCall.objects.create(service_account=person, **values)


def raising(error: BaseException) -> Callable[[], KeyedAnswer]:
    def do() -> KeyedAnswer:
        raise error

    return do


@pytest.mark.parametrize(
    ("header", "key"),
    [
        ("abc", "abc"), (' "a b" ', "a b"), (r'"a\"b\\c"', 'a"b\\c'), ("x" * 255, "x" * 255), ("!", "!"),
        ('"' + "x" * 255 + '"', "x" * 255),
    ],
)  # fmt: skip
def test_key_of_a_header(header: str, key: str) -> None:
    assert idempotency.parse_key(header) == key


@pytest.mark.parametrize("header", ["", " ", '""', "x" * 256, "a b", "a,b", 'a"b', '"a', '"a" "b"', "é", r'"a\b"'])
def test_header_without_a_key(header: str) -> None:
    with pytest.raises(Refusal) as refused:
        idempotency.parse_key(header)
    assert words(refused.value) == (
        "idempotency-key-unreadable",
        "The header Idempotency-Key does not contain a valid key.",
        "Send 1 to 255 visible ASCII characters, such as a UUID, in quotation marks.",
        "Idempotency-Key",
    )


def test_digest_of_a_call() -> None:
    expected = sha256(b"POST\n/x/?a=1\ntext/csv\n1").hexdigest()
    assert idempotency.call_digest("POST", "/x/?a=1", "text/csv", b"1") == expected


def test_call_is_answered_once(manager: Person) -> None:
    assert call(manager) == ANSWER
    row = KeyedCall.objects.get()
    assert (row.request_sha256, row.begun_at, row.answered_at, row.status) == ("d", NOW, NOW, 201)
    assert (row.headers, decrypt(row.answer, "keyed-call"), len(row.holder)) == ({"Location": "/x"}, "made", 32)
    again = call(manager, raising(AssertionError("is not done again")))
    assert again == KeyedAnswer(201, "made", {"Location": "/x"}, replayed=True)
    KeyedCall.objects.update(answer="unreadable")
    with pytest.raises(Conflict) as refused:
        call(manager)
    assert words(refused.value) == (
        "idempotency-answer-lost",
        "This call was answered before, and the answer can no longer be read.",
        "Check what the call did. To repeat it, create another key.",
        "Idempotency-Key",
    )


def test_keys_are_of_one_person(manager: Person, stranger: Person) -> None:
    call(manager)
    assert call(stranger, lambda: KeyedAnswer(200, "other")).body == "other"
    assert call(manager, lambda: KeyedAnswer(200, "third"), key="another").body == "third"
    assert KeyedCall.objects.count() == 3


def test_key_of_another_call_is_refused(manager: Person) -> None:
    call(manager)
    with pytest.raises(KeyReused) as refused:
        call(manager, digest="e")
    assert (refused.value.status, *words(refused.value)) == (
        422,
        "idempotency-key-reused",
        "Another call was made with this Idempotency-Key.",
        "Create a new key for each call. To repeat a call, send exactly the same call again.",
        "Idempotency-Key",
    )


@pytest.mark.parametrize("seconds", [59, -59, 60, -61, 300])
def test_call_in_progress_is_taken_over_after_a_minute(manager: Person, seconds: int) -> None:
    row = begun(manager, NOW - timedelta(seconds=seconds))
    other = begun(manager, NOW - timedelta(seconds=seconds), key="other")  # of the same process that died
    if abs(seconds) < 60:
        with pytest.raises(InFlight) as refused:
            call(manager)
        assert (words(refused.value), refused.value.seconds) == (IN_FLIGHT, 1)
        return

    def do() -> KeyedAnswer:
        held = KeyedCall.objects.get(pk=row.pk)
        assert held.holder not in ("dead", "")
        assert (held.begun_at, held.status) == (NOW, None)
        return ANSWER

    assert call(manager, do) == ANSWER
    assert KeyedCall.objects.get(pk=row.pk).status == 201
    assert KeyedCall.objects.get(pk=other.pk).holder == "dead"


def test_holder_whose_call_was_taken_over_stores_nothing(manager: Person) -> None:
    def slow() -> KeyedAnswer:
        KeyedCall.objects.update(holder="another")
        return ANSWER

    with pytest.raises(InFlight) as refused:
        call(manager, slow)
    assert words(refused.value) == IN_FLIGHT
    assert KeyedCall.objects.get().status is None
    for error in (KeyboardInterrupt(), Refusal("not-allowed", "No.")):
        KeyedCall.objects.all().delete()

        def prepare(error: BaseException = error) -> Any:
            KeyedCall.objects.update(holder="another")
            raise error

        with pytest.raises((KeyboardInterrupt, InFlight)):
            idempotency.run_once(manager, "k", "d", prepare, answered)
        assert KeyedCall.objects.count() == 1  # the other one's


def test_answer_that_was_stored_meanwhile_is_not_replaced(manager: Person) -> None:
    def slow() -> KeyedAnswer:
        KeyedCall.objects.update(status=200)
        return ANSWER

    with pytest.raises(InFlight):
        call(manager, slow)


def test_repeated_call_is_answered_without_waiting_for_writers(
    manager: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    call(manager)
    with django_assert_num_queries(1):
        assert call(manager).replayed


def test_refusal_is_an_answer_and_a_fault_is_none(manager: Person) -> None:
    other = begun(manager, NOW, key="other")
    assert call(manager, raising(Refusal("not-allowed", "No."))) == KeyedAnswer(400, "No.")
    assert call(manager) == KeyedAnswer(400, "No.", replayed=True)
    KeyedCall.objects.exclude(pk=other.pk).delete()
    faults = (StorageFault("portal-busy/files", retry_after=3), Fault("not-allowed", "No."))
    for error in (*faults, KeyboardInterrupt(), ZeroDivisionError()):
        with pytest.raises(type(error)):
            call(manager, raising(error))
        assert KeyedCall.objects.get() == other
    assert call(manager) == ANSWER


def test_body_that_is_refused_before_the_work(manager: Person) -> None:
    def prepare() -> Any:
        raise Refusal("not-allowed", "Unreadable.")

    assert idempotency.run_once(manager, "k", "d", prepare, answered) == KeyedAnswer(400, "Unreadable.")


def test_form_is_sent_once(manager: Person, stranger: Person) -> None:
    idempotency.refuse_sent_form(manager, "token")
    idempotency.note_sent_form(manager, "token")
    row = KeyedCall.objects.get()
    assert (row.key, row.status) == (f"form {sha256(b'token').hexdigest()}", 200)
    assert (row.begun_at, row.answered_at) == (NOW, NOW)
    for again in (idempotency.refuse_sent_form, idempotency.note_sent_form):
        with pytest.raises(Conflict) as refused:
            again(manager, "token")
        assert refused.value.code == "form-sent-already"
        again(stranger, "token")
        again(manager, f"another token of {again.__name__}")
    idempotency.refuse_sent_form(manager, "\udcff")  # as a browser may send it


def test_calls_are_deleted_after_a_week(manager: Person) -> None:
    begun(manager, NOW - timedelta(days=7), key="young")
    for key in ("old", "older"):
        begun(manager, NOW - timedelta(days=7, seconds=1), key=key)
    assert idempotency.delete_expired_calls(timezone.now()) == 2
    assert KeyedCall.objects.get().key == "young"
