"""An account gets a membership at a property of the same company alone; each ends by itself, or with the account."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.utils import timezone

from submissions import permissions
from submissions.accounts import invitations, members
from submissions.accounts.invitations import InvitationExpired, IssuedInvitation
from submissions.core.errors import Forbidden, Refusal
from submissions.models import Event, Invitation, Organization, Person, Role
from tests.cast import PASSWORD, person
from tests.submissions.accounts.test_members import administrator
from tests.submissions.properties import COMPANY, membership, one_company

pytestmark = pytest.mark.service("constraints")


@pytest.fixture
def chief(other_casino: Organization) -> Person:
    administrator(other_casino, "Deputy West")
    return administrator(other_casino, "Chief West")


@pytest.fixture
def properties(casino: Organization, other_casino: Organization) -> None:
    one_company(casino, other_casino)


def invited(chief: Person, account: Person, **changes: Any) -> IssuedInvitation:
    form = {"email": account.email, "name": account.name, "role": Role.PREPARER} | changes
    return invitations.invite(chief, **form)


def refusal_of(call: Any, *args: Any, **kwargs: Any) -> Refusal:
    with pytest.raises(Refusal) as error:
        call(*args, **kwargs)
    return error.value


def test_account_gets_a_role_at_another_property(properties: None, chief: Person, manager: Person) -> None:
    row = invitations.accept_membership(manager, invited(chief, manager).invitation)
    assert (row.account, row.organization, row.role) == (manager, chief.organization, Role.PREPARER)
    assert (row.name, row.address, row.administrator) == (manager.name, manager.email, False)
    assert [acting.pk for acting in permissions.acting_rows(manager.pk)] == [manager.pk, row.pk]
    joined = Event.objects.get(verb="joined")
    assert (joined.actor, joined.organization) == (row, chief.organization)
    assert (joined.after["account"], joined.after["email"]) == (manager.pk, manager.email)
    manager.refresh_from_db()
    assert (manager.role, manager.organization.slug) == (Role.MANAGER, "east")  # unchanged at home


def test_membership_has_no_sign_in_of_its_own(manager: Person, other_casino: Organization) -> None:
    row = membership(manager, other_casino)
    assert not row.has_usable_password()
    assert authenticate(None, email=row.email, password=PASSWORD) is None
    assert permissions.acting_rows(row.pk) == []


@pytest.mark.parametrize(("home", "there"), [("", COMPANY), ("Other Gaming", COMPANY), ("", ""), (COMPANY, "")])
def test_account_of_another_company_is_refused(
    chief: Person, manager: Person, casino: Organization, other_casino: Organization, home: str, there: str
) -> None:
    one_company(casino, company=home)
    one_company(other_casino, company=there)
    refusal = refusal_of(invited, chief, manager)
    assert refusal.code == ("company-differs" if there else "email-taken")
    assert (refusal.option, bool(refusal.fix), manager.email in refusal.message) == ("email", True, True)
    assert not Invitation.objects.exists()


def test_company_that_changed_since_the_invitation_is_refused(properties: None, chief: Person, manager: Person) -> None:
    invitation = invited(chief, manager).invitation
    members.set_company("east", "Other Gaming")
    assert refusal_of(invitations.accept_membership, manager, invitation).code == "company-differs"
    assert not Person.objects.filter(account=manager).exists()


def test_board_and_sandbox_have_no_memberships(
    properties: None, chief: Person, analyst: Person, board: Organization
) -> None:
    Organization.objects.filter(pk=board.pk).update(company=COMPANY)  # though nothing in the portal can
    assert refusal_of(invited, chief, analyst).code == "company-differs"
    refusal = refusal_of(members.set_company, "board", COMPANY)
    assert refusal.code == "company-of-licensees"


def test_invitation_is_accepted_by_its_own_account_alone(
    properties: None, chief: Person, manager: Person, preparer: Person
) -> None:
    invitation = invited(chief, manager).invitation
    refusal = refusal_of(invitations.accept_membership, preparer, invitation)
    assert (refusal.code, type(refusal)) == ("invitation-of-another", Forbidden)
    invitations.accept_membership(manager, invitation)
    with pytest.raises(InvitationExpired):
        invitations.accept_membership(manager, invitation)
    assert Person.objects.filter(account=manager).count() == 1


def test_account_is_invited_once_for_a_property(
    properties: None, chief: Person, manager: Person, stranger: Person
) -> None:
    row = invitations.accept_membership(manager, invited(chief, manager).invitation)
    assert refusal_of(invited, chief, manager).code == "member-already"
    members.deactivate_member(chief, row)
    assert refusal_of(invited, chief, manager).code == "member-already"
    assert refusal_of(invited, chief, stranger).code == "email-taken"  # at home here


def test_ended_invitation_gives_no_membership(properties: None, chief: Person, manager: Person) -> None:
    invitation = invited(chief, manager).invitation
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert refusal_of(invitations.accept_membership, manager, invitation).code == "invitation-expired"


def test_deactivated_membership_ends_one_property(properties: None, chief: Person, manager: Person) -> None:
    row = invitations.accept_membership(manager, invited(chief, manager).invitation)
    members.deactivate_member(chief, row)
    manager.refresh_from_db()
    assert manager.is_active
    assert permissions.acting_rows(manager.pk) == [manager]
    members.reactivate_member(chief, row)
    assert permissions.acting_rows(manager.pk) == [manager, row]


def test_deactivated_account_ends_every_property(
    chief: Person, casino: Organization, manager: Person, other_casino: Organization
) -> None:
    for name in ("Chief East", "Deputy East"):
        home_chief = administrator(casino, name)
    row = membership(manager, other_casino)
    members.deactivate_member(home_chief, manager)
    manager.refresh_from_db()
    row.refresh_from_db()
    assert (manager.is_active, row.is_active, permissions.acting_rows(manager.pk)) == (False, False, [])
    events = Event.objects.filter(verb="deactivated").order_by("sequence")
    assert [(event.after["person"], event.organization) for event in events] == [
        (manager.pk, casino),
        (row.pk, other_casino),
    ]
    assert refusal_of(members.reactivate_member, chief, row).code == "account-deactivated"
    members.reactivate_member(home_chief, manager)
    row.refresh_from_db()
    assert not row.is_active  # its own property decides
    members.reactivate_member(chief, row)
    manager.refresh_from_db()
    assert permissions.acting_rows(manager.pk) == [manager, row]


def test_role_and_administrator_are_of_one_property(chief: Person, manager: Person, other_casino: Organization) -> None:
    row = membership(manager, other_casino, Role.READER)
    members.assign_role(chief, row, role=Role.PREPARER, administrator=True)
    row.refresh_from_db()
    manager.refresh_from_db()
    assert (row.role, row.administrator) == (Role.PREPARER, True)
    assert (manager.role, manager.administrator) == (Role.MANAGER, False)
    assert permissions.may(row, "administer")
    assert not permissions.may(manager, "administer")


def test_second_factor_is_removed_where_the_account_is(
    chief: Person, manager: Person, other_casino: Organization
) -> None:
    from allauth.mfa.models import Authenticator

    row = membership(manager, other_casino)
    Authenticator.objects.create(user=manager, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert permissions.has_second_factor(row)
    assert refusal_of(members.remove_second_factor, chief, row).code == "factor-of-account"
    assert Authenticator.objects.filter(user=manager).exists()


def test_signature_of_a_membership_needs_the_second_factor_of_its_account(
    settings: Any, manager: Person, other_casino: Organization
) -> None:
    from allauth.mfa.models import Authenticator

    from submissions.permissions.credentials import signers_of

    settings.SECOND_FACTOR = True
    row = membership(manager, other_casino)
    assert list(signers_of(other_casino)) == []
    assert permissions.may(row, "sign-bulk").code == "second-factor-missing"
    Authenticator.objects.create(user=manager, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert list(signers_of(other_casino)) == [row]
    assert permissions.may(row, "sign-bulk")


def test_leaving_the_company_ends_memberships_across_its_border(
    casino: Organization, other_casino: Organization, manager: Person, stranger: Person
) -> None:
    third = Organization.objects.create(kind="licensee", name="Casino South", slug="south", company=COMPANY)
    rows = {
        "out": membership(manager, other_casino),
        "in": membership(stranger, casino),
        "elsewhere": membership(stranger, third),
    }
    assert members.set_company("east", "Other Gaming") == []
    active = {name for name, row in rows.items() if Person.objects.get(pk=row.pk).is_active}
    assert active == {"elsewhere"}
    assert Event.objects.get(verb="company-set").organization == casino
    assert [one.slug for one in members.set_company("east", f" {COMPANY} ")] == ["south", "west"]
    assert refusal_of(members.reactivate_member, administrator(third, "Chief South"), rows["in"]).code == "not-allowed"


def test_company_is_named_at_the_creation_or_later(casino: Organization, capsys: Any) -> None:
    both = ("--administrator=ann@north.example.test", "--administrator=bob@north.example.test")
    call_command(
        "create_organization", "Casino North", "--kind=licensee", "--slug=north", f"--company={COMPANY}", *both
    )
    assert Organization.objects.get(slug="north").company == COMPANY
    call_command("set_company", "east", COMPANY)
    assert "Other licensees of this company: Casino North." in capsys.readouterr().out
    call_command("set_company", "east")
    assert Organization.objects.get(slug="east").company == ""
    with pytest.raises(CommandError, match="No organization has the short name nowhere"):
        call_command("set_company", "nowhere", COMPANY)
    with pytest.raises(CommandError, match="Only a licensee can belong to a company"):
        call_command("create_organization", "B", "--kind=regulator", "--slug=b", f"--company={COMPANY}", *both)


def test_new_person_of_a_company_chooses_a_passphrase(properties: None, chief: Person) -> None:
    issued = invitations.invite(chief, email="new@west.example.test", name="New", role=Role.READER)
    joined = invitations.accept_invitation(issued.invitation, name="New", passphrase="a long spring sentence")
    assert (joined.account, joined.has_usable_password()) == (None, True)


def test_mail_of_the_invitation_says_how_to_accept(
    properties: None, chief: Person, manager: Person, mailoutbox: list[Any]
) -> None:
    issued = invited(chief, manager)
    [mail] = mailoutbox
    assert mail.to == [manager.email]
    assert issued.link in mail.body
    assert "sign in as usual" in mail.body
    assert "passphrase" not in mail.body


def test_acting_rows_cost_one_query(manager: Person, django_assert_num_queries: Any) -> None:
    for slug in ("north", "south", "valley"):
        place = Organization.objects.create(kind="licensee", name=slug.title(), slug=slug)
        membership(manager, place)
    manager.refresh_from_db()
    with django_assert_num_queries(1):
        rows = permissions.acting_rows(manager.pk)
        assert [str(row.organization) for row in rows] == ["Casino East", "North", "South", "Valley"]


def test_two_accounts_of_one_property_are_separate(
    casino: Organization, other_casino: Organization, manager: Person
) -> None:
    other = person(casino, Role.PREPARER, "Second East")
    row = membership(manager, other_casino)
    assert (permissions.acting_rows(manager.pk), permissions.acting_rows(other.pk)) == ([manager, row], [other])
