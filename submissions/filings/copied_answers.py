"""What a copy takes from its source: the answers of each table group, and the latest file that each answer names.

What was filed is copied from the frozen snapshot, a draft from its rows. Lines that the rules of the copy's day no
longer have cannot be copied; they are named. Not here: who may copy what (`property_copies`, `own_copies`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from games.rules.model import Chapter
from submissions.core.configuration_index import group_at
from submissions.filings.snapshot import refuse_damaged
from submissions.models import Attachment, Configuration, Revision, Submission


@dataclass(frozen=True, slots=True)
class CopiedGroup:
    """One configuration of the source."""

    position: int
    name: str
    tables: str
    pit: str
    answers: dict[str, Any]


def source_groups(submission: Submission) -> list[CopiedGroup]:
    """What is being prepared, or else what was filed last; `Refusal` if that is damaged."""
    revision = _source_revision(submission)
    if revision is None:
        return [
            CopiedGroup(row.position, row.name, row.tables, row.pit, dict(row.answers))
            for row in submission.configurations.all()
        ]
    refuse_damaged(revision)
    content = revision.content
    return [
        CopiedGroup(group_at(content, place), row["name"], row["tables"], row["pit"], dict(row["answers"]))
        for place, row in enumerate(content["configurations"])
    ]


def missing_lines(submission: Submission, chapter: Chapter) -> dict[str, str]:
    """The answered lines of the source that the chapter does not have: key → the question as it was, else the key."""
    known = {option.key for option in chapter.options}
    revision = _source_revision(submission)
    rows = revision.content["configurations"] if revision else []
    questions = {line["key"]: f"{line['question']} ({line['citation']})" for row in rows for line in row["lines"]}
    keys = dict.fromkeys(key for group in source_groups(submission) for key in group.answers if key not in known)
    return {key: questions.get(key, key) for key in keys}


def copy_answers(submission: Submission, draft: Submission, *, without: Collection[str], with_tables: bool) -> None:
    """The groups with their answers, but for those lines, in the caller's transaction. Without tables, the groups'
    tables and pits are left empty.
    """
    groups = source_groups(submission)
    answers = [{key: answer for key, answer in each.answers.items() if key not in without} for each in groups]
    for group, given in zip(groups, answers, strict=True):
        described = {"name": group.name} if group.position else {}  # the first has its name from being the first
        tables = {"tables": group.tables, "pit": group.pit} if with_tables else {}
        Configuration.objects.create(submission=draft, position=group.position, answers=given, **described, **tables)
    named = {(key, answer["sha256"]) for each in answers for key, answer in each.items() if isinstance(answer, dict)}
    latest = {(file.option, file.stored_id): file for file in reversed(submission.attachments.all())}
    for line in sorted(named & latest.keys()):
        copied = {"option": line[0], "stored_id": line[1], "name": latest[line].name}
        Attachment.objects.create(submission=draft, uploaded_by=draft.created_by, **copied)


def _source_revision(submission: Submission) -> Revision | None:
    return None if submission.editable else submission.revisions.first()
