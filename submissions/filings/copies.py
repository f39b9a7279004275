"""Drafts that begin as a copy of an earlier filing or at another property, or as an amendment of the latest version.

A copy takes the answers of each table group, and the latest file that each answer names: of a filing from its frozen
snapshot, of a draft from its rows. Lines that the rules of the copy's day no longer have are named and left out. A copy
at another property has neither tables nor pits nor the lines that list tables: that property enters its own.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction

from games.rules.model import Chapter
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.configurations import group_at
from submissions.core.errors import Conflict, Forbidden
from submissions.filings import drafts
from submissions.filings.snapshot import named_files, refuse_damaged
from submissions.filings.versions import require_latest_version
from submissions.jobs import idempotency
from submissions.models import OVER, Attachment, Configuration, Event, Person, Revision, Status, Submission
from submissions.permissions import workflow
from submissions.rules import chapter_today

SOURCES_AT_MOST = 50  # of one licensee


@dataclass(frozen=True, slots=True)
class CopySource:
    """A filing from which a draft can start, and the row of the person that sees it."""

    submission: Submission
    reader: Person


def copy_sources(actor: Person, chapter_number: str) -> list[CopySource]:
    """Return the filings of this game that the person may start from: the own licensee's, then other properties'."""
    rows = [actor, *(row for row in permissions.acting_rows(actor.account_key) if row.pk != actor.pk)]
    return [
        CopySource(submission, row)
        for row in rows
        for submission in permissions.visible_to(row)
        .filter(chapter=chapter_number, organization=row.organization)
        .exclude(status=Status.DELETED)
        .select_related("organization")[:SOURCES_AT_MOST]
    ]


def start_from(actor: Person, source: CopySource, *, form_token: str | None = None) -> Submission:
    """Create a draft of the person's licensee with the answers of the source."""
    if source.reader.pk != actor.pk:
        return copy_to_property(source.reader, source.submission, actor, form_token=form_token)
    return copy_own(actor, source.submission, form_token=form_token)


def copy_own(actor: Person, submission: Submission, *, form_token: str | None = None) -> Submission:
    """Create a draft with the answers, table groups and files of an earlier filing of the same licensee.

    `form_token`: of the page's form, which can be sent only once. `Forbidden` if the person may not start a draft, or
    does not see the filing; `Refusal` if the portal no longer has the chapter, or the filing is damaged.
    """
    permissions.require(actor, "start")
    return _copy(actor, submission, None, form_token)


def lines_not_copied(draft: Submission) -> list[str]:
    """Return the questions that the copy could not take, from its first event; empty for what is no copy."""
    first = Event.objects.filter(submission=draft, verb="started").first()
    return list(first.after.get("not_copied", ())) if first else []


def copy_targets(actor: Person) -> list[Person]:
    """Return the rows of the actor's account at other properties where it may prepare a submission."""
    rows = permissions.acting_rows(actor.account_key)
    return [row for row in rows if row.pk != actor.pk and permissions.may(row, "start")]


def copy_to_property(
    actor: Person, submission: Submission, target: Person, *, form_token: str | None = None
) -> Submission:
    """Create a draft at the property of `target`, another row of the actor's account, by that row; an event in both.

    `Forbidden` also if the account may not prepare there; else as `copy_own`.
    """
    return _copy(actor, submission, target, form_token)


def _copy(actor: Person, submission: Submission, target: Person | None, form_token: str | None) -> Submission:
    """Create a draft by the actor, or by their row at another property (`target`), which enters its own tables."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        if not permissions.visible_to(actor).filter(pk=submission.pk).exists():
            raise Forbidden("not-allowed/of-another-organization", what="submission")
        if target and target not in copy_targets(actor):
            raise Forbidden("not-preparing-there", organization=target.organization)
        chapter = chapter_today(submission.chapter)
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        missing = missing_lines(submission, chapter)
        lists = {option.key for option in chapter.options if option.limits.format == "tables" and target}
        draft = drafts.create_draft(target or actor, submission.chapter)
        copy_answers(submission, draft, without=lists | missing.keys(), with_tables=target is None)
        drafts.record_start(
            draft,
            copied_from=submission.number,
            property=str(submission.organization) if target else "",
            not_copied=list(missing.values()),
        )
        if target:
            after = {"copy": draft.number, "property": str(target.organization)}
            record_event(actor, submission, "copied", after=after)
    return draft


def start_amendment(actor: Person, submission: Submission) -> Submission:
    """Create a draft that amends this approved submission; only one at a time for a licensee's game."""
    with transaction.atomic():
        submission = workflow.lock_row(submission)  # who comes second finds the first one's draft
        permissions.require(actor, "amend", submission)
        require_latest_version(submission)
        if begun := open_amendment(submission):
            raise Conflict(
                "amendment-open", number=begun.number, name=begun.created_by.name, status=begun.get_status_display()
            )
        draft = drafts.create_draft(actor, submission.chapter, amends=submission)
        copy_answers(submission, draft)
        drafts.record_start(draft)
    return draft


def open_amendment(submission: Submission) -> Submission | None:
    """Return the amendment of this licensee's game that is not decided yet."""
    same = Submission.objects.filter(
        organization=submission.organization, chapter=submission.chapter, amends__isnull=False
    )
    return same.exclude(status__in=OVER).select_related("created_by").first()


def source_groups(submission: Submission) -> list[Configuration]:
    """Return the groups being prepared, or else filed last, not to be stored; `Refusal` if those are damaged."""
    revision = _source_revision(submission)
    if revision is None:
        return list(submission.configurations.all())
    refuse_damaged(revision)
    content = revision.content
    return [
        Configuration(
            position=group_at(content, place),
            name=row["name"],
            tables=row["tables"],
            pit=row.get("pit", ""),
            answers=row["answers"],
        )
        for place, row in enumerate(content["configurations"])
    ]


def missing_lines(submission: Submission, chapter: Chapter) -> dict[str, str]:
    """Return the answered lines of the source that the chapter lacks: key → the question as it was, else the key."""
    known = {option.key for option in chapter.options}
    revision = _source_revision(submission)
    rows = revision.content["configurations"] if revision else []
    questions = {line["key"]: f"{line['question']} ({line['citation']})" for row in rows for line in row["lines"]}
    keys = dict.fromkeys(key for group in source_groups(submission) for key in group.answers if key not in known)
    return {key: questions.get(key, key) for key in keys}


def copy_answers(
    submission: Submission, draft: Submission, *, without: Collection[str] = (), with_tables: bool = True
) -> None:
    """Copy the groups with their answers, but for the lines in `without`, in the caller's transaction.

    Without tables, the groups' tables and pits are left empty. Files are uploaded by who starts the draft; an
    amendment's, by who uploaded them first.
    """
    groups = source_groups(submission)
    answers = [{key: answer for key, answer in each.answers.items() if key not in without} for each in groups]
    for group, given in zip(groups, answers, strict=True):
        described = {"name": group.name} if group.position else {}  # the first has its name from being the first
        tables = {"tables": group.tables, "pit": group.pit} if with_tables else {}
        Configuration.objects.create(submission=draft, position=group.position, answers=given, **described, **tables)
    for file in named_files(submission.attachments.all(), answers):
        Attachment.objects.create(
            submission=draft,
            option=file.option,
            stored_id=file.stored_id,
            name=file.name,
            uploaded_by_id=file.uploaded_by_id if draft.amends_id else draft.created_by_id,
        )


def _source_revision(submission: Submission) -> Revision | None:
    return None if submission.editable else submission.revisions.first()
