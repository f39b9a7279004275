"""The texts of refusals: every call finds its text, fills in exactly its names, and no text is left over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from string import Formatter

from submissions.accounts.invitations import InvitationExpired
from submissions.api.framework.preconditions import PreconditionFailed
from submissions.api.framework.views import AddressTooLong
from submissions.core.errors import (
    Busy,
    Conflict,
    Forbidden,
    NotFound,
    Refusal,
    StorageFault,
    TooManyAtOnce,
    error_codes,
    messages,
)
from submissions.permissions.credentials import UnrecognizedCredential
from tests.health.files import ROOT, modules

CLASSES = {
    kind.__name__
    for kind in (
        Refusal,
        Forbidden,
        NotFound,
        Conflict,
        Busy,
        StorageFault,
        TooManyAtOnce,
        InvitationExpired,
        AddressTooLong,
        PreconditionFailed,
        UnrecognizedCredential,
    )
}
NOT_FILLED_IN = {"option", "citation", "findings", "theirs", "fix", "retry_after"}
EVERY_BUSY = {"retry_after"}  # a text may name it


@cache
def calls() -> tuple[tuple[str, str, ast.Call], ...]:
    return tuple(_calls())


def _calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Every refusal with a text from the file: where it is raised, its key, the call."""
    for path in modules("submissions", "portal"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLASSES):
                continue
            if len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", str(node.args[0].value), node


def _needed(*texts: str) -> set[str]:
    return set().union(*map(names_in, texts)) - EVERY_BUSY


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_refusal_fills_in_exactly_the_names_of_its_text() -> None:
    wrong = []
    for where, key, call in calls():
        given = {keyword.arg for keyword in call.keywords}
        text = messages().get(key)
        if text is None:
            wrong.append(f"{where}: no text for {key!r}")
        elif given - NOT_FILLED_IN != _needed(text.message, "" if "fix" in given else text.fix):
            wrong.append(f"{where}: {key!r} needs {sorted(names_in(text.message) | names_in(text.fix))}")
    assert wrong == []


def test_every_text_is_used_and_belongs_to_a_code() -> None:
    used = {key for _, key, _ in calls()}
    assert messages().keys() - used == set()
    assert {key.partition("/")[0] for key in messages()} - error_codes().keys() == set()


def test_text_has_its_values_filled_in_and_its_code() -> None:
    refusal = Refusal("question-unresolved", questions="2 questions", verb="are", names="“A”; “B”", option="decks")
    assert refusal.message == "2 questions of the Board are not resolved: “A”; “B”."
    assert (refusal.code, refusal.option, str(refusal)) == ("question-unresolved", "decks", refusal.message)
