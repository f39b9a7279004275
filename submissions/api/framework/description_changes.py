"""Two descriptions of the API compared: what a program that was written for the earlier one must know of the later one.

A change is breaking if a call that was right can be refused now, or an answer can lack what it had. Not here: the words
of descriptions, and examples.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

Description = Mapping[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
JSON = "application/json"
FEW = 5  # addresses that are named for one change; more are counted, unless they are new or the change is breaking
ADDED = "new"
SIGN_IN = "Sign-in"


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """`where`: method and address, and the place in it."""

    breaking: bool
    where: str
    what: str


def changes_between(before: Description, after: Description) -> list[Change]:
    """Return every change, the breaking ones first, by address."""
    earlier, later = _operations(before), _operations(after)
    changes = [Change(True, where, "removed") for where in earlier.keys() - later.keys()]
    changes += [Change(False, where, ADDED) for where in later.keys() - earlier.keys()]
    signed_in = [set(each["components"].get("securitySchemes", ())) for each in (before, after)]
    changes += [Change(True, SIGN_IN, f"`{name}` removed") for name in signed_in[0] - signed_in[1]]
    changes += [Change(False, SIGN_IN, f"`{name}` added") for name in signed_in[1] - signed_in[0]]
    for where in earlier.keys() & later.keys():
        changes += _in_operation(where, (before, earlier[where]), (after, later[where]))
    return sorted(set(changes), key=lambda change: (not change.breaking, change.where, change.what))


def as_markdown(changes: list[Change]) -> str:
    """Return two lists in Markdown: breaking changes, then others."""
    wheres: dict[tuple[bool, str], list[str]] = {}
    for change in changes:
        wheres.setdefault((change.breaking, change.what), []).append(change.where)
    lines: dict[bool, list[str]] = {True: [], False: []}
    for (breaking, what), places in wheres.items():
        named = breaking or what == ADDED or len(places) <= FEW
        lines[breaking] += [f"- {place}: {what}" for place in (places if named else [f"{len(places)} addresses"])]
    parts = [("Breaking changes in the description", lines[True]), ("Compatible changes", lines[False])]
    return "\n".join(line for heading, rows in parts for line in (f"### {heading}", "", *(rows or ["None."]), ""))


def _operations(description: Description) -> dict[str, Any]:
    return {
        f"`{method.upper()} {path}`": operation
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
        if method in METHODS
    }


def _in_operation(where: str, before: tuple[Description, Any], after: tuple[Description, Any]) -> Iterator[Change]:
    yield from _in_parameters(where, before[1].get("parameters", ()), after[1].get("parameters", ()))
    sent = [_members(whole, operation.get("requestBody", {})) for whole, operation in (before, after)]
    for name in sorted(sent[0].keys() - sent[1].keys()):
        yield Change(True, where, f"no longer takes `{name}`")
    for name in sorted(sent[1].keys() - sent[0].keys()):
        yield Change(sent[1][name], where, f"{'requires' if sent[1][name] else 'takes'} `{name}`")
    for name in sorted(sent[0].keys() & sent[1].keys()):
        if sent[1][name] and not sent[0][name]:
            yield Change(True, where, f"now requires `{name}`")
    answers = [_members(whole, _success(operation)) for whole, operation in (before, after)]
    for name in sorted(answers[0].keys() - answers[1].keys()):
        yield Change(True, where, f"no longer answers `{name}`")
    added = sorted(name.rpartition(".") for name in answers[1].keys() - answers[0].keys())
    for parent, names in groupby(added, key=lambda parts: parts[0]):
        inside = f" in `{parent}`" if parent else ""
        yield Change(False, where, f"also in the response: {', '.join(f'`{last}`' for *_, last in names)}{inside}")
    for status in sorted(after[1]["responses"].keys() - before[1]["responses"].keys()):
        yield Change(False, where, f"can answer {status}")


def _in_parameters(where: str, before: Any, after: Any) -> Iterator[Change]:
    earlier, later = ({each["name"]: each for each in given} for given in (before, after))
    for name in sorted(earlier.keys() - later.keys()):
        yield Change(True, where, f"no longer has the parameter `{name}`")
    for name in sorted(later.keys() - earlier.keys()):
        needed = bool(later[name].get("required"))
        yield Change(needed, where, f"new parameter{', required' if needed else ''}: `{name}`")
    for name in sorted(earlier.keys() & later.keys()):
        if later[name].get("required") and not earlier[name].get("required"):
            yield Change(True, where, f"now requires the parameter `{name}`")
        for value in sorted(set(_values(earlier[name])) - set(_values(later[name]))):
            yield Change(True, where, f"no longer takes `{name}={value}`")


def _values(parameter: Any) -> list[str]:
    schema = parameter["schema"]
    return [str(value) for value in schema.get("enum") or schema.get("items", {}).get("enum", ())]


def _success(operation: Any) -> Any:
    return next((answer for status, answer in operation["responses"].items() if status.startswith("2")), {})


def _members(whole: Description, body: Any) -> dict[str, bool]:
    """Return whether each member of a JSON body is required, by its path."""
    schema = body.get("content", {}).get(JSON, {}).get("schema")
    return dict(_walk(whole, schema, "", (), required=True)) if schema else {}


def _walk(
    whole: Description, schema: Any, path: str, seen: tuple[str, ...], *, required: bool
) -> Iterator[tuple[str, bool]]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from _walk(whole, whole["components"]["schemas"][name], path, (*seen, name), required=required)
        return
    for part in (*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _walk(whole, part, path, seen, required=required)
    if "items" in schema:
        yield from _walk(whole, schema["items"], f"{path}[]", seen, required=required)
    for name, member in schema.get("properties", {}).items():
        inner, needed = f"{path}.{name}".lstrip("."), required and name in schema.get("required", ())
        yield inner, needed
        yield from _walk(whole, member, inner, seen, required=needed)
