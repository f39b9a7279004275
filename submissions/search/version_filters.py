"""Public lists of versions, narrowed: `?licensee=east&chapter=687a&standing=in-force`; and without their weight."""

from functools import cached_property
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils import timezone

from games.registry import folders
from games.rules.model import Chapter
from submissions.filings.effective_periods import VersionState, in_state
from submissions.models import Version
from submissions.permissions import licensees
from submissions.rules.effective_rules import chapters_on
from submissions.search.filter_sets import RefusalFilterSet, choice_filter

HEAVY = ("revision__snapshot", "revision__attestation", "revision__document__verification")


def _licensees() -> dict[str, str]:
    """Slug → name."""
    return dict(licensees().values_list("slug", "name"))


class VersionFilterSet(RefusalFilterSet):
    """By licensee and game."""

    licensee = choice_filter(_licensees, "licensee", field_name="organization__slug")
    chapter = choice_filter(folders, "game")

    @cached_property
    def licensees(self) -> dict[str, str]:
        return _licensees()

    @property
    def games(self) -> tuple[Chapter, ...]:
        return chapters_on(timezone.localdate())

    @property
    def query(self) -> str:
        """What an address begins with, so that the next page is of the same list."""
        given = urlencode({name: value for name, value in self.entered.items() if value})
        return f"{given}&" if given else ""

    @property
    def status(self) -> int:
        return 400 if self.faults else 200


class RegisterFilterSet(VersionFilterSet):
    """Also by the state of today."""

    states = tuple(VersionState)
    standing = choice_filter(lambda: dict(VersionState.choices), "standing", method="in_state_today")

    def in_state_today(self, rows: QuerySet[Version], name: str, state: str) -> QuerySet[Version]:
        return in_state(rows, VersionState(state), timezone.localdate())


def light(rows: QuerySet[Version]) -> QuerySet[Version]:
    """The rows with their licensee, filing, document and period; not with what was frozen, which is long."""
    return rows.select_related("organization", "revision__document", "period").defer(*HEAVY)
