"""Submissions as their readers may know them: found as on the search page, one by its number.

Not here: what belongs to one of them (`filings`, `parts`), layouts (`layouts`).
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from games.rules.registry import chapter as chapter_of
from games.rules.registry import folders
from submissions.access import licensees_visible_to, visible_to
from submissions.api.reading import Door, One, Rows, Shape
from submissions.errors import NotThere
from submissions.models import Status, Submission
from submissions.search.filters import NAMES, WAITING, Filter, read
from submissions.search.found import found

WORDS = {
    "words": "These words in its number, receipt, licensee or game.",
    "chapter": "Of this chapter.",
    "licensee": "Of this licensee, by its short name.",
    "status": "In this state.",
    "waiting": "Waiting on this party.",
    "option": "Answering this line (with `chapter`)",
    "value": "with this answer.",
    "paytable": "Offering this paytable, `wager/name` (with `chapter`).",
    "filed_from": "Filed on this day or later.",
    "filed_to": "Filed on this day or earlier.",
    "in_force": "In force on this day.",
}
DAYS = ("filed_from", "filed_to", "in_force")
CHOICES = {"status": [state.value for state in Status], "waiting": list(WAITING), "chapter": list(folders())}
FILTERS = tuple(
    OpenApiParameter(name, date if name in DAYS else str, description=WORDS[name], enum=CHOICES.get(name))
    for name in NAMES
    if name in WORDS
)


class LicenseeShape(Shape):
    slug = of.CharField(help_text="Its short name in addresses and filters")
    name = of.CharField()


class SubmissionShape(Shape):
    number = of.CharField(help_text="`RS-2026-00001`")
    licensee = LicenseeShape(source="organisation")
    chapter = of.CharField()
    title = of.SerializerMethodField(help_text="The game")
    status = of.ChoiceField(Status.choices)
    version = of.IntegerField(help_text="One more at each change of state; every write names the one that it saw")
    amends = of.CharField(source="amends.number", default=None, allow_null=True, help_text="The one it changes")
    receipt = of.CharField(allow_null=True, help_text="Of the latest filing")
    filed_at = of.DateTimeField(allow_null=True)
    in_force_from = of.DateField(source="from_day", allow_null=True, help_text="None unless the filing was approved")
    created_at = of.DateTimeField()
    changed_at = of.DateTimeField()

    def get_title(self, row: Submission) -> str:
        return chapter_of(row.chapter).title if row.chapter in folders() else ""


class Submissions(Rows):
    """The submissions that one may read, narrowed as on the search page."""

    serializer_class = SubmissionShape
    asks = FILTERS

    def rows(self) -> QuerySet[Submission]:
        licensees = dict(licensees_visible_to(self.reader).values_list("slug", "name"))
        asked = {name: self.request.query_params.get(name, "") for name in WORDS}
        return found(self.reader, read(asked, licensees).understood).select_related("amends")


class OneSubmission(One):
    """One submission."""

    serializer_class = SubmissionShape

    def thing(self) -> Submission:
        rows = found(self.reader, Filter()).select_related("amends")
        row: Submission = only(rows.filter(number=self.kwargs["number"]), "submission")
        return row


def only(rows: QuerySet[Any], what: str) -> Any:
    """The only row; of what one may not see, nobody says that it is there."""
    row = rows.first()
    if row is None:
        raise NotThere(
            "not-found", f"There is no such {what}, or not for you.", fix="Look for it in the list above it."
        )
    return row


def submission_at(door: Door) -> Submission:
    """The submission that the address names."""
    rows = visible_to(door.reader).select_related("organisation")
    found: Submission = only(rows.filter(number=door.kwargs["number"]), "submission")
    return found
