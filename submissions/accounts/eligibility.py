"""Which addresses can be invited: those of nobody who signs in, and of accounts at properties of the same company."""

from submissions.core.errors import Refusal
from submissions.models import Organization, Person


def account_at(address: str) -> Person | None:
    """The account that signs in with this address; None for a person who would choose a passphrase."""
    rows = Person.objects.filter(email__iexact=address, account=None, is_system=False, is_active=True)
    return rows.select_related("organization").first()


def refuse_taken(address: str, organization: Organization | None) -> None:
    """Refuse the address of a person who signs in already, unless this account may get a membership at `organization`
    (None: a new person joins).
    """
    person = Person.objects.filter(email__iexact=address).select_related("organization").first()
    if person is None:
        return
    if organization is None or not organization.company or not person.is_active:
        raise Refusal("email-taken", option="email", address=address)
    refuse_outsider(person, organization)


def refuse_outsider(account: Person, organization: Organization) -> None:
    """Refuse an account that cannot get a membership here: of another company, or here already."""
    home = account.organization
    if home is not None and home.pk == organization.pk:
        raise Refusal("email-taken", option="email", address=account.email)
    if home is None or account.is_system or account.account_id or not home.is_of_same_company(organization):
        raise Refusal("company-differs", option="email", address=account.email, organization=organization)
    if Person.objects.filter(account=account, organization=organization).exists():
        raise Refusal("member-already", option="email", address=account.email, organization=organization)
