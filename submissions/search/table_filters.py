"""Table lists, narrowed: `?licensee=east&chapter=683a&open=yes`."""

from functools import cached_property

from django.db.models import QuerySet
from django.utils import timezone

from games.registry import folders
from games.rules.model import Chapter
from submissions.models import TableEntry, TableState
from submissions.permissions import licensees
from submissions.rules.effective_rules import chapters_on
from submissions.search.filter_sets import RefusalFilterSet, choice_filter

OPEN_STATES = {"yes": TableState.OPEN, "no": TableState.CLOSED}


def _licensees() -> dict[str, str]:
    """Slug → name."""
    return dict(licensees().values_list("slug", "name"))


class TableFilterSet(RefusalFilterSet):
    """By game, and whether the table is open."""

    chapter = choice_filter(folders, "game")
    open = choice_filter(lambda: OPEN_STATES, "open", method="in_state")

    @cached_property
    def games(self) -> tuple[Chapter, ...]:
        return chapters_on(timezone.localdate())

    @property
    def status(self) -> int:
        return 400 if self.faults else 200

    def in_state(self, rows: QuerySet[TableEntry], name: str, state: str) -> QuerySet[TableEntry]:
        return rows.filter(state=OPEN_STATES[state])


class LicenseeTableFilterSet(TableFilterSet):
    """Also by licensee."""

    licensee = choice_filter(_licensees, "licensee", field_name="organization__slug")
