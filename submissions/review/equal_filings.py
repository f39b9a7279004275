"""Filings that wait for the same step and are equal (`filings.equal_answers`): found for the queue, decided together.

Offered are filings of different licensees with the same status, whose simulations passed and which have no open
comment. Each is decided by the same action as a single one, in a transaction of its own, with its own event, document
and notices; one that no longer qualifies is named and stops no other.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from submissions.core.errors import NotFound, Refusal
from submissions.filings.equal_answers import answers_digest
from submissions.filings.snapshot import refuse_damaged
from submissions.models import AnswersDigest, Person, Remark, Simulation, Status, Submission
from submissions.permissions import visible_to, workflow
from submissions.review.decisions import approve_submission, recommend_approval
from submissions.review.worklist import AnnotatedRows, turn_of

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


@dataclass(frozen=True, slots=True)
class Terms:
    """What is said once for all: the reason; for an approval the effective day (None: of each its own) and whether the
    director confirmed what has to be confirmed."""

    reason: str = ""
    from_day: date | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one of the filings; without a refusal it is decided."""

    number: str
    refusal: Refusal | None = None


def equal_groups(person: Person) -> list[EqualGroup]:
    """The groups of two or more that wait for this person's role, the largest first. One query."""
    groups: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    rows = _qualified(person).order_by("number").values_list("status", "digest", "number", "organization_id")
    for status, digest, number, organization in rows:
        groups[status, digest].append((number, organization))
    step_of = {status: step for step, status in STEPS.items()}
    groups_found = [
        EqualGroup(step_of[Status(status)], digest, tuple(number for number, _ in members))
        for (status, digest), members in groups.items()
        if len({organization for _, organization in members}) == len(members) > 1
    ]
    return sorted(groups_found, key=lambda group: (-group.count, group.numbers))


def equal_group(person: Person, step: str, digest: str) -> EqualGroup:
    """The group at this address; `NotFound` if there is none any more."""
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
            _take(actor, step, submission, version, terms)
    except Refusal as refusal:
        return refusal
    return None


def _take(actor: Person, step: str, submission: Submission, version: int, terms: Terms) -> None:
    if step == "recommend":
        recommend_approval(actor, submission, version=version, reason=terms.reason)
        return
    approve_submission(
        actor,
        submission,
        version=version,
        reason=terms.reason,
        from_day=terms.from_day,
        confirmed=terms.confirmed,
    )


def _refuse_unequal(submission: Submission, digest: str) -> None:
    """Refuse a filing that is other than what the person saw: compared by its snapshot, not by the index."""
    latest = submission.revisions.latest("number")
    refuse_damaged(latest)
    if answers_digest(latest.content) != digest:
        raise Refusal("filing-not-equal", number=submission.number, what="its answers or its rules differ")
    if _open_remarks().filter(revision__submission=submission).exists():
        raise Refusal("filing-not-equal", number=submission.number, what="it has an open comment")


def _qualified(person: Person) -> AnnotatedRows:
    """What waits for the person's role and may be decided with others, with its `digest`."""
    runs = Simulation.objects.filter(revision=OuterRef("latest"))
    digests = AnswersDigest.objects.filter(revision=OuterRef("latest")).values("sha256")
    rows = (
        turn_of(person).annotate(digest=Subquery(digests[:1])).filter(digest__isnull=False, status__in=STEPS.values())
    )
    of_this = _open_remarks().filter(revision__submission=OuterRef("pk"))
    passed = Exists(runs.filter(passed=True)) & ~Exists(runs.exclude(passed=True)) & ~Exists(of_this)
    qualified: AnnotatedRows = rows.filter(passed)
    return qualified


def _open_remarks() -> QuerySet[Remark]:
    return Remark.objects.exclude(state=Remark.State.RESOLVED)
