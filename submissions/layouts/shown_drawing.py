"""The drawing of a layout filing that a person is shown, and the status of its elements for that person.

While the licensee prepares the filing, its people see the latest drawing with its marks; the Board sees what was filed.
"""

from submissions.layouts.element_status import PLACE, Element, difference_statuses, element_statuses
from submissions.layouts.layout_review import difference_states, element_states
from submissions.models import LayoutDrawing, LayoutFiling, LayoutInspection, LayoutRevision, Person
from submissions.permissions import drawings_visible_to


def shown_drawing(person: Person, filing: LayoutFiling, revision: LayoutRevision | None) -> LayoutDrawing | None:
    """The drawing in preparation, for its licensee; else the one that was filed last (`revision`)."""
    drawings = drawings_visible_to(person, filing).select_related("inspection", "revision", "uploaded_by")
    if revision and (person.at_regulator or not filing.editable):
        return drawings.get(pk=revision.drawing_id) if revision.drawing_id else None
    return drawings.first()


def shown_elements(
    person: Person, filing: LayoutFiling, revision: LayoutRevision | None, read: LayoutInspection
) -> list[Element]:
    """For the Board with its judgments; for the licensee only with the inspection and the marks."""
    if revision and person.at_regulator:
        return element_states(revision)
    frozen = revision and not filing.editable
    marks = revision.marks if revision and frozen else read.drawing.marks.values("element", *PLACE)
    return element_statuses(read.report, marks)


def shown_differences(person: Person, revision: LayoutRevision | None, read: LayoutInspection) -> list[Element]:
    """The differences as elements, but those of odds; for the Board with its decisions."""
    if revision and person.at_regulator:
        return difference_states(revision)
    return difference_statuses(read.report, ())
