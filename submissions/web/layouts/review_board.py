"""The Board's part of the page of a layout filing: each element with its decision, and the next steps.

Not here: a line (`review_lines`), the actions (`layout_review`), the page and its drawing (`layout_page`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from submissions.layouts.element_status import DIFFERENCE, ElementStatus
from submissions.layouts.layout_review import deficiencies, objection, other_differences
from submissions.models import LayoutFiling, LayoutRevision, LayoutStatus, Person, Role
from submissions.permissions import ALLOWED, Verdict, may
from submissions.permissions.workflow import LAYOUT_TRANSITIONS
from submissions.web.filings.submission_context import StepButton
from submissions.web.layouts.review_lines import JudgmentLine, review_lines
from submissions.web.next_steps import LAYOUT_NEXT_STEPS

VERBS = ("approve", "recommend", "notify", "reject")


@dataclass(frozen=True, slots=True)
class ReviewBoard:
    """The Board's part. `lines`: what a person decides; `found_lines`: elements that the inspection found."""

    filing: LayoutFiling
    revision: LayoutRevision
    lines: list[JudgmentLine]
    found_lines: list[JudgmentLine]
    other_differences: list[str]  # that no element includes
    named: list[str]  # what a deficiency notice names
    may_judge: Verdict
    steps: list[StepButton]
    next: str
    failed: str = ""  # the number of the line whose decision was refused

    @property
    def judged_lines(self) -> list[JudgmentLine]:
        return [line for line in (*self.lines, *self.found_lines) if line.by]

    @property
    def decided(self) -> int:
        return len(self.lines) - self.undecided

    @property
    def undecided(self) -> int:
        return sum(line.is_open for line in self.lines)

    def line_of(self, key: str) -> JudgmentLine | None:
        return next((line for line in (*self.lines, *self.found_lines) if line.element.key == key), None)

    @property
    def first_open(self) -> str:
        return self.next_after("")

    def next_after(self, key: str) -> str:
        """The number of the next line that waits for a decision, after the last again the first; "" if none waits."""
        keys = [line.element.key for line in self.lines]
        begin = keys.index(key) + 1 if key in keys else 0
        in_order = (*self.lines[begin:], *self.lines[:begin])
        return next((line.number for line in in_order if line.is_open), "")


def review_board(person: Person, filing: LayoutFiling, entered: Mapping[str, str]) -> ReviewBoard | None:
    """The Board's part, with the values `entered` before a refusal; None for a licensee."""
    if not person.at_regulator:
        return None
    revision = filing.revisions.select_related(
        "filing__submission__organization",
        "drawing__inspection",
        "drawing__filing",
        "drawing__revision",
        "revision",
        "filed_by",
    ).first()
    if revision is None:
        return None
    lines = review_lines(revision, entered)
    elements = [line.element for line in lines if line.element.kind != DIFFERENCE]
    named = deficiencies(revision)
    return ReviewBoard(
        filing=filing,
        revision=revision,
        lines=[line for line in lines if line.element.status != ElementStatus.PRESENT],
        found_lines=[line for line in lines if line.element.status == ElementStatus.PRESENT],
        other_differences=other_differences(revision),
        named=[f"{line.number}. {line.element.name}" for line in lines if line.element.key in named],
        may_judge=may(person, "judge", filing),
        steps=_steps(person, filing, revision, sum(not element.settled for element in elements)),
        next=LAYOUT_NEXT_STEPS[LayoutStatus(filing.status)].words_for(person),
        failed=next((line.number for line in lines if line.element.key == entered.get("element")), ""),
    )


def _steps(person: Person, filing: LayoutFiling, revision: LayoutRevision, left: int) -> list[StepButton]:
    """The steps from this status, each with its verdict; none for a person who may only read."""
    buttons = [
        StepButton(verb, LAYOUT_TRANSITIONS[verb], _verdict(person, verb, filing, revision, left))
        for verb in VERBS
        if filing.status in LAYOUT_TRANSITIONS[verb].sources
    ]
    return buttons if any(step.verdict for step in buttons) or person.role != Role.READER else []


def _verdict(person: Person, verb: str, filing: LayoutFiling, revision: LayoutRevision, left: int) -> Verdict:
    """The verdict with the refusals that are known already, so that no button leads to one."""
    verdict = may(person, verb, filing)
    if verdict and verb == "recommend" and left:
        return Verdict(False, f"{left} element{'s are' if left > 1 else ' is'} not settled yet.")
    if verdict and verb == "approve" and (refusal := objection(filing, revision)):
        return Verdict(False, f"{refusal.message} {refusal.fix}")
    return verdict and ALLOWED
