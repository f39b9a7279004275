"""Updates of very many submissions: planned in memory while others use the database, then written together.

A plan is what the same item would write by itself (`item_handlers`). It counts only while its submission is as it was
when it was planned: `refresh_plans` looks at that in the transaction that writes, and plans again what has changed.
Orders of the Board and changes of the rules count as they were when the item was planned.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import connection, transaction
from django.utils import timezone

from submissions.bulk.item_answers import ItemActor, ItemOutcome, plan_item_answers
from submissions.bulk.item_dependencies import ItemDependencies
from submissions.bulk.item_results import ActorResolver, answer_item
from submissions.bulk.item_schema import ItemRequest
from submissions.core.errors import NotFound
from submissions.filings.planned_saves import PlannedSave, store_plans
from submissions.models import Configuration, Item, Person, Submission
from submissions.orders.waived_findings import load_order_book
from submissions.permissions import visible_to
from submissions.permissions.read_scope import read_scope_of

Versions = tuple[object, ...]
"""What a plan rests on: status, version and planned effective day of the submission, its configurations, and today."""


@dataclass(frozen=True, slots=True)
class PlannedUpdate:
    """What an item would write, while its submission has these versions."""

    save: PlannedSave
    versions: Versions


Plans = dict[int, PlannedUpdate]
"""By the places of the items. An item that is refused has none."""


def can_be_planned(chain: Sequence[Item]) -> bool:
    """Whether the only item of its submission changes answers, and nothing else."""
    given = chain[0].given
    return len(chain) == 1 and given.get("action") == "update" and not given.get("takes_effect")


def plan_updates(items: Sequence[Item], actors: ActorResolver, dependencies: ItemDependencies) -> Plans:
    """Write into each item the result that it would have. No lock.

    For drafts, the number of queries does not grow with the items; a returned filing needs a few of its own.
    """
    submissions = _submissions(actors.batch.by, {dependencies.number_of(item) for item in items})
    book, plans = load_order_book(), Plans()
    scope = transaction.atomic if connection.in_atomic_block else nullcontext  # PostgreSQL: for a failing query
    for item in items:

        def plan(actor: ItemActor, sent: ItemRequest, number: str, place: int = item.place) -> ItemOutcome:
            submission = submissions.get(number[:40])
            if submission is None:
                raise NotFound("not-found/submission", option="submission", submission=number[:40])
            versions = _versions_of(submission, submission.configurations.all())
            with scope():
                result, outcome = plan_item_answers(actor, submission, sent, book)
            plans[place] = PlannedUpdate(PlannedSave(actor.person, submission, result), versions)
            return outcome

        answer_item(item, actors, dependencies, plan)
    return plans


def refresh_plans(plans: Plans, items: Sequence[Item], actors: ActorResolver, dependencies: ItemDependencies) -> Plans:
    """The plans as they are now, in the transaction that writes: what was refused or has changed is planned again, and
    the first one always, in case the sender's permissions have changed.
    """
    stale = _stale(plans)
    again = [item for item in items if item.place in stale or item.place not in plans or item is items[0]]
    replaced = {item.place for item in again}
    unchanged = {place: plan for place, plan in plans.items() if place not in replaced}
    return unchanged | plan_updates(again, actors, dependencies)


def write_plans(plans: Plans) -> None:
    """Store all of them, in the order of the items."""
    store_plans([plans[place].save for place in sorted(plans)])


def _submissions(person: Person, numbers: Iterable[str]) -> Mapping[str, Submission]:
    """The submissions with these numbers that the person may read, with their configurations."""
    rows = visible_to(person).filter(number__in=numbers).select_related("organization")
    submissions = {row.number: row for row in rows.prefetch_related("configurations")}
    for row in submissions.values():
        row.readable_within.add(read_scope_of(person))
    return submissions


def _versions_of(submission: Submission, rows: Iterable[Configuration]) -> Versions:
    state = (submission.status, submission.version, submission.takes_effect)
    return (timezone.localdate(), state, frozenset((row.pk, row.version) for row in rows))


def _stale(plans: Plans) -> set[int]:
    """The places of the items whose submission is no longer as it was when they were planned; two queries."""
    keys = [plan.save.submission.pk for plan in plans.values()]
    configurations: dict[int, set[tuple[int, int]]] = {key: set() for key in keys}
    rows = Configuration.objects.filter(submission__in=keys).order_by()
    for submission, key, version in rows.values_list("submission", "pk", "version"):
        configurations[submission].add((key, version))
    today, states = timezone.localdate(), Submission.objects.filter(pk__in=keys).order_by()
    now: dict[int, Versions] = {
        key: (today, (status, version, day), frozenset(configurations[key]))
        for key, status, version, day in states.values_list("pk", "status", "version", "takes_effect")
    }
    return {place for place, plan in plans.items() if now.get(plan.save.submission.pk) != plan.versions}
