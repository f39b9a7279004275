"""The Board's part of the page of a layout filing: the next steps, and line by line each element with its decision.

Not here: the actions (`layout_actions`), the page and its drawing (`layout_page`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.model import Chapter
from submissions.filings.pages.next_steps import LAYOUT_NEXT_STEPS
from submissions.filings.pages.submissions import StepButton
from submissions.layouts.inspection.findings import READING_LABELS, Reading, words_in
from submissions.layouts.layout_review import (
    deficiencies,
    difference_states,
    element_states,
    objection,
    other_differences,
    printed_odds,
    reason_text,
)
from submissions.layouts.pages.drawing_views import Crop, DrawingPageView, crop, page_views, whole_page
from submissions.layouts.required_elements import (
    DIFFERENCE,
    ODDS,
    OF_ODDS,
    Element,
    ElementStatus,
    ReportPlace,
    difference_key,
    required_elements,
)
from submissions.models import LayoutFiling, LayoutJudgment, LayoutRevision, LayoutStatus, Person, Role
from submissions.permissions import ALLOWED, Verdict, may
from submissions.permissions.workflow import LAYOUT_TRANSITIONS, page_steps
from submissions.rules import layout_chapter
from submissions.web.formatting import Paragraph, paragraphs

ACCEPT, REFUSE = "accept", "refuse"
MOST_PARAGRAPHS = 4  # of the law that are quoted beside a crop; the link leads to the rest
MOST_WORDS = 24  # of those at a place that are shown with their confidence
NOT_ON_DRAWING = ("sign", "device", "box")  # kinds that a drawing need not show


@dataclass(frozen=True, slots=True)
class JudgmentLine:
    """An element or a difference as the Board decides it; `seen`: the stored decision, to notice another one since."""

    number: str  # as on the drawing
    element: Element
    reason: str
    seen: str
    by: str = ""  # who decided last
    law: tuple[Paragraph, ...] = ()
    wording: str = ""  # what the portal looked for
    crop: Crop | None = None
    words: tuple[Mapping[str, Any], ...] = ()  # of the report, at the element's places

    @property
    def decided(self) -> bool:
        return self.element.status in (ElementStatus.ACCEPTED, ElementStatus.REFUSED)

    @property
    def is_open(self) -> bool:
        """True if it waits for a decision of the Board."""
        return not self.decided and self.element.status != ElementStatus.PRESENT

    @property
    def words_read(self) -> list[tuple[str, str]]:
        """(word, confidence in percent if it was recognized) of the words that are shown."""
        return [
            (word["text"], "" if word["read"] == Reading.TEXT else f"{word['confidence']:.0%}")
            for word in self.words[:MOST_WORDS]
        ]

    @property
    def more_words(self) -> int:
        return max(0, len(self.words) - MOST_WORDS)

    @property
    def crop_label(self) -> str:
        """The text for the part of the drawing, for people who do not see it."""
        texts = " ".join(word["text"] for word in self.words[:MOST_WORDS])
        page = f", page {self.crop.page.number}" if self.crop else ""
        return f"“{texts}”{page}" if texts else f"around {self.element.name}{page}"

    @property
    def readings(self) -> list[str]:
        """The ways in which its words were read, in words."""
        return [READING_LABELS[Reading(name)] for name in dict.fromkeys(word["read"] for word in self.words)]


def review_lines(revision: LayoutRevision, entered: Mapping[str, str]) -> list[JudgmentLine]:
    """Return elements in the chapter's order, then differences that none includes; numbers as on the drawing."""
    drawing = revision.drawing
    if drawing is None:
        return []
    report, sheets = drawing.inspection.report, list(page_views(drawing.inspection))
    chapter = layout_chapter(revision.filing, revision.revision)
    judged = LayoutJudgment.objects.filter(layout_revision=revision).select_related("by")
    judges, printed = {judgment.element: judgment.by.name for judgment in judged}, printed_odds(revision)
    filing, answers = revision.filing, drawing.configuration["answers"]
    needed = required_elements(chapter, answers, positions=filing.positions, licensee=filing.organization.name)
    wordings = {element.key: element.texts[0] for element in needed if element.texts}
    elements = [(str(number), element) for number, element in enumerate(element_states(revision), 1)]
    differing = {each.key: each for each in difference_states(revision)}
    for number, difference in enumerate(report["differences"], 1):
        if element := differing.get(difference_key(difference)):
            elements.append((f"D{number}", element))
    return [
        JudgmentLine(
            number=number,
            element=element,
            reason=entered["word"] if entered.get("element") == element.key else reason_text(element, printed),
            seen=stored_decision(element),
            by=judges.get(element.key, ""),
            law=_law(chapter, element.citation),
            wording=wordings.get(element.key, ""),
            crop=_crop(sheets, element, places := _places(element, report)),
            words=tuple(words_in(report.get("words", ()), places)),
        )
        for number, element in elements
    ]


