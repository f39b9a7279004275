"""All that decides which submissions a person may read, and the submissions within it. Not here: the rows of each kind
that a person may see (`visible`).
"""

from functools import lru_cache
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from submissions.models import Person, Revision, Submission

Visitor = Person | AnonymousUser


class ReadScope(NamedTuple):
    """All that decides which submissions a person may read: who has the same one reads the same."""

    organization: int
    at_regulator: bool
    live: bool


def read_scope_of(person: Visitor) -> ReadScope | None:
    """The person's read scope; None: nothing can be read."""
    if isinstance(person, AnonymousUser) or not person.is_active or person.organization is None:
        return None
    return ReadScope(person.organization.pk, person.at_regulator, person.organization.is_live)


@lru_cache(maxsize=256)
def readable_submissions(reach: ReadScope | None) -> QuerySet[Submission]:
    """Put together once for each scope, which decides everything, and never asked itself: `all` copies it."""
    return readable_within(reach, Submission.objects.all())


@lru_cache(maxsize=256)
def is_readable(reach: ReadScope | None, submission: str) -> Exists:
    """The condition that the row's `submission` may be read, put together once for each scope."""
    return Exists(readable_submissions(reach).filter(pk=OuterRef(submission)))


def readable_within(reach: ReadScope | None, rows: QuerySet[Submission]) -> QuerySet[Submission]:
    """The rows among these that may be read."""
    if reach is None:
        return rows.none()
    if reach.at_regulator:
        filed = Exists(Revision.objects.filter(submission=OuterRef("pk")))
        # Written as a negation: otherwise SQLite starts from the organizations and sorts all submissions for each page.
        return rows.filter(filed, ~Q(organization__sandbox_of__isnull=not reach.live))
    return rows.filter(organization=reach.organization)
