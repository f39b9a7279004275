"""Drafts of a Rules Submission: starting one, its configurations, saving answers line by line, progress, deletion.

Deleting erases nothing: the status becomes `deleted`, lists leave the draft out, and the history shows who deleted it
and when. What was filed is withdrawn instead. Not here: table groups, files, copies.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any, TypedDict, Unpack, cast

from django.db import transaction
from django.db.models import Case, Model, QuerySet, When, prefetch_related_objects
from django.utils import timezone

from games.rules.evaluate import asked_lines, effective, sound_answers
from games.rules.model import Answers, Chapter
from submissions import permissions
from submissions.audit.record import NewEvent, group_payload, record_event, record_events
from submissions.audit.row_seals import BATCH
from submissions.core.errors import Conflict, Refusal
from submissions.core.row_updates import insert_rows, reserve_keys, update_rows
from submissions.core.text import counted
from submissions.filings.answer_values import clean_answers
from submissions.filings.judging import judge_draft
from submissions.filings.orders.waived_findings import OrderBook, load_order_book
from submissions.filings.questions import locked_line_refusals
from submissions.models import OVER, WITH_LICENSEE, Configuration, Organization, Person, Status, Submission
from submissions.permissions import workflow
from submissions.rules import chapter_today, draft_chapter, draft_chapter_or_none


@dataclass(frozen=True, slots=True)
class DraftChange:
    """A change of a draft: decided in memory, and then stored, one of a page or thousands of a batch.

    Fields of a submission or of one of its configurations. No `fields`: a new draft with this configuration.
    """

    event: NewEvent
    row: Submission | Configuration
    fields: Mapping[str, Any]


def start_submission(actor: Person, chapter_number: str, *, another: bool = True) -> Submission:
    """Return a new draft of the person's casino for a chapter.

    With `another=False`, `Conflict` if one of the game is open.
    """
    chapter = startable_chapter(actor, chapter_number)
    with transaction.atomic():
        if not another:
            _refuse_second(cast(Organization, actor.organization), chapter)
        row, change = plan_draft(actor, chapter)
        store_changes([[change]])
    return row.submission


def plan_draft(actor: Person, chapter: Chapter) -> tuple[Configuration, DraftChange]:
    """Return the first configuration of a new draft, and what is to be stored: the draft gets its number then."""
    submission = Submission(organization=actor.organization, chapter=chapter.number, created_by=actor)
    row = Configuration(submission=submission)
    return row, DraftChange(start_event(submission, (submission, row)), row, {})


def startable_chapter(actor: Person, chapter_number: str) -> Chapter:
    """Return the chapter as it is today; a `Refusal` unless the person may start a submission for it."""
    permissions.require(actor, "start")
    return chapter_today(chapter_number)


def open_submissions(organization: Organization, chapter_number: str) -> QuerySet[Submission]:
    """Return the licensee's drafts and filings of a game that are not decided, those that can be edited first."""
    rows = Submission.objects.filter(organization=organization, chapter=chapter_number).exclude(status__in=OVER)
    first = Case(When(status__in=WITH_LICENSEE, then=0), default=1)
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
    """Return the stored row of a new draft, inside the caller's transaction; `record_start` follows."""
    submission = Submission(organization=actor.organization, chapter=chapter_number, amends=amends, created_by=actor)
    insert_drafts([submission])
    return submission


def record_start(submission: Submission, **source: Any) -> None:
    """Record the first event of a draft, once its configurations and files exist; `source`: the row it is a copy of."""
    rows = (submission, *submission.configurations.all(), *submission.attachments.all())
    record_events([start_event(submission, rows, **source)])


