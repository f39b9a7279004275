"""The steps that a person may take (`may`), with the reason if not. Rows that a person may see are `visible`.

On the days of a stand-in for the Table Games Manager, that person is treated as a manager. Only a preparer can be one:
a read-only member, a service account or someone who left acts for nobody. Not here: naming a stand-in
(`accounts.stand_ins`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from submissions.core.errors import Forbidden, error_codes
from submissions.models import (
    OPEN_LAYOUTS,
    OPEN_STATUSES,
    ROLES_OF,
    WITH_BOARD,
    WITH_LICENSEE,
    AccessRecord,
    Decision,
    Event,
    Invitation,
    LayoutFiling,
    LayoutStatus,
    Organization,
    Person,
    Role,
    Rulemaking,
    StandIn,
    Status,
    Submission,
)
from submissions.permissions.visible import Visitor, is_visible_to, layouts_visible_to, sees_drafts
from submissions.permissions.workflow import PREPARER_ROLES, REVIEWER_ROLES, TRANSITIONS, Transition, transitions_of

STAND_IN_TITLE = "stand-in for the Table Games Manager"


def stand_ins_on(day: date) -> QuerySet[StandIn]:
    """Return the stand-ins that count on this day (Eastern Time): both days included, an ended one counts no longer."""
    return StandIn.objects.filter(
        first_day__lte=day,
        last_day__gte=day,
        end=None,
        organization=F("person__organization"),
        organization__kind=Organization.Kind.LICENSEE,
        person__role=Role.PREPARER,
        person__is_active=True,
        person__is_system=False,
    )


def is_stand_in(person: Person) -> bool:
    """Return whether the person acts for the Table Games Manager today."""
    return person.role == Role.PREPARER and stand_ins_on(timezone.localdate()).filter(person=person).exists()


def role_title(person: Person) -> str:
    """Return the role as it is written where the person signs: "Preparer, stand-in for the Table Games Manager"."""
    return f"{person.get_role_display()}, {STAND_IN_TITLE}" if is_stand_in(person) else str(person.get_role_display())


def stand_ins_visible_to(person: Person | AnonymousUser) -> QuerySet[StandIn]:
    """Return the stand-ins of the person's own licensee, the latest first."""
    rows = StandIn.objects.select_related("person", "by", "end", "end__by")
    if isinstance(person, AnonymousUser) or not person.is_active or not person.at_licensee:
        return rows.none()
    return rows.filter(organization=person.organization)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an action with, if it is not allowed, the reason: a button can say why it is grey."""

    allowed: bool
    reason: str = ""
    code: str = "not-allowed"
    fix: str = ""  # the next step; that of the code, if it is empty

    def __bool__(self) -> bool:
        return self.allowed


ALLOWED = Verdict(True)
BOARD_ADMINISTRATORS_ONLY = Verdict(False, "Only an administrator of the Board may do this.")
SIGNER_ROLES = (Role.MANAGER, *REVIEWER_ROLES)  # who takes the steps that a bulk update can contain


@dataclass(frozen=True, slots=True)
class Capability:
    """An action that does not change the status: allowed to `roles` while the status is one of `sources`."""

    roles: tuple[Role, ...]
    sources: tuple[str, ...]
    signs: bool = False  # asks the person to sign in again first, as steps of the workflow do


UNDECIDED = tuple(status for status in OPEN_STATUSES if status != Status.DRAFT)
CAPABILITIES: dict[str, Capability] = {
    "edit": Capability(PREPARER_ROLES, WITH_LICENSEE),
    "answer": Capability(PREPARER_ROLES, (Status.RETURNED,)),  # a question of the Board
    "comment": Capability(PREPARER_ROLES, WITH_LICENSEE),  # among people of the licensee
    "send-to-manager": Capability((Role.PREPARER,), WITH_LICENSEE),
    "send-back": Capability((Role.MANAGER,), WITH_LICENSEE),  # to the preparer
    "remark": Capability(REVIEWER_ROLES, WITH_BOARD),
    "resolve": Capability(REVIEWER_ROLES, WITH_BOARD),  # or reopen a remark
    "amend": Capability(PREPARER_ROLES, (Status.APPROVED,)),
    "discontinue": Capability((Role.MANAGER,), (Status.APPROVED,), signs=True),
    "lay-out": Capability(PREPARER_ROLES, (*UNDECIDED, Status.APPROVED)),
    "assign": Capability(REVIEWER_ROLES, UNDECIDED),  # or unassign
}
UNDECIDED_LAYOUTS = tuple(status for status in OPEN_LAYOUTS if status != LayoutStatus.DRAFT)
LAYOUT_CAPABILITIES: dict[str, Capability] = {
    "draw": Capability(PREPARER_ROLES, (LayoutStatus.DRAFT, LayoutStatus.DEFICIENT)),
    "judge": Capability(REVIEWER_ROLES, (LayoutStatus.FILED,)),
    "assign": Capability(REVIEWER_ROLES, UNDECIDED_LAYOUTS),
}


def may(person: Visitor, verb: str, filing: Submission | LayoutFiling | None = None) -> Verdict:
    """Return whether the person may do this, with the reason if not.

    Without a filing: `start` a submission, `administer` people, `connect` webhooks, `oversee` (the Board's workload,
    equal filings and shared views), `edit-tables` (change the table list), send a `bulk` update, `sign-bulk` (confirm
    one that takes steps of filings), `enter-order` (or end one), `place-legal-hold` (or lift one), `name-stand-in` (or
    end one), `operate` the portal (see what runs in it, run jobs again). With a filing: a capability or a step.
    """
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return Verdict(False, "Sign in first.")
    if verb in ("start", "edit-tables"):
        return is_one_of(person, PREPARER_ROLES)
    if verb == "bulk" or (verb == "connect" and person.is_system):  # a service account that is not read-only
        return is_one_of(person, (*PREPARER_ROLES, *REVIEWER_ROLES))
    if verb in ("administer", "connect"):
        by_others = Verdict(False, "Only an administrator of the organization may do this.")
        return with_second_factor(person) if person.administrator else by_others
    if verb == "operate":
        return _may_operate(person)
    if verb == "place-legal-hold":  # or lift one
        of_board = person.administrator and person.at_regulator
        return with_second_factor(person) if of_board else BOARD_ADMINISTRATORS_ONLY
    if verb == "sign-bulk":
        return is_one_of(person, SIGNER_ROLES) and is_named(person) and with_second_factor(person)
    if verb == "enter-order":
        return _may_enter_orders(person)
    if verb == "name-stand-in":
        return _may_name_stand_in(person)
    if verb == "oversee":
        return ALLOWED if person.at_regulator else Verdict(False, "Only the Board may do this.")
    return _may_with(person, verb, filing)


def require(person: Visitor, verb: str, filing: Submission | LayoutFiling | None = None) -> None:
    """Raise `Forbidden` with the reason unless `may` says yes."""
    require_allowed(may(person, verb, filing))


def require_allowed(verdict: Verdict) -> None:
    """Raise `Forbidden` with the reason unless it says yes."""
    if not verdict:
        raise Forbidden(verdict.code, verdict.reason, fix=verdict.fix or error_codes()[verdict.code].fix)


def _may_with(person: Person, verb: str, filing: Submission | LayoutFiling | None) -> Verdict:
    """Return the verdict on a capability or a step with a filing, if it is one that the person sees."""
    of_layout = isinstance(filing, LayoutFiling)
    if filing is None or not _is_seen(person, filing):
        what = "layout" if of_layout else "submission"
        return Verdict(False, f"This {what} belongs to another licensee.", fix="Choose one of your own.")
    action = (LAYOUT_CAPABILITIES if of_layout else CAPABILITIES).get(verb) or transitions_of(filing)[verb]
    if filing.status not in action.sources:
        what = "layout filing" if of_layout else "submission"
        possible = " or ".join(
            f"“{(LayoutStatus if of_layout else Status)(source).label}”" for source in action.sources
        )
        fix = f"Read it again. The step is possible while the {what} is {possible}."
        return Verdict(
            False, f"This step is not possible while the {what} is “{filing.get_status_display()}”.", fix=fix
        )
    verdict = is_one_of(person, action.roles)
    if isinstance(action, Transition):
        return verdict and _may_step(person, action, verb, filing)
    return verdict and (with_second_factor(person) if action.signs else ALLOWED)


def _is_seen(person: Person, filing: Submission | LayoutFiling) -> bool:
    if isinstance(filing, Submission):
        return is_visible_to(person, filing)
    return layouts_visible_to(person).filter(pk=filing.pk).exists()


def _may_step(person: Person, step: Transition, verb: str, filing: Submission | LayoutFiling) -> Verdict:
    verdict = is_named(person)
    if step.by_owner and isinstance(filing, Submission):
        return verdict and _is_owner(person, filing)
    if verdict and step.needs_evidence and isinstance(filing, Submission):
        verdict = _evidence_passed(filing)
    if verdict and verb == "approve":
        verdict = _not_the_recommender(person, filing)
    return verdict and with_second_factor(person)


def is_named(person: Person) -> Verdict:
    """Return the verdict whether a named person takes the step; in a sandbox, without signing, a program may."""
    if person.is_system and person.organization and person.organization.is_live:
        return Verdict(False, "A named person must confirm each step of a filing. An API key cannot.", "person-needed")
    return ALLOWED


def has_second_factor(person: Person) -> bool:
    """Return whether the person's account needs more than a passphrase to sign in; recovery codes do not count."""
    return bool(
        Authenticator.objects.filter(user=person.account_key).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()
    )


