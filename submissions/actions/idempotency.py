"""Once for each Idempotency-Key, after draft-ietf-httpapi-idempotency-key-header-07: a call that is sent again gets the
answer that it got. And once for each form whose answer tells a secret: sent again, it makes nothing.

A call is begun in a transaction of its own, so that everybody sees that it is under way. Its effect and its answer are
one further transaction, which only the call's holder can end: whoever dies in between leaves nothing behind, and after
a while the next one that sends the same takes the call over. What is refused is an answer too; a fault of ours is none:
the same key may be sent again.

Keys belong to a seat, so a credential that replaces another one goes on with its keys. Not here: which calls need a
key, and what an answer looks like (`api.writing`).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from submissions.actions.enciphered import decipher, encipher
from submissions.errors import Conflict, Refusal
from submissions.models import KeyedCall, Person

PURPOSE = "keyed-call"  # what answers are enciphered for
LONGEST = 255
KEPT = timedelta(days=7)
DEAD = timedelta(seconds=60)  # no call takes so long: whoever has not answered it by then is gone
_STRING = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"')  # of RFC 8941
_BARE = re.compile(r"[!#-+\--~]+")  # neither blank, quotation mark nor comma: a header that is sent twice has one
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: the body as it is sent, and the headers that belong to it."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)
    replayed: bool = False


Do = Callable[[], Answer]


class InFlight(Conflict):
    """The same call is under way; `seconds`: when asking again makes sense."""

    seconds = 1


class Reused(Refusal):
    """The key was sent with another call."""

    status = 422


def key_in(header: str) -> str:
    """The key in the header: a string of RFC 8941, or the same without its quotation marks."""
    string = _STRING.fullmatch(header.strip())
    key = _ESCAPED.sub(r"\1", string[1]) if string else header.strip()
    if not 1 <= len(key) <= LONGEST or not (string or _BARE.fullmatch(key)):
        raise Refusal(
            "idempotency-key-unreadable",
            "The header Idempotency-Key holds no key.",
            fix=f"Send 1 to {LONGEST} printable ASCII characters, such as a UUID, in quotation marks.",
            option="Idempotency-Key",
        )
    return key


def digest_of(method: str, address: str, media_type: str, body: bytes) -> str:
    """What makes two calls the same one. `address`: the path with its query."""
    return sha256(f"{method}\n{address}\n{media_type}\n".encode() + body).hexdigest()


def once(
    seat: Person, key: str, digest: str, prepare: Callable[[], Do], refused: Callable[[Refusal], Answer]
) -> Answer:
    """What is answered to the call, or was before.

    `prepare` understands what was sent, before anything is held, and returns what does it. `refused`: how a refusal is
    answered, of either.
    """
    call, told = _begin(seat, key, digest)
    if told:
        return told
    try:
        do = prepare()
        with transaction.atomic():
            answer = do()
            _keep(call, answer)
    except InFlight:
        raise
    except Refusal as refusal:
        if refusal.status >= 500:
            _let_go(call)
            raise
        answer = refused(refusal)
        _keep(call, answer)
    except BaseException:
        _let_go(call)
        raise
    return answer


def refuse_sent(person: Person, mark: str) -> None:
    """Refuse a form with this mark, if the person sent it before and got what it asks for."""
    if KeyedCall.objects.filter(seat=person, key=_key_of_form(mark)).exists():
        raise _sent_already()


def note_sent(person: Person, mark: str) -> None:
    """The same in the transaction of what the form does, which notes it: of two at a time, one does it."""
    given = {"status": 200, "begun_at": timezone.now(), "answered_at": timezone.now()}  # its answer is not kept
    if not KeyedCall.objects.get_or_create(seat=person, key=_key_of_form(mark), defaults=given)[1]:
        raise _sent_already()


def clean(now: datetime) -> int:
    """Forget the calls and forms of long ago; how many."""
    return KeyedCall.objects.filter(begun_at__lt=now - KEPT).delete()[0]


def _begin(seat: Person, key: str, digest: str) -> tuple[KeyedCall, Answer | None]:
    """The call, held by nobody else; or what was answered to it."""
    now, holder = timezone.now(), secrets.token_hex(16)
    call, begun = KeyedCall.objects.filter(seat=seat, key=key).first(), False  # looked at without waiting for writers
    if call is None:
        given = {"request_sha256": digest, "holder": holder, "begun_at": now}
        with transaction.atomic():
            call, begun = KeyedCall.objects.get_or_create(seat=seat, key=key, defaults=given)
    if begun:
        return call, None
    if call.request_sha256 != digest:
        raise Reused(
            "idempotency-key-reused",
            "Another call was made with this Idempotency-Key.",
            fix="Make up another key for each call; send a call again exactly as it was.",
            option="Idempotency-Key",
        )
    if call.status is not None:
        return call, _answered(call, call.status)
    if abs(now - call.begun_at) < DEAD or not _of(call).update(holder=holder, begun_at=now):
        raise _in_flight()
    call.holder = holder
    return call, None


def _answered(call: KeyedCall, status: int) -> Answer:
    """What was answered then."""
    try:
        return Answer(status, decipher(call.answer, PURPOSE), call.headers, replayed=True)
    except Refusal:
        raise Conflict(
            "idempotency-answer-lost",
            "This call was answered before, and the answer cannot be read any more.",
            fix="Look at what the call did; to do it once more, make up another key.",
            option="Idempotency-Key",
        ) from None


def _keep(call: KeyedCall, answer: Answer) -> None:
    """Write the answer, if the call is still ours; else whoever took it over answers it."""
    kept = encipher(answer.body, PURPOSE)  # it may tell a secret, such as that of a webhook
    changes = {"status": answer.status, "answer": kept, "headers": dict(answer.headers)}
    if not _of(call).update(**changes, answered_at=timezone.now()):
        raise _in_flight()


def _let_go(call: KeyedCall) -> None:
    _of(call).delete()


def _of(call: KeyedCall) -> QuerySet[KeyedCall]:
    """The row, as long as nobody answered it or took it over."""
    return KeyedCall.objects.filter(pk=call.pk, holder=call.holder, status=None)


def _key_of_form(mark: str) -> str:
    """Whatever stands in the form: people send forms and seats send keys, so that neither meets the other."""
    return f"form {sha256(mark.encode(errors='replace')).hexdigest()}"


def _sent_already() -> Conflict:
    return Conflict(
        "form-sent-already",
        "This form was sent before, and did what it asked for. The secret was shown then, once.",
        fix="It is in the list: rotate or end it there if its secret is lost. To make another, send the form again.",
    )


def _in_flight() -> InFlight:
    return InFlight(
        "idempotency-in-flight",
        "The same call is under way.",
        fix="Send it again after as many seconds as the header Retry-After says: it is answered once.",
        option="Idempotency-Key",
    )
