"""What an item of a batch is: its fields and the kinds of items, in two tables that everything else reads.

The API's description, the spreadsheets and the guide are made from them. What a kind does is `doing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from submissions.errors import Refusal
from submissions.models import Scope

MOST = 5_000  # items of a batch
LARGEST = 100_000  # characters of an item, written as JSON
HIGHEST = 2**31 - 1

Kind = Literal["text", "number", "answers"]


@dataclass(frozen=True, slots=True)
class Field:
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()


FIELDS: dict[str, Field] = {
    "chapter": Field("text", "The chapter, such as 649a"),
    "submission": Field("text", "Its number; or #3: what item 3 of this batch made"),
    "version": Field("number", "The version that you saw: of the configuration that changes, else of the submission"),
    "group": Field("number", "Whose answers: 0 (or left out) = all tables, or all that no group names"),
    "answers": Field("answers", "Key of a line → answer; a line that is left out stays as it is, null empties it"),
    "name": Field("text", "What the group of tables is called"),
    "tables": Field("text", "Its tables: 3, 7-9"),
    "pit": Field("text", "Where they stand"),
    "reason": Field("text", "Why"),
    "remark": Field("number", "The remark's id"),
    "kind": Field("text", "Answered, or disputed", ("answered", "disputed")),
    "text": Field("text", "What is said"),
    "revision": Field("number", "The number of the filing that you saw"),
    "option": Field("text", "The line that the remark is about; left out = the whole filing"),
    "audience": Field("text", "Who reads it", ("licensee", "board")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Verb:
    """A kind of item. `signed`: a step that a named person takes, who confirms the batch."""

    label: str
    help: str
    scope: Scope
    needs: tuple[str, ...]
    takes: tuple[str, ...] = ()
    signed: bool = False


VERBS: dict[str, Verb] = {
    "create": Verb(
        "Start a submission", "A new draft for a chapter.", Scope.PREPARE, ("chapter",), ("answers",)
    ),
    "update": Verb(
        "Change answers", "Answers of a draft, or of what was returned.", Scope.PREPARE,
        ("submission", "version", "answers"), ("group",),
    ),
    "amend": Verb(
        "Amend", "A draft that begins as a copy of what is approved, with other answers.", Scope.PREPARE,
        ("submission", "version"), ("group", "answers"),
    ),
    "add-group": Verb(
        "Add a group of tables", "It begins with the answers for all tables.", Scope.PREPARE,
        ("submission", "version", "name", "tables"), ("pit", "answers"),
    ),
    "remove-group": Verb(
        "Remove a group of tables", "Its tables are run as all others are.", Scope.PREPARE,
        ("submission", "version", "group"),
    ),
    "answer": Verb(
        "Answer a question", "A question of the Board is answered or disputed.", Scope.PREPARE,
        ("submission", "version", "remark", "kind"), ("text",),
    ),
    "file": Verb(
        "File", "Freeze the answers and give them to the Board.", Scope.FILE, ("submission", "version"), signed=True
    ),
    "withdraw": Verb(
        "Withdraw", "Take the submission back.", Scope.FILE, ("submission", "version", "reason"), signed=True
    ),
    "remark": Verb(
        "Write a remark", "On a line of the latest filing, or on the whole.", Scope.REVIEW,
        ("submission", "version", "revision", "audience", "text"), ("option", "group"),
    ),
    "recommend": Verb(
        "Recommend approval", "The analyst's word that it may be approved.", Scope.REVIEW, ("submission", "version"),
        ("reason",), signed=True,
    ),
    "return": Verb(
        "Return with questions", "The open remarks go out as questions.", Scope.REVIEW, ("submission", "version"),
        ("reason",), signed=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sent:
    """An item that has the shape of its kind. A field that was left out is "", 0 or empty."""

    verb: str
    fields: Mapping[str, Any]

    def text(self, name: str) -> str:
        return str(self.fields.get(name, ""))

    def number(self, name: str) -> int:
        return int(self.fields.get(name, 0))

    @property
    def answers(self) -> Mapping[str, Any]:
        return dict(self.fields.get("answers", {}))


def read(given: Mapping[str, Any]) -> Sent:
    """The item, or the refusal that names the field. Nothing that is not known is ever dropped."""
    name = given.get("action")
    if not isinstance(name, str) or name not in VERBS:
        shown = f"“{str(name)[:40]}” is no action." if name not in (None, "") else "The item says no action."
        raise Refusal("unknown-action", shown, fix=f"There are: {', '.join(VERBS)}.", option="action")
    verb = VERBS[name]
    known = (*verb.needs, *verb.takes)
    for field, value in given.items():
        if field == "action":
            continue
        if field not in known:
            raise Refusal(
                "unknown-field", f"“{field[:40]}” is no field of “{name}”.", fix=f"It has: {', '.join(known)}.",
                option=field[:60],
            )  # fmt: skip
        _refuse_misshapen(field, value)
    for field in verb.needs:
        if given.get(field) in (None, ""):
            raise Refusal("field-missing", f"“{name}” needs “{field}”.", fix=_wanted(field), option=field)
    return Sent(name, {field: value for field, value in given.items() if field != "action" and value is not None})


def needed_scopes(given: list[Mapping[str, Any]]) -> set[Scope]:
    """What a credential needs for these items."""
    return {VERBS[name].scope for name in _names(given)}


def is_signed(given: list[Mapping[str, Any]]) -> bool:
    return any(VERBS[name].signed for name in _names(given))


def _names(given: list[Mapping[str, Any]]) -> set[str]:
    named = {one.get("action") for one in given if isinstance(one.get("action"), str)}
    return {str(name) for name in named if name in VERBS}


def _refuse_misshapen(field: str, value: Any) -> None:
    wanted = FIELDS[field]
    if value is None:
        return
    fits = {
        "text": isinstance(value, str) and (not wanted.choices or value in wanted.choices),
        "number": isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= HIGHEST,
        "answers": isinstance(value, Mapping),
    }[wanted.kind]
    if not fits:
        raise Refusal("field-shape", f"“{field}” cannot be {str(value)[:60]!r}.", fix=_wanted(field), option=field)


def _wanted(field: str) -> str:
    wanted = FIELDS[field]
    shape = {"text": "text", "number": "a number", "answers": "an object"}[wanted.kind]
    among = f" One of: {', '.join(wanted.choices)}." if wanted.choices else ""
    return f"{wanted.help} ({shape}).{among}"
