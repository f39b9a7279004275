"""Public lists of versions, narrowed: `?licensee=east&chapter=687a&standing=in-force`; and without their weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.db.models import QuerySet

from games.rules.model import Chapter
from games.rules.registry import chapters
from submissions.access import licensees
from submissions.errors import Refusal
from submissions.models import Version
from submissions.search.wording import one_of
from submissions.terms import State, in_state

HEAVY = ("revision__snapshot", "revision__attestation", "revision__document__verification")
FIELDS = {"licensee": "licensee", "chapter": "game", "standing": "standing"}


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What was chosen, and what could be; a field that was not understood is told and narrows nothing."""

    typed: Mapping[str, str]
    faults: Mapping[str, Refusal | None]
    licensees: Mapping[str, str]  # slug → name
    games: tuple[Chapter, ...]
    standings: tuple[State, ...] = tuple(State)

    def of(self, rows: QuerySet[Version], day: date) -> QuerySet[Version]:
        """The rows, of `terms.with_ends` if a standing can be chosen, that were asked for."""
        good = {name: value for name, value in self.typed.items() if value and not self.faults[name]}
        if "licensee" in good:
            rows = rows.filter(organisation__slug=good["licensee"])
        if "chapter" in good:
            rows = rows.filter(chapter=good["chapter"])
        return in_state(rows, State(good["standing"]), day) if "standing" in good else rows

    @property
    def query(self) -> str:
        """What an address begins with, so that the next page is of the same list."""
        found = urlencode({name: value for name, value in self.typed.items() if value})
        return f"{found}&" if found else ""

    @property
    def status(self) -> int:
        return 400 if any(self.faults.values()) else 200


def narrowed(query: Mapping[str, str]) -> Narrowed:
    """What a query string asks for. Nothing is refused here: each fault stands beside its field."""
    there = dict(licensees().values_list("slug", "name"))
    games = chapters()
    allowed: dict[str, dict[str, object]] = {
        "licensee": {**there},
        "chapter": {one.number: one for one in games},
        "standing": {**dict(State.choices)},
    }
    typed = {name: query.get(name, "").strip() for name in FIELDS}
    faults: dict[str, Refusal | None] = dict.fromkeys(FIELDS)
    for name, value in typed.items():
        try:
            one_of(value, {**allowed[name], "": ""}, FIELDS[name])
        except Refusal as fault:
            faults[name] = fault
    return Narrowed(typed, faults, there, games)


def light(rows: QuerySet[Version]) -> QuerySet[Version]:
    """The rows with their licensee, filing and document; not with what was frozen, which is long."""
    return rows.select_related("organisation", "revision__document").defer(*HEAVY)
