"""A submission's configurations: finding one by its position, and how the history says which one it was.

Not here: adding and removing them (`groups`), saving their answers (`drafts`, `uploads`).
"""

from __future__ import annotations

from submissions.errors import Conflict
from submissions.models import Configuration, Event, Submission

IN_GROUP = "@group"  # beside the changed lines in an event: no line has such a key


def configuration_of(submission: Submission, position: int) -> Configuration:
    """The configuration at the position; `Conflict` if there is none, or none any more."""
    found = submission.configurations.filter(position=position).first()
    if found is None:
        raise no_such_group(submission, position)
    return found


def keep(row: Configuration, *fields: str) -> None:
    """Write the changed fields, as one more version. The caller holds the submission."""
    row.version += 1
    row.save(update_fields=[*fields, "version", "changed_at"])


def expect(row: Configuration, version: int) -> None:
    """Raise `Conflict` if the configuration is no longer as a program saw it."""
    if row.version != version:
        raise Conflict(
            "configuration-changed-meanwhile",
            f"“{row.name}” of {row.submission.number} is at version {row.version} now, not {version}.",
            theirs=row.version,
            fix="Read the configurations anew, compare, and send the change with that version.",
            option="version",
        )


def no_such_group(submission: Submission, position: int) -> Conflict:
    return Conflict(
        "no-such-group",
        f"{submission.number} has no table group {position}, or has it no longer.",
        fix="Open the checklist anew: the history tells who removed a group, and what it answered.",
    )


def in_group(row: Configuration) -> dict[str, object]:
    """What an event says besides, where the change is not one for all tables: the group's position and name."""
    return {IN_GROUP: {"position": row.position, "name": row.name}} if row.position else {}


def position_in(event: Event) -> int:
    """The position of the configuration whose change an event tells of."""
    position: int = event.after.get(IN_GROUP, {"position": 0})["position"]
    return position
