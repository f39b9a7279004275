"""A step is taken only at the version and from a status in which the person saw the filing."""

from __future__ import annotations

import pytest

from submissions.core.errors import Conflict
from submissions.models import Person, Status, Submission
from submissions.permissions.workflow import apply_transition, check_version
from tests.submissions.filing_rows import draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def changed(manager: Person) -> Submission:
    """A draft at version 2."""
    submission = draft(manager)
    Submission.objects.filter(pk=submission.pk).update(version=2)
    return Submission.objects.get(pk=submission.pk)


def test_step_at_the_present_version_is_taken(changed: Submission) -> None:
    check_version(changed, 2, "file")
    apply_transition(changed, "file", version=2)
    assert (changed.status, changed.version) == (Status.FILED, 3)


@pytest.mark.parametrize(
    ("verb", "version"),
    [
        ("file", 1),
        ("file", 3),  # which there has not been yet
        ("approve", 2),
    ],
)
def test_step_at_another_version_or_from_another_status_is_refused(
    changed: Submission, verb: str, version: int
) -> None:
    with pytest.raises(Conflict):
        check_version(changed, version, verb)
    with pytest.raises(Conflict):
        apply_transition(changed, verb, version=version)
    changed.refresh_from_db()
    assert (changed.status, changed.version) == (Status.DRAFT, 2)
