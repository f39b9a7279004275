"""The pages of an organization's people, invitations and stand-ins, and the changes that an administrator makes.

Also the page of an invitation's link, where a person enters a name and a passphrase and joins. A person who has an
account at another property of the company signs in and confirms instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST

from submissions.accounts import invitations, members, stand_ins
from submissions.accounts.invitations import accept_membership, account_at
from submissions.accounts.pages import reauthentication
from submissions.core.dates import date_text
from submissions.core.errors import Refusal
from submissions.core.parameters import DayField, ParsedField
from submissions.models import ROLES_OF, AccessRecord, Event, Invitation, Organization, Person, Role, StandIn
from submissions.permissions import (
    invitations_visible_to,
    may,
    people_history_visible_to,
    people_visible_to,
    require,
    stand_ins_visible_to,
)
from submissions.web.access_gate import account_of, person_of
from submissions.web.forms import PageForm, add_refusal, posted, render_form
from submissions.web.middleware import never_compress
from submissions.web.responses import page_of, render_page
from submissions.web.security_records import record

MOST = 20  # changes on a page


def recent_changes(events: QuerySet[Event], sentences: Mapping[str, str]) -> list[dict[str, object]]:
    """Return who changed what, why and when. `sentences`: a text for each verb, with placeholders for facts."""
    return [
        {
            "who": event.actor.name if event.actor else "The portal's operator",
            "what": sentences[event.verb].format(**_facts(event)),
            "reason": event.reason,
            "at": event.at,
        }
        for event in events[:MOST]
    ]


def _facts(event: Event) -> dict[str, object]:
    facts = {"name": "", **event.before, **event.after, "replaced": event.before.get("credential", "")}
    role = Role(facts["role"]).label if facts.get("role") in Role.values else ""
    return facts | {"role": f"{role} and administrator" if facts.get("administrator") else role}


SENTENCES = {
    "invited": "invited {email} as {role}",
    "uninvited": "withdrew the invitation of {email}",
    "joined": "joined as {role}",
    "assigned": "made {name} {role}",
    "deactivated": "deactivated {name}",
    "reactivated": "let {name} in again",
    "second-factor-set-up": "set up a second factor",
    "second-factor-given-up": "removed their own second factor",
    "stand-in-named": "made {name} stand-in for the Table Games Manager from {first_day} to {last_day}",
    "stand-in-ended": "ended that {name} is stand-in for the Table Games Manager",
    "second-factor-removed": "removed the second factor of {name}",
}
ACTIONS = {
    "deactivate": (members.deactivate_member, "{} no longer has access. What they did stays in the history."),
    "reactivate": (members.reactivate_member, "{} has access again."),
    "second-factor": (members.remove_second_factor, "The second factor of {} is removed: they set up another one."),
}


ADMINISTRATOR = "Administrator: invites people, changes roles, deactivates"


class InvitationForm(PageForm):
    email = ParsedField(
        label="E-mail address",
        parse=invitations.check_address,
        widget=forms.EmailInput({"autocomplete": "off", "maxlength": invitations.LONGEST_ADDRESS}),
    )
    name = ParsedField(
        parse=invitations.name_of,
        widget=forms.TextInput({"autocomplete": "off", "maxlength": invitations.LONGEST_NAME}),
    )
    role = forms.ChoiceField()
    administrator = forms.BooleanField(label=ADMINISTRATOR, required=False)

    def __init__(self, organization: Organization | None, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        cast(Any, self.fields["role"]).choices = [("", "Choose"), *role_choices(organization)]


class MemberForm(PageForm):
    role = forms.ChoiceField()
    administrator = forms.BooleanField(label=ADMINISTRATOR, required=False)

    def __init__(self, person: Person, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["role"].label = f"What {person.name} does here"
        cast(Any, self.fields["role"]).choices = role_choices(person.organization)


def page(request: HttpRequest) -> HttpResponse:
    """GET: the people. POST: send an invitation."""
    form = InvitationForm(person_of(request).organization, *posted(request))
    if request.method == "POST":
        require(request.user, "administer")
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                return _invited(request, invitations.invite(person_of(request), **form.cleaned_data))
        except Refusal as refusal:
            add_refusal(form, refusal)
    return _page(request, form)


@require_POST
def invitation(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Withdraw an invitation, or send it again."""
    require(request.user, "administer")
    invitation = get_object_or_404(invitations_visible_to(request.user), pk=pk)
    if action == "withdraw":
        invitations.withdraw_invitation(person_of(request), invitation)
        messages.success(request, f"The invitation of {invitation.email} is withdrawn: its link no longer works.")
        return redirect("people")
    if action != "again":
        raise Http404
    try:
        reauthentication.require_confirmation(request)
        return _invited(request, invitations.send_again(person_of(request), invitation))
    except Refusal as refusal:  # nothing of the form of a new invitation was wrong
        return _page(request, InvitationForm(invitation.organization, initial=request.POST.dict()), refusal)


