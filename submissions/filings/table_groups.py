"""Table groups: exceptions from "all tables", each with its own answers.

Adding, describing and removing them; resetting a line. "If a selected option does not apply to all tables, please
submit additional information": the configuration at position 0 is for all tables that no group names; it can be neither
renamed nor removed. A group's position is never given to another group, because filings refer to it
(`core.configurations`). Not here: saving a group's answers (`drafts`, `attachments`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.rules.lists import TABLES_EXAMPLE, format_tables, parse_tables
from submissions import permissions
from submissions.audit.record import group_payload, record_event
from submissions.audit.row_seals import RowReference
from submissions.core.configurations import group_at
from submissions.core.errors import Conflict, Refusal
from submissions.core.text import clean_text
from submissions.filings.drafts import configuration_among, configuration_of, save_configuration
from submissions.filings.questions import refuse_locked, refuse_locked_groups
from submissions.models import Configuration, Person, Submission
from submissions.permissions import workflow

MOST = 40  # groups of one submission, "all other tables" not counted
LONGEST = {"name": 80, "tables": 400, "pit": 80}  # characters
_TOO_LONG = {"name": "group-name-too-long", "pit": "group-pit-too-long"}
CITATION = "§ 601a.2"
_RESERVED = ("all tables", "all other tables")


@dataclass(frozen=True, slots=True)
class GroupDescription:
    """A group's name, its tables, and their pit (optional)."""

    name: str
    tables: str
    pit: str = ""


def describe_input(row: Configuration) -> GroupDescription:
    return GroupDescription(row.name, row.tables, row.pit)


def add_group(
    actor: Person, submission: Submission, description: GroupDescription, *, copy_of: int = 0
) -> Configuration:
    """Add a group, which begins with the answers of the configuration at `copy_of`."""
    with _locked_groups(actor, submission) as (submission, rows):
        model = configuration_among(rows, submission, copy_of)
        if len(rows) > MOST:
            raise Refusal("too-many-groups", number=submission.number, most=MOST)
        clean = _clean(description, rows)
        row = Configuration.objects.create(
            submission=submission, position=_next_position(submission, rows), answers=model.answers, **asdict(clean)
        )
        after = {**asdict(clean), "as": model.display_name(several=True), "position": row.position}
        _record(actor, submission, "grouped", after=after, seals=(row,))
    return row


def describe_group(
    actor: Person, submission: Submission, position: int, description: GroupDescription, *, seen: GroupDescription
) -> Configuration:
    """Give the group another name, other tables or another pit, if it still is as this person saw it."""
    with _locked_groups(actor, submission) as (submission, rows):
        row = _exception(rows, submission, position)
        clean, before = _clean(description, rows, but=position), describe_input(row)
        if clean == before:
            return row
        if before != seen:
            theirs, pit = asdict(before), f", pit {before.pit}" if before.pit else ""
            raise Conflict("group-changed-meanwhile", theirs=theirs, name=before.name, tables=before.tables, pit=pit)
        row.name, row.tables, row.pit = clean.name, clean.tables, clean.pit
        save_configuration(row, "name", "tables", "pit")
        _record(actor, submission, "regrouped", before=asdict(before), after=asdict(clean), seals=(row,))
    return row


def remove_group(actor: Person, submission: Submission, position: int) -> None:
    """Remove the group: its tables use the answers for all tables. The history keeps the group's answers."""
    with _locked_groups(actor, submission) as (submission, rows):
        row = _exception(rows, submission, position)
        before = {**asdict(describe_input(row)), "answers": row.answers}
        removed = RowReference(Configuration, row.pk)
        row.delete()
        _record(actor, submission, "ungrouped", before=before, after={"name": before["name"]}, seals=(removed,))


