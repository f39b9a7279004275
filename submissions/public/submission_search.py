"""A search of submissions: its fields, read from a query string; what it finds; and the views that a person saves.

Of what the person may see, a search finds the submissions that the filter describes. Answers are looked up in the index
over each submission's latest filing (`filings.answer_values`); a draft that was never filed has none, so it is found by
number, game and state only. Saved views are searches, and filters of the queue. Only the person who saved one sees it;
the history does not record them. Not here: the form (the page), the results as files (`exports`).
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from functools import cache
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.text import get_text_list

from games.registry import folders, title_of
from games.rules.model import Chapter, Option
from submissions.core import parameters
from submissions.core.errors import Refusal
from submissions.core.parameters import ParsedFilter, RefusalFilterSet, choice_filter, choices_filter
from submissions.core.text import clean_name
from submissions.filings.answer_values import indexed_value as indexed
from submissions.filings.offered_wagers import OfferedWager, analyses_of, offered_groups
from submissions.filings.versions import versions_in_effect
from submissions.models import IndexedAnswer, Organization, Person, Revision, SavedFilter, Status, Submission
from submissions.permissions import ReadScope, Visitor, filters_visible_to, read_scope_of, readable_within
from submissions.rules import chapter_on

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

    prepare = staticmethod(parameters.clean_search_text)
    words = ParsedFilter(parse=parameters.words_of)
    chapter = ParsedFilter(parse=parameters.chapter_of)
    licensee = ParsedFilter(parse="parse_licensee")
    in_force = ParsedFilter(parse=parameters.day_of)  # before what depends on the day
    status = choices_filter(lambda: dict(Status.choices), "state")
    waiting = choice_filter(lambda: WAITING_ON, "party")
    option = ParsedFilter(parse="parse_option")
    value = ParsedFilter(parse="parse_value")
    paytable = ParsedFilter(parse="parse_paytable")
    filed_from = ParsedFilter(parse=parameters.day_of)
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
        return parameters.one_of(text, self.licensees, "licensee")

    def parse_assigned(self, text: str) -> str:
        return parameters.one_of(text, {UNASSIGNED: "Unassigned", **self.people} if self.people else {}, "assignee")

    def parse_option(self, text: str) -> str:
        return option_of(self._game_for("A line"), text).key

    def parse_value(self, text: str) -> str:
        game = self._game_for("An answer")
        if self.line is None:
            raise Refusal("line-missing")
        return value_of(game, self.line, text)

    def parse_paytable(self, text: str) -> str:
        return paytable_of(self._game_for("A paytable"), text)

    def parse_filed_to(self, text: str) -> date:
        day = parameters.day_of(text)
        if self.filter.filed_from and day < self.filter.filed_from:
            raise Refusal("days-reversed")
        return day

    def _game_for(self, what: str) -> Chapter:
        if self.game is None:
            raise Refusal("game-missing", what=what)
        return self.game


def option_of(chapter: Chapter, text: str) -> Option:
    """A line of the chapter, by its key."""
    option = next((option for option in chapter.options if option.key == text), None)
    if option is None:
        raise Refusal("unknown-line/search", number=chapter.number, text=parameters.excerpt(text), title=chapter.title)
    return option


def value_of(chapter: Chapter, option: Option, text: str) -> str:
    """The answer that is looked for in a line, as the index has it; a choice also by its words."""
    allowed = answers_of(chapter, option)
    if allowed:
        match = next((value for value, label in allowed if text.casefold() in (value.casefold(), label.casefold())), "")
        if not match:
            raise _no_answer(option, text, get_text_list([f"“{label}”" for _, label in allowed], "or"))
        return match
    if option.kind in ("count", "money", "percent"):
        return _number(option, text)
    return indexed(text)


def answers_of(chapter: Chapter, option: Option) -> list[tuple[str, str]]:
    """(value, words) of each answer that a line can have; empty where it takes a number or text."""
    if option.kind == "yes_no":
        return [("yes", "Yes"), ("no", "No")]
    if option.kind == "choice":
        return [(choice.value, choice.label) for choice in option.choices]
    if option.kind == "paytable":
        names = dict.fromkeys(table.name for table in chapter.tables_of(option.wager))
        return [(name, name) for name in names]
    return []


def paytables_of(chapter: Chapter) -> list[tuple[Option, list[str]]]:
    """The lines that choose a paytable, each with what it can choose."""
    lines = (option for option in chapter.options if option.kind == "paytable")
    return [(option, [value for value, _ in answers_of(chapter, option)]) for option in lines]


def paytable_of(chapter: Chapter, text: str) -> str:
    """A paytable that a line of the chapter can choose, "wager/name"."""
    wager, _, name = text.partition("/")
    if not any(option.wager == wager and name in names for option, names in paytables_of(chapter)):
        raise Refusal("unknown-paytable", title=chapter.title, name=parameters.excerpt(name or text))
    return text


def _number(option: Option, text: str) -> str:
    plain = text.replace(",", "").strip("$% ")
    if not plain.replace(".", "", 1).isdecimal():
        raise _no_answer(option, text, "a number")
    return indexed(plain)


def _no_answer(option: Option, text: str, allowed: str) -> Refusal:
    return Refusal(
        "no-such-answer", option=option.key, citation=option.citation, text=parameters.excerpt(text), allowed=allowed
    )


Order = tuple[str | Combinable, ...]
Offers = list[tuple[str, OfferedWager]]
"""(table group, what it offers of a wager)"""
_ORDERS: Mapping[str, Order] = {
    "changed": ("-changed_at", "-pk"),
    "number": ("number",),
    "licensee": ("organization__name", "chapter", "-pk"),
    "chapter": ("chapter", "organization__name", "-pk"),
    "filed": (F("filed_at").desc(nulls_last=True), "-pk"),
}
_PART_OF_NUMBER = re.compile(r"[RS\d-]+", re.IGNORECASE)  # "RS-2026-00001"
_RECEIPT = re.compile(r"RS-\d+-\d+-R\d+", re.IGNORECASE)


def find_submissions(person: Visitor, wanted: FilterQuery) -> QuerySet[Submission]:
    """The submissions in their order, each with its `organization`, and of its latest filing `latest` (primary key),
    `receipt`, `filed_at` and `from_day` (its effective date; None unless it was approved)."""
    return find_within(read_scope_of(person), wanted)


def find_within(reach: ReadScope | None, wanted: FilterQuery) -> QuerySet[Submission]:
    """As `find_submissions`, for everyone with this read scope. Deleted drafts are found by their state only."""
    rows = readable_within(reach, _with_latest()).filter(**_plain(wanted))
    if filed := _filed(wanted):
        # The latest filing decides. That there is any of these days the index says, without reading a snapshot.
        rows = rows.filter(Exists(Revision.objects.filter(submission=OuterRef("pk"), **filed)), **filed)
    if wanted.statuses:
        rows = rows.filter(status__in=wanted.statuses)
    if Status.DELETED not in wanted.statuses:
        rows = rows.exclude(status=Status.DELETED)
    if wanted.waiting:
        rows = rows.filter(status__in=WAITING_ON[wanted.waiting][1])
    for word in wanted.words.split():
        rows = rows.filter(_says(word))
    if wanted.option:
        rows = rows.filter(_answers(wanted))
    if wanted.paytable:
        rows = rows.filter(_offers(wanted))
    if wanted.assigned:
        rows = rows.filter(assignment__person=None if wanted.assigned == UNASSIGNED else int(wanted.assigned))
    if wanted.in_force:
        rows = rows.filter(Exists(versions_in_effect(wanted.in_force).filter(revision=OuterRef("latest"))))
    return rows.order_by(*_ORDERS[wanted.by])


def with_latest_within(reach: ReadScope | None) -> QuerySet[Submission]:
    """Every submission within the scope, deleted drafts too, with what `find_submissions` gives each."""
    return readable_within(reach, _with_latest())


@cache
def _with_latest() -> QuerySet[Submission]:
    """Built once: to put it together takes longer than to ask it."""
    return Submission.objects.select_related("organization").annotate(
        latest=F("latest_filing__revision"),
        receipt=F("latest_filing__revision__receipt"),
        filed_at=F("latest_filing__revision__filed_at"),
        from_day=F("latest_filing__revision__version__from_day"),
    )


def offers_of(filings: Iterable[int], wager: str) -> dict[int, Offers]:
    """Revision → (table group, its offer) of this wager, with paytable and hold; two queries."""
    snapshots = dict(Revision.objects.filter(pk__in=list(filings)).values_list("pk", "snapshot"))
    analyses = analyses_of(snapshots)
    return {
        pk: [
            (group.name, offer)
            for group in offered_groups(pk, json.loads(snapshot), analyses)
            for offer in group.offers
            if offer.wager == wager
        ]
        for pk, snapshot in snapshots.items()
    }


def _plain(wanted: FilterQuery) -> dict[str, str]:
    conditions = {"chapter": wanted.chapter, "organization__slug": wanted.licensee}
    return {name: value for name, value in conditions.items() if value}


def _says(word: str) -> Q:
    """The database is asked only for what the word can be: to look for each word in each number takes longest."""
    titled = [number for number in folders() if word.casefold() in title_of(number).casefold()]
    named = Organization.objects.filter(name__icontains=word)  # looked for among these, not in each submission
    says = Q(organization__in=named) | Q(chapter__in=[*titled, word.casefold()])
    if _PART_OF_NUMBER.fullmatch(word):
        says |= Q(number__icontains=word)
    if _RECEIPT.fullmatch(word):
        says |= Q(Exists(Revision.objects.filter(submission=OuterRef("pk"), receipt__iexact=word)))
    return says


def _answers(wanted: FilterQuery) -> Exists:
    """Some configuration of the latest filing answers the line so; words are looked for anywhere in a text."""
    rows = IndexedAnswer.objects.filter(revision=OuterRef("latest"), option=wanted.option)
    if not wanted.value:
        return Exists(rows)
    written = chapter_on(wanted.chapter, wanted.rules_day).option(wanted.option).kind in ("text", "attachment")
    return Exists(rows.filter(value__icontains=wanted.value) if written else rows.filter(value=wanted.value))


def _offers(wanted: FilterQuery) -> Exists:
    wager, _, name = wanted.paytable.partition("/")
    lines = [option.key for option in chapter_on(wanted.chapter, wanted.rules_day).options if option.wager == wager]
    return Exists(IndexedAnswer.objects.filter(revision=OuterRef("latest"), option__in=lines, value=name))


def _filed(wanted: FilterQuery) -> dict[str, datetime]:
    conditions = {}
    if wanted.filed_from:
        conditions["filed_at__gte"] = _start_of(wanted.filed_from)
    if wanted.filed_to:
        conditions["filed_at__lt"] = _start_of(wanted.filed_to + timedelta(days=1))
    return conditions


def _start_of(day: date) -> datetime:
    """Midnight in Pennsylvania."""
    return timezone.make_aware(datetime.combine(day, time()))


LONGEST_NAME = 80
MOST_SAVED = 50


def save_search(actor: Person, name: str, query: str, page: SavedFilter.Page = SavedFilter.Page.SEARCH) -> SavedFilter:
    """Store a search, as its cleaned query string, under a name that this person has not used yet; or a filter of the
    queue, by its `page`.
    """
    fix = "Enter a name."
    name = clean_name(name, most=LONGEST_NAME, missing="The name of the search is missing.", fix=fix)
    if not query:
        raise Refusal("search-empty")
    with transaction.atomic():
        Person.objects.select_for_update(no_key=True).get(pk=actor.pk)  # one at a time, so that the count is true
        saved_searches = filters_visible_to(actor)
        if saved_searches.filter(name=name).exists():
            raise Refusal("name-taken", name=name)
        if saved_searches.count() >= MOST_SAVED:
            raise Refusal("filters-full", most=MOST_SAVED)
        return SavedFilter.objects.create(person=actor, name=name, query=query, page=page)


def delete_search(actor: Person, saved_search: SavedFilter) -> None:
    """Delete one of one's own."""
    filters_visible_to(actor).filter(pk=saved_search.pk).delete()