def member(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: one person. POST: their role, and whether they are an administrator."""
    person = get_object_or_404(_with_second_factor(people_visible_to(request.user)), pk=pk)
    require(request.user, "administer")
    initial = {"role": person.role, "administrator": person.administrator}
    form = MemberForm(person, *posted(request), initial=initial)
    if request.method == "POST":
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                members.assign_role(person_of(request), person, **form.cleaned_data)
                messages.success(request, f"Saved: {person.name}.")
                return redirect("people")
        except Refusal as refusal:
            add_refusal(form, refusal)
    return _member_page(request, person, form)


@require_POST
def change(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Deactivate, reactivate, or remove the second factor."""
    person = get_object_or_404(_with_second_factor(people_visible_to(request.user)), pk=pk)
    require(request.user, "administer")
    if action not in ACTIONS:
        raise Http404
    carry_out, done = ACTIONS[action]
    try:
        reauthentication.require_confirmation(request)
        carry_out(person_of(request), person)
    except Refusal as refusal:
        return _member_page(request, person, MemberForm(person, initial=request.POST.dict()), refusal)
    if action == "second-factor":  # not a signal: django-allauth knows only one's own
        record(request, AccessRecord.Kind.FACTOR_REMOVED, object_reference=f"person pk={person.pk}")
    messages.success(request, done.format(person.name))
    return redirect("people")


def role_choices(organization: Organization | None) -> list[tuple[str, str]]:
    kind = Organization.Kind(organization.kind) if organization else None
    return [(role.value, str(role.label)) for role in ROLES_OF[kind]] if kind else []


def _invited(request: HttpRequest, issued: invitations.IssuedInvitation) -> HttpResponse:
    return never_compress(render(request, "pages/invitation_sent.html", {"invited": issued, "here": "people"}))


def _page(request: HttpRequest, form: InvitationForm, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "people": list(_with_second_factor(people_visible_to(request.user))),
        "administers": may(request.user, "administer"),
        "invitations": list(invitations_visible_to(request.user)),
        "now": timezone.now(),
        "stand_ins": current_stand_ins(request),
        "may_name": may(request.user, "name-stand-in"),
        "changes": recent_changes(people_history_visible_to(request.user), SENTENCES),
        "here": "people",
    }
    return render_form(request, "pages/people.html", context, form, refusal)


def _member_page(
    request: HttpRequest, person: Person, form: MemberForm, refusal: Refusal | None = None
) -> HttpResponse:
    context = {"person": person, "own": person.pk == request.user.pk, "here": "people"}
    return render_form(request, "pages/person.html", context, form, refusal)


def _with_second_factor(people: QuerySet[Person]) -> QuerySet[Person]:
    account = Coalesce(OuterRef("account"), OuterRef("pk"))
    factors = Authenticator.objects.filter(user=account).exclude(type=Authenticator.Type.RECOVERY_CODES)
    return people.annotate(second_factor=Exists(factors))


STAND_INS_ON_PAGE = 50


class StandInForm(PageForm):
    person = forms.ModelChoiceField(Person.objects.none(), empty_label="Choose")
    first_day = DayField()
    last_day = DayField(help_text="The stand-in may act until the end of this day.")
    reason = forms.CharField(
        help_text="For example: vacation of the Table Games Manager.", widget=forms.Textarea({"rows": 2})
    )

    def __init__(self, actor: Person, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        cast(Any, self.fields["person"]).queryset = stand_ins.stand_in_candidates(actor)


@dataclass(frozen=True, slots=True)
class StandInRow:
    """A stand-in as the lists show it."""

    row: StandIn
    today: date

    @property
    def days(self) -> str:
        """Return the first and the last day: "From March 1, 2026 to March 5, 2026"."""
        return f"From {date_text(self.row.first_day)} to {date_text(self.row.last_day)}"

    @property
    def is_open(self) -> bool:
        """Whether it counts now or will count."""
        return not hasattr(self.row, "end") and self.today <= self.row.last_day

    @property
    def status(self) -> str:
        if hasattr(self.row, "end"):
            return f"Ended early by {self.row.end.by.name}"
        if self.today > self.row.last_day:
            return "Over"
        return "Acts now" if self.row.first_day <= self.today else "From the first day on"


@require_http_methods(["GET", "HEAD", "POST"])
def stand_in_list(request: HttpRequest) -> HttpResponse:
    """GET: all stand-ins of the licensee. POST: name one."""
    today, person = timezone.localdate(), person_of(request)
    form = StandInForm(person, *posted(request), initial={"first_day": today})
    if request.method == "POST":
        require(person, "name-stand-in")
        try:
            reauthentication.require_confirmation(request)
            if form.is_valid():
                row = stand_ins.name_stand_in(person, **form.cleaned_data)
                messages.success(request, f"{row.person.name} is stand-in: {StandInRow(row, today).days}.")
                return redirect("stand-ins")
        except Refusal as refusal:
            add_refusal(form, refusal)
    rows = page_of(request, stand_ins_visible_to(person), STAND_INS_ON_PAGE)
    context = {
        "page": rows,
        "rows": [StandInRow(row, today) for row in rows],
        "may_name": may(person, "name-stand-in"),
        "here": "people",
    }
    return render_form(request, "pages/stand_ins.html", context, form)


@require_POST
def end_stand_in(request: HttpRequest, pk: int) -> HttpResponse:
    """End a stand-in at once."""
    row = get_object_or_404(stand_ins_visible_to(request.user), pk=pk)
    stand_ins.end_stand_in(person_of(request), row)
    messages.success(request, f"{row.person.name} is no longer stand-in.")
    return redirect("stand-ins")


def current_stand_ins(request: HttpRequest) -> list[StandInRow]:
    """Return the stand-ins that count today or later, for the People page."""
    today = timezone.localdate()
    return [StandInRow(row, today) for row in stand_ins_visible_to(request.user).filter(end=None, last_day__gte=today)]


HINT = "At least 12 characters. A sentence of your own is easy to remember."


class JoinForm(PageForm):
    name = ParsedField(
        label="Your name",
        help_text="Your name as signed documents show it.",
        parse=invitations.name_of,
        widget=forms.TextInput({"autocomplete": "name", "maxlength": invitations.LONGEST_NAME}),
        error_messages={"required": "The name is missing. Enter first and last name."},
    )
    password = forms.CharField(
        label="Passphrase",
        help_text=HINT,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    password_again = forms.CharField(
        label="Passphrase, again", strip=False, widget=forms.PasswordInput({"autocomplete": "new-password"})
    )

    def clean(self) -> None:
        if not self.errors and self.cleaned_data["password"] != self.cleaned_data["password_again"]:
            add_refusal(self, Refusal("passphrases-differ"), "password")


class TooManyAttempts(Refusal):
    status = 429


@cache_control(private=True, no_store=True)
def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """GET: the invitation. POST: join."""
    invitation = invitations.invitation_of(secret)
    if invitation is None:
        raise Http404("This invitation link is not valid. It may be incomplete. Ask for a new invitation.")
    account = account_at(invitation.email)
    joins = not (account or request.user.is_authenticated)
    sent: tuple[Any, Any] = posted(request) if joins else (None, None)
    form, refusal = JoinForm(*sent, initial={"name": invitation.name}), None
    is_own = account is not None and request.user.is_authenticated and account_of(request).pk == account.pk
    context = {"invitation": invitation, "account": account, "is_own": is_own}
    try:
        invitations.refuse_expired(invitation)
        if request.method == "POST" and is_own:
            return _joined_property(request, invitation)
        if form.is_bound and not ratelimit.consume(request, action="join"):
            raise TooManyAttempts("too-many-attempts", "Too many attempts.", fix="Wait a minute, then try again.")
        if form.is_valid():
            name, passphrase = form.cleaned_data["name"], form.cleaned_data["password"]
            invitations.accept_invitation(invitation, name=name, passphrase=passphrase)
            messages.success(request, f"Welcome. Sign in with {invitation.email} and the passphrase you just chose.")
            return redirect("account_login")
    except invitations.InvitationExpired as expired:
        return render_page(request, "pages/invitation_expired.html", {"invitation": invitation}, expired)
    except Refusal as refused:
        refusal = refused
        if form.is_bound:
            add_refusal(form, refused)
    return render_form(request, "pages/accept_invitation.html", context, form, refusal)


def _joined_property(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Confirm, accept, and say where the other property is."""
    reauthentication.require_confirmation(request)
    membership = accept_membership(account_of(request), invitation)
    how = "choose it under “You act for”, at the top of the page"
    messages.success(request, f"You may now act for {membership.organization}: {how}.")
    return redirect("home")
