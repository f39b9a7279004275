"""The items of a batch on its page: the subject of each, its changes or why it is refused; filtered by outcome.

The number of queries does not grow with the batch.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from submissions.bulk.item_schema import ITEM_VERBS
from submissions.models import Batch, Configuration, Item, Submission
from submissions.permissions import Visitor, visible_to
from submissions.web import formatting
from submissions.web.responses import page_of

PAGE = 50
SHOWN_FIELDS = ("name", "tables", "pit", "remark", "kind", "revision", "option", "audience", "reason", "text")
NAMES_TABLES = ("update", "amend", "create", "add-group", "remove-group")  # items about a table group
UNCHANGED = Q(given__action="update", changes=[])
GOOD = Q(state__in=(Item.State.PASSED, Item.State.DONE))
LOOKS = {Item.State.REFUSED: "refused", Item.State.UNDONE: "refused", Item.State.DONE: "approved"}
OUTCOMES = {  # query parameter → its label, and which items
    "refused": ("Refused", Q(state=Item.State.REFUSED)),
    "undone": ("Not applied, because of other items", Q(state=Item.State.UNDONE)),
    "good": ("", GOOD & ~UNCHANGED),
    "same": ("Change nothing", GOOD & UNCHANGED),
    "waiting": ("Not looked at", Q(state=Item.State.PENDING)),
}


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item as text."""

    item: Item
    verb: str  # "Change answers"; as sent if it is not a known action
    name: str  # the submission's number, "what item 3 makes", or a chapter
    game: str
    tables: str  # which tables; "" if it is about the whole submission
    number: str  # of the submission to link to; "" without one
    same: bool  # done, or would be, and changes nothing
    fields: list[tuple[str, str]]  # other fields as sent: reasons, remarks, names of groups

    @property
    def other_name(self) -> str:
        """What the item calls its submission where that is not the submission's number."""
        return self.name if self.number and self.number != self.name else ""

    @property
    def subject(self) -> str:
        """After the name: the game and the tables that the item is about."""
        return (f", {self.game}" if self.game else "") + (f": {self.tables}" if self.tables else "")

    @property
    def state(self) -> str:
        return "Changes nothing" if self.same else self.item.get_state_display()

    @property
    def look(self) -> str:
        """The class of the badge with the state."""
        return LOOKS.get(Item.State(self.item.state), "filed")


def item_page(request: HttpRequest, batch: Batch) -> dict[str, object]:
    """A page of the items, all or of one outcome, with the outcomes to choose from."""
    chosen = request.GET.get("outcome", "")
    chosen = chosen if chosen in OUTCOMES else ""
    page = page_of(request, batch.items.filter(OUTCOMES[chosen][1]) if chosen else batch.items.all(), PAGE)
    return {
        "page": page,
        "rows": list(_rows(request.user, list(page))),
        "outcomes": _outcomes(batch, chosen),
        "total": batch.total,
        "chosen": chosen,
        "query": f"outcome={chosen}&" if chosen else "",
    }


def _outcomes(batch: Batch, chosen: str) -> list[dict[str, object]]:
    """The kinds of outcome that there are: how many items, and whether only those are shown."""
    is_applied = batch.mode == Batch.Mode.LIVE and batch.state in (Batch.State.RUNNING, Batch.State.DONE)
    good = "Done" if is_applied else "Can be applied"
    return [
        {"key": key, "label": label or good, "count": count, "chosen": key == chosen}
        for key, (label, which) in OUTCOMES.items()
        if (count := batch.items.filter(which).count())
    ]


def _rows(person: Visitor, items: list[Item]) -> Iterator[ItemRow]:
    numbers = {number for item in items for number in (item.submission, _made(item))}
    rows = visible_to(person).filter(number__in=numbers) if numbers else Submission.objects.none()
    visible = {row.number: row for row in rows}
    names = _tables(rows)
    for item in items:
        number = next((number for number in (_made(item), item.submission) if number in visible), "")
        chapter = visible[number].chapter if number else str(item.given.get("chapter", ""))[:8]
        group = item.given.get("group", 0)
        verb = ITEM_VERBS.get(item.action)
        about = visible.get(item.submission) if item.action in NAMES_TABLES else None
        yield ItemRow(
            item=item,
            verb=verb.label if verb else item.action or "No action",
            name=_name(item),
            game=formatting.game(chapter) if chapter else "",
            tables=names.get((about.pk, group), "") if about and isinstance(group, int) else "",
            number=number,
            fields=[
                (name.capitalize(), str(value))
                for name in SHOWN_FIELDS
                if (value := item.given.get(name)) not in (None, "")
            ],
            same=item.action == "update" and not item.changes and item.state in (Item.State.PASSED, Item.State.DONE),
        )


def _name(item: Item) -> str:
    if item.submission.startswith("#"):
        return f"What item {item.submission[1:]} makes"
    return item.submission or ("A new submission" if item.action == "create" else "No submission")


def _made(item: Item) -> str:
    return str(item.made.get("submission", ""))


def _tables(rows: QuerySet[Submission]) -> dict[tuple[int, int], str]:
    """(submission, group) → the name and tables of the group, of submissions with several."""
    configurations = list(Configuration.objects.filter(submission__in=rows.order_by()))
    several = {row.submission_id for row in configurations if row.position}
    return {
        (row.submission_id, row.position): f"{row.display_name(several=True)}{f' ({row.tables})' if row.tables else ''}"
        for row in configurations
        if row.submission_id in several
    }