def start_event(submission: Submission, rows: Iterable[Model], **source: Any) -> NewEvent:
    """Return the first event of a draft; `rows`: the draft, its configurations and its files."""
    amends = submission.amends
    named = {name: value for name, value in source.items() if value}
    after = {"chapter": submission.chapter, **named} | ({"amends": amends.number} if amends else {})
    return NewEvent(submission.created_by, submission, "amends" if amends else "started", after=after, seals=rows)


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of a set of changes.

    Every line is in exactly one of `saved`, `clashes` and `refusals`. A change to what is stored already counts as
    saved.
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
            store_changes([[saved_change(actor, submission, result)]])
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
    """Give the configuration among these rows the answers and its next version in memory; `save_answers` stores it."""
    permissions.require(actor, "edit", submission)
    chapter = draft_chapter(submission)
    cleaned, refusals = clean_answers(chapter, changes)
    if strict and refusals:
        raise next(iter(refusals.values()))
    row = configuration_among(rows, submission, configuration)
    if version is not None:
        check_configuration_version(row, version)
    before = row.answers
    changed = {key: answer for key, answer in cleaned.items() if before.get(key) != answer}
    clashes = {
        key: Conflict("answer-changed-meanwhile", option=key, theirs=before.get(key))
        for key in changed
        if seen is not None and before.get(key) != seen.get(key)
    }
    writable = changed.keys() - clashes.keys()
    refusals |= locked_line_refusals(chapter, submission, row, [key for key in changed if key in writable])
    if strict and (problem := next(iter((*clashes.values(), *refusals.values())), None)):
        raise problem
    written = {key: changed[key] for key in changed if key in writable - refusals.keys()}
    if written:
        row.answers, row.version = {**before, **written}, row.version + 1
    saved = tuple(key for key in changes if key not in clashes and key not in refusals)
    return SaveResult(row, before, written, saved, clashes, refusals)


def saved_change(actor: Person, submission: Submission, result: SaveResult) -> DraftChange:
    """Return the changed answers and their event, to be stored."""
    row, before = result.row, {key: result.before.get(key) for key in result.changed}
    after = {**result.changed, **group_payload(row)}
    event = NewEvent(actor, submission, "saved", before=before, after=after, seals=(row,))
    return DraftChange(event, row, {"answers": row.answers, "version": row.version})


def configuration_of(submission: Submission, position: int) -> Configuration:
    """Return the configuration at the position; `Conflict` if there is none, for example because it was removed."""
    return configuration_among(submission.configurations.filter(position=position), submission, position)


def configuration_among(rows: Iterable[Configuration], submission: Submission, position: int) -> Configuration:
    """Return that one of the submission's configurations; `Conflict` if it is not among these rows."""
    for row in rows:
        if row.position == position:
            return row
    raise no_such_group(submission, position)


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


@dataclass(frozen=True, slots=True)
class DraftProgress:
    """Counts of lines and of findings that block the filing, without those that a line is not answered yet.

    A line of two table groups counts twice.
    """

    answered_lines: int
    lines: int
    findings: int

    @property
    def is_complete(self) -> bool:
        """Whether it could be filed, as far as lines and findings say."""
        return self.answered_lines == self.lines and not self.findings

    @property
    def words(self) -> str:
        """Return the progress in words: "18 of 25 lines answered, 2 findings"."""
        lines = f"{self.answered_lines} of {counted(self.lines, 'line')} answered"
        findings = f", {counted(self.findings, 'finding')}" if self.findings else ""
        return lines + findings


def draft_progress(submission: Submission, book: OrderBook | None = None) -> DraftProgress | None:
    """Return the progress by the rules of the day on which the draft takes effect.

    None unless it is a draft of a chapter that the portal has. Reads `configurations`, prefetched or not; `book`: the
    Board's orders, if they are loaded.
    """
    chapter = draft_chapter_or_none(submission) if submission.status == Status.DRAFT else None
    if chapter is None:
        return None
    rows = list(submission.configurations.all())
    answers = [row.answers for row in rows]
    blocking = (finding for row in rows for finding in judge_draft(chapter, row, rows, book=book).blocking)
    return DraftProgress(
        answered_lines=sum(len(effective(chapter, each)) for each in answers),
        lines=sum(len(asked_lines(chapter, sound_answers(chapter, each))) for each in answers),
        findings=sum(not finding.unanswered for finding in blocking),
    )


