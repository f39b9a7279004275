"""The states of a submission and of a layout filing: two transition tables, and the function that applies them.

Who may take a step is decided in `permissions.may`; what else a step does is in the domain packages.
"""

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import F
from django.utils import timezone
from django.utils.dateformat import format as format_date

from submissions.core.errors import Conflict, Refusal
from submissions.models import LayoutFiling, LayoutStatus, Role, Status, Submission


@dataclass(frozen=True, slots=True)
class Transition:
    """A step from any of `sources` to `target`, by someone with one of `roles`."""

    label: str  # the button
    done: str  # the history: "filed"
    sources: tuple[str, ...]
    target: str
    roles: tuple[Role, ...]
    needs_reason: bool = False
    needs_evidence: bool = False  # only when every simulation has passed
    signs: bool = False  # asks the person to sign in again first
    by_owner: bool = False  # a preparer takes it only on their own draft, and without a second factor


PREPARER_ROLES = (Role.PREPARER, Role.MANAGER)
REVIEWER_ROLES = (Role.ANALYST, Role.DIRECTOR)
TRANSITIONS: dict[str, Transition] = {
    "file": Transition("File", "filed", (Status.DRAFT, Status.RETURNED), Status.FILED, (Role.MANAGER,), signs=True),
    "withdraw": Transition(
        "Withdraw", "withdrew", (Status.DRAFT, Status.FILED, Status.RETURNED), Status.WITHDRAWN, (Role.MANAGER,),
        needs_reason=True,
    ),
    "delete": Transition(
        "Delete draft", "deleted", (Status.DRAFT,), Status.DELETED, PREPARER_ROLES, by_owner=True
    ),
    "return": Transition(  # with questions: `filings.review.decisions` refuses one without
        "Return with questions", "returned", (Status.FILED, Status.RECOMMENDED), Status.RETURNED, REVIEWER_ROLES
    ),
    "recommend": Transition(
        "Recommend approval", "recommended", (Status.FILED,), Status.RECOMMENDED, REVIEWER_ROLES, needs_evidence=True,
        signs=True,
    ),
    "approve": Transition(
        "Approve", "approved", (Status.RECOMMENDED,), Status.APPROVED, (Role.DIRECTOR,), needs_evidence=True, signs=True
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
        "Issue deficiency notice", "layout-found-deficient",
        (LayoutStatus.FILED, LayoutStatus.RECOMMENDED), LayoutStatus.DEFICIENT, REVIEWER_ROLES, signs=True,
    ),
    "recommend": Transition(
        "Report to the Executive Director", "layout-recommended", (LayoutStatus.FILED,), LayoutStatus.RECOMMENDED,
        REVIEWER_ROLES, signs=True,
    ),
    "approve": Transition(
        "Approve", "layout-approved", (LayoutStatus.RECOMMENDED,), LayoutStatus.APPROVED, (Role.DIRECTOR,), signs=True
    ),
    "reject": Transition(
        "Reject", "layout-rejected", (LayoutStatus.FILED, LayoutStatus.RECOMMENDED), LayoutStatus.REJECTED,
        (Role.DIRECTOR,), needs_reason=True, signs=True,
    ),
}  # fmt: skip
FilingRow = TypeVar("FilingRow", Submission, LayoutFiling)


def transitions_of(filing: Submission | LayoutFiling) -> dict[str, Transition]:
    """Return the transition table of this kind of filing."""
    return TRANSITIONS if isinstance(filing, Submission) else LAYOUT_TRANSITIONS


def lock_row(submission: FilingRow) -> FilingRow:
    """Return the filing as it is now, locked until the caller's transaction ends.

    The lock is against other changes, not against rows that refer to it: otherwise a worker that has the history's lock
    would wait for this row, while the owner of the row waits for the history.
    """
    return type(submission)._default_manager.select_for_update(no_key=True).get(pk=submission.pk)


def check_version(submission: Submission | LayoutFiling, version: int, verb: str = "") -> None:
    """Raise `Conflict`, naming who changed it and when, if the filing is not at the version that the person saw.

    With a `verb`, also if that step is not possible from its current status.
    """
    impossible = bool(verb) and submission.status not in transitions_of(submission)[verb].sources
    if submission.version != version or impossible:
        status, faster = submission.get_status_display(), _faster(submission)
        if not faster and version >= 0:
            raise Conflict(
                "changed-meanwhile/never",
                theirs=submission.status,
                number=submission.number,
                status=status,
                version=submission.version,
                sent=version,
            )
        raise Conflict(
            "changed-meanwhile",
            theirs=submission.status,
            number=submission.number,
            status=status,
            version=submission.version,
            faster=faster or "another user changed it.",
        )


def missing_reason(transition: Transition, reason: str) -> Refusal | None:
    """Return the refusal of a step that needs a reason and has none."""
    needs = transition.needs_reason and not reason.strip()
    return Refusal("reason-missing/step", label=transition.label) if needs else None


def apply_transition(submission: Submission | LayoutFiling, verb: str, *, version: int, reason: str = "") -> None:
    """Change the status if the filing is still at `version`; else `Conflict`.

    One compare-and-swap on status and version. The caller has opened the transaction, checks the permission and records
    the event.
    """
    transition = transitions_of(submission)[verb]
    if missing := missing_reason(transition, reason):
        raise missing
    moved = (
        type(submission)
        ._default_manager.filter(pk=submission.pk, version=version, status__in=transition.sources)
        .update(status=transition.target, version=F("version") + 1, changed_at=timezone.now())
    )
    submission.refresh_from_db()
    if not moved:
        check_version(submission, version=-1)


def _faster(submission: Submission | LayoutFiling) -> str:
    """Return who moved it last, and when: “Director One approved it at 10:14 a.m.”; "" if no one did."""
    events = submission.events if isinstance(submission, Submission) else submission.submission.events
    moves = events.filter(verb__in=[step.done for step in transitions_of(submission).values()])
    if isinstance(submission, LayoutFiling):
        moves = moves.filter(after__filing=submission.number)
    last = moves.select_related("actor").order_by("-sequence").first()
    if last is None or last.actor is None:
        return ""
    at = timezone.localtime(last.at)
    day = "" if at.date() == timezone.localdate() else f" on {at:%b %-d, %Y}"
    first, *rest = last.verb.removeprefix("layout-").split("-")  # "found it deficient"
    return f"{last.actor.name} {' '.join((first, 'it', *rest))}{day} at {format_date(at, 'g:i a')}"
