"""Who of the Board works on a submission or a layout filing: read it, assign the filing to a person, unassign it.

The same actions as the page's. A program is never assigned: it names an analyst or director by their number.
"""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers as of

from submissions.api.filings.submissions import Row, first_or_not_found, submission_at
from submissions.api.framework import bodies
from submissions.api.framework.read_views import DetailView, ReadSerializer
from submissions.api.framework.write_views import WriteResult, WriteView
from submissions.api.uploads import HIGHEST, VERSION_SCHEMA
from submissions.core.errors import NotFound, Refusal
from submissions.models import LayoutFiling, Person, Scope, Submission
from submissions.permissions import layouts_visible_to, require
from submissions.review.assignments import assign_work, assignable_people, assignment_of, unassign_work

FIELDS = ("person", "version")
ASSIGNMENT_SCHEMA: dict[str, Any] = {
    bodies.JSON: {
        "title": "AssignmentRequest",
        "type": "object",
        "properties": {
            "person": {
                "type": ["integer", "null"],
                "minimum": 0,
                "maximum": HIGHEST,
                "description": "The number of a person from `assignable`; null unassigns the filing",
            },
            "version": {**VERSION_SCHEMA, "description": "The version of the filing that you saw"},
        },
        "required": list(FIELDS),
        "additionalProperties": False,
    }
}


class AssignablePersonSerializer(ReadSerializer):
    id = of.IntegerField()
    name = of.CharField()


class AssignmentSerializer(ReadSerializer):
    number = of.CharField(help_text="Of the submission or the layout filing")
    version = of.IntegerField(help_text="Of the submission or the layout filing")
    assigned_to = AssignablePersonSerializer(
        allow_null=True, help_text="The person of the Board who works on it; always null for a licensee"
    )
    assigned_at = of.DateTimeField(allow_null=True)
    assignable = AssignablePersonSerializer(
        many=True, help_text="The people to whom it can be assigned; empty for a licensee"
    )


class AssignmentView(WriteView, DetailView):
    """Who works on the submission: only the Board sees it."""

    serializer_class = AssignmentSerializer
    result_serializer = AssignmentSerializer
    operation = "assignSubmission"
    write_summary = "Assign the submission to a person of the Board, or unassign it."
    write_scopes = (Scope.REVIEW,)
    request_schema = ASSIGNMENT_SCHEMA
    statuses = {200: "It is assigned to this person, or to no one"}

    def filing(self) -> Submission | LayoutFiling:
        """What the address names, if the caller may see it."""
        return submission_at(self)

    def get_object(self) -> Row:
        return self._assignment(self.filing())

    def read(self, body: bytes) -> tuple[int | None, int]:
        """The person's number (None: unassign) and the version that was seen."""
        sent = bodies.parse_json(body) if body else None
        if not isinstance(sent, Mapping):
            raise Refusal("body-shape/assignment")
        if unknown := next((name for name in sent if name not in FIELDS), ""):
            raise Refusal("unknown-field/assignment", option=unknown[:60], unknown=unknown[:40])
        person, version = _number(sent.get("person")), _number(sent.get("version"))
        if "person" not in sent or (person is None and sent["person"] is not None):
            raise Refusal("field-shape/assignment-person", option="person")
        if version is None:
            raise Refusal("field-shape/assignment-version", option="version")
        return person, version

    def write(self, sent: tuple[int | None, int]) -> WriteResult:
        (number, version), filing = sent, self.filing()
        require(self.reader, "assign", filing)
        if number is None:
            unassign_work(self.reader, filing, version=version)
        else:
            assign_work(self.reader, filing, self._person(number), version=version)
        return WriteResult(self._assignment(filing))

    def _person(self, number: int) -> Person:
        person = assignable_people(self.reader).filter(pk=number).first()
        if person is None:
            raise NotFound("not-found/assignee", option="person", person=number)
        return person

    def _assignment(self, filing: Submission | LayoutFiling) -> Row:
        at_regulator = self.reader.at_regulator
        assignment = assignment_of(filing) if at_regulator else None
        people = assignable_people(self.reader).values("pk", "name") if at_regulator else ()
        return {
            "number": filing.number,
            "version": filing.version,
            "assigned_to": {"id": assignment.person_id, "name": assignment.person.name} if assignment else None,
            "assigned_at": assignment.at if assignment else None,
            "assignable": [{"id": row["pk"], "name": row["name"]} for row in people],
        }


class LayoutAssignmentView(AssignmentView):
    """Who works on the layout filing: only the Board sees it."""

    operation = "assignLayout"
    write_summary = "Assign the layout filing to a person of the Board, or unassign it."

    def filing(self) -> LayoutFiling:
        rows = layouts_visible_to(self.reader).select_related("submission__organization")
        return first_or_not_found(rows.filter(number=self.kwargs["number"]), "layout filing")


def _number(value: object) -> int | None:
    """A whole number of JSON that a database can look for; true and false are none."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    return None
