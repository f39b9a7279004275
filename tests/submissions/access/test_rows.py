"""Each reader reads the rows that the table in `rows` names, of every kind."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from django.db.models import QuerySet

from submissions import permissions
from submissions.models import Event, LayoutFiling, Submission
from submissions.permissions.visible import START, Visitor, read_scope_of
from tests.submissions.access.readers import EVERYONE
from tests.submissions.access.rows import SEEN
from tests.submissions.access.world import World

Naming = Callable[[World, Any], Any]


def by(field: str) -> Naming:
    return lambda world, row: getattr(row, field)


def slug(world: World, row: Any) -> str:
    return row.organization.slug if row.organization else ""


# function of `permissions` → the kind of row that it reads, and the name of a row in the table
READ: dict[str, tuple[str, Naming]] = {
    "visible_to": ("submission", lambda world, row: world.submissions.get(row.number)),
    "history_visible_to": ("event", lambda world, row: world.events.get(row.pk)),
    "events_after": ("event", lambda world, place: world.events.get(place[0][1])),
    "remarks_visible_to": ("remark", by("text")),
    "read_remarks": ("remark", by("text")),
    "read_replies": ("reply", by("text")),
    "line_comments_visible_to": ("comment within the licensee", by("text")),
    "attachments_visible_to": ("attachment", by("name")),
    "layouts_visible_to": ("layout", lambda world, row: world.layouts[row.number]),
    "drawings_visible_to": ("drawing", lambda world, row: f"{world.layouts[row.filing.number]}: {row.name}"),
    "papers_visible_to": (
        "signed layout, sign or guide", lambda world, row: world.layouts[row.layout_revision.filing.number],
    ),
    "versions_visible_to": ("version", slug),
    "licensees_visible_to": ("licensee", by("slug")),
    "orders_visible_to": ("order", by("text")),
    "tables_visible_to": ("table", slug),
    "published_tables": ("published table", slug),
    "filters_visible_to": ("saved filter", by("name")),
    "notices_visible_to": ("notice", by("words")),
    "readable_notices": ("notice in reach", by("words")),
    "exports_visible_to": ("export", lambda world, row: row.arguments["export"]["file_name"]),
    "people_visible_to": ("person", by("name")),
    "invitations_visible_to": ("invitation", slug),
    "people_history_visible_to": ("event about people", slug),
    "stand_ins_visible_to": ("stand-in", slug),
    "credentials_visible_to": ("credential", slug),
    "credentials_history_visible_to": ("event about credentials", slug),
    "batches_visible_to": ("bulk update", slug),
    "webhooks_visible_to": ("webhook", slug),
    "webhooks_history_visible_to": ("event about webhooks", slug),
    "rulemakings_visible_to": ("rulemaking", by("title")),
    "access_records_visible_to": ("security log", slug),
}  # fmt: skip
OF_SUBMISSION = {name for name in READ if name.endswith(("remarks", "replies", "history"))} | {
    "history_visible_to", "remarks_visible_to", "line_comments_visible_to", "attachments_visible_to",
}  # fmt: skip
NO_ROWS = {"is_visible_to", "read_scope_of"}  # whether one submission is seen; by what that is decided


def functions() -> dict[str, Any]:
    """Every function of `permissions` that returns rows for a reader, by how such functions are called."""
    modules = [
        import_module(f"submissions.permissions.{one.name}") for one in pkgutil.iter_modules(permissions.__path__)
    ]
    return {
        name: function
        for module in modules
        for name, function in vars(module).items()
        if getattr(function, "__module__", "") == module.__name__
        and (name.endswith(("visible_to", "_after")) or name.startswith(("read_", "readable_notices", "published_")))
        and name not in NO_ROWS
    }


def with_rows() -> QuerySet[Submission]:
    """Submissions with events, which all that have comments or files do."""
    return Submission.objects.filter(pk__in=Event.objects.values("submission"))


def read(name: str, reader: Visitor) -> Iterator[Any]:
    """A submission or layout is read again for each reader: it remembers who may read it."""
    function = functions()[name]
    if name in OF_SUBMISSION:
        return (row for submission in with_rows() for row in function(reader, submission))
    if name == "drawings_visible_to":
        return (row for layout in LayoutFiling.objects.all() for row in function(reader, layout))
    if name == "events_after":
        return iter(function(reader, START, 500))
    if name == "readable_notices":
        return iter(function(read_scope_of(reader)))
    return iter(function() if name == "published_tables" else function(reader))


@pytest.mark.parametrize("name", READ)
def test_rows_are_seen_as_the_table_says(world: World, name: str) -> None:
    kind, naming = READ[name]
    found = {reader: {naming(world, row) for row in read(name, world.people[reader])} for reader in EVERYONE}
    seen = {row: {reader for reader in EVERYONE if row in found[reader]} for row in SEEN[kind]}
    assert seen == SEEN[kind]


def test_every_kind_of_row_is_in_the_table() -> None:
    assert READ.keys() == functions().keys()
    assert {kind for kind, _ in READ.values()} == SEEN.keys()
