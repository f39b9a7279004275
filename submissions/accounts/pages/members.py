"""The pages of an organization's people and invitations, the changes that an administrator makes, and the page of an
invitation's link, where a person enters a name and a passphrase and joins. A person who has an account at another
property of the company signs in and confirms instead.
"""

from collections.abc import Mapping

from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST

from submissions.accounts import invitations, members
from submissions.accounts.invitations import accept_membership, account_at
from submissions.accounts.pages import reauthentication
from submissions.accounts.pages.stand_ins import current_stand_ins
from submissions.core.errors import Refusal
from submissions.models import ROLES_OF, AccessRecord, Event, Invitation, Organization, Person, Role
from submissions.permissions import invitations_visible_to, may, people_history_visible_to, people_visible_to, require
from submissions.web.access_gate import account_of, person_of
from submissions.web.forms import RefusalForm, Select, SentChoice, SentFlag, SentText
from submissions.web.middleware import never_compress
from submissions.web.responses import render_page
from submissions.web.security_records import record

MOST = 20  # changes on a page


def recent_changes(events: QuerySet[Event], sentences: Mapping[str, str]) -> list[dict[str, object]]:
    """Who, what, why and when; `sentences` has a text for each verb, with placeholders for facts of the event."""
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


class InvitationForm(RefusalForm):
    email = SentText(
        "E-mail address",
        kind="email",
        check=invitations.check_address,
        autocomplete="off",
        maxlength=254,
        required=True,
    )
    name = SentText("Name", check=invitations.name_of, autocomplete="off", maxlength=120, required=True)
    role = SentChoice(Select(required=True), label="Role")
    administrator = SentFlag("Administrator: invites people, changes roles, deactivates")


class MemberForm(RefusalForm):
    role = SentChoice(Select())
    administrator = SentFlag("Administrator: invites people, changes roles, deactivates")


def page(request: HttpRequest) -> HttpResponse:
    """GET: the people. POST: send an invitation."""
    form = InvitationForm(request)
    if request.method == "POST":
        require(request.user, "administer")
        with form.showing_refusals():
            reauthentication.require_confirmation(request)
            return _invited(request, invitations.invite(person_of(request), **form.values))
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
    form = InvitationForm(request)
    form.needed = ()  # it is sent again as it is
    with form.showing_refusals():
        reauthentication.require_confirmation(request)
        return _invited(request, invitations.send_again(person_of(request), invitation))
    return _page(request, form)


