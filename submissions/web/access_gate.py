"""Before every page: who must be signed in, as which of its rows an account acts, and how a refusal becomes a page.

A session stores the row that was chosen. `ActingPerson` gives it to every page as `request.user`; the pages of the
sign-in (`accounts/`) have the account itself, whose passphrase and second factors they change. A form carries the row
that it was made for, so that a page from before a switch, in another tab, cannot write to another property. Not here:
what a person may see and do once signed in (`submissions.permissions`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.functional import SimpleLazyObject

from submissions.core.errors import SHOWN_REFUSAL, Conflict, Refusal
from submissions.models import Organization, Person, Submission
from submissions.permissions import acting_rows, read_scope_of, readable_within
from submissions.web.responses import render_page

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
        """Return the row with this primary key, as a form sends it."""
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
    """Return who acts for whom in this request; None without a sign-in."""
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
    """Return the row that the form was made for, as it says; "" if it does not.

    Of several values, the last: a page that offers to send a form again has its own property first, and then what the
    form said.
    """
    return request.POST.getlist(FIELD)[-1] if FIELD in request.POST else ""


def _acting(request: HttpRequest, account: Any) -> Acting | None:
    """Return the chosen row; the account's own if none was chosen, or that may no longer be one of its rows."""
    if not account.is_authenticated:
        return None
    rows = getattr(account, "acting_rows", None) or acting_rows(account.pk)  # the second just after signing in
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


OTHER_PROPERTY = 412  # to a part of a page, which is not swapped in: `portal.js` shows the banner
View = Callable[..., HttpResponseBase]
METHODS = ("GET", "HEAD", "POST")  # of any page


class Audience(Enum):
    """Whom an address is for. Which submissions a signed-in person sees is `permissions.visible_to`."""

    PUBLIC = "everyone"
    REGISTER = "everyone, unless PORTAL_PUBLIC_REGISTER is 0"  # approved versions and the tables that use them
    SIGNED_IN = "who is signed in"
    ACCOUNT = "who is signed in, for any of their properties"  # concerns the account, so no form says for which


def guarded(view: View, who: Audience) -> View:
    """Return the view behind the sign-in it needs; a `Refusal` that it raises is shown in words."""

    @wraps(view)
    def inside(request: HttpRequest, **parts: object) -> HttpResponseBase:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        if not (request.user.is_authenticated or is_open_to_visitors(who)):
            return ask_to_sign_in(request)
        if who is Audience.SIGNED_IN and is_refused_for_property(request):
            return _refuse_other_property(request)
        try:
            response = view(request, **parts)
        except Refusal as refusal:
            response = render_page(request, "pages/refusal.html", {}, refusal)
        if request.user.is_authenticated:  # not for the next person at this screen, nor for a proxy
            patch_cache_control(response, private=True, no_store=True)
        return response

    return inside


def is_open_to_visitors(who: Audience) -> bool:
    """Return True if the address needs no sign-in."""
    return who is Audience.PUBLIC or (who is Audience.REGISTER and settings.PUBLIC_REGISTER)


def person_of(request: HttpRequest) -> Person:
    """Return the person who is signed in, for the views that require it."""
    return cast(Person, request.user)


def account_of(request: HttpRequest) -> Person:
    """Return the account that signed in: whose passphrase, second factors and sessions count.

    For views that require it.
    """
    return person_of(request).sign_in_account


def organization_of(request: HttpRequest) -> Organization:
    """Return the organization of who is signed in, for the views that require one."""
    return cast(Organization, person_of(request).organization)


def submission_of(request: HttpRequest, number: str) -> Submission:
    """Return the submission with this number, if this person may see it; 404 otherwise, as if there were none."""
    reach = read_scope_of(request.user)
    numbered = Submission.objects.filter(number=number).select_related("organization")
    submission = readable_within(reach, numbered).first() if reach else None
    if submission is None:
        raise Http404("There is no submission with this number that you may see.")
    submission.readable_within.add(reach)
    return submission


def is_prepared_by(request: HttpRequest, submission: Submission) -> bool:
    """Return whether this person's side is preparing it now: an unfiled draft is not for the Board's eyes."""
    return submission.editable and not person_of(request).at_regulator


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """To the sign-in and back; what was just sent is offered to be sent again, so that nothing typed is lost."""
    if getattr(request, "htmx", False):
        return HttpResponse("Sign in again.", status=401)
    if request.method == "POST":
        return repeat(request, status=401)
    return redirect_to_login(request.get_full_path())


def repeat(request: HttpRequest, status: int) -> HttpResponse:
    """Return the page that keeps what was sent and offers to send it again, after signing in again in another tab."""
    return render(request, "pages/send_again.html", {"fields": _sent_fields(request)}, status=status)


def _sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields that were sent, without passphrases and codes."""
    shown = (name for name in request.POST if name != "csrfmiddlewaretoken" and "password" not in name)
    return [(name, value) for name in shown for value in request.POST.getlist(name)]


def is_refused_for_property(request: HttpRequest) -> bool:
    """Return whether a form was made for another property, or by an account of several without saying for which.

    The button on the page of a form that was refused asks to switch back to its property.
    """
    acting = acting_of(request)
    if acting is None or request.method != "POST":
        return False
    sent, row = sent_for(request), acting.row(request.POST.get(SWITCH_FIELD, ""))
    if row is not None and sent == str(row.pk):
        switch(request, row)
        return False
    return sent != str(acting.person.pk) if sent else acting.is_one_of_several


def _refuse_other_property(request: HttpRequest) -> HttpResponse:
    """Return the page that keeps the form sent for another property, and offers to act for it and send it again."""
    refusal = Conflict("other-property", organization=organization_of(request))
    if getattr(request, "htmx", False):
        return HttpResponse(refusal.message, status=OTHER_PROPERTY)
    now, sent = acting_of(request), sent_for(request)
    own_fields = (FIELD, SWITCH_FIELD)
    context = {
        "fields": [(name, value) for name, value in _sent_fields(request) if name not in own_fields],
        "made_for": now.row(sent) if now else None,
        "is_unnamed": not sent,
        "has_files": bool(request.FILES),
    }
    return render_page(request, "pages/other_property.html", context, refusal)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form older than the last sign-in.

    Its values are offered again only if it came from this very site.
    """
    request.META[SHOWN_REFUSAL] = "csrf-failed"  # for the security log
    if getattr(request, "htmx", False):
        return HttpResponse("Reload the page.", status=401)
    if _is_ours(request, request.headers.get("Origin", "")):
        return repeat(request, status=403)
    return render(request, "403.html", {"exception": "The form was not sent from this portal."}, status=403)


def _is_ours(request: HttpRequest, origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == request.get_host()
    except ValueError:
        return False
