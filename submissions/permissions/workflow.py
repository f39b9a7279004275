"""The states of a submission and of a layout filing: two transition tables, and the function that applies them.

Who may take a step is decided in `permissions.may`; what else a step does is in the domain packages.
"""

from dataclasses import dataclass
from typing import TypeVar

from django.db.models import F
from django.utils import timezone
from django.utils.dateformat import format as format_date

from submissions.core.errors import Conflict, Refusal
from submissions.models import (
    LAYOUTS_WITH_BOARD,
    WITH_BOARD,
    LayoutFiling,
    LayoutStatus,
    Role,
    Status,
    Submission,
)

AS_MANAGER = "I am a Table Games Manager or above"
ATTESTATION = (  # of a filing
    f"I have reviewed this Rules Submission. {AS_MANAGER}, the options selected are those "
    "under which the game will be conducted, and the game will not be offered before the Board's approval (§ 601a.2)."
)


@dataclass(frozen=True, slots=True)
class Transition:
    """A step from any of `sources` to `target`, by someone with one of `roles`, and its words wherever it is named.

    With a `success`, it is a button of the filing's page; with an `attestation`, an item of a batch.
    """

    label: str  # the button
    done: str  # the event: "filed"
    history: str  # after the name of the person: "filed it"
    sources: tuple[str, ...]
    target: str
    roles: tuple[Role, ...]
    needs_reason: bool = False
    needs_evidence: bool = False  # only when every simulation has passed
    signs: bool = False  # asks the person to sign in again first
    by_owner: bool = False  # a preparer takes it only on their own draft, and without a second factor
    success: str = ""  # what the page says afterwards
    summary: str = ""  # what an item of a batch does
    attestation: str = ""  # of the person who confirms the batch
    weight: int = 1  # for how long an item locks the database, compared with others (`python -m bench bulk`)

    @property
    def is_of_board(self) -> bool:
        return set(self.roles) <= set(REVIEWER_ROLES)


PREPARER_ROLES = (Role.PREPARER, Role.MANAGER)
REVIEWER_ROLES = (Role.ANALYST, Role.DIRECTOR)
TRANSITIONS: dict[str, Transition] = {
    "file": Transition(
        "File", "filed", "filed it", (Status.DRAFT, Status.RETURNED), Status.FILED, (Role.MANAGER,), signs=True,
        summary="Send the answers to the Board and lock them.", weight=4,
        attestation=f"Of each Rules Submission that this batch files I attest: {ATTESTATION}",
    ),
    "withdraw": Transition(
        "Withdraw", "withdrew", "withdrew it", (Status.DRAFT, Status.FILED, Status.RETURNED), Status.WITHDRAWN,
        (Role.MANAGER,), needs_reason=True,
        success="Withdrawn. It stays in the history.",
        summary="Withdraw the submission.",
        attestation="I withdraw the Rules Submissions named in this batch.",
    ),
    "delete": Transition(
        "Delete draft", "deleted", "deleted the draft", (Status.DRAFT,), Status.DELETED, PREPARER_ROLES, by_owner=True
    ),
    "recommend": Transition(
        "Recommend approval", "recommended", "recommended approval", (Status.FILED,), Status.RECOMMENDED,
        REVIEWER_ROLES, needs_evidence=True, signs=True,
        success="You recommended approval. A director decides.",
        summary="The analyst recommends approval.", weight=2,
        attestation="I have reviewed the Rules Submissions named in this batch, and recommend their approval.",
    ),
    "approve": Transition(
        "Approve", "approved", "approved it", (Status.RECOMMENDED,), Status.APPROVED, (Role.DIRECTOR,),
        needs_evidence=True, signs=True,
        success="Approved. The portal is creating the signed document.",
    ),
    "return": Transition(  # with questions: `filings.review.decisions` refuses one without
        "Return with questions", "returned", "returned it with questions", WITH_BOARD, Status.RETURNED, REVIEWER_ROLES,
        success="Returned to the licensee with your questions.",
        summary="The licensee gets the open questions.", weight=2,
        attestation="I return the Rules Submissions named in this batch with the questions that are open.",
    ),
    "reject": Transition(
        "Reject", "rejected", "rejected it", WITH_BOARD, Status.REJECTED, (Role.DIRECTOR,), needs_reason=True,
        signs=True,
        success="Rejected. The licensee reads your reasons.",
    ),
}  # fmt: skip

# § 601a.10: the Bureau of Gaming Operations reviews and reports, the Executive Director decides.
LAYOUT_TRANSITIONS: dict[str, Transition] = {
    "file": Transition(
        "File", "layout-filed", "filed the layout", (LayoutStatus.DRAFT, LayoutStatus.DEFICIENT), LayoutStatus.FILED,
        (Role.MANAGER,), signs=True,
    ),
    "withdraw": Transition(
        "Withdraw", "layout-withdrew", "withdrew the layout filing",
        (LayoutStatus.DRAFT, LayoutStatus.FILED, LayoutStatus.DEFICIENT), LayoutStatus.WITHDRAWN, (Role.MANAGER,),
        needs_reason=True,
    ),
    "recommend": Transition(
        "Report to the Executive Director", "layout-recommended", "reported on the layout to the Executive Director",
        (LayoutStatus.FILED,), LayoutStatus.RECOMMENDED, REVIEWER_ROLES, signs=True,
        success="Reported to the Executive Director, who decides.",
    ),
    "approve": Transition(
        "Approve", "layout-approved", "approved the layout", (LayoutStatus.RECOMMENDED,), LayoutStatus.APPROVED,
        (Role.DIRECTOR,), signs=True,
        success="Approved. The portal is creating the sealed documents.",
    ),
    "notify": Transition(
        "Issue deficiency notice", "layout-found-deficient", "issued a deficiency notice for the layout",
        LAYOUTS_WITH_BOARD, LayoutStatus.DEFICIENT, REVIEWER_ROLES, signs=True,
        success="Deficiency notice issued. The clock is stopped until the licensee files again.",
    ),
    "reject": Transition(
        "Reject", "layout-rejected", "rejected the layout", LAYOUTS_WITH_BOARD, LayoutStatus.REJECTED,
        (Role.DIRECTOR,), needs_reason=True, signs=True,
        success="Rejected. The licensee reads your reasons.",
    ),
}  # fmt: skip
FilingRow = TypeVar("FilingRow", Submission, LayoutFiling)


def page_steps(table: dict[str, Transition], status: str, *, of_board: bool) -> dict[str, Transition]:
    """Return the steps of this side that are buttons of the filing's page in this status."""
    return {
        verb: step
        for verb, step in table.items()
        if step.success and step.is_of_board == of_board and status in step.sources
    }


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
