"""A search of submissions: its fields, read from a query string; what it finds; and the views that a person saves.

Answers are looked up in the index over each submission's latest filing (`filings.answer_values`), so a draft that was
never filed is found by number, game and state only. Saved views are searches, and filters of the queue; the history
does not record them. Not here: the results as files (`exports`).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from functools import cache, partial
from typing import Any

from django import forms
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.text import get_text_list
from django_filters import CharFilter, ChoiceFilter, MultipleChoiceFilter

from games.registry import folders, title_of
from games.rules.model import Chapter, Option
from submissions.core import parameters
from submissions.core.dates import start_of
from submissions.core.errors import Refusal
from submissions.core.parameters import CommaSelect, DayFilter, validated
from submissions.core.text import clean_name
from submissions.filings.answer_values import indexed_value as indexed
from submissions.filings.offered_wagers import OfferedWager, analyses_of, offered_groups
from submissions.filings.review.assignments import assignable_names
from submissions.filings.versions import versions_in_effect
from submissions.models import (
    WAITS_ON,
    IndexedAnswer,
    Organization,
    Party,
    Person,
    Revision,
    SavedFilter,
    Status,
    Submission,
)
from submissions.permissions import ReadScope, filters_visible_to, readable_within
from submissions.public.list_filters import VisibleFilterSet
from submissions.rules import chapter_on

ORDERS: Mapping[str, str] = {
    "changed": "Last change",
    "number": "Number",
    "licensee": "Licensee",
    "chapter": "Game",
    "filed": "Filed",
}
NEWEST = "changed"
UNASSIGNED = "none"
Rows = QuerySet[Any, Any]
Order = tuple[str | Combinable, ...]
_ORDERS: Mapping[str, Order] = {
    "changed": ("-changed_at", "-pk"),
    "number": ("number",),
    "licensee": ("organization__name", "chapter", "-pk"),
    "chapter": ("chapter", "organization__name", "-pk"),
    "filed": (F("filed_at").desc(nulls_last=True), "-pk"),
}
TEXT = [partial(validated, parameters.clean_search_text)]


class SearchForm(forms.Form):
    """The values of a search: what is looked for in answers depends on the game, and on its rules of the day."""

    field_order = ("in_force",)  # before what depends on it

    @property
    def game(self) -> Chapter | None:
        """The game by the rules of the day that is asked about, else of today."""
        number = self.cleaned_data.get("chapter")
        return chapter_on(number, self.cleaned_data.get("in_force") or timezone.localdate()) if number else None

    @property
    def line(self) -> Option | None:
        key = self.cleaned_data.get("option")
        return self.game.option(key) if self.game and key else None

    def clean_words(self) -> str:
        return self._parsed("words", parameters.words_of)

    def clean_option(self) -> str:
        return self._parsed("option", lambda text: option_of(self._game_for("A line"), text).key)

    def clean_value(self) -> str:
        return self._parsed("value", self._answer)

    def clean_paytable(self) -> str:
        return self._parsed("paytable", lambda text: paytable_of(self._game_for("A paytable"), text))

    def clean_filed_to(self) -> date | None:
        return parameters.last_day(self.cleaned_data.get("filed_from"), self.cleaned_data["filed_to"])

    def _parsed(self, name: str, parse: Callable[[str], str]) -> str:
        text = parameters.clean_search_text(self.cleaned_data[name])
        return validated(parse, text) if text else ""

    def _answer(self, text: str) -> str:
        game = self._game_for("An answer")
        if self.line is None:
            raise Refusal("line-missing")
        return value_of(game, self.line, text)

    def _game_for(self, what: str) -> Chapter:
        if self.game is None:
            raise Refusal("game-missing", what=what)
        return self.game


class SubmissionFilterSet(VisibleFilterSet):
    """The filters of submissions that the reader may see; deleted drafts are found by their status only."""

    words = CharFilter(
        method="with_words", validators=TEXT, help_text="These words in its number, receipt, licensee or game."
    )
    status = MultipleChoiceFilter(
        choices=Status.choices, widget=CommaSelect, distinct=False, help_text="In one of these states."
    )
    waiting = ChoiceFilter(choices=Party.choices, method="waiting_on", help_text="Waiting on this party.")
    option = CharFilter(method="with_answer", validators=TEXT, help_text="Answering this line (with `chapter`)")
    value = CharFilter(method="unchanged", validators=TEXT, help_text="with this answer.")
    paytable = CharFilter(
        method="with_paytable",
        validators=TEXT,
        help_text="Offering this paytable, `wager/name` (with `chapter`).",
    )
    filed_from = DayFilter(method="filed", help_text="Filed on this day or later.")
    filed_to = DayFilter(method="filed", help_text="Filed on this day or earlier.")
    in_force = DayFilter(method="in_effect", help_text="In effect on this day.")

    class Meta:
        form = SearchForm

    def filter_queryset(self, queryset: Rows) -> Rows:
        rows: Rows = super().filter_queryset(queryset)
        wants_deleted = Status.DELETED in self.form.cleaned_data.get("status", ())
        return rows if wants_deleted else rows.exclude(status=Status.DELETED)

    def with_words(self, rows: Rows, name: str, words: str) -> Rows:
        for word in words.split():
            rows = rows.filter(_says(word))
        return rows

    def waiting_on(self, rows: Rows, name: str, party: str) -> Rows:
        return rows.filter(status__in=[status for status, waits_on in WAITS_ON.items() if waits_on == party])

    def with_answer(self, rows: Rows, name: str, option: str) -> Rows:
        """Return the rows whose latest filing answers the line so in some group; words match anywhere in a text."""
        answers = IndexedAnswer.objects.filter(revision=OuterRef("latest"), option=option)
        if value := self.form.cleaned_data.get("value"):
            is_text = self.form.line.kind in ("text", "attachment")
            answers = answers.filter(value__icontains=value) if is_text else answers.filter(value=value)
        return rows.filter(Exists(answers))

    def unchanged(self, rows: Rows, name: str, value: object) -> Rows:
        """Return the rows: `with_answer` looks for the answer."""
        return rows

    def with_paytable(self, rows: Rows, name: str, paytable: str) -> Rows:
        wager, _, table = paytable.partition("/")
        lines = [option.key for option in self.form.game.options if option.wager == wager]
        answers = IndexedAnswer.objects.filter(revision=OuterRef("latest"), option__in=lines, value=table)
        return rows.filter(Exists(answers))

    def filed(self, rows: Rows, name: str, day: date) -> Rows:
        """Return the rows filed on this day or later, or earlier; the index says so without reading a snapshot."""
        later = {"filed_at__lt": start_of(day + timedelta(days=1))}
        filed = {"filed_at__gte": start_of(day)} if name == "filed_from" else later
        return rows.filter(Exists(Revision.objects.filter(submission=OuterRef("pk"), **filed)), **filed)

    def in_effect(self, rows: Rows, name: str, day: date) -> Rows:
        return rows.filter(Exists(versions_in_effect(day).filter(revision=OuterRef("latest"))))


class SubmissionSearch(SubmissionFilterSet):
    """The filters of the search page, and the order."""

    assigned = ChoiceFilter(method="assigned_to")  # a person of the Board: its assignments are its own
    by = ChoiceFilter(choices=list(ORDERS.items()), method="unchanged")
    defaults = {"by": NEWEST}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = assignable_names(self.request.user)
        people = [(UNASSIGNED, "Unassigned"), *self.people.items()] if self.people else []
        self.filters["assigned"].extra["choices"] = people

    def filter_queryset(self, queryset: Rows) -> Rows:
        return super().filter_queryset(queryset).order_by(*_ORDERS[self.values["by"]])

    def assigned_to(self, rows: Rows, name: str, assigned: str) -> Rows:
        return rows.filter(assignment__person=None if assigned == UNASSIGNED else int(assigned))


def option_of(chapter: Chapter, text: str) -> Option:
    """Return a line of the chapter, by its key."""
    option = next((option for option in chapter.options if option.key == text), None)
    if option is None:
        raise Refusal("unknown-line/search", number=chapter.number, text=parameters.excerpt(text), title=chapter.title)
    return option


def value_of(chapter: Chapter, option: Option, text: str) -> str:
    """Return the answer that is looked for in a line, as the index has it; a choice also by its words."""
    allowed = answers_of(chapter, option)
    if allowed:
        match = next((value for value, label in allowed if text.casefold() in (value.casefold(), label.casefold())), "")
        if not match:
            raise _no_answer(option, text, get_text_list([f"“{label}”" for _, label in allowed], "or"))
        return match
    if option.kind not in ("count", "money", "percent"):
        return indexed(text)
    plain = text.replace(",", "").strip("$% ")
    if not plain.replace(".", "", 1).isdecimal():
        raise _no_answer(option, text, "a number")
    return indexed(plain)


def answers_of(chapter: Chapter, option: Option) -> list[tuple[str, str]]:
    """Return (value, words) of each answer that a line can have; empty where it takes a number or text."""
    if option.kind == "yes_no":
        return [("yes", "Yes"), ("no", "No")]
    if option.kind == "choice":
        return [(choice.value, choice.label) for choice in option.choices]
    if option.kind == "paytable":
        names = dict.fromkeys(table.name for table in chapter.tables_of(option.wager))
        return [(name, name) for name in names]
    return []


def paytables_of(chapter: Chapter) -> list[tuple[Option, list[str]]]:
    """Return the lines that choose a paytable, each with what it can choose."""
    lines = (option for option in chapter.options if option.kind == "paytable")
    return [(option, [value for value, _ in answers_of(chapter, option)]) for option in lines]


def paytable_of(chapter: Chapter, text: str) -> str:
    """Return a paytable that a line of the chapter can choose, "wager/name"."""
    wager, _, name = text.partition("/")
    if not any(option.wager == wager and name in names for option, names in paytables_of(chapter)):
        raise Refusal("unknown-paytable", title=chapter.title, name=parameters.excerpt(name or text))
    return text


def _no_answer(option: Option, text: str, allowed: str) -> Refusal:
    return Refusal(
        "no-such-answer", option=option.key, citation=option.citation, text=parameters.excerpt(text), allowed=allowed
    )


Offers = list[tuple[str, OfferedWager]]
"""(table group, what it offers of a wager)"""
_PART_OF_NUMBER = re.compile(r"[RS\d-]+", re.IGNORECASE)  # "RS-2026-00001"
_RECEIPT = re.compile(r"RS-\d+-\d+-R\d+", re.IGNORECASE)


def with_latest_within(reach: ReadScope | None) -> QuerySet[Submission]:
    """Return every submission within the scope, deleted drafts too, each with its `organization`.

    Of its latest filing each has `latest` (primary key), `receipt`, `filed_at` and `from_day` (None before approval).
    """
    return readable_within(reach, _with_latest())


@cache
def _with_latest() -> QuerySet[Submission]:
    """Return the submissions with their latest filing, built once: that takes longer than to ask the query."""
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


def _says(word: str) -> Q:
    """Return the condition that a submission matches the word: only in what the word can be, which is fastest."""
    titled = [number for number in folders() if word.casefold() in title_of(number).casefold()]
    named = Organization.objects.filter(name__icontains=word)  # looked for among these, not in each submission
    says = Q(organization__in=named) | Q(chapter__in=[*titled, word.casefold()])
    if _PART_OF_NUMBER.fullmatch(word):
        says |= Q(number__icontains=word)
    if _RECEIPT.fullmatch(word):
        says |= Q(Exists(Revision.objects.filter(submission=OuterRef("pk"), receipt__iexact=word)))
    return says


LONGEST_NAME = 80
MOST_SAVED = 50


def save_search(actor: Person, name: str, query: str, page: SavedFilter.Page = SavedFilter.Page.SEARCH) -> SavedFilter:
    """Store a search, as its cleaned query string, or a filter of the queue (`page`) under a name not used yet."""
    missing = "The name of the search is missing."
    name = clean_name(name, most=LONGEST_NAME, missing=missing, fix="Enter a name.")
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
