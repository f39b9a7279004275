"""A filing as pages show it: what was filed, its evidence, where its work in the background stands, what may be done.

What was filed and found is worded by `submissions.documents.present`, so that page and paper say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from games.maths.run import ENGINE
from games.rules.model import Chapter
from submissions.access import YES, Verdict, may
from submissions.actions.filing import ATTESTATION
from submissions.actions.questions import unresolved
from submissions.actions.snapshot import snapshot
from submissions.comparing import base_of, compare
from submissions.documents.present import present
from submissions.documents.record import compose, record
from submissions.models import Document, Job, Person, Revision, Role, Simulation, Submission
from submissions.places import group_of
from submissions.progress import Progress
from submissions.talks import Talks
from submissions.workflow import TRANSITIONS, Transition

Shown = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A button of the workflow: what it says, and why it is grey if it is."""

    verb: str
    transition: Transition
    verdict: Verdict


def of_draft(submission: Submission, chapter: Chapter, by: Person) -> Shown:
    """What would be filed now."""
    number = submission.revisions.count() + 1
    content = snapshot(
        submission, chapter, number=number, by=by, at=timezone.now(), attestation=ATTESTATION, engine=ENGINE
    )
    return present(compose(content))


def of(revision: Revision, said: Talks) -> Shown:
    """What was filed and what was found, each line with its remarks, and what differs from the filing it is held to."""
    shown, content = present(record(revision)), revision.content
    for place, configuration in enumerate(shown["configurations"]):
        position = group_of(content, place)
        for line in (line for group in configuration["groups"] for line in group["lines"]):
            line |= {"place": place, "talks": said.of(position, line["key"])}
    base = base_of(revision)
    return {
        **shown,
        "base": base,
        "in_force": bool(base and base.submission_id != revision.submission_id),
        "differences": compare(base, revision) if base else None,
        "warnings": sum(len(one["findings"]) for one in shown["configurations"]),
        "blocking": sum(len(one["blocking"]) for one in shown["configurations"]),
    }


def steps(person: Person, submission: Submission) -> list[Step]:
    """The steps that concern this person's side and this state, each with its verdict."""
    verbs = ("approve", "recommend", "return", "reject") if person.at_regulator else ("withdraw",)
    left = len(unresolved(submission))
    found = [
        Step(verb, TRANSITIONS[verb], may(person, verb, submission) and _settled(TRANSITIONS[verb], left))
        for verb in verbs
        if submission.status in TRANSITIONS[verb].sources
    ]
    return found if any(step.verdict for step in found) or person.role != Role.READER else []


def _settled(step: Transition, left: int) -> Verdict:
    """No button leads to a refusal that is known already: unresolved questions hold up what needs evidence."""
    if not (left and step.needs_evidence):
        return YES
    return Verdict(False, f"{left} question{'s are' if left > 1 else ' is'} not resolved yet.")


def evidence_progress(revision: Revision) -> Progress | None:
    """Where the simulation stands; None once every run has ended."""
    runs = list(Simulation.objects.filter(revision=revision).values_list("pk", "finished_at"))
    if not runs:
        return Progress("Nothing was simulated for this filing.", stopped=True)
    if all(finished for _, finished in runs):
        return None
    return Progress.of(Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=[pk for pk, _ in runs]))


def document_progress(revision: Revision) -> Progress | None:
    """Where the signed document stands; None once it is there, or if none was asked for."""
    jobs = Job.objects.filter(kind=Job.Kind.DOCUMENT, subject=revision.pk)
    return None if Document.objects.filter(revision=revision).exists() or not jobs else Progress.of(jobs)