def stored_decision(element: Element) -> str:
    """Return the Board's decision on an element as one text that can be compared; "" before it."""
    decided = {ElementStatus.ACCEPTED: ACCEPT, ElementStatus.REFUSED: REFUSE}.get(element.status, "")
    return f"{decided}: {element.reason}" if decided else ""


def _law(chapter: Chapter, citation: str) -> tuple[Paragraph, ...]:
    """Return the words of the law that the citation names, as far as they are quoted."""
    quoted = [each for each in paragraphs(chapter.sections.get(citation, "")) if not each.heading]
    return tuple(quoted[:MOST_PARAGRAPHS])


def _places(element: Element, report: Mapping[str, Any]) -> tuple[ReportPlace, ...]:
    """Return the places to look at: marks of the licensee, places of the inspection; for odds, the differing ones."""
    if element.key in ODDS and element.status is ElementStatus.DIFFERENT:
        differing = [each["where"] for each in report["differences"] if each["kind"] in OF_ODDS and each["where"]]
        return tuple(differing) or element.places
    return element.marks or element.places


def _crop(sheets: list[DrawingPageView], element: Element, places: tuple[ReportPlace, ...]) -> Crop | None:
    """Return the part around the places; the whole first page of an element that may be anywhere on it."""
    if places or not sheets or element.kind in NOT_ON_DRAWING:
        return crop(sheets, places)
    return whole_page(sheets[0])


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
        """Return the number of the next line to decide, starting over after the last; "" if none waits."""
        keys = [line.element.key for line in self.lines]
        begin = keys.index(key) + 1 if key in keys else 0
        in_order = (*self.lines[begin:], *self.lines[:begin])
        return next((line.number for line in in_order if line.is_open), "")


def review_board(person: Person, filing: LayoutFiling, entered: Mapping[str, str]) -> ReviewBoard | None:
    """Return the Board's part, with the values `entered` before a refusal; None for a licensee."""
    if not person.at_regulator:
        return None
    related = ("drawing__inspection", "drawing__filing", "drawing__revision", "revision", "filed_by")
    revision = filing.revisions.select_related("filing__submission__organization", *related).first()
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
    """Return the steps from this status, each with its verdict; none for a person who may only read."""
    buttons = [
        StepButton(verb, step, _verdict(person, verb, filing, revision, left))
        for verb, step in page_steps(LAYOUT_TRANSITIONS, filing.status, of_board=True).items()
    ]
    return buttons if any(step.verdict for step in buttons) or person.role != Role.READER else []


def _verdict(person: Person, verb: str, filing: LayoutFiling, revision: LayoutRevision, left: int) -> Verdict:
    """Return the verdict with the refusals that are known already, so that no button leads to one."""
    verdict = may(person, verb, filing)
    if verdict and verb == "recommend" and left:
        return Verdict(False, f"{left} element{'s are' if left > 1 else ' is'} not settled yet.")
    if verdict and verb == "approve" and (refusal := objection(filing, revision)):
        return Verdict(False, f"{refusal.message} {refusal.fix}")
    return verdict and ALLOWED
