"""Table groups: the exceptions from "all tables", each with its own answers; added, described, removed, set back.

"If a selected option does not apply to all tables, please submit additional information": the configuration at
position 0 is for all tables that no group names, and can be neither renamed nor removed. A group's position is given
once and never again, since filings refer to it (`submissions.places`). Not here: saving a group's answers (`drafts`,
`uploads`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db import transaction
from django.utils import timezone

from submissions import access, tables, workflow
from submissions.actions.configurations import configuration_of, in_group, keep, no_such_group
from submissions.actions.history import record
from submissions.actions.wording import clean_text
from submissions.errors import Conflict, Refusal
from submissions.models import Configuration, Person, Submission
from submissions.places import group_of
from submissions.reopening import refuse_closed, refuse_closed_groups

MOST = 40  # groups of one submission, "all other tables" not counted
LONGEST = {"name": 80, "tables": 400, "pit": 80}  # characters
CITATION = "§ 601a.2"
EXAMPLE = "Write table numbers, ranges of them and names, such as 3, 7-9, BJ-4."
_RESERVED = ("all tables", "all other tables")


@dataclass(frozen=True, slots=True)
class Description:
    """What a group is called, which tables it has, and in which pit they stand (which may be left out)."""

    name: str
    tables: str
    pit: str = ""


def described(row: Configuration) -> Description:
    return Description(row.name, row.tables, row.pit)


def add(actor: Person, submission: Submission, description: Description, *, copy_of: int = 0) -> Configuration:
    """A further group, which begins with the answers of the configuration at `copy_of`."""
    access.demand(actor, "edit", submission)
    with transaction.atomic():
        submission, rows = _held(actor, submission)
        model = _row(rows, submission, copy_of)
        if len(rows) > MOST:
            raise Refusal(
                "too-many-groups",
                f"{submission.number} has {MOST} table groups already, which is the most there can be.",
                fix="Put tables that are run alike into one group.",
            )
        clean = _clean(description, rows)
        row = Configuration.objects.create(
            submission=submission, position=_next_position(submission, rows), answers=model.answers, **asdict(clean)
        )
        _tell(actor, submission, "grouped", after={**asdict(clean), "as": model.called(several=True)})
    return row


def describe(
    actor: Person, submission: Submission, position: int, description: Description, *, seen: Description
) -> Configuration:
    """Give the group another name, other tables or another pit, if it still is as this person saw it."""
    access.demand(actor, "edit", submission)
    with transaction.atomic():
        submission, rows = _held(actor, submission)
        row = _exception(rows, submission, position)
        clean, before = _clean(description, rows, but=position), described(row)
        if clean == before:
            return row
        if before != seen:
            raise Conflict(
                "group-changed-meanwhile",
                f"Somebody else changed this group while you had it open: it is now “{before.name}”, "
                f"tables {before.tables}{f', pit {before.pit}' if before.pit else ''}.",
                theirs=asdict(before),
                fix="Compare, and save again if yours shall stand.",
            )
        row.name, row.tables, row.pit = clean.name, clean.tables, clean.pit
        keep(row, "name", "tables", "pit")
        _tell(actor, submission, "regrouped", before=asdict(before), after=asdict(clean))
    return row


def remove(actor: Person, submission: Submission, position: int) -> None:
    """Take the group away: its tables are run as all others are. The history keeps what it answered."""
    access.demand(actor, "edit", submission)
    with transaction.atomic():
        submission, rows = _held(actor, submission)
        row = _exception(rows, submission, position)
        before = {**asdict(described(row)), "answers": row.answers}
        row.delete()
        _tell(actor, submission, "ungrouped", before=before, after={"name": before["name"]})


def set_back(actor: Person, submission: Submission, position: int, option: str) -> Configuration:
    """Answer this line of the group as it is answered for all other tables."""
    access.demand(actor, "edit", submission)
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "edit", submission)
        row, first = (configuration_of(submission, place) for place in (position, 0))
        before, after = row.answers.get(option), first.answers.get(option)
        if before != after:
            refuse_closed(submission, row, [option])
            row.answers = {**row.answers, option: after}
            keep(row, "answers")
            _tell(actor, submission, "saved", before={option: before}, after={option: after, **in_group(row)})
    return row


def differing(row: Configuration, first: Configuration) -> set[str]:
    """The keys of the lines that the group answers otherwise than all other tables."""
    keys = row.answers.keys() | first.answers.keys()
    return {key for key in keys if row.answers.get(key) != first.answers.get(key)}


def _held(actor: Person, submission: Submission) -> tuple[Submission, list[Configuration]]:
    """The submission and its configurations, held until the transaction ends; asked again who may."""
    held = workflow.locked(submission)
    access.demand(actor, "edit", held)
    refuse_closed_groups(held)
    return held, list(held.configurations.all())


def _row(rows: list[Configuration], submission: Submission, position: int) -> Configuration:
    found = next((row for row in rows if row.position == position), None)
    if found is None:
        raise no_such_group(submission, position)
    return found


def _exception(rows: list[Configuration], submission: Submission, position: int) -> Configuration:
    if position == 0:
        raise Refusal(
            "not-a-group",
            "The answers for all tables are no group: they can be neither renamed nor removed.",
            fix="Add a group for the tables that are run otherwise.",
        )
    return _row(rows, submission, position)


def _next_position(submission: Submission, rows: list[Configuration]) -> int:
    filed = (revision.content for revision in submission.revisions.all())
    ever = {group_of(content, place) for content in filed for place in range(len(content["configurations"]))}
    return max(ever | {row.position for row in rows}) + 1


def _tell(
    actor: Person,
    submission: Submission,
    verb: str,
    *,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object],
) -> None:
    Submission.objects.filter(pk=submission.pk).update(changed_at=timezone.now())
    record(actor, submission, verb, before=before, after=after)


def _clean(description: Description, rows: list[Configuration], *, but: int = 0) -> Description:
    """The description as it is stored, or the refusal that names the field; `but`: the group that it is for."""
    others = [row for row in rows if row.position not in (0, but)]
    name, pit = _words(description.name, "name"), _words(description.pit, "pit")
    if not name:
        raise _refusal("group-name-missing", "name", "The group has no name.", "Name it as the floor does.")
    if name.casefold() in (*_RESERVED, *(row.name.casefold() for row in others)):
        raise _refusal(
            "group-name-taken", "name", f"There is a group “{name}” already.", "Give this one a name of its own."
        )
    return Description(name, _tables(description.tables, others), pit)


def _words(text: str, field: str) -> str:
    clean = " ".join(clean_text(text, f"The group's {field}", option=field).split())
    if len(clean) > LONGEST[field]:
        raise _refusal(
            f"group-{field}-too-long",
            field,
            f"The group's {field} has {len(clean):,} characters; {LONGEST[field]} are allowed.",
            "Shorten it.",
        )
    return clean


def _tables(text: str, others: list[Configuration]) -> str:
    """The list as it is stored: not empty, readable, and without a table of another group."""
    try:
        named = tables.read(clean_text(text, "The list of tables", option="tables"))
    except ValueError as error:
        raise _refusal("group-tables-unreadable", "tables", f"{_sentence(error)}.", EXAMPLE) from None
    stored = tables.write(named)
    if not named:
        raise _refusal("group-without-tables", "tables", "The group has no tables.", EXAMPLE)
    if len(stored) > LONGEST["tables"]:
        raise _refusal(
            "group-tables-too-long",
            "tables",
            f"The list of tables has {len(stored):,} characters; {LONGEST['tables']} are allowed.",
            "Write neighbouring numbers as a range, such as 7-9, or divide the group.",
        )
    for row in others:
        if both := named & tables.read(row.tables):
            raise _refusal(
                "table-in-two-groups",
                "tables",
                f"{'Table' if len(both) == 1 else 'Tables'} {tables.write(both)} of “{row.name}” cannot be in a second "
                "group: a table is run in one way.",
                f"Leave out what “{row.name}” has, or take it from there first.",
            )
    return stored


def _sentence(error: ValueError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:]


def _refusal(code: str, field: str, message: str, fix: str) -> Refusal:
    return Refusal(code, message, option=field, fix=fix, citation=CITATION)
