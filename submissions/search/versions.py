"""Public lists of versions, narrowed: `?licensee=east&chapter=687a&standing=in-force`; and without their weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from urllib.parse import urlencode

from django.db.models import QuerySet

from games.rules.model import Chapter
from games.rules.registry import chapters, folders
from submissions.access import licensees
from submissions.errors import Refusal
from submissions.models import Version
from submissions.search.wording import one_of
from submissions.terms import State, in_state

HEAVY = ("revision__snapshot", "revision__attestation", "revision__document__verification")
FIELDS = {"licensee": "licensee", "chapter": "game", "standing": "standing"}


@dataclass(frozen=True)
class Narrowed:
    """What was chosen, and what could be; a field that was not understood is told and narrows nothing."""

    typed: Mapping[str, str]

    @cached_property
    def licensees(self) -> dict[str, str]:
        """Slug → name."""
        return dict(licensees().values_list("slug", "name"))

    @property
    def games(self) -> tuple[Chapter, ...]:
        return chapters()

    @property
    def standings(self) -> tuple[State, ...]:
        return tuple(State)

    @cached_property
    def faults(self) -> dict[str, Refusal | None]:
        return {name: self._fault(name, value) for name, value in self.typed.items()}

    def _fault(self, name: str, value: str) -> Refusal | None:
        """Of a field that was left empty, none."""
        if not value:
            return None
        try:
            one_of(value, self._allowed(name), FIELDS[name])
        except Refusal as fault:
            return fault
        return None

    def _allowed(self, name: str) -> Mapping[str, object]:
        if name == "licensee":
            return self.licensees
        return folders() if name == "chapter" else dict(State.choices)

    def of(self, rows: QuerySet[Version], day: date) -> QuerySet[Version]:
        """The rows, of `terms.with_ends` if a standing can be chosen, that were asked for."""
        return those(rows, {name: value for name, value in self.typed.items() if not self.faults[name]}, day)

    @property
    def query(self) -> str:
        """What an address begins with, so that the next page is of the same list."""
        found = urlencode({name: value for name, value in self.typed.items() if value})
        return f"{found}&" if found else ""

    @property
    def status(self) -> int:
        return 400 if any(self.faults.values()) else 200


def those(rows: QuerySet[Version], asked: Mapping[str, str], day: date) -> QuerySet[Version]:
    """The rows that are so: each of `FIELDS` that is not empty was understood before."""
    if licensee := asked.get("licensee"):
        rows = rows.filter(organisation__slug=licensee)
    if chapter := asked.get("chapter"):
        rows = rows.filter(chapter=chapter)
    standing = asked.get("standing")
    return in_state(rows, State(standing), day) if standing else rows


def narrowed(query: Mapping[str, str]) -> Narrowed:
    """What a query string asks for. Nothing is refused here: each fault stands beside its field."""
    return Narrowed({name: query.get(name, "").strip() for name in FIELDS})


def light(rows: QuerySet[Version]) -> QuerySet[Version]:
    """The rows with their licensee, filing and document; not with what was frozen, which is long."""
    return rows.select_related("organisation", "revision__document").defer(*HEAVY)
