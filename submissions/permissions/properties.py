"""The rows as which an account may act: its own, and its memberships at other properties of the same company.

Fail closed: a membership counts only while it and the account are active, and while the Board names one company for
both licensees. What each row may see and do is decided by `visible` and `may`, as for every person.
"""

from django.db.models import Q

from submissions.models import Person


def acting_rows(account: Person) -> list[Person]:
    """The account's own row first, then its memberships by the name of the property; each with its organization.

    One query. Empty for a membership, a service account and someone who was deactivated: they do not sign in.
    """
    if account.account_id or account.is_system or not account.is_active:
        return []
    own, memberships = account, []
    rows = Person.objects.filter(Q(pk=account.pk) | Q(account=account)).select_related("organization")
    for row in rows.order_by("organization__name", "pk"):
        if row.pk == account.pk:
            if not row.is_active:
                return []
            own.organization = row.organization
        else:
            row.account = account
            memberships.append(row)
    return [own, *(row for row in memberships if _may_act_as(row, own))]


def acting_row(account: Person, key: int) -> Person | None:
    """The row with this primary key, if the account may act as it."""
    return next((row for row in acting_rows(account) if row.pk == key), None)


def _may_act_as(membership: Person, account: Person) -> bool:
    home, there = account.organization, membership.organization
    return membership.is_active and home is not None and there is not None and home.is_of_same_company(there)
