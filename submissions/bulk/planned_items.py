"""Creates and updates of very many submissions: planned in memory while others use the database, then written together.

A plan is made by the functions that also apply the same item by itself (`item_handlers.plan_item`). It counts only
while its submission is as it was when it was planned: `current_plans` looks at that in the transaction that writes.
Orders of the Board and changes of the rules count as they were when the item was planned.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from submissions.bulk.item_handlers import ActorResolver, ItemActor, ItemOutcome, answer_item, plan_item
from submissions.bulk.items import ItemDependencies, ItemRequest
from submissions.core.errors import NotFound
from submissions.filings.drafts import DraftChange, plan_draft, startable_chapter, store_changes
from submissions.filings.orders.waived_findings import load_order_book
from submissions.models import Configuration, Item, Submission
from submissions.permissions import read_scope_of, visible_to

MOST_PLANNED = 100  # items at a time: planning them, without a lock, takes longer than writing them, with one


def planned_parts(items: Sequence[Item], dependencies: ItemDependencies) -> tuple[list[list[Item]], list[list[Item]]]:
    """Return the planned items, as parts to write one at a time, and the others, as chains.

    A chain is a submission's items in their order. All items of a submission are in the same part.
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
    """Return the roots with an item that neither creates a draft nor changes answers.

    `items`: (root, item as sent). A draft that is refused if one of the game is open (`another`) is compared with what
    is stored when it is written: then no draft of this game is planned.
    """
    compared = {str(given.get("chapter")) for _, given in items if given.get("another") == "no"}
    roots = set()
    for root, given in items:
        creates = given.get("action") == "create" and str(given.get("chapter")) not in compared
        if not creates and given.get("action") != "update":
            roots.add(root)
    return roots


@dataclass(frozen=True, slots=True)
class DraftInMemory:
    """A submission with its configurations, as the items planned so far leave it, and what they change."""

    submission: Submission
    rows: list[Configuration]
    changes: list[DraftChange] = field(default_factory=list)


def plan_items(
    items: Sequence[Item],
    actors: ActorResolver,
    dependencies: ItemDependencies,
    between: Callable[[], None] = lambda: None,
) -> "Plans":
    """Write into each item the result that it would have: all items of each submission, in their order. No lock.

    A draft that an item creates has the item's reference in place of its number until it is written (`Plans.write`).
    For drafts, the number of queries does not grow with the items; a returned filing needs a few of its own.
    `between` is called before each item, and may stop the planning by an exception.
    """
    plans = Plans(items, actors, dependencies)
    for item in items:
        between()
        answer_item(item, actors, dependencies, partial(plans.apply, item.place))
    return plans


def current_plans(plans: "Plans", actors: ActorResolver, between: Callable[[], None] = lambda: None) -> "Plans":
    """Return the plans as they are now, in the transaction that writes.

    All are planned again if one of the submissions has changed, or if the first item has another result: the sender's
    permissions may have changed.
    """
    items, dependencies = plans.items, plans.dependencies
    state = items[0].state
    plan_items(items[:1], actors, dependencies, between)
    if items[0].state == state and plans.versions == versions_of(plans.numbers):
        return plans
    return plan_items(items, actors, dependencies, between)


class Plans:
    """The drafts that the items create and change: each item is applied to what those before it leave."""

    def __init__(self, items: Sequence[Item], actors: ActorResolver, dependencies: ItemDependencies) -> None:
        self.items, self.dependencies = items, dependencies
        self.numbers = {dependencies.number_of(item) for item in items}
        self.versions = versions_of(self.numbers)
        self._drafts = _stored_drafts(actors, self.numbers)
        self._book = load_order_book()
        # For a failing query on PostgreSQL.
        self._scope = transaction.atomic if connection.in_atomic_block else nullcontext

    def apply(self, place: int, actor: ItemActor, sent: ItemRequest, number: str) -> ItemOutcome:
        """Apply the item at this place to the draft in memory."""
        if sent.verb == "create":
            return self._create(place, actor, sent)
        draft = self._drafts.get(number[:40])
        if draft is None:
            raise NotFound("not-found/submission", option="submission", submission=number[:40])
        with _unchanged_after_refusal(draft), self._scope():
            return self._change(draft, actor, sent, sent.number("group"), sent.number("version"))

    def write(self, between: Callable[[], None] = lambda: None) -> None:
        """Store the changes, and write the numbers of the created drafts into the items' results.

        `between` is called between two parts, and may stop it by an exception.
        """
        done = [item for item in self.items if item.state == Item.State.DONE]
        numbers = dict.fromkeys(item.made["submission"] for item in done)
        store_changes([self._drafts[number].changes for number in numbers], between)
        for item in done:
            item.made["submission"] = self._drafts[item.made["submission"]].submission.number
            self.dependencies.note(item)

    def _create(self, place: int, actor: ItemActor, sent: ItemRequest) -> ItemOutcome:
        row, started = plan_draft(actor.person, startable_chapter(actor.person, sent.text("chapter")))
        submission = row.submission
        submission.number = f"#{place}"
        submission.readable_within.add(read_scope_of(actor.person))
        draft = DraftInMemory(submission, [row], [started])
        outcome = self._change(draft, actor, sent, group=0, version=1)
        self._drafts[submission.number] = draft
        return outcome

    def _change(
        self, draft: DraftInMemory, actor: ItemActor, sent: ItemRequest, group: int, version: int
    ) -> ItemOutcome:
        changes, outcome = plan_item(
            actor, draft.submission, draft.rows, sent, self._book, group=group, version=version
        )
        draft.changes.extend(changes)
        return outcome


@contextmanager
def _unchanged_after_refusal(draft: DraftInMemory) -> Iterator[None]:
    """Restore the draft in memory as it was before an item that is refused."""
    day, before = draft.submission.takes_effect, [(row, row.answers, row.version) for row in draft.rows]
    try:
        yield
    except BaseException:
        draft.submission.takes_effect = day
        for row, answers, version in before:
            row.answers, row.version = answers, version
        raise


def _stored_drafts(actors: ActorResolver, numbers: Iterable[str]) -> dict[str, DraftInMemory]:
    """Return the submissions with these numbers that the sender may read, by their numbers."""
    scope, drafts = read_scope_of(actors.batch.by), {}
    rows = visible_to(actors.batch.by).filter(number__in=numbers).select_related("organization")
    for row in rows.prefetch_related("configurations"):
        row.readable_within.add(scope)
        drafts[row.number] = DraftInMemory(row, list(row.configurations.all()))
    return drafts


def versions_of(numbers: Collection[str]) -> tuple[object, ...]:
    """Return what plans for these submissions rest on: today, and their status, planned effective day and versions."""
    submissions = Submission.objects.filter(number__in=numbers).order_by("pk")
    rows = Configuration.objects.filter(submission__number__in=numbers).order_by("pk")
    states = submissions.values_list("pk", "status", "version", "takes_effect")
    return timezone.localdate(), list(states), list(rows.values_list("pk", "version"))