def progress_of_rows(submissions: Iterable[Submission]) -> dict[int, DraftProgress]:
    """Return the progress of each draft among these rows, by primary key.

    One query for the orders, and one for the configurations if the rows do not have them. The rows have their
    organization.
    """
    drafts = [row for row in submissions if row.status == Status.DRAFT]
    prefetch_related_objects(drafts, "configurations")
    book = load_order_book() if drafts else None
    progress = {row.pk: draft_progress(row, book) for row in drafts}
    return {pk: row for pk, row in progress.items() if row is not None}


def progress_of_drafts(keys: Collection[int]) -> dict[int, DraftProgress]:
    """Return the progress of each draft among the submissions with these primary keys, by at most three queries.

    Who may see them is decided by the caller.
    """
    rows = Submission.objects.filter(pk__in=keys, status=Status.DRAFT).select_related("organization")
    return progress_of_rows(rows) if keys else {}


def locked_for(actor: Person, submission: Submission, verb: str, version: int) -> Submission:
    """Lock the submission for a step, if it is still as the person saw it, and if they may take the step."""
    submission = workflow.lock_row(submission)
    workflow.check_version(submission, version)
    permissions.require(actor, verb, submission)
    return submission


def delete_draft(actor: Person, submission: Submission, *, version: int) -> None:
    """Delete it: the person who started it may, or a manager."""
    with transaction.atomic():
        submission = locked_for(actor, submission, "delete", version)
        workflow.apply_transition(submission, "delete", version=version)
        record_event(actor, submission, "deleted", seals=(submission,))


def store_changes(changes_of: Iterable[Sequence[DraftChange]], between: Callable[[], None] = lambda: None) -> None:
    """Store the changes of each submission in their order, each with its event. The caller has locked the submissions.

    An event seals rows as they are after it. So the first change of every submission is stored, then the second one of
    every submission that has two, and so on. `between` is called between two parts, and may stop it by an exception.
    """
    for wave in zip_longest(*changes_of):
        changes = [change for change in wave if change]
        for start in range(0, len(changes), BATCH):
            between()
            part = changes[start : start + BATCH]
            _insert_started(
                [change.row for change in part if isinstance(change.row, Configuration) and not change.fields]
            )
            _update_fields([change for change in part if change.fields])
            record_events([change.event for change in part])


def insert_drafts(drafts: Sequence[Submission]) -> None:
    """Insert the drafts, in the caller's transaction, with their numbers: RS-2026-00001."""
    reserve_keys(drafts)
    year = timezone.localdate().year
    for draft in drafts:
        draft.number = f"RS-{year}-{draft.pk:05d}"
    insert_rows(drafts)


def _insert_started(rows: Sequence[Configuration]) -> None:
    """Insert configurations and their new drafts as they are started: later changes follow."""
    if not rows:
        return
    for row in rows:
        row.submission.takes_effect, row.answers, row.version = None, {}, 1
    insert_drafts([row.submission for row in rows])
    for row in rows:
        row.submission = row.submission  # again, for its key
    reserve_keys(rows)
    insert_rows(rows)


def _update_fields(changes: Sequence[DraftChange]) -> None:
    if not changes:
        return
    now = timezone.now()
    for change in changes:
        for name, value in {**change.fields, "changed_at": now}.items():
            setattr(change.row, name, value)
    for names, same in groupby(sorted(changes, key=_field_names), key=_field_names):
        update_rows([change.row for change in same], (*names, "changed_at"))
    saved = {change.row.submission_id for change in changes if isinstance(change.row, Configuration)}
    Submission.objects.filter(pk__in=saved).update(changed_at=now)


def _field_names(change: DraftChange) -> tuple[str, ...]:
    """Return the fields, which also imply the table."""
    return tuple(sorted(change.fields))
