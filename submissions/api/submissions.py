"""Submissions as their readers may know them: found as on the search page, one by its number.

Not here: what belongs to one of them (`filings`, `parts`), layouts (`layouts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers as of

from games.rules.registry import folders, title_of
from submissions.access import Reach, licensees_visible_to, reach_of, visible_to
from submissions.api.chapters import A_DAY, since
from submissions.api.paging import Page, page_prepared
from submissions.api.reading import Door, One, Paged, Shape
from submissions.errors import NotThere
from submissions.models import Status, Submission
from submissions.prepared import Prepared
from submissions.search.filters import NAMES, WAITING, Filter, read
from submissions.search.found import found_within
from submissions.search.wording import moment_of

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
    OpenApiParameter(name, A_DAY if name in DAYS else str, description=WORDS[name], enum=CHOICES.get(name))
    for name in NAMES
    if name in WORDS
)


Row = dict[str, Any]
TOLD = (
    "pk", "number", "organisation__slug", "organisation__name", "chapter", "status", "version", "amends__number",
    "receipt", "filed_at", "from_day", "created_at", "changed_at",
)  # fmt: skip


class LicenseeShape(Shape):
    slug = of.CharField(help_text="Its short name in addresses and filters")
    name = of.CharField()


class SubmissionShape(Shape):
    number = of.CharField(help_text="`RS-2026-00001`")
    licensee = LicenseeShape()
    chapter = of.CharField()
    title = of.CharField(help_text="The game")
    status = of.ChoiceField(Status.choices)
    version = of.IntegerField(help_text="One more at each change of state; every write names the one that it saw")
    amends = of.CharField(allow_null=True, help_text="The one it changes")
    receipt = of.CharField(allow_null=True, help_text="Of the latest filing")
    filed_at = of.DateTimeField(allow_null=True)
    in_force_from = of.DateField(source="from_day", allow_null=True, help_text="None unless the filing was approved")
    created_at = of.DateTimeField()
    changed_at = of.DateTimeField()


class Submissions(Paged):
    """The submissions that one may read, narrowed as on the search page."""

    serializer_class = SubmissionShape
    asks = (*FILTERS, since("changed_since", "Changed at this moment or later: its answers, or where it stands."))

    def page(self) -> Page:
        asked = {name: self.request.query_params.get(name, "") for name in WORDS}
        licensees = dict(licensees_visible_to(self.reader).values_list("slug", "name")) if asked["licensee"] else {}
        wanted = read(asked, licensees).understood
        moment = self.request.query_params.get("changed_since")
        return page_prepared(self.request, _rows, reach_of(self.reader), wanted, moment_of(moment) if moment else None)

    def seen(self, rows: Sequence[Row]) -> Iterable[Row]:
        return map(_told, rows)


class OneSubmission(One):
    """One submission."""

    serializer_class = SubmissionShape

    def thing(self) -> Row:
        return _told(the_only(_one(reach_of(self.reader)).ask(number=self.kwargs["number"]), "submission"))


def _rows(reach: Reach | None, wanted: Filter, changed_since: datetime | None) -> QuerySet[Any, Row]:
    rows = found_within(reach, wanted)
    if changed_since:
        rows = rows.filter(changed_at__gte=changed_since)
    told: QuerySet[Any, Row] = rows.values(*TOLD)
    return told


@lru_cache(maxsize=100)
def _one(reach: Reach | None) -> Prepared[Row]:
    """The submission of a `number`."""
    rows = found_within(reach, Filter()).filter(number="the number").order_by()
    return Prepared(rows.values(*TOLD), number="the number")


def _told(row: Row) -> Row:
    return row | {
        "licensee": {"slug": row["organisation__slug"], "name": row["organisation__name"]},
        "title": title_of(row["chapter"]),
        "amends": row["amends__number"],
    }


def only(rows: QuerySet[Any], what: str) -> Any:
    """The only row; of what one may not see, nobody says that it is there."""
    return the_only(list(rows[:1]), what)


def the_only(found: Sequence[Any], what: str) -> Any:
    """As `only`, of rows that were asked for."""
    if not found:
        raise no_such(what)
    return found[0]


def no_such(what: str) -> NotThere:
    return NotThere("not-found", f"There is no such {what}, or not for you.", fix="Look for it in the list above it.")


def submission_at(door: Door) -> Submission:
    """The submission that the address names."""
    rows = visible_to(door.reader).select_related("organisation")
    found: Submission = only(rows.filter(number=door.kwargs["number"]), "submission")
    return found