def member(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: one person. POST: their role, and whether they are an administrator."""
    person = get_object_or_404(_with_second_factor(people_visible_to(request.user)), pk=pk)
    require(request.user, "administer")
    form = MemberForm(request, role=person.role, administrator=person.administrator)
    if request.method == "POST":
        with form.showing_refusals():
            reauthentication.require_confirmation(request)
            members.assign_role(person_of(request), person, **form.values)
            messages.success(request, f"Saved: {person.name}.")
            return redirect("people")
    return _member_page(request, person, form)


@require_POST
def change(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Deactivate, reactivate, or remove the second factor."""
    person = get_object_or_404(_with_second_factor(people_visible_to(request.user)), pk=pk)
    require(request.user, "administer")
    if action not in ACTIONS:
        raise Http404
    carry_out, done = ACTIONS[action]
    form = MemberForm(request)
    with form.showing_refusals():
        reauthentication.require_confirmation(request)
        carry_out(person_of(request), person)
        if action == "second-factor":  # not a signal: django-allauth knows only one's own
            record(request, AccessRecord.Kind.FACTOR_REMOVED, object_reference=f"person pk={person.pk}")
        messages.success(request, done.format(person.name))
        return redirect("people")
    return _member_page(request, person, form)


def role_choices(organization: Organization | None) -> list[tuple[str, str]]:
    kind = Organization.Kind(organization.kind) if organization else None
    return [(role.value, str(role.label)) for role in ROLES_OF[kind]] if kind else []


def _invited(request: HttpRequest, issued: invitations.IssuedInvitation) -> HttpResponse:
    return never_compress(render(request, "pages/invitation_sent.html", {"invited": issued, "here": "people"}))


def _page(request: HttpRequest, form: InvitationForm) -> HttpResponse:
    form.offer("role", [("", "Choose"), *role_choices(person_of(request).organization)])
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
    return form.page(request, "pages/people.html", context)


def _member_page(request: HttpRequest, person: Person, form: MemberForm) -> HttpResponse:
    form.offer("role", role_choices(person.organization))
    form.fields["role"].label = f"What {person.name} does here"
    context = {"person": person, "own": person.pk == request.user.pk, "here": "people"}
    return form.page(request, "pages/person.html", context)


def _with_second_factor(people: QuerySet[Person]) -> QuerySet[Person]:
    account = Coalesce(OuterRef("account"), OuterRef("pk"))
    factors = Authenticator.objects.filter(user=account).exclude(type=Authenticator.Type.RECOVERY_CODES)
    return people.annotate(second_factor=Exists(factors))


HINT = "At least 12 characters. A sentence of your own is easy to remember."


class JoinForm(RefusalForm):
    field_of = {"passphrase": "password"}
    name = SentText(
        "Your name", hint="Your name as signed documents show it.", autocomplete="name", maxlength=120, required=True
    )
    password = SentText("Passphrase", hint=HINT, kind="password", autocomplete="new-password", required=True)
    password_again = SentText("Passphrase, again", kind="password", autocomplete="new-password", required=True)


class TooManyAttempts(Refusal):
    status = 429


def invitation_page(request: HttpRequest, secret: str) -> HttpResponse:
    """GET: the invitation. POST: join."""
    invitation = invitations.invitation_of(secret)
    if invitation is None:
        raise Http404("This invitation link is not valid. It may be incomplete. Ask for a new invitation.")
    form, account = JoinForm(request, name=invitation.name), account_at(invitation.email)
    context = {"invitation": invitation, "account": account, "is_own": _is_own(request, account)}
    if account or request.user.is_authenticated:
        form.needed = ()
    try:
        invitations.refuse_expired(invitation)
        if form.is_bound and context["is_own"]:
            return _joined_property(request, invitation)
        if form.is_bound and not (account or request.user.is_authenticated):
            _join(request, invitation, **form.values)
            messages.success(request, f"Welcome. Sign in with {invitation.email} and the passphrase you just chose.")
            return redirect("account_login")
    except invitations.InvitationExpired as expired:
        response = render_page(request, "pages/invitation_expired.html", {"invitation": invitation}, expired)
    except Refusal as refusal:
        form.refuse(refusal)
        response = form.page(request, "pages/accept_invitation.html", context)
    else:
        response = form.page(request, "pages/accept_invitation.html", context)
    patch_cache_control(response, private=True, no_store=True)
    return response


def _is_own(request: HttpRequest, account: Person | None) -> bool:
    """Whether the account that the invitation is for is the one that is signed in."""
    return account is not None and request.user.is_authenticated and account_of(request).pk == account.pk


def _joined_property(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    """Confirm, accept, and say where the other property is."""
    reauthentication.require_confirmation(request)
    membership = accept_membership(account_of(request), invitation)
    messages.success(
        request,
        f"You may now act for {membership.organization}: choose it under “You act for”, at the top of the page.",
    )
    return redirect("home")


def _join(request: HttpRequest, invitation: Invitation, *, name: str, password: str, password_again: str) -> None:
    if not ratelimit.consume(request, action="join"):
        raise TooManyAttempts("too-many-attempts", "Too many attempts.", fix="Wait a minute, then try again.")
    if password != password_again:
        raise Refusal("passphrases-differ", option="passphrase")
    invitations.accept_invitation(invitation, name=name, passphrase=password)
