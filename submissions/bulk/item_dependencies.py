"""Dependencies between the items of a batch: items of the same submission, and the results of earlier items."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from submissions.bulk.item_schema import ItemRequest
from submissions.core.errors import Conflict, Refusal
from submissions.models import Batch, Item

STEPS = ("file", "withdraw", "recommend", "return")
WRITES = ("update", "remove-group")  # one of them for a configuration: a second one saw an older version
_REFERENCE = re.compile(r"#([0-9]{1,5})")


class ItemDependencies:
    """The dependencies and results while the batch is processed; a second worker starts from the stored results."""

    def __init__(self, batch: Batch) -> None:
        rows = list(
            batch.items.values_list("place", "given__submission", "given__action", "given__group", "state", "made")
        )
        self._roots = roots_of((place, named) for place, named, *_ in rows)
        self._first_writer: dict[tuple[str, int], int] = {}
        self._made: dict[int, str] = {}
        self._refused: dict[str, int] = {}
        for place, _, action, group, state, made in rows:
            root = self._roots[place]
            if action in WRITES and isinstance(group, int | None):
                self._first_writer.setdefault((root, group or 0), place)
            self._note(place, state, made)

    def root_of(self, item: Item) -> str:
        """The submission of the item: its number, or a reference to the item that creates it."""
        return self._roots[item.place]

    def chains(self, items: Sequence[Item]) -> list[list[Item]]:
        """The items grouped by submission, each group in its order, the groups in the order of their first items."""
        groups: dict[str, list[Item]] = {}
        for item in items:
            groups.setdefault(self._roots[item.place], []).append(item)
        return list(groups.values())

    def submission_of(self, item: Item, sent: ItemRequest) -> str:
        """The number that the item refers to; a `Refusal` if it builds on an item that was not applied."""
        root = self._roots[item.place]
        earlier = self._refused.get(root, item.place)
        if sent.verb in STEPS and earlier < item.place:
            raise _depends(earlier)
        if sent.verb in WRITES and (first := self._first_writer[(root, sent.number("group"))]) < item.place:
            raise Refusal("written-twice", option="submission", first=first)
        reference = _REFERENCE.fullmatch(sent.text("submission"))
        if reference is None:
            return sent.text("submission")
        place = int(reference[1])
        if place in self._made:
            return self._made[place]
        if 0 < place < item.place and place in self._roots:
            raise _depends(place)
        raise Refusal("no-such-item", option="submission", place=place)

    def number_of(self, item: Item) -> str:
        """The number that the item refers to; "" while it is not known."""
        root = self._roots[item.place]
        reference = _REFERENCE.fullmatch(root)
        return self._made.get(int(reference[1]), "") if reference else root[:40]

    def note(self, item: Item) -> None:
        """Remember the result of an item."""
        self._note(item.place, item.state, item.made)

    def _note(self, place: int, state: str, made: Mapping[str, Any]) -> None:
        self._made.pop(place, None)
        if state == Item.State.DONE and "submission" in made:
            self._made[place] = made["submission"]
        elif state == Item.State.REFUSED:
            self._refused.setdefault(self._roots[place], place)


def roots_of(named: Iterable[tuple[int, object]]) -> dict[int, str]:
    """Place of each item → the submission that it names: its number, or a reference to the item that creates it. The
    places are in order.
    """
    roots: dict[int, str] = {}
    for place, text in named:
        if not isinstance(text, str) or not text:
            roots[place] = f"#{place}"
            continue
        reference = _REFERENCE.fullmatch(text)
        earlier = reference and int(reference[1]) < place
        roots[place] = roots.get(int(reference[1]), text) if reference and earlier else text
    return roots


def _depends(place: int) -> Conflict:
    refusal = Conflict("earlier-item-refused", option="submission", place=place)
    refusal.status = 424
    return refusal
