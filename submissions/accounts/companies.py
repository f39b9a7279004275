"""Which licensees belong to one company: set by the Board, through the portal's operator.

People of a licensee can act for the others of its company. Leaving the company ends the memberships across its border.
"""

from django.db import transaction
from django.db.models import Q

from submissions.accounts.members import end_memberships, record_ended_memberships
from submissions.audit.record import record_event
from submissions.core.errors import NotFound, Refusal
from submissions.core.text_cleaning import clean_text
from submissions.models import Organization, Person

LONGEST_COMPANY = 120  # characters, as in the database


def clean_company(company: str) -> str:
    """The company's name as it is stored; "" for none."""
    clean = " ".join(clean_text(company, "The company's name", option="company").split())
    if len(clean) > LONGEST_COMPANY:
        raise Refusal("company-too-long", option="company", count=len(clean), most=LONGEST_COMPANY)
    return clean


def set_company(slug: str, company: str) -> list[Organization]:
    """Name the company of a licensee, "" for none; returns the other licensees of that company."""
    company = clean_company(company)
    with transaction.atomic():
        organization = Organization.objects.select_for_update(no_key=True).filter(slug=slug).first()
        if organization is None:
            raise NotFound("organization-unknown", slug=slug[:60])
        if organization.kind != Organization.Kind.LICENSEE or not organization.is_live:
            raise Refusal("company-of-licensees", name=organization)
        before, organization.company = organization.company, company
        if before != company:
            organization.save(update_fields=["company"])
            memberships = end_memberships(_crossing(organization))
            payload = {"organisation": organization.pk, "name": organization.name}
            record_event(
                *(None, None, "company-set"),
                before={**payload, "company": before},
                after={**payload, "company": company},
                organization=organization,
                seals=(organization,),
            )
            record_ended_memberships(None, memberships)
    same = Organization.objects.filter(kind=Organization.Kind.LICENSEE, sandbox_of=None, company=company)
    return list(same.exclude(pk=organization.pk).order_by("name")) if company else []


def _crossing(organization: Organization) -> list[Person]:
    """The active memberships between this licensee and one of another company."""
    here = Q(organization=organization) | Q(account__organization=organization)
    rows = Person.objects.filter(here, account__isnull=False, is_active=True)
    return [
        row
        for row in rows.select_related("organization", "account__organization").order_by("pk")
        if not (
            row.organization
            and row.account
            and row.account.organization
            and row.account.organization.is_of_same_company(row.organization)
        )
    ]
