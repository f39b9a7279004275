"""Starting a Rules Submission; its configurations; saving answers, line by line. Not here: table groups, files."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack, cast

from django.db import transaction
from django.db.models import Case, Model, QuerySet, When
from django.utils import timezone

from games.registry import UnknownChapter
from games.rules.model import Answers, Chapter
from submissions import permissions
from submissions.audit.record import NewEvent, group_payload, record_events
from submissions.core.errors import Conflict, Refusal
from submissions.filings.answer_cleaning import clean_answers
from submissions.filings.editable_lines import locked_line_refusals
from submissions.models import OVER, Configuration, Organization, Person, Status, Submission
from submissions.permissions import workflow
from submissions.rules.effective_rules import chapter_on, unusable_chapter
from submissions.rules.rules_day import draft_chapter


def start_submission(actor: Person, chapter_number: str, *, another: bool = True) -> Submission:
    """A new draft of the person's casino for a chapter. With `another=False`, `Conflict` if one of the game is open."""
    chapter = startable_chapter(actor, chapter_number)
    with transaction.atomic():
        if not another:
            _refuse_second(cast(Organization, actor.organization), chapter)
        submission = create_draft(actor, chapter.number)
        Configuration.objects.create(submission=submission)
        record_start(submission)
    return submission


def startable_chapter(actor: Person, chapter_number: str) -> Chapter:
    """The chapter as it is today; a `Refusal` unless the person may start a submission for it."""
    permissions.require(actor, "start")
    try:
        return chapter_on(chapter_number, timezone.localdate())
    except UnknownChapter as error:
        raise unusable_chapter(chapter_number, error) from None


def open_submissions(organization: Organization, chapter_number: str) -> QuerySet[Submission]:
    """The licensee's drafts and filings of a game that are not decided, those that can be edited first."""
    rows = Submission.objects.filter(organization=organization, chapter=chapter_number).exclude(status__in=OVER)
    first = Case(When(status__in=(Status.DRAFT, Status.RETURNED), then=0), default=1)
    return rows.select_related("organization", "created_by").order_by(first, "-changed_at", "-pk")


def _refuse_second(organization: Organization, chapter: Chapter) -> None:
    """Refuse if the licensee has an open one of the game; of two people who start at once, one has the first draft."""
    Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    if begun := open_submissions(organization, chapter.number).first():
        raise Conflict(
            "draft-open",
            number=begun.number,
            game=chapter.title,
            name=begun.created_by.name,
            status=begun.get_status_display(),
        )


def create_draft(actor: Person, chapter_number: str, *, amends: Submission | None = None) -> Submission:
    """The row of a new draft with its number, inside the caller's transaction; `record_start` follows."""
    submission = new_draft(actor, chapter_number, amends=amends)
    submission.save(force_insert=True)
    submission.number = draft_number(submission)
    submission.save(update_fields=["number"])
    return submission


def new_draft(actor: Person, chapter_number: str, *, amends: Submission | None = None) -> Submission:
    """The same in memory. Its number is none yet: `draft_number` follows once the row has a primary key."""
    return Submission(
        number=uuid.uuid4().hex[:20],
        organization=cast(Organization, actor.organization),
        chapter=chapter_number,
        amends=amends,
        created_by=actor,
    )


def draft_number(submission: Submission) -> str:
    """The number of a draft that is stored today: RS-2026-00001."""
    return f"RS-{timezone.localdate().year}-{submission.pk:05d}"


def record_start(submission: Submission, **source: Any) -> None:
    """The first event of a draft, once its configurations and files are there; `source`: what it is a copy of."""
    rows = (submission, *submission.configurations.all(), *submission.attachments.all())
    record_events([start_event(submission, rows, **source)])


def start_event(submission: Submission, rows: Iterable[Model], **source: Any) -> NewEvent:
    """That event. `rows`: the draft, its configurations and its files."""
    amends = submission.amends
    named = {name: value for name, value in source.items() if value}
    after = {"chapter": submission.chapter, **named} | ({"amends": amends.number} if amends else {})
    return NewEvent(submission.created_by, submission, "amends" if amends else "started", after=after, seals=rows)


