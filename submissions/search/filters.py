"""A search of submissions: the filter set of a query string, and the filter that was understood.

Not here: how one field is parsed (`field_parsing`), the query (`results`), the form (`submissions.web`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from urllib.parse import urlencode

from django.utils import timezone

from games.rules.model import Chapter, Option
from submissions.core.errors import Refusal
from submissions.models import Status, Submission
from submissions.rules.effective_rules import chapter_on
from submissions.search import field_parsing
from submissions.search.filter_sets import ParsedFilter, RefusalFilterSet, choice_filter, choices_filter

WAITING_ON: Mapping[str, tuple[str, tuple[Status, ...]]] = {
    "licensee": ("The licensee", (Status.DRAFT, Status.RETURNED)),
    "analyst": ("An analyst of the Board", (Status.FILED,)),
    "director": ("A director of the Board", (Status.RECOMMENDED,)),
}
ORDERS: Mapping[str, str] = {
    "changed": "Last change",
    "number": "Number",
    "licensee": "Licensee",
    "chapter": "Game",
    "filed": "Filed",
}
NEWEST = "changed"
UNASSIGNED = "none"
NOBODY: Mapping[str, str] = {}  # whom a licensee may look for: the Board's assignments are its own


@dataclass(frozen=True, slots=True)
class FilterQuery:
    """What a submission must be to be found; a field left empty asks for nothing.

    `words` stand in its number, receipt, licensee or game. `option` is a line of the chapter that the latest filing
    answers with `value` (with anything, if that is empty); `paytable` is "wager/name". `in_force` is a day.
    The fields are the address's, in this order.
    """

    words: str = ""
    chapter: str = ""
    licensee: str = ""  # slug
    status: str = ""  # one or more, separated by commas
    waiting: str = ""
    option: str = ""
    value: str = ""
    paytable: str = ""
    filed_from: date | None = None
    filed_to: date | None = None
    in_force: date | None = None
    assigned: str = ""  # the number of a person of the Board, or "none"
    by: str = NEWEST

    @property
    def rules_day(self) -> date:
        """The day whose lines and paytables are meant: the one asked about, else today."""
        return self.in_force or timezone.localdate()

    @property
    def statuses(self) -> tuple[str, ...]:
        """The statuses that are looked for; empty = any."""
        return tuple(self.status.split(",")) if self.status else ()

    @property
    def query(self) -> str:
        """The one query string that says this."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return urlencode([(name, value) for name, value in given.items() if value and (name, value) != ("by", NEWEST)])


class SubmissionSearch(RefusalFilterSet):
    """A search as it was entered: `filter` is what was understood, `faults` what is wrong with the rest."""

    prepare = staticmethod(field_parsing.clean)
    words = ParsedFilter(parse=field_parsing.words_of)
    chapter = ParsedFilter(parse=field_parsing.chapter_of)
    licensee = ParsedFilter(parse="parse_licensee")
    in_force = ParsedFilter(parse=field_parsing.day_of)  # before what depends on the day
    status = choices_filter(lambda: dict(Status.choices), "state")
    waiting = choice_filter(lambda: WAITING_ON, "party")
    option = ParsedFilter(parse="parse_option")
    value = ParsedFilter(parse="parse_value")
    paytable = ParsedFilter(parse="parse_paytable")
    filed_from = ParsedFilter(parse=field_parsing.day_of)
    filed_to = ParsedFilter(parse="parse_filed_to")
    assigned = ParsedFilter(parse="parse_assigned")
    by = choice_filter(lambda: ORDERS, "order")

    def __init__(
        self, query: Mapping[str, str], licensees: Mapping[str, str], people: Mapping[str, str] = NOBODY
    ) -> None:
        """`licensees`: slug → name of those that may be looked for; `people`: number → name of reviewers."""
        super().__init__(query, Submission.objects.none())
        self.licensees = licensees
        self.people = people

    @property
    def filter(self) -> FilterQuery:
        """What was understood; while a field is parsed, of the fields before it."""
        self.is_valid()  # parses the fields, once
        return FilterQuery(**{name: value for name, value in self.form.cleaned_data.items() if value})

    @property
    def understood(self) -> FilterQuery:
        """The filter, if everything was understood; else the first fault is raised."""
        self.refuse_faults()
        return self.filter

    @property
    def game(self) -> Chapter | None:
        return chapter_on(self.filter.chapter, self.filter.rules_day) if self.filter.chapter else None

    @property
    def line(self) -> Option | None:
        return self.game.option(self.filter.option) if self.game and self.filter.option else None

    def parse_licensee(self, text: str) -> str:
        return field_parsing.one_of(text, self.licensees, "licensee")

    def parse_assigned(self, text: str) -> str:
        return field_parsing.one_of(text, {UNASSIGNED: "Unassigned", **self.people} if self.people else {}, "assignee")

    def parse_option(self, text: str) -> str:
        return field_parsing.option_of(self._game_for("A line"), text).key

    def parse_value(self, text: str) -> str:
        game = self._game_for("An answer")
        if self.line is None:
            raise Refusal("line-missing")
        return field_parsing.value_of(game, self.line, text)

    def parse_paytable(self, text: str) -> str:
        return field_parsing.paytable_of(self._game_for("A paytable"), text)

    def parse_filed_to(self, text: str) -> date:
        day = field_parsing.day_of(text)
        if self.filter.filed_from and day < self.filter.filed_from:
            raise Refusal("days-reversed")
        return day

    def _game_for(self, what: str) -> Chapter:
        if self.game is None:
            raise Refusal("game-missing", what=what)
        return self.game
