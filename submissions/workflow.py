"""The states of a submission: the whole table on one screen, and the one function that applies it.

Who may take a step is `submissions.access`; what a step does besides changing the state is its action.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone

from submissions.errors import Conflict, Refusal
from submissions.models import Role, Status, Submission


@dataclass(frozen=True, slots=True)
class Transition:
    """From any of `sources` to `target`, by someone with one of `roles`."""

    label: str  # the button
    done: str  # the history: "filed"
    sources: tuple[Status, ...]
    target: Status
    roles: tuple[Role, ...]
    needs_reason: bool = False
    needs_evidence: bool = False  # only when every simulation has passed


TRANSITIONS: dict[str, Transition] = {
    "file": Transition(
        "File", "filed", (Status.DRAFT, Status.RETURNED), Status.FILED, (Role.MANAGER,)
    ),
    "withdraw": Transition(
        "Withdraw", "withdrew", (Status.DRAFT, Status.FILED, Status.RETURNED), Status.WITHDRAWN, (Role.MANAGER,),
        needs_reason=True,
    ),
    "return": Transition(
        "Return with questions", "returned", (Status.FILED, Status.RECOMMENDED), Status.RETURNED,
        (Role.ANALYST, Role.DIRECTOR), needs_reason=True,
    ),
    "recommend": Transition(
        "Recommend approval", "recommended", (Status.FILED,), Status.RECOMMENDED, (Role.ANALYST, Role.DIRECTOR),
        needs_evidence=True,
    ),
    "approve": Transition(
        "Approve", "approved", (Status.RECOMMENDED,), Status.APPROVED, (Role.DIRECTOR,), needs_evidence=True
    ),
}  # fmt: skip


def locked(submission: Submission) -> Submission:
    """The submission as it is now, held until the caller's transaction ends.

    Held against other changes, not against rows that refer to it: a worker that has the history's lock would
    wait for this row while whoever holds the row waits for the history.
    """
    return Submission.objects.select_for_update(no_key=True).get(pk=submission.pk)


def expect(submission: Submission, version: int) -> None:
    """Raise `Conflict` if the submission is no longer where the person saw it."""
    if submission.version != version:
        raise Conflict(
            "changed-meanwhile",
            f"{submission.number} is now “{submission.get_status_display()}”: someone was faster.",
            theirs=submission.status,
            fix="Reload the page and look at the history before you go on.",
        )


def apply(submission: Submission, verb: str, *, version: int, reason: str = "") -> None:
    """Move the submission, if it still stands where the person saw it (`version`); else `Conflict`.

    One compare-and-swap on status and version. The caller holds the transaction, checks the permission
    and writes the event.
    """
    transition = TRANSITIONS[verb]
    if transition.needs_reason and not reason.strip():
        raise Refusal("reason-missing", f"{transition.label} needs a reason.", fix="Say why in a sentence or two.")
    moved = Submission.objects.filter(pk=submission.pk, version=version, status__in=transition.sources).update(
        status=transition.target, version=F("version") + 1, changed_at=timezone.now()
    )
    submission.refresh_from_db()
    if not moved:
        expect(submission, version=-1)