def takes_steps(person: Person) -> bool:
    """Return whether the person's role takes any step of the workflow: files, recommends, approves."""
    return any(is_one_of(person, step.roles) for step in TRANSITIONS.values() if not step.by_owner)


def _may_operate(person: Person) -> Verdict:
    """Return the verdict whether this is an administrator of the Board; the portal is one for all licensees."""
    if not (person.administrator and person.at_regulator and person.organization and person.organization.is_live):
        return BOARD_ADMINISTRATORS_ONLY
    return is_named(person) and with_second_factor(person)


def _may_enter_orders(person: Person) -> Verdict:
    """Return the verdict whether this is a director, who signs the Board's orders; a sandbox has none."""
    if person.organization is None or not person.organization.is_live:
        return Verdict(False, "A sandbox has no orders of the Board.")
    return is_one_of(person, (Role.DIRECTOR,)) and is_named(person) and with_second_factor(person)


def _may_name_stand_in(person: Person) -> Verdict:
    """Return the verdict on a manager or an administrator of a licensee; no stand-in names another one."""
    if not person.at_licensee or person.is_system or not (person.administrator or person.role == Role.MANAGER):
        return Verdict(False, "Only a Table Games Manager or an administrator of the licensee names a stand-in.")
    return with_second_factor(person)