@dataclass(frozen=True, slots=True)
class SaveResult:
    """What became of a set of changes: every line is in exactly one of `saved`, `clashes` and `refusals`. A change to
    what is stored already counts as saved.
    """

    row: Configuration  # with the saved answers
    before: Answers  # the answers that it had
    changed: Answers  # the saved answers that differ from those
    saved: tuple[str, ...]
    clashes: Mapping[str, Conflict]  # lines that someone else changed after this person saw them
    refusals: Mapping[str, Refusal]  # lines that cannot take this answer, or are locked

    @property
    def unsaved(self) -> set[str]:
        return {*self.clashes, *self.refusals}


class SaveConditions(TypedDict, total=False):
    """Where answers are saved, and on which conditions.

    `configuration`: its position; by default the first.
    `seen`: the answers that this person last saw; a line that differs from them is a clash (None: no line is).
    `version`: the version that the configuration must have, else `Conflict`.
    `strict`: the first line that cannot be saved is raised, and nothing is stored.
    """

    configuration: int
    seen: Answers | None
    version: int | None
    strict: bool


def save_answers(
    actor: Person, submission: Submission, changes: Answers, **conditions: Unpack[SaveConditions]
) -> SaveResult:
    """Store the changed lines in one transaction, and say of each line what became of it.

    Answers that break a rule are stored and reported by the findings, so that no input is lost. Only what no checklist
    can contain (unknown lines, control characters, files) and locked lines are refused.
    """
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        result = plan_answers(actor, submission, submission.configurations.all(), changes, **conditions)
        if result.changed:
            result.row.save(update_fields=["answers", "version", "changed_at"])
            Submission.objects.filter(pk=submission.pk).update(changed_at=timezone.now())
            record_events([saved_event(actor, submission, result)])
    return result


def plan_answers(
    actor: Person,
    submission: Submission,
    rows: Iterable[Configuration],
    changes: Answers,
    *,
    seen: Answers | None = None,
    version: int | None = None,
    configuration: int = 0,
    strict: bool = False,
) -> SaveResult:
    """What `save_answers` would store: the configuration, one of the submission's `rows`, gets the answers and its next
    version in memory, and nothing is written.
    """
    permissions.require(actor, "edit", submission)
    cleaned, refusals = clean_answers(draft_chapter(submission), changes)
    if strict and refusals:
        raise next(iter(refusals.values()))
    row = next((row for row in rows if row.position == configuration), None)
    if row is None:
        raise no_such_group(submission, configuration)
    if version is not None:
        check_configuration_version(row, version)
    before = row.answers
    changed = {key: answer for key, answer in cleaned.items() if before.get(key) != answer}
    clashes = {key: _clash(key, before) for key in changed if seen is not None and before.get(key) != seen.get(key)}
    writable = changed.keys() - clashes.keys()
    refusals |= locked_line_refusals(submission, row, [key for key in changed if key in writable])
    if strict and (problem := next(iter((*clashes.values(), *refusals.values())), None)):
        raise problem
    written = {key: changed[key] for key in changed if key in writable - refusals.keys()}
    if written:
        row.answers, row.version = {**before, **written}, row.version + 1
    saved = tuple(key for key in changes if key not in clashes and key not in refusals)
    return SaveResult(row, before, written, saved, clashes, refusals)


def saved_event(actor: Person, submission: Submission, result: SaveResult) -> NewEvent:
    """The event of saved answers, once the configuration is stored."""
    before = {key: result.before.get(key) for key in result.changed}
    after = {**result.changed, **group_payload(result.row)}
    return NewEvent(actor, submission, "saved", before=before, after=after, seals=(result.row,))


def _clash(option: str, stored: Answers) -> Conflict:
    return Conflict("answer-changed-meanwhile", option=option, theirs=stored.get(option))


def configuration_of(submission: Submission, position: int) -> Configuration:
    """The configuration at the position; `Conflict` if there is none, for example because it was removed."""
    row = submission.configurations.filter(position=position).first()
    if row is None:
        raise no_such_group(submission, position)
    return row


def save_configuration(row: Configuration, *fields: str) -> None:
    """Store the changed fields as the next version. The caller has locked the submission."""
    row.version += 1
    row.save(update_fields=[*fields, "version", "changed_at"])


def check_configuration_version(row: Configuration, version: int) -> None:
    """Raise `Conflict` if the configuration is no longer as a program saw it."""
    if row.version != version:
        raise Conflict(
            "configuration-changed-meanwhile/version",
            theirs=row.version,
            option="version",
            name=row.name,
            number=row.submission.number,
            version=row.version,
            sent_version=version,
        )


def no_such_group(submission: Submission, position: int) -> Conflict:
    return Conflict("no-such-group", number=submission.number, position=position)
