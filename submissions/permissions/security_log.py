"""Who may read the security log: administrators; those of a licensee what concerns their own organization."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from submissions.models import AccessRecord
from submissions.permissions.may import may
from submissions.permissions.read_scope import Visitor


def access_records_visible_to(person: Visitor) -> QuerySet[AccessRecord]:
    """All rows for administrators of the Board; for those of a licensee the rows of it and of its sandbox.

    A row without an organization, such as a sign-in to an account that does not exist, is for the Board only.
    """
    rows = AccessRecord.objects.select_related("person", "organization")
    if isinstance(person, AnonymousUser) or not may(person, "administer") or person.organization is None:
        return rows.none()
    if person.at_regulator and person.organization.is_live:
        return rows
    own = person.organization
    return rows.filter(Q(organization=own) | Q(organization__sandbox_of=own))
