"""What the Board has to say of a layout filing, as its page shows it: each element, what was said, which step is next.

Not here: saying it (`layout_review`), the page and its drawing (`layouts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from submissions.access import YES, Verdict, may
from submissions.actions.layout_review import OF_ODDS, besides, differences, objection, standings
from submissions.laid_out import Element, Standing
from submissions.models import LayoutFiling, LayoutJudgement, LayoutRevision, LayoutStatus, Person, Role
from submissions.web.dossier import Step
from submissions.workflow import LAYOUT_TRANSITIONS

ACCEPT, REFUSE = "accept", "refuse"
VERBS = ("approve", "recommend", "notify", "reject")
MOST_WORDS = 5  # differences that are quoted in the word on an element
NEXT = {
    LayoutStatus.FILED: "The Bureau of Gaming Operations says what the machine could not settle, then gives notice of "
    "deficiencies or reports to the Executive Director.",
    LayoutStatus.DEFICIENT: "The licensee corrects what the notice names and files again.",
    LayoutStatus.RECOMMENDED: "The Executive Director decides; not whoever reported.",
    LayoutStatus.APPROVED: "It hangs at the tables for as long as its Rules Submission is in force.",
    LayoutStatus.REJECTED: "Nothing more: another filing can be started for these tables.",
    LayoutStatus.WITHDRAWN: "Nothing more: it stays in the history.",
}


@dataclass(frozen=True, slots=True)
class Line:
    """An element and what the form says of it: a choice (`ACCEPT`, `REFUSE`, "") and a word; `seen`: both as kept."""

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
class Board:
    """The whole part. `lines` are what the machine did not find settled, `found` what it did."""

    filing: LayoutFiling
    revision: LayoutRevision
    lines: list[Line]
    found: list[Line]
    unsettled: int
    besides: list[str]  # what the drawing shows and no element stands for
    may_judge: Verdict
    steps: list[Step]
    next: str

    @property
    def judged(self) -> list[Line]:
        return [line for line in self.lines if line.by]


def board(person: Person, filing: LayoutFiling, typed: Mapping[str, str]) -> Board | None:
    """What the Board sees of it, with what was `typed` before a refusal; None for anybody else."""
    if not person.at_regulator:
        return None
    found = filing.revisions.select_related("filing__submission", "drawing__inspection", "revision", "filed_by").first()
    if found is None:
        return None
    elements = standings(found)
    judges = {one.element: one.by.name for one in LayoutJudgement.objects.filter(layout_revision=found)}
    lines = [line(number, one, differing(found), typed, judges) for number, one in enumerate(elements, 1)]
    left = sum(not one.settled for one in elements)
    return Board(
        filing=filing,
        revision=found,
        lines=[one for one in lines if one.element.standing != Standing.FOUND],
        found=[one for one in lines if one.element.standing == Standing.FOUND],
        unsettled=left,
        besides=besides(found),
        may_judge=may(person, "judge", filing),
        steps=_steps(person, filing, found, left),
        next=NEXT.get(LayoutStatus(filing.status), ""),
    )


def differing(revision: LayoutRevision) -> str:
    """The odds that the drawing prints otherwise, as a word on their element."""
    return "; ".join([one["message"] for one in differences(revision) if one["kind"] in OF_ODDS][:MOST_WORDS])


def line(
    number: int, one: Element, differing: str, typed: Mapping[str, str] = {}, judges: Mapping[str, str] = {}
) -> Line:
    """What is wanting is proposed as not accepted; what was typed goes before what is kept."""
    choice = ACCEPT if one.standing == Standing.ACCEPTED else REFUSE if one.deficient else ""
    reason = one.reason or (differing if one.standing == Standing.DIFFERENT else "")
    return Line(
        number,
        one,
        typed.get(f"judged-{one.key}", choice),
        typed.get(f"word-{one.key}", reason),
        said(choice, reason),
        judges.get(one.key, ""),
    )


def said(choice: str, reason: str) -> str:
    """A choice with its word, as one text that can be compared."""
    return f"{choice}: {reason}"


def _steps(person: Person, filing: LayoutFiling, revision: LayoutRevision, left: int) -> list[Step]:
    """The steps that this state has, each with its verdict; none for who only reads."""
    found = [
        Step(verb, LAYOUT_TRANSITIONS[verb], _verdict(person, verb, filing, revision, left))
        for verb in VERBS
        if filing.status in LAYOUT_TRANSITIONS[verb].sources
    ]
    return found if any(step.verdict for step in found) or person.role != Role.READER else []


def _verdict(person: Person, verb: str, filing: LayoutFiling, revision: LayoutRevision, left: int) -> Verdict:
    """No button leads to a refusal that is known already."""
    verdict = may(person, verb, filing)
    if verdict and verb == "recommend" and left:
        return Verdict(False, f"{left} element{'s are' if left > 1 else ' is'} not settled yet.")
    if verdict and verb == "approve" and (found := objection(filing, revision)):
        return Verdict(False, f"{found.message} {found.fix}")
    return verdict and YES