def reset_line(actor: Person, submission: Submission, position: int, option: str) -> Configuration:
    """Answer this line of the group as it is answered for all other tables."""
    permissions.require(actor, "edit", submission)
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        permissions.require(actor, "edit", submission)
        row, first = (configuration_of(submission, place) for place in (position, 0))
        before, after = row.answers.get(option), first.answers.get(option)
        if before != after:
            refuse_locked(submission, row, option)
            row.answers = {**row.answers, option: after}
            save_configuration(row, "answers")
            given = {option: after, **group_payload(row)}
            _record(actor, submission, "saved", before={option: before}, after=given, seals=(row,))
    return row


def differing(row: Configuration, first: Configuration) -> set[str]:
    """Return the keys of the lines that the group answers differently from all other tables."""
    keys = row.answers.keys() | first.answers.keys()
    return {key for key in keys if row.answers.get(key) != first.answers.get(key)}


@contextmanager
def _locked_groups(actor: Person, submission: Submission) -> Iterator[tuple[Submission, list[Configuration]]]:
    """Lock the submission and its configurations in a transaction; check the permission before and after."""
    permissions.require(actor, "edit", submission)
    with transaction.atomic():
        locked = workflow.lock_row(submission)
        permissions.require(actor, "edit", locked)
        refuse_locked_groups(locked)
        yield locked, list(locked.configurations.all())


def _exception(rows: list[Configuration], submission: Submission, position: int) -> Configuration:
    if position == 0:
        raise Refusal("not-a-group")
    return configuration_among(rows, submission, position)


def _next_position(submission: Submission, rows: list[Configuration]) -> int:
    filed = (revision.content for revision in submission.revisions.all())
    ever = {group_at(content, place) for content in filed for place in range(len(content["configurations"]))}
    return max(ever | {row.position for row in rows}) + 1


def _record(actor: Person, submission: Submission, verb: str, **states: Any) -> None:
    """Record the change; `states`: before and after it, and the rows that it seals."""
    Submission.objects.filter(pk=submission.pk).update(changed_at=timezone.now())
    record_event(actor, submission, verb, **states)


def _clean(description: GroupDescription, rows: list[Configuration], *, but: int = 0) -> GroupDescription:
    """Return the description as it is stored, or the refusal that names the field; `but`: the group that it is for."""
    other_groups = [row for row in rows if row.position not in (0, but)]
    name, pit = _words(description.name, "name"), _words(description.pit, "pit")
    if not name:
        raise Refusal("group-name-missing", option="name", citation=CITATION)
    if name.casefold() in (*_RESERVED, *(row.name.casefold() for row in other_groups)):
        raise Refusal("group-name-taken", option="name", citation=CITATION, name=name)
    return GroupDescription(name, _tables(description.tables, other_groups), pit)


def _words(text: str, field: str) -> str:
    clean = " ".join(clean_text(text, f"The group's {field}", option=field).split())
    if len(clean) > LONGEST[field]:
        message = f"The group's {field} has {len(clean):,} characters; {LONGEST[field]} are allowed."
        raise Refusal(_TOO_LONG[field], message, fix="Shorten it.", option=field, citation=CITATION)
    return clean


def _tables(text: str, other_groups: list[Configuration]) -> str:
    """Return the list as it is stored: not empty, readable, and without a table of another group."""
    try:
        named = parse_tables(clean_text(text, "The list of tables", option="tables"))
    except ValueError as error:
        problem = f"{str(error)[:1].upper()}{str(error)[1:]}."
        raise Refusal(
            "group-tables-unreadable", problem, fix=TABLES_EXAMPLE, option="tables", citation=CITATION
        ) from None
    stored, most = format_tables(named), LONGEST["tables"]
    if not named:
        raise Refusal("group-without-tables", fix=TABLES_EXAMPLE, option="tables", citation=CITATION)
    if len(stored) > most:
        raise Refusal("group-tables-too-long", option="tables", citation=CITATION, count=len(stored), most=most)
    for row in other_groups:
        if both := named & parse_tables(row.tables):
            tables = f"{'Table' if len(both) == 1 else 'Tables'} {format_tables(both)}"
            raise Refusal("table-in-two-groups", option="tables", citation=CITATION, tables=tables, name=row.name)
    return stored
