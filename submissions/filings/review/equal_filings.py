"""Filings that wait for the same step and are equal (`filings.answer_values`): found for the queue, decided together.

Offered are filings of different licensees with the same status, whose simulations passed and which have no open
comment. Each is decided by the same action as a single one, in a transaction of its own, with its own event, document
and notices; one that no longer qualifies is named and stops no other.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date

from django.db import transaction

from submissions.core.errors import NotFound, Refusal
from submissions.filings.answer_values import answers_digest
from submissions.filings.review.decisions import approve_submission, recommend_approval
from submissions.filings.review.worklist import QueuedFiling, queued_filings, unresolved_remarks
from submissions.filings.snapshot import refuse_damaged
from submissions.models import Person, Status, Submission
from submissions.permissions import visible_to, workflow

MOST = 25  # filings that are decided with one confirmation
STEPS: Mapping[str, Status] = {"recommend": Status.FILED, "approve": Status.RECOMMENDED}


@dataclass(frozen=True, slots=True)
class EqualGroup:
    """Equal filings that wait for one step, by number; `digest` is what they share."""

    step: str
    digest: str
    numbers: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.numbers)

    @property
    def numbers_text(self) -> str:
        """Return their numbers, as a sentence lists them."""
        return ", ".join(self.numbers)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one decision on all filings of a group. `from_day`: of an approval; None: of each its own."""

    reason: str = ""
    from_day: date | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one of the filings; without a refusal it is decided."""

    number: str
    refusal: Refusal | None = None


def equal_groups(person: Person) -> list[EqualGroup]:
    """Return the groups of two or more that wait for this person's role, the largest first."""
    return equal_groups_among(queued_filings(person))


def equal_groups_among(open_filings: Iterable[QueuedFiling]) -> list[EqualGroup]:
    """Return the groups among a person's `queued_filings`."""
    step_of = {status: step for step, status in STEPS.items()}
    grouped = [filing for filing in open_filings if filing.may_be_grouped and filing.status in step_of]
    groups_found = [
        EqualGroup(step_of[Status(status)], digest, tuple(filing.number for filing in members))
        for (status, digest), members in _equal(grouped).items()
        if len({filing.organization for filing in members}) == len(members)
    ]
    return sorted(groups_found, key=lambda group: (-group.count, group.numbers))


def equal_group(person: Person, step: str, digest: str) -> EqualGroup:
    """Return the group at this address; `NotFound` if it no longer exists."""
    for group in equal_groups(person):
        if (group.step, group.digest) == (step, digest):
            return group
    raise NotFound("not-found/resource", what="group of equal filings")


def decide_together(
    actor: Person, step: str, digest: str, chosen: Sequence[tuple[str, int]], terms: Terms
) -> list[Outcome]:
    """Take the step for each (number, version that the person saw), one after the other."""
    if not 0 < len(chosen) <= MOST:
        raise Refusal("equal-filings-count", count=len(chosen), most=MOST)
    return [Outcome(number, _refusal(actor, step, digest, number, version, terms)) for number, version in chosen]


def _refusal(actor: Person, step: str, digest: str, number: str, version: int, terms: Terms) -> Refusal | None:
    """Take the step for one filing; why it was not taken, with nothing of it left."""
    try:
        with transaction.atomic():
            submission = visible_to(actor).filter(number=number).first()
            if submission is None:
                raise NotFound("not-found/resource", what="submission")
            submission = workflow.lock_row(submission)
            _refuse_unequal(submission, digest)
            if step == "recommend":
                recommend_approval(actor, submission, version=version, reason=terms.reason)
            else:
                approve_submission(actor, submission, version=version, **asdict(terms))
    except Refusal as refusal:
        return refusal
    return None


def _refuse_unequal(submission: Submission, digest: str) -> None:
    """Refuse a filing that is other than what the person saw: compared by its snapshot, not by the index."""
    latest = submission.revisions.latest("number")
    refuse_damaged(latest)
    if answers_digest(latest.content) != digest:
        raise Refusal("filing-not-equal", number=submission.number, what="its answers or its rules differ")
    if unresolved_remarks().filter(revision__submission=submission).exists():
        raise Refusal("filing-not-equal", number=submission.number, what="it has an open comment")


def _equal(filings: Iterable[QueuedFiling]) -> dict[tuple[str, str], list[QueuedFiling]]:
    """Return the filings that share status and digest, two or more, in their order."""
    groups: dict[tuple[str, str], list[QueuedFiling]] = defaultdict(list)
    for filing in filings:
        if filing.answers:
            groups[filing.status, filing.answers].append(filing)
    return {key: members for key, members in groups.items() if len(members) > 1}
