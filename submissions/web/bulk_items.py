"""The items of a batch as its page tells them: what each is about, what it changes or why it is refused; by outcome.

In a number of queries that does not grow with the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from submissions.access import Visitor, visible_to
from submissions.actions.bulk.shapes import VERBS
from submissions.models import Batch, Configuration, Item, Submission
from submissions.web import present

PAGE = 50
SAID = ("name", "tables", "pit", "remark", "kind", "revision", "option", "audience", "reason", "text")
ALTERS = ("update", "amend", "create", "add-group")  # items that have answers
SAME = Q(given__action="update", changes=[])
GOOD = Q(state__in=(Item.State.PASSED, Item.State.DONE))
OUTCOMES = {  # in the address → what it is called, and which items
    "refused": ("Refused", Q(state=Item.State.REFUSED)),
    "undone": ("Not done, because of others", Q(state=Item.State.UNDONE)),
    "good": ("", GOOD & ~SAME),
    "same": ("Change nothing", GOOD & SAME),
    "waiting": ("Not looked at", Q(state=Item.State.WAITING)),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One kind of outcome: how many items, and whether only those are shown."""

    key: str
    label: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Told:
    """An item in words."""

    item: Item
    verb: str  # "Change answers"; as it was sent where it is no action
    name: str  # the submission's number, "what item 3 makes", or a chapter
    game: str
    tables: str  # which tables, "" where it is about all of the submission
    number: str  # of the submission to look at; "" where there is none to see
    same: bool  # done, or would be, and changes nothing
    said: list[tuple[str, str]]  # what else was sent with it: reasons, remarks, the names of groups


@dataclass(frozen=True, slots=True)
class Listed:
    page: Page[Item]
    told: list[Told]
    outcomes: list[Outcome]
    total: int
    chosen: str

    @property
    def query(self) -> str:
        return f"outcome={self.chosen}&" if self.chosen else ""


def listed(request: HttpRequest, batch: Batch) -> Listed:
    """A page of the items, all or of one outcome."""
    asked = request.GET.get("outcome", "")
    chosen = asked if asked in OUTCOMES else ""
    rows = batch.items.all()
    page = Paginator(rows.filter(OUTCOMES[chosen][1]) if chosen else rows, PAGE).get_page(request.GET.get("page"))
    return Listed(page, list(_told(request.user, list(page))), _outcomes(batch, chosen), batch.total, chosen)


def _outcomes(batch: Batch, chosen: str) -> list[Outcome]:
    done = "Done" if batch.state in (Batch.State.RUNNING, Batch.State.DONE) and not _only_checked(batch) else ""
    found = []
    for key, (label, which) in OUTCOMES.items():
        if count := batch.items.filter(which).count():
            found.append(Outcome(key, label or done or "Would be done", count, key == chosen))
    return found


def _only_checked(batch: Batch) -> bool:
    return batch.mode == Batch.Mode.VALIDATE


def _told(person: Visitor, items: list[Item]) -> Iterator[Told]:
    numbers = {number for item in items for number in (item.submission, _made(item))}
    rows = visible_to(person).filter(number__in=numbers) if numbers else Submission.objects.none()
    found = {row.number: row for row in rows}
    names = _tables(rows)
    for item in items:
        number = next((number for number in (_made(item), item.submission) if number in found), "")
        chapter = found[number].chapter if number else str(item.given.get("chapter", ""))[:8]
        group = item.given.get("group", 0)
        verb = VERBS.get(item.action)
        alters = item.action in ALTERS or item.action == "remove-group"
        about = found.get(item.submission)
        yield Told(
            item=item,
            verb=verb.label if verb else item.action or "No action",
            name=_named(item),
            game=present.game(chapter) if chapter else "",
            tables=names.get((about.pk, group), "") if about and alters and isinstance(group, int) else "",
            number=number,
            said=[
                (name.capitalize(), str(item.given[name])) for name in SAID if item.given.get(name) not in (None, "")
            ],
            same=item.action == "update" and not item.changes and item.state in (Item.State.PASSED, Item.State.DONE),
        )


def _named(item: Item) -> str:
    if item.submission.startswith("#"):
        return f"What item {item.submission[1:]} makes"
    return item.submission or ("A new submission" if item.action == "create" else "No submission")


def _made(item: Item) -> str:
    return str(item.made.get("submission", ""))


def _tables(rows: QuerySet[Submission]) -> dict[tuple[int, int], str]:
    """(submission, group) → which tables those are, where there are several groups."""
    configurations: Iterable[Configuration] = Configuration.objects.filter(submission__in=rows.order_by())
    found = {(one.submission_id, one.position): one for one in configurations}
    several = {submission for submission, position in found if position}
    return {
        place: f"{one.called(several=True)}{f' ({one.tables})' if one.tables else ''}"
        for place, one in found.items()
        if place[0] in several
    }
