"""Creates and updates of very many submissions: planned in memory while others use the database, then written together.

A plan is what the same item would write by itself (`item_handlers`). It counts only while its submission is as it was
when it was planned: `refresh_plans` looks at that in the transaction that writes, and plans again what has changed.
Orders of the Board and changes of the rules count as they were when the item was planned.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from submissions.bulk.item_handlers import (
    ActorResolver,
    ItemActor,
    ItemOutcome,
    answer_item,
    outcome_of,
    plan_item_answers,
)
from submissions.bulk.items import ItemDependencies, ItemRequest
from submissions.core.errors import NotFound
from submissions.filings.drafts import PlannedChange, plan_day, plan_draft, planned_save, store_changes
from submissions.filings.orders.waived_findings import load_order_book
from submissions.filings.planned_day import parse_planned_day
from submissions.models import Configuration, Item, Person, Submission
from submissions.permissions import read_scope_of, visible_to

MOST_PLANNED = 100  # items at a time: planning them, without a lock, takes longer than writing them, with one
Versions = tuple[object, ...]
"""What a plan rests on: status, version and planned effective day of the submission, its configurations, and today."""


@dataclass(frozen=True, slots=True)
class DraftInMemory:
    """A submission with its configurations, as the items planned so far leave it, and the versions that it had."""

    submission: Submission
    rows: list[Configuration]
    versions: Versions


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """What an item would write."""

    draft: DraftInMemory
    changes: Sequence[PlannedChange]


Plans = dict[int, PlannedItem]
"""By the places of the items. An item that is refused has none."""


def planned_parts(items: Sequence[Item], dependencies: ItemDependencies) -> tuple[list[list[Item]], list[list[Item]]]:
    """The items that are planned, as parts that are written at a time; and the others, as chains: a submission's items
    in their order. All items of a submission are in the same part.
    """
    unplanned = unplanned_roots([(dependencies.root_of(item), item.given) for item in items])
    parts: list[list[Item]] = [[]]
    rest: list[list[Item]] = []
    for each in dependencies.chains(items):
        if dependencies.root_of(each[0]) in unplanned:
            rest.append(each)
        elif len(parts[-1]) < MOST_PLANNED:
            parts[-1] += each
        else:
            parts.append([*each])
    return [part for part in parts if part], rest


def unplanned_roots(items: Sequence[tuple[str, Mapping[str, Any]]]) -> set[str]:
    """Of (root, item as sent), the roots with an item that neither creates a draft nor changes answers.

    A draft that is refused if one of the game is open (`another`) is compared with what is stored when it is written:
    then no draft of this game is planned.
    """
    compared = {str(given.get("chapter")) for _, given in items if given.get("another") == "no"}
    return {root for root, given in items if not _is_planned(given, compared)}


def _is_planned(given: Mapping[str, Any], compared: Collection[str]) -> bool:
    creates = given.get("action") == "create" and str(given.get("chapter")) not in compared
    return creates or given.get("action") == "update"


def _go_on() -> None:
    """What is called between two steps, where nothing stops them."""


def plan_items(
    items: Sequence[Item],
    actors: ActorResolver,
    dependencies: ItemDependencies,
    between: Callable[[], None] = _go_on,
) -> Plans:
    """Write into each item the result that it would have: all items of each submission, in their order. No lock.

    A draft that an item creates has the item's reference in place of its number until it is written (`write_plans`).
    For drafts, the number of queries does not grow with the items; a returned filing needs a few of its own.
    `between` is called before each item, and may stop the planning by an exception.
    """
    planner = _Planner(actors.batch.by, {dependencies.number_of(item) for item in items})
    for item in items:
        between()
        answer_item(item, actors, dependencies, planner.action(item.place))
    return planner.plans


def refresh_plans(
    plans: Plans,
    items: Sequence[Item],
    actors: ActorResolver,
    dependencies: ItemDependencies,
    between: Callable[[], None] = _go_on,
) -> Plans:
    """The plans as they are now, in the transaction that writes: what was refused or has changed is planned again, with
    all items of the same submission. The first item always: if it is refused now, the sender's permissions may have
    changed, and all are planned again.
    """
    stale = _stale(plans)
    wrong = [item for item in items if item.place in stale or item.place not in plans or item is items[0]]
    roots = {dependencies.root_of(item) for item in wrong}
    again = [item for item in items if dependencies.root_of(item) in roots]
    planned = plan_items(again, actors, dependencies, between)
    if items[0].place in plans and items[0].place not in planned:
        return plan_items(items, actors, dependencies, between)
    replaced = {item.place for item in again}
    return {place: plan for place, plan in plans.items() if place not in replaced} | planned


def write_plans(
    plans: Plans, items: Iterable[Item], dependencies: ItemDependencies, between: Callable[[], None] = _go_on
) -> None:
    """Store all of them; the results of the items get the numbers of the drafts that are created. `between` is called
    between two parts, and may stop it by an exception.
    """
    changes: dict[int, list[PlannedChange]] = {}
    for place in sorted(plans):
        changes.setdefault(id(plans[place].draft), []).extend(plans[place].changes)
    store_changes(changes.values(), between)
    for item in items:
        if plan := plans.get(item.place):
            item.made["submission"] = plan.draft.submission.number
            dependencies.note(item)


class _Planner:
    """Plans items one after the other, each on what those before it leave."""

    def __init__(self, person: Person, numbers: Iterable[str]) -> None:
        self.plans: Plans = {}
        self._drafts = _stored_drafts(person, numbers)
        self._book = load_order_book()
        # For a failing query on PostgreSQL.
        self._scope = transaction.atomic if connection.in_atomic_block else nullcontext

    def action(self, place: int) -> Callable[[ItemActor, ItemRequest, str], ItemOutcome]:
        """Plan the item at this place: it is called as an action that applies it."""

        def plan(actor: ItemActor, sent: ItemRequest, number: str) -> ItemOutcome:
            if sent.verb == "create":
                return self._create(actor, sent, place)
            draft = self._drafts.get(number[:40])
            if draft is None:
                raise NotFound("not-found/submission", option="submission", submission=number[:40])
            with _unchanged_after_refusal(draft), self._scope():
                return self._change(actor, draft, sent, place, version=sent.number("version"))

        return plan

    def _create(self, actor: ItemActor, sent: ItemRequest, place: int) -> ItemOutcome:
        planned = plan_draft(actor.person, sent.text("chapter"))
        planned.submission.number = f"#{place}"
        planned.submission.readable_within.add(read_scope_of(actor.person))
        draft = DraftInMemory(planned.submission, [planned.row], (timezone.localdate(),))
        outcome = self._change(actor, draft, sent, place, [planned], version=planned.row.version)
        self._drafts[planned.submission.number] = draft
        return outcome

    def _change(
        self,
        actor: ItemActor,
        draft: DraftInMemory,
        sent: ItemRequest,
        place: int,
        before: Sequence[PlannedChange] = (),
        *,
        version: int,
    ) -> ItemOutcome:
        """The planned day and the answers that the item brings; `before`: what it writes first."""
        changes = [*before]
        if text := sent.text("takes_effect"):
            changes += plan_day(actor.person, draft.submission, parse_planned_day(text))
        if sent.answers or not before:
            result, outcome = plan_item_answers(
                actor, draft.submission, draft.rows, sent, self._book, version=version
            )  # fmt: skip
            changes += planned_save(actor.person, draft.submission, result)
        else:
            [row] = draft.rows
            outcome = outcome_of(draft.submission, group=row.position, configuration_version=row.version)
        self.plans[place] = PlannedItem(draft, changes)
        return outcome


@contextmanager
def _unchanged_after_refusal(draft: DraftInMemory) -> Iterator[None]:
    """What a refused item has changed in memory is changed back."""
    day, before = draft.submission.takes_effect, [(row, row.answers, row.version) for row in draft.rows]
    try:
        yield
    except BaseException:
        draft.submission.takes_effect = day
        for row, answers, version in before:
            row.answers, row.version = answers, version
        raise


def _stored_drafts(person: Person, numbers: Iterable[str]) -> dict[str, DraftInMemory]:
    """The submissions with these numbers that the person may read, by their numbers."""
    rows = visible_to(person).filter(number__in=numbers).select_related("organization")
    drafts = {}
    for row in rows.prefetch_related("configurations"):
        row.readable_within.add(read_scope_of(person))
        configurations = list(row.configurations.all())
        drafts[row.number] = DraftInMemory(row, configurations, _versions_of(row, configurations))
    return drafts


def _versions_of(submission: Submission, rows: Iterable[Configuration]) -> Versions:
    state = (submission.status, submission.version, submission.takes_effect)
    return (timezone.localdate(), state, frozenset((row.pk, row.version) for row in rows))


def _stale(plans: Plans) -> set[int]:
    """The places of the items whose submission is no longer as it was when they were planned; two queries. A draft that
    is not stored yet depends on nothing but the day.
    """
    keys = {plan.draft.submission.pk for plan in plans.values()} - {None}
    configurations: dict[int, set[tuple[int, int]]] = {key: set() for key in keys}
    rows = Configuration.objects.filter(submission__in=keys).order_by()
    for submission, key, version in rows.values_list("submission", "pk", "version"):
        configurations[submission].add((key, version))
    today, states = timezone.localdate(), Submission.objects.filter(pk__in=keys).order_by()
    now: dict[int | None, Versions] = {
        key: (today, (status, version, day), frozenset(configurations[key]))
        for key, status, version, day in states.values_list("pk", "status", "version", "takes_effect")
    }
    now[None] = (today,)
    return {place for place, plan in plans.items() if now.get(plan.draft.submission.pk) != plan.draft.versions}
