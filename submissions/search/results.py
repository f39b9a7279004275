"""What a search finds: of what the person may see, the submissions that the filter describes.

What was answered is looked up in the index over each submission's latest filing (`filings.answer_index`); a draft that
was never filed has none, so it is found by number, game and state only.
"""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from functools import cache

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone

from games.registry import folders, title_of
from submissions.filings.offered_wagers import OfferedWager, analyses_of, offered_groups
from submissions.filings.versions import versions_in_effect
from submissions.models import IndexedAnswer, Organization, Revision, Status, Submission
from submissions.permissions import ReadScope, Visitor, read_scope_of, readable_within
from submissions.rules.effective_rules import chapter_on
from submissions.search.filters import UNASSIGNED, WAITING_ON, FilterQuery

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
