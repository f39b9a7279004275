"""Starting a Rules Submission, and saving what is typed, line by line."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from django.db import transaction
from django.utils import timezone

from games.rules.model import Answer, Answers, Chapter, Option
from games.rules.registry import UnknownChapter
from games.rules.registry import chapter as chapter_of
from submissions import access, workflow
from submissions.actions.configurations import configuration_of, expect, in_group, keep
from submissions.actions.history import record
from submissions.actions.wording import clean_text, refuse_endless_number
from submissions.errors import Conflict, Refusal
from submissions.models import Configuration, Organisation, Person, Submission
from submissions.reopening import refuse_closed

NUMBERS = ("count", "money", "percent")  # the kinds of line that take a number


def start(actor: Person, chapter_number: str) -> Submission:
    """A new draft of the person's casino for a chapter."""
    access.demand(actor, "start")
    try:
        chapter = chapter_of(chapter_number)
    except UnknownChapter as error:
        raise Refusal("unknown-chapter", f"{str(error).capitalize()}.", fix="Choose a game of the list.") from None
    with transaction.atomic():
        return begin(actor, chapter.number)


def begin(actor: Person, chapter_number: str, *, amends: Submission | None = None) -> Submission:
    """The row of a new draft, its number and its first configuration, inside the caller's transaction."""
    submission = Submission.objects.create(
        number=uuid.uuid4().hex[:20],  # until the row has its own
        organisation=cast(Organisation, actor.organisation),
        chapter=chapter_number,
        amends=amends,
        created_by=actor,
    )
    submission.number = f"RS-{timezone.localdate().year}-{submission.pk:05d}"
    submission.save(update_fields=["number"])
    Configuration.objects.create(submission=submission)
    after = {"chapter": chapter_number} | ({"amends": amends.number} if amends else {})
    record(actor, submission, "amends" if amends else "started", after=after)
    return submission


def save_answers(
    actor: Person, submission: Submission, changes: Answers, *, seen: Answers, configuration: int = 0
) -> Configuration:
    """Keep each changed line, if it still is what this person last saw; a line changed by both is a `Conflict`.

    What is wrong by the rules is kept all the same and told by the findings, so that nothing typed is lost;
    only what no checklist can hold (unknown lines, control characters, files) is refused, and then nothing is saved.
    """
    access.demand(actor, "edit", submission)
    chapter = chapter_of(submission.chapter)
    cleaned = {key: _clean(_line(chapter, key), answer) for key, answer in changes.items()}
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "edit", submission)  # again, now that nobody can come in between
        row = configuration_of(submission, configuration)
        clashes = _merge(actor, submission, row, cleaned, seen)
    if clashes:  # raised here, where the other lines are safe already
        raise _clash(clashes[0], row.answers)
    return row


@dataclass(frozen=True, slots=True)
class Changed:
    """A configuration as it is now, and the answers that it had."""

    row: Configuration
    before: Answers


def change_answers(
    actor: Person, submission: Submission, changes: Answers, *, version: int, configuration: int = 0
) -> Changed:
    """Keep the changed lines, if the configuration still is at this version; else nothing, and `Conflict`."""
    chapter = chapter_of(submission.chapter)
    with transaction.atomic():
        submission = workflow.locked(submission)
        access.demand(actor, "edit", submission)
        cleaned = {key: _clean(_line(chapter, key), answer) for key, answer in changes.items()}
        row = configuration_of(submission, configuration)
        expect(row, version)
        before = row.answers
        _merge(actor, submission, row, cleaned, before)
    return Changed(row, before)


def _merge(
    actor: Person, submission: Submission, row: Configuration, changes: Mapping[str, Answer], seen: Answers
) -> list[str]:
    """Write the lines that can be written; the keys of those that cannot are returned."""
    stored = row.answers
    changed = {key: value for key, value in changes.items() if stored.get(key) != value}
    clashes = [key for key in changed if stored.get(key) != seen.get(key)]
    free = {key: value for key, value in changed.items() if key not in clashes}
    if free:
        refuse_closed(submission, row, free)
        before = {key: stored.get(key) for key in free}
        row.answers = {**stored, **free}
        keep(row, "answers")
        Submission.objects.filter(pk=submission.pk).update(changed_at=timezone.now())
        record(actor, submission, "saved", before=before, after={**free, **in_group(row)})
    return clashes


def _clash(option: str, stored: Answers) -> Conflict:
    return Conflict(
        "answer-changed-meanwhile",
        "Somebody else changed this line while you had it open.",
        option=option,
        theirs=stored.get(option),
        fix="Compare the two answers and choose one; your other lines are saved.",
    )


def _line(chapter: Chapter, key: str) -> Option:
    try:
        option = chapter.option(key)
    except StopIteration:
        raise Refusal(
            "unknown-line",
            f"Chapter {chapter.number} has no line {key!r}.",
            fix="Use a key of the chapter's checklist.",
            option=key,
        ) from None
    if option.kind == "attachment":
        raise Refusal("file-expected", f"“{option.question}” takes a file.", option=key, fix="Upload the file instead.")
    return option


def _clean(option: Option, answer: Answer) -> Answer:
    """The answer in the one form that is stored, or the refusal that says what cannot be stored."""
    where = f"“{option.question}”"
    if answer is None or isinstance(answer, bool):
        return answer
    if not isinstance(answer, str | int):
        raise Refusal("answer-shape", f"{where} takes one value.", option=option.key)
    if option.kind in NUMBERS or isinstance(answer, int):
        refuse_endless_number(answer, where, option=option.key)
    if isinstance(answer, int):
        return answer
    return clean_text(answer, where, option=option.key, citation=option.citation) or None
