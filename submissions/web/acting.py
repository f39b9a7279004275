"""As which of its rows an account acts: the person of every request, and the property that a form was made for.

A session stores the row that was chosen. `ActingPerson` gives it to every page as `request.user`; the pages of the
sign-in (`accounts/`) have the account itself, whose passphrase and second factors they change. A form carries the row
that it was made for, so that a page from before a switch, in another tab, cannot write to another property.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import SimpleLazyObject

from submissions.models import Person
from submissions.permissions import acting_rows

ACTING = "acting_person"  # in the session: the primary key of the chosen row
FIELD = "acting_for"  # of a form: the primary key of the row that it was made for
SWITCH_FIELD = "act_for"  # sent by who switches back and sends a refused form again
SIGN_IN_ROUTE = "accounts/"


@dataclass(frozen=True, slots=True)
class Acting:
    """The account that signed in, the row as which it acts, and all rows as which it may."""

    account: Person
    person: Person
    rows: tuple[Person, ...]

    @property
    def is_one_of_several(self) -> bool:
        """Whether there is a choice of properties."""
        return len(self.rows) > 1

    def row(self, key: str) -> Person | None:
        """The row with this primary key, as a form sends it."""
        return next((row for row in self.rows if str(row.pk) == key), None)


class ActingPerson:
    """Middleware: exchanges the account of a request for the row as which it acts. Asks nothing before it is used."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.account = account = request.user  # type: ignore[attr-defined]
        acting = SimpleLazyObject(lambda: _acting(request, account))
        request.acting = acting  # type: ignore[attr-defined]
        request.user = cast(Any, SimpleLazyObject(lambda: acting.person if acting else AnonymousUser()))
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> None:
        match = request.resolver_match
        if match is not None and match.route.startswith(SIGN_IN_ROUTE):
            request.user = request.account  # type: ignore[attr-defined]


def acting_of(request: HttpRequest) -> Acting | None:
    """Who acts for whom in this request; None for who is not signed in."""
    acting = getattr(request, "acting", None)
    return cast(Acting, acting) if acting else None


def switch(request: HttpRequest, row: Person) -> None:
    """Act as this row, one of the account's, from now on and for the rest of this request."""
    acting = acting_of(request)
    if acting is None or row not in acting.rows:
        raise ValueError("Only a row of the account that signed in.")
    request.session[ACTING] = row.pk
    request.acting = Acting(acting.account, row, acting.rows)  # type: ignore[attr-defined]
    request.user = cast(Any, row)


def sent_for(request: HttpRequest) -> str:
    """The row that the form was made for, as it says; "" if it does not. Of several values, the last: a page that
    offers to send a form again has its own property first, and then what the form said.
    """
    return request.POST.getlist(FIELD)[-1] if FIELD in request.POST else ""


def is_for_other_property(request: HttpRequest) -> bool:
    """Whether what was sent was made for another property, or by an account of several without saying for which."""
    acting, sent = acting_of(request), sent_for(request)
    if acting is None or request.method in ("GET", "HEAD", "OPTIONS"):
        return False
    return sent != str(acting.person.pk) if sent else acting.is_one_of_several


def switch_if_requested(request: HttpRequest) -> None:
    """Switch back to the property of a form that was refused, when its page's button asks for that."""
    acting = acting_of(request)
    row = acting.row(request.POST.get(SWITCH_FIELD, "")) if acting else None
    if row is not None and sent_for(request) == str(row.pk):
        switch(request, row)


def _acting(request: HttpRequest, account: Any) -> Acting | None:
    """The chosen row; the account's own if none was chosen, or that may no longer be one of its rows."""
    if not account.is_authenticated:
        return None
    rows = acting_rows(account)
    if not rows:
        return None
    chosen = request.session.get(ACTING, rows[0].pk)
    person = next((row for row in rows if row.pk == chosen), None)
    if person is None:
        del request.session[ACTING]
        messages.warning(
            request, f"You can no longer act for the property that you chose. You now act for {rows[0].organization}."
        )
    return Acting(rows[0], person or rows[0], tuple(rows))