def with_second_factor(person: Person) -> Verdict:
    """Return whether the person has the second factor that signing needs."""
    if settings.SECOND_FACTOR and not person.is_system and not has_second_factor(person):
        return Verdict(False, "Set up a second factor first, under “Account settings”.", "second-factor-missing")
    return ALLOWED


def is_one_of(person: Person, roles: tuple[Role, ...]) -> Verdict:
    """Return the verdict whether the person has one of the roles; a casino has no analysts, the Board no preparers."""
    own_side = ROLES_OF[person.organization.kind] if person.organization else ()
    if person.role in roles and person.role in own_side:
        return ALLOWED
    if Role.MANAGER in roles and is_stand_in(person):
        return ALLOWED
    names = (f"an {role.label}" if role.label[0] in "AEIOU" else f"a {role.label}" for role in roles)
    return Verdict(False, f"Only {' or '.join(names)} may do this.")


def _is_owner(person: Person, submission: Submission) -> Verdict:
    """Return the verdict whether the person started the draft or is a manager, who may delete it."""
    if submission.created_by_id == person.pk or is_one_of(person, (Role.MANAGER,)):
        return ALLOWED
    return Verdict(False, "Only the person who started this draft or a Table Games Manager may delete it.")


def _evidence_passed(submission: Submission) -> Verdict:
    revision = submission.revisions.first()
    runs = list(revision.simulations.values_list("passed", flat=True)) if revision else []
    if not runs:
        return Verdict(False, "This filing has no simulation. Return it, so that the licensee files it again.")
    if all(runs):
        return ALLOWED
    if False in runs:
        return Verdict(False, "The simulation does not agree with the exact figures.")
    return Verdict(False, "The simulation is still running.")


