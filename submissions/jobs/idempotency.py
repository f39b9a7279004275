"""API calls once for each Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07), forms once.

A repeated call gets the first answer. A call starts in a transaction of its own, so that others see that it is in
progress. Its effect and its answer are a second transaction, which only the call's holder can commit: after a crash
nothing is left, and a later repetition takes the call over. A refusal is an answer, too; after an internal error the
same key can be sent again. A form whose answer shows a secret has no second effect.

Keys belong to a service account, so they stay valid when its credential is replaced. Not here: which calls need a key
and the shape of answers (`api.framework.views`).
"""

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from submissions.core.encryption import decrypt, encrypt
from submissions.core.errors import Conflict, Refusal
from submissions.models import KeyedCall, Person

PURPOSE = "keyed-call"  # of the encrypted answers
LONGEST = 255
STORED_FOR = timedelta(days=7)
DEAD_AFTER = timedelta(seconds=60)  # no call takes so long: its process has died
_STRING = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"')  # of RFC 8941
_BARE = re.compile(r"[!#-+\--~]+")  # neither blank, quotation mark nor comma: a header that is sent twice has one
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(frozen=True, slots=True)
class KeyedAnswer:
    """An answer: status, the body as sent, and its headers."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)
    replayed: bool = False


KeyedWork = Callable[[], KeyedAnswer]


class InFlight(Conflict):
    """The same call is in progress; `seconds`: when to send it again."""

    seconds = 1


class KeyReused(Refusal):
    """The key was sent with another call."""

    status = 422


def parse_key(header: str) -> str:
    """Return the key in the header: a string of RFC 8941, or the same without its quotation marks."""
    string = _STRING.fullmatch(header.strip())
    key = _ESCAPED.sub(r"\1", string[1]) if string else header.strip()
    if not 1 <= len(key) <= LONGEST or not (string or _BARE.fullmatch(key)):
        raise Refusal("idempotency-key-unreadable", option="Idempotency-Key", longest=LONGEST)
    return key


def call_digest(method: str, address: str, media_type: str, body: bytes) -> str:
    """Return the digest that makes two calls the same one. `address`: the path with its query."""
    return sha256(f"{method}\n{address}\n{media_type}\n".encode() + body).hexdigest()


def run_once(
    service_account: Person,
    key: str,
    digest: str,
    prepare: Callable[[], KeyedWork],
    refused: Callable[[Refusal], KeyedAnswer],
) -> KeyedAnswer:
    """Return the answer, new or repeated. `prepare` parses the body before any lock; `refused` answers a refusal."""
    call, earlier = _begin(service_account, key, digest)
    if earlier:
        return earlier
    try:
        do = prepare()
        with transaction.atomic():
            answer = do()
            _keep(call, answer)
    except InFlight:
        raise
    except Refusal as refusal:
        if refusal.status >= 500:
            _of(call).delete()
            raise
        answer = refused(refusal)
        _keep(call, answer)
    except BaseException:
        _of(call).delete()
        raise
    return answer


def refuse_sent_form(person: Person, form_token: str) -> None:
    """Refuse a form that this person sent before with success."""
    if KeyedCall.objects.filter(service_account=person, key=_key_of_form(form_token)).exists():
        raise Conflict("form-sent-already")


def note_sent_form(person: Person, form_token: str) -> None:
    """Refuse likewise and note the form, in the transaction of its effect: of two at a time, one has an effect."""
    given = {"status": 200, "begun_at": timezone.now(), "answered_at": timezone.now()}  # its answer is not kept
    if not KeyedCall.objects.get_or_create(service_account=person, key=_key_of_form(form_token), defaults=given)[1]:
        raise Conflict("form-sent-already")


def delete_expired_calls(now: datetime) -> int:
    """Delete old calls and forms; return how many."""
    return KeyedCall.objects.filter(begun_at__lt=now - STORED_FOR).delete()[0]


def _begin(service_account: Person, key: str, digest: str) -> tuple[KeyedCall, KeyedAnswer | None]:
    """Return the call, which this process now holds; or also its earlier answer."""
    now, holder = timezone.now(), secrets.token_hex(16)
    begun = False
    call = KeyedCall.objects.filter(service_account=service_account, key=key).first()  # without waiting for writers
    if call is None:
        given = {"request_sha256": digest, "holder": holder, "begun_at": now}
        with transaction.atomic():
            call, begun = KeyedCall.objects.get_or_create(service_account=service_account, key=key, defaults=given)
    if begun:
        return call, None
    if call.request_sha256 != digest:
        raise KeyReused(
            "idempotency-key-reused",
            "Another call was made with this Idempotency-Key.",
            fix="Create a new key for each call. To repeat a call, send exactly the same call again.",
            option="Idempotency-Key",
        )
    if call.status is not None:
        return call, _stored_answer(call, call.status)
    if abs(now - call.begun_at) < DEAD_AFTER or not _of(call).update(holder=holder, begun_at=now):
        raise _in_flight()
    call.holder = holder
    return call, None


def _stored_answer(call: KeyedCall, status: int) -> KeyedAnswer:
    """Return the stored answer."""
    try:
        return KeyedAnswer(status, decrypt(call.answer, PURPOSE), call.headers, replayed=True)
    except Refusal:
        raise Conflict("idempotency-answer-lost", option="Idempotency-Key") from None


def _keep(call: KeyedCall, answer: KeyedAnswer) -> None:
    """Store the answer, unless another process took the call over."""
    body = encrypt(answer.body, PURPOSE)  # it may have a secret, such as that of a webhook
    changes = {"status": answer.status, "answer": body, "headers": dict(answer.headers)}
    if not _of(call).update(**changes, answered_at=timezone.now()):
        raise _in_flight()


def _of(call: KeyedCall) -> QuerySet[KeyedCall]:
    """Return the row, while it has no answer and this process holds it."""
    return KeyedCall.objects.filter(pk=call.pk, holder=call.holder, status=None)


def _key_of_form(form_token: str) -> str:
    """Return a key that no header can have: forms and API calls never collide."""
    return f"form {sha256(form_token.encode(errors='replace')).hexdigest()}"


def _in_flight() -> InFlight:
    return InFlight(
        "idempotency-in-flight",
        "The same call is in progress.",
        fix="Send it again after the number of seconds in the header Retry-After. The portal answers it once.",
        option="Idempotency-Key",
    )
