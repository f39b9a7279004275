"""The Board's part of the page of a layout filing: each element with its judgment, and the next steps.

Not here: the actions (`layout_review`), the page and its drawing (`layout_page`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from submissions.layouts.element_status import Element, ElementStatus
from submissions.layouts.layout_review import OF_ODDS, differences, element_states, objection, other_differences
from submissions.models import LayoutFiling, LayoutJudgment, LayoutRevision, LayoutStatus, Person, Role
from submissions.permissions import ALLOWED, Verdict, may
from submissions.permissions.workflow import LAYOUT_TRANSITIONS
from submissions.web.filings.submission_context import StepButton

ACCEPT, REFUSE = "accept", "refuse"
VERBS = ("approve", "recommend", "notify", "reject")
MOST_WORDS = 5  # differences that are quoted in the text on an element
NEXT_STEP = {
    LayoutStatus.FILED: "The Bureau of Gaming Operations decides on the open elements. Then it issues a "
    "deficiency notice or reports to the Executive Director.",
    LayoutStatus.DEFICIENT: "The licensee corrects what the notice names and files again.",
    LayoutStatus.RECOMMENDED: "The Executive Director decides, not the person who reported.",
    LayoutStatus.APPROVED: "Post it at the tables while its Rules Submission is in effect.",
    LayoutStatus.REJECTED: "Nothing. You can start another filing for these tables.",
    LayoutStatus.WITHDRAWN: "Nothing. It stays in the history.",
}


@dataclass(frozen=True, slots=True)
class JudgmentLine:
    """An element with the choice (`ACCEPT`, `REFUSE`, "") and the text of its form; `seen`: both as stored."""

    number: int  # as on the drawing
    element: Element
    choice: str
    reason: str
    seen: str
    by: str = ""  # who judged it last

    @property
    def accepted(self) -> bool:
        return self.choice == ACCEPT

    @property
    def refused(self) -> bool:
        return self.choice == REFUSE


@dataclass(frozen=True, slots=True)
class ReviewBoard:
    """The Board's part. `lines`: elements that the inspection did not find; `found_lines`: those that it found."""

    filing: LayoutFiling
    revision: LayoutRevision
    lines: list[JudgmentLine]
    found_lines: list[JudgmentLine]
    unsettled: int
    other_differences: list[str]  # that no element includes
    may_judge: Verdict
    steps: list[StepButton]
    next: str

    @property
    def judged_lines(self) -> list[JudgmentLine]:
        return [line for line in self.lines if line.by]


def review_board(person: Person, filing: LayoutFiling, entered: Mapping[str, str]) -> ReviewBoard | None:
    """The Board's part, with the values `entered` before a refusal; None for a licensee."""
    if not person.at_regulator:
        return None
    revision = filing.revisions.select_related(
        "filing__submission", "drawing__inspection", "revision", "filed_by"
    ).first()
    if revision is None:
        return None
    elements = element_states(revision)
    judges = {
        judgment.element: judgment.by.name for judgment in LayoutJudgment.objects.filter(layout_revision=revision)
    }
    lines = [
        judgment_line(number, element, differing(revision), entered, judges)
        for number, element in enumerate(elements, 1)
    ]
    left = sum(not element.settled for element in elements)
    return ReviewBoard(
        filing=filing,
        revision=revision,
        lines=[line for line in lines if line.element.status != ElementStatus.PRESENT],
        found_lines=[line for line in lines if line.element.status == ElementStatus.PRESENT],
        unsettled=left,
        other_differences=other_differences(revision),
        may_judge=may(person, "judge", filing),
        steps=_steps(person, filing, revision, left),
        next=NEXT_STEP.get(LayoutStatus(filing.status), ""),
    )


def differing(revision: LayoutRevision) -> str:
    """The odds that the drawing prints differently, as a text on their element."""
    return "; ".join(
        [difference["message"] for difference in differences(revision) if difference["kind"] in OF_ODDS][:MOST_WORDS]
    )


def judgment_line(
    number: int, element: Element, differing: str, entered: Mapping[str, str] = {}, judges: Mapping[str, str] = {}
) -> JudgmentLine:
    """A deficient element is proposed as not accepted; values entered replace the stored ones."""
    choice = ACCEPT if element.status == ElementStatus.ACCEPTED else REFUSE if element.deficient else ""
    reason = element.reason or (differing if element.status == ElementStatus.DIFFERENT else "")
    return JudgmentLine(
        number,
        element,
        entered.get(f"judged-{element.key}", choice),
        entered.get(f"word-{element.key}", reason),
        choice_text(choice, reason),
        judges.get(element.key, ""),
    )


def choice_text(choice: str, reason: str) -> str:
    """A choice with its text, as one text that can be compared."""
    return f"{choice}: {reason}"


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