def _not_the_recommender(person: Person, filing: Submission | LayoutFiling) -> Verdict:
    latest = filing.revisions.first()
    if latest is None or not latest.decisions.filter(kind=Decision.Kind.RECOMMEND, by=person).exists():
        return ALLOWED
    if isinstance(filing, Submission):
        return Verdict(False, "You recommended this submission. Another person must approve it.")
    return Verdict(False, "You reported on this layout. Another person must decide.")


ABOUT_PEOPLE = (
    "invited", "uninvited", "joined", "assigned", "deactivated", "reactivated",
    "second-factor-set-up", "second-factor-given-up", "second-factor-removed",
    "stand-in-named", "stand-in-ended",
)  # fmt: skip


def people_visible_to(person: Visitor) -> QuerySet[Person]:
    """Return the people of the same organization, including those who left; no service accounts."""
    people = Person.objects.filter(is_system=False).select_related("organization", "account__organization")
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return people.none()
    return people.filter(organization=person.organization).order_by("-is_active", "name", "pk")


def invitations_visible_to(person: Visitor) -> QuerySet[Invitation]:
    """Return the invitations that still wait, for who administers: those that ended by themselves, too."""
    invitations = Invitation.objects.filter(accepted_by=None, withdrawn_at=None).select_related("by")
    own = administered_by(person)
    return invitations.filter(organization=own) if own else invitations.none()


def people_history_visible_to(person: Visitor) -> QuerySet[Event]:
    """Return the events about an organization's people, for its administrators."""
    return administered_history(person, ABOUT_PEOPLE)


def administered_by(person: Visitor) -> Organization | None:
    """Return the organization that the person administers."""
    if isinstance(person, AnonymousUser) or not may(person, "administer"):
        return None
    return person.organization


def administered_history(person: Visitor, verbs: Sequence[str], *, with_sandbox: bool = False) -> QuerySet[Event]:
    """Return the events with these verbs of the organization that the person administers, the latest first."""
    # None of them is about a submission: an index finds those, however many events there are.
    events = Event.objects.filter(submission=None, verb__in=verbs).select_related("actor").order_by("-sequence")
    own = administered_by(person)
    if own is None:
        return events.none()
    return events.filter(own_or_sandboxes(own) if with_sandbox else Q(organization=own))


def own_or_sandboxes(organization: Organization) -> Q:
    return Q(organization=organization) | Q(organization__sandbox_of=organization)


def access_records_visible_to(person: Visitor) -> QuerySet[AccessRecord]:
    """Return all rows for administrators of the Board; for those of a licensee the rows of it and of its sandbox.

    A row without an organization, such as a sign-in to an account that does not exist, is for the Board only.
    """
    rows = AccessRecord.objects.select_related("person", "organization")
    own = administered_by(person)
    if own is None:
        return rows.none()
    of_board = own.kind == Organization.Kind.REGULATOR and own.is_live
    return rows if of_board else rows.filter(own_or_sandboxes(own))


# Rulemakings: drafts are for the Board's own staff, not for those of a sandbox, whose rules are nobody's.
BOARD_ONLY = Verdict(False, "Only the Board writes rulemakings.")
OWN_TEXT = Verdict(False, "You wrote the last change of this rulemaking. Another director must publish it.")


def may_write(person: Visitor) -> Verdict:
    """Return whether the person may start rulemakings, write their changes, try and withdraw them."""
    if isinstance(person, AnonymousUser) or not sees_drafts(person):
        return BOARD_ONLY
    return is_one_of(person, REVIEWER_ROLES) and is_named(person)


def may_publish(person: Visitor, rulemaking: Rulemaking) -> Verdict:
    """Return whether the person may publish it: a director, but not the one who wrote its last change."""
    if isinstance(person, AnonymousUser) or not sees_drafts(person):
        return BOARD_ONLY
    verdict = is_one_of(person, (Role.DIRECTOR,)) and is_named(person)
    if verdict and rulemaking.written_by_id == person.pk:
        return OWN_TEXT
    return verdict and with_second_factor(person)
