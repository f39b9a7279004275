"""A filing as pages show it: what was filed, its evidence, the progress of its jobs, what may be done.

What was filed and found is worded by `submissions.documents.context`, so that page and paper say the same.
"""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from games.rules.model import Chapter
from games.runs.engine import ENGINE
from submissions.core.configuration_index import group_at
from submissions.documents.context import document_context
from submissions.documents.document_record import compose_record, document_record
from submissions.filings.diff_base import base_revision, compare_revisions
from submissions.filings.filing import ATTESTATION
from submissions.filings.questions import unresolved_questions
from submissions.filings.snapshot import build_snapshot
from submissions.jobs.progress import Progress
from submissions.models import Job, Person, Revision, Role, Submission
from submissions.permissions import ALLOWED, Verdict, may
from submissions.permissions.workflow import TRANSITIONS, Transition
from submissions.review.threads import Threads

TemplateContext = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StepButton:
    """A button of the workflow: what it says, and why it is grey if it is."""

    verb: str
    transition: Transition
    verdict: Verdict


def draft_context(submission: Submission, chapter: Chapter, by: Person) -> TemplateContext:
    """What would be filed now."""
    number = submission.revisions.count() + 1
    content = build_snapshot(
        submission, chapter, number=number, by=by, at=timezone.now(), attestation=ATTESTATION, engine=ENGINE
    )
    return document_context(compose_record(content))


def revision_context(revision: Revision, said: Threads) -> TemplateContext:
    """What was filed and what was found, each line with its remarks, and what differs from the filing it is held to."""
    shown, content = document_context(document_record(revision)), revision.content
    for place, configuration in enumerate(shown["configurations"]):
        position = group_at(content, place)
        for line in (line for group in configuration["groups"] for line in group["lines"]):
            line |= {"place": place, "threads": said.of(position, line["key"])}
    base = base_revision(revision)
    filings = revision.submission.revisions.all()
    returned = next((filing for filing in filings if filing.number == revision.number - 1), None)
    return {
        **shown,
        "base": base,
        "returned": returned if returned != base else None,  # the filing that this one corrects
        "in_force": bool(base and base.submission_id != revision.submission_id),
        "differences": compare_revisions(base, revision) if base else None,
        "warnings": sum(len(configuration["findings"]) for configuration in shown["configurations"]),
        "blocking": sum(len(configuration["blocking"]) for configuration in shown["configurations"]),
    }


def step_buttons(person: Person, submission: Submission) -> list[StepButton]:
    """The steps that concern this person's side and this state, each with its verdict."""
    verbs = ("approve", "recommend", "return", "reject") if person.at_regulator else ("withdraw",)
    steps = [(verb, TRANSITIONS[verb]) for verb in verbs if submission.status in TRANSITIONS[verb].sources]
    left = len(unresolved_questions(submission)) if any(step.needs_evidence for _, step in steps) else 0
    buttons = [StepButton(verb, step, may(person, verb, submission) and _settled(step, left)) for verb, step in steps]
    return buttons if any(step.verdict for step in buttons) or person.role != Role.READER else []


def _settled(step: Transition, left: int) -> Verdict:
    """No button leads to a refusal that is known already: unresolved questions hold up what needs evidence."""
    if not (left and step.needs_evidence):
        return ALLOWED
    return Verdict(False, f"{left} question{'s are' if left > 1 else ' is'} not resolved yet.")


def evidence_progress(revision: Revision) -> Progress | None:
    """The progress of the simulation; None once every run has ended."""
    runs = revision.simulations.all()
    if not runs:
        return Progress("This filing has no simulation.", stopped=True)
    if all(run.finished_at for run in runs):
        return None
    return Progress.of(Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=[run.pk for run in runs]))


def document_progress(revision: Revision) -> Progress | None:
    """The progress of the signed document; None once it is stored, or if none was requested."""
    if hasattr(revision, "document"):
        return None
    jobs = Job.objects.filter(kind=Job.Kind.DOCUMENT, subject=revision.pk)
    return Progress.of(jobs) if jobs else None
