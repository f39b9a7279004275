"""The panel of a filing that says to whom of the Board it is assigned, and lets a reviewer change that."""

from dataclasses import dataclass

from submissions.models import LayoutFiling, Person, Submission
from submissions.permissions import Verdict, may
from submissions.review.assignments import assignable_people, assignment_of


@dataclass(frozen=True, slots=True)
class AssignmentPanel:
    """Who has the filing, and the people to whom the reader may assign it."""

    number: str
    person: Person | None
    people: tuple[Person, ...]
    verdict: Verdict
    is_mine: bool

    @property
    def words(self) -> str:
        """ "Assigned to Analyst One" or "Unassigned"."""
        return f"Assigned to {self.person.name}" if self.person else "Unassigned"


def assignment_panel(reader: Person, filing: Submission | LayoutFiling) -> dict[str, AssignmentPanel]:
    """`assignment`: the panel, for the Board only; a licensee has none."""
    if not reader.at_regulator:
        return {}
    verdict, assignment = may(reader, "assign", filing), assignment_of(filing)
    person = assignment.person if assignment else None
    people = tuple(assignable_people(reader)) if verdict else ()
    panel = AssignmentPanel(filing.number, person, people, verdict, is_mine=person == reader)
    return {"assignment": panel} if verdict or person else {}
