"""Deleting a draft that was never filed. Nothing is erased: its status becomes `deleted`, lists leave it out, and the
history says who deleted it and when. A draft is always one that was never filed: what was filed is withdrawn instead.
"""

from django.db import transaction

from submissions import permissions
from submissions.audit.record import record_event
from submissions.models import Person, Submission
from submissions.permissions import workflow


def delete_draft(actor: Person, submission: Submission, *, version: int) -> None:
    """Delete it: the person who started it may, or a manager."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        workflow.check_version(submission, version)
        permissions.require(actor, "delete", submission)
        workflow.apply_transition(submission, "delete", version=version)
        record_event(actor, submission, "deleted", seals=(submission,))
