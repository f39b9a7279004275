"""The states of a submission and of a layout filing: both tables on one screen, and the one function that applies them.

Who may take a step is `submissions.access`; what a step does besides changing the state is its action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import F
from django.utils import timezone

from submissions.errors import Conflict, Refusal
from submissions.models import LayoutFiling, LayoutStatus, Role, Status, Submission


@dataclass(frozen=True, slots=True)
class Transition:
    """From any of `sources` to `target`, by someone with one of `roles`."""

    label: str  # the button
    done: str  # the history: "filed"
    sources: tuple[str, ...]
    target: str
    roles: tuple[Role, ...]
    needs_reason: bool = False
    needs_evidence: bool = False  # only when every simulation has passed
    signs: bool = False  # only by whoever has just confirmed who they are


TRANSITIONS: dict[str, Transition] = {
    "file": Transition(
        "File", "filed", (Status.DRAFT, Status.RETURNED), Status.FILED, (Role.MANAGER,), signs=True
    ),
    "withdraw": Transition(
        "Withdraw", "withdrew", (Status.DRAFT, Status.FILED, Status.RETURNED), Status.WITHDRAWN, (Role.MANAGER,),
        needs_reason=True,
    ),
    "return": Transition(  # with questions: `actions.review` refuses one without
        "Return with questions", "returned", (Status.FILED, Status.RECOMMENDED), Status.RETURNED,
        (Role.ANALYST, Role.DIRECTOR),
    ),
    "recommend": Transition(
        "Recommend approval", "recommended", (Status.FILED,), Status.RECOMMENDED, (Role.ANALYST, Role.DIRECTOR),
        needs_evidence=True, signs=True,
    ),
    "approve": Transition(
        "Approve", "approved", (Status.RECOMMENDED,), Status.APPROVED, (Role.DIRECTOR,), needs_evidence=True,
        signs=True,
    ),
    "reject": Transition(
        "Reject", "rejected", (Status.FILED, Status.RECOMMENDED), Status.REJECTED, (Role.DIRECTOR,), needs_reason=True,
        signs=True,
    ),
}  # fmt: skip

# § 601a.10: the Bureau of Gaming Operations reviews and reports, the Executive Director decides.
LAYOUT_TRANSITIONS: dict[str, Transition] = {
    "file": Transition(
        "File", "layout-filed", (LayoutStatus.DRAFT, LayoutStatus.DEFICIENT), LayoutStatus.FILED, (Role.MANAGER,),
        signs=True,
    ),
    "withdraw": Transition(
        "Withdraw", "layout-withdrew", (LayoutStatus.DRAFT, LayoutStatus.FILED, LayoutStatus.DEFICIENT),
        LayoutStatus.WITHDRAWN, (Role.MANAGER,), needs_reason=True,
    ),
    "notify": Transition(
        "Give notice of deficiencies", "layout-found-deficient",
        (LayoutStatus.FILED, LayoutStatus.RECOMMENDED), LayoutStatus.DEFICIENT, (Role.ANALYST, Role.DIRECTOR),
        signs=True,
    ),
    "recommend": Transition(
        "Report to the Executive Director", "layout-recommended", (LayoutStatus.FILED,), LayoutStatus.RECOMMENDED,
        (Role.ANALYST, Role.DIRECTOR), signs=True,
    ),
    "approve": Transition(
        "Approve", "layout-approved", (LayoutStatus.RECOMMENDED,), LayoutStatus.APPROVED, (Role.DIRECTOR,), signs=True
    ),
    "reject": Transition(
        "Reject", "layout-rejected", (LayoutStatus.FILED, LayoutStatus.RECOMMENDED), LayoutStatus.REJECTED,
        (Role.DIRECTOR,), needs_reason=True, signs=True,
    ),
}  # fmt: skip
Filing = TypeVar("Filing", Submission, LayoutFiling)


def steps_of(filing: Submission | LayoutFiling) -> dict[str, Transition]:
    """The table that holds for it."""
    return TRANSITIONS if isinstance(filing, Submission) else LAYOUT_TRANSITIONS


def locked(submission: Filing) -> Filing:
    """The filing as it is now, held until the caller's transaction ends.

    Held against other changes, not against rows that refer to it: a worker that has the history's lock would
    wait for this row while whoever holds the row waits for the history.
    """
    return type(submission)._default_manager.select_for_update(no_key=True).get(pk=submission.pk)


def expect(submission: Submission | LayoutFiling, version: int, verb: str = "") -> None:
    """Raise `Conflict`, which tells by whom and when, if the submission is no longer where the person saw it.

    With a `verb`, also if that step leads from no such state: it was taken, or another one was.
    """
    gone = bool(verb) and submission.status not in steps_of(submission)[verb].sources
    if submission.version != version or gone:
        raise Conflict(
            "changed-meanwhile",
            f"{submission.number} is now “{submission.get_status_display()}”: {_faster(submission)}.",
            theirs=submission.status,
            fix="Reload the page and look at the history before you go on.",
        )


def apply(submission: Submission | LayoutFiling, verb: str, *, version: int, reason: str = "") -> None:
    """Move the submission, if it still stands where the person saw it (`version`); else `Conflict`.

    One compare-and-swap on status and version. The caller holds the transaction, checks the permission
    and writes the event.
    """
    transition = steps_of(submission)[verb]
    if transition.needs_reason and not reason.strip():
        raise Refusal("reason-missing", f"{transition.label} needs a reason.", fix="Say why in a sentence or two.")
    moved = (
        type(submission)
        ._default_manager.filter(pk=submission.pk, version=version, status__in=transition.sources)
        .update(status=transition.target, version=F("version") + 1, changed_at=timezone.now())
    )
    submission.refresh_from_db()
    if not moved:
        expect(submission, version=-1)


def _faster(submission: Submission | LayoutFiling) -> str:
    """Who moved it last, and when: "Director One approved it at 10:14 AM"."""
    events = submission.events if isinstance(submission, Submission) else submission.submission.events
    moves = events.filter(verb__in=[step.done for step in steps_of(submission).values()])
    if isinstance(submission, LayoutFiling):
        moves = moves.filter(after__filing=submission.number)
    last = moves.select_related("actor").order_by("-sequence").first()
    if last is None or last.actor is None:
        return "someone was faster"
    at = timezone.localtime(last.at)
    day = "" if at.date() == timezone.localdate() else f" on {at:%b %-d, %Y}"
    first, *rest = last.verb.removeprefix("layout-").split("-")  # "found it deficient"
    return f"{last.actor.name} {' '.join((first, 'it', *rest))}{day} at {at:%-I:%M %p}"
