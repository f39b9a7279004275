"""The items of a batch: the fields and the kinds of items, in two tables, and how items depend on earlier ones.

The API's description, the spreadsheets and the guide are made from the tables. What each kind does is in
`item_handlers`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from submissions.core.errors import Conflict, Refusal
from submissions.core.text import shown_value
from submissions.models import Batch, Item, Scope
from submissions.permissions.workflow import TRANSITIONS

MOST_ITEMS = 5_000  # items of a batch
LARGEST_ITEM = 100_000  # characters of an item as JSON
HIGHEST_NUMBER = 2**31 - 1

Kind = Literal["text", "number", "answers"]


@dataclass(frozen=True, slots=True)
class ItemField:
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()


ITEM_FIELDS: dict[str, ItemField] = {
    "chapter": ItemField("text", "The chapter's number, such as 687a"),
    "submission": ItemField("text", "Its number; or #3: what item 3 of this batch created"),
    "version": ItemField(
        "number", "The version that you saw: of the configuration that changes, else of the submission"
    ),
    "group": ItemField("number", "Whose answers: 0 (or left out) = all tables, or all that no group names"),
    "answers": ItemField("answers", "Key of a line → answer; a line that is left out does not change, null clears it"),
    "takes_effect": ItemField("text", "The planned effective day: 2027-01-01; none = when it is approved"),
    "another": ItemField(
        "text", "With no, it is refused if a draft or filing of this game is open. Default: yes", ("yes", "no")
    ),
    "name": ItemField("text", "The name of the table group"),
    "tables": ItemField("text", "Its tables: 3, 7-9"),
    "pit": ItemField("text", "The pit of its tables"),
    "reason": ItemField("text", "The reason"),
    "remark": ItemField("number", "The comment's id"),
    "kind": ItemField("text", "Answered, or disputed", ("answered", "disputed")),
    "text": ItemField("text", "The text"),
    "revision": ItemField("number", "The number of the filing that you saw"),
    "option": ItemField("text", "The line of the comment; left out = the whole filing"),
    "audience": ItemField("text", "Who reads it", ("licensee", "board")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemVerb:
    """A kind of item. `signed`: a step of the workflow, which a named person signs by confirming the batch."""

    label: str
    help: str
    scope: Scope
    needs: tuple[str, ...]
    takes: tuple[str, ...] = ()
    signed: bool = False
    weight: int = 1


SIGNED_STEPS = tuple(verb for verb, step in TRANSITIONS.items() if step.attestation)


def _signed_item(verb: str) -> ItemVerb:
    step = TRANSITIONS[verb]
    needs: tuple[str, ...] = ("submission", "version")
    takes = () if verb == "file" or step.needs_reason else ("reason",)
    if step.needs_reason:
        needs += ("reason",)
    scope = Scope.REVIEW if step.is_of_board else Scope.FILE
    return ItemVerb(step.label, step.summary, scope, needs, takes, signed=True, weight=step.weight)


ITEM_VERBS: dict[str, ItemVerb] = {
    "create": ItemVerb(
        "Start a submission", "Create a draft for a chapter.", Scope.PREPARE, ("chapter",),
        ("answers", "takes_effect", "another"),
    ),
    "update": ItemVerb(
        "Change answers", "Change answers of a draft or a returned submission.", Scope.PREPARE,
        ("submission", "version", "answers"), ("group", "takes_effect"),
    ),
    "amend": ItemVerb(
        "Amend", "Start a draft as a copy of the approved version, with other answers.", Scope.PREPARE,
        ("submission", "version"), ("group", "answers", "takes_effect"),
    ),
    "copy": ItemVerb(
        "Copy", "Start a draft with the answers, table groups and files of an earlier filing.", Scope.PREPARE,
        ("submission", "version"), ("group", "answers", "takes_effect"),
    ),
    "add-group": ItemVerb(
        "Add a table group", "It begins with the answers for all tables.", Scope.PREPARE,
        ("submission", "version", "name", "tables"), ("pit", "answers"),
    ),
    "remove-group": ItemVerb(
        "Remove a table group", "Its tables get the answers for all tables.", Scope.PREPARE,
        ("submission", "version", "group"),
    ),
    "answer": ItemVerb(
        "Answer a question", "Answer or dispute a question of the Board.", Scope.PREPARE,
        ("submission", "version", "remark", "kind"), ("text",),
    ),
    **{verb: _signed_item(verb) for verb in SIGNED_STEPS if not TRANSITIONS[verb].is_of_board},
    "remark": ItemVerb(
        "Write a comment", "On a line of the latest filing, or on the whole filing.", Scope.REVIEW,
        ("submission", "version", "revision", "audience", "text"), ("option", "group"),
    ),
    **{verb: _signed_item(verb) for verb in SIGNED_STEPS if TRANSITIONS[verb].is_of_board},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemRequest:
    """An item with the fields of its kind. A missing field is "", 0 or empty."""

    verb: str
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        return str(self.fields.get(name, ""))

    def number(self, name: str) -> int:
        return int(self.fields.get(name, 0))

    @property
    def answers(self) -> Mapping[str, Any]:
        return dict(self.fields.get("answers", {}))


def parse_item(given: Mapping[str, Any]) -> ItemRequest:
    """Return the item; a `Refusal` names a wrong field. Unknown fields are refused, never dropped."""
    name = given.get("action")
    if not isinstance(name, str) or name not in ITEM_VERBS:
        shown = (
            f"“{str(name)[:40]}” is not an action." if name not in (None, "") else "The action of the item is missing."
        )
        raise Refusal("unknown-action", shown, fix=f"Choose from: {', '.join(ITEM_VERBS)}.", option="action")
    verb = ITEM_VERBS[name]
    known = (*verb.needs, *verb.takes)
    for field, value in given.items():
        if field == "action":
            continue
        if field not in known:
            raise Refusal("unknown-field/item", option=field[:60], field=field[:40], name=name, known=", ".join(known))
        _refuse_misshapen(field, value)
    for field in verb.needs:
        if given.get(field) in (None, ""):
            raise Refusal("field-missing", fix=_wanted(field), option=field, name=name, field=field)
    return ItemRequest(
        name, {field: value for field, value in given.items() if field != "action" and value is not None}
    )


def needed_scopes(given: list[Mapping[str, Any]]) -> set[Scope]:
    """Return the scopes that a credential needs for these items."""
    return {ITEM_VERBS[name].scope for name in _names(given)}


def is_signed(given: list[Mapping[str, Any]]) -> bool:
    return any(ITEM_VERBS[name].signed for name in _names(given))


def _names(given: list[Mapping[str, Any]]) -> set[str]:
    actions = {str(item["action"]) for item in given if isinstance(item.get("action"), str)}
    return actions & set(ITEM_VERBS)


def _refuse_misshapen(field: str, value: Any) -> None:
    wanted = ITEM_FIELDS[field]
    if value is None:
        return
    fits = {
        "text": isinstance(value, str) and (not wanted.choices or value in wanted.choices),
        "number": isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= HIGHEST_NUMBER,
        "answers": isinstance(value, Mapping),
    }[wanted.kind]
    if not fits:
        raise Refusal("field-shape/item", fix=_wanted(field), option=field, field=field, value=shown_value(value))


def _wanted(field: str) -> str:
    wanted = ITEM_FIELDS[field]
    shape = {"text": "text", "number": "a number", "answers": "an object"}[wanted.kind]
    among = f" One of: {', '.join(wanted.choices)}." if wanted.choices else ""
    return f"Send “{field}” as {shape} ({wanted.help[:1].lower()}{wanted.help[1:]}).{among}"


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
        """Return the submission of the item: its number, or a reference to the item that creates it."""
        return self._roots[item.place]

    def chains(self, items: Sequence[Item]) -> list[list[Item]]:
        """Return the items grouped by submission, each group in its order, in the order of the first items."""
        groups: dict[str, list[Item]] = {}
        for item in items:
            groups.setdefault(self._roots[item.place], []).append(item)
        return list(groups.values())

    def submission_of(self, item: Item, sent: ItemRequest) -> str:
        """Return the number that the item refers to; a `Refusal` if it builds on an item that was not applied."""
        root = self._roots[item.place]
        earlier = self._refused.get(root, item.place)
        if sent.verb in SIGNED_STEPS and earlier < item.place:
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
        """Return the number that the item refers to; "" while it is not known."""
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
    """Return the submission (or the reference to the item that creates it) that each item names, by place in order."""
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
