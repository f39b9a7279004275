"""Copying a filing to another property of the company: a draft there with the same answers.

What was filed is copied from the frozen snapshot, a draft from its rows. Table groups are copied without their tables
and pits, and so are lines that list tables: the other property has its own, which are to be entered. Files are attached
again.
"""

from collections.abc import Collection, Iterable
from typing import Any

from django.db import transaction

from games.registry import UnknownChapter
from submissions import permissions
from submissions.audit.record import record_event
from submissions.core.configuration_index import group_at
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import drafts
from submissions.filings.snapshot import refuse_damaged
from submissions.jobs import idempotency
from submissions.models import Attachment, Configuration, Person, Submission
from submissions.permissions import workflow
from submissions.rules.rules_day import draft_chapter

GroupAnswers = tuple[int, str, dict[str, Any]]  # position, name, answers


def copy_targets(actor: Person) -> list[Person]:
    """The rows of the actor's account at other properties where it may prepare a submission."""
    rows = permissions.acting_rows(actor.sign_in_account)
    return [row for row in rows if row.pk != actor.pk and permissions.may(row, "start")]


def copy_to_property(
    actor: Person, submission: Submission, target: Person, *, form_token: str | None = None
) -> Submission:
    """A draft at the property of `target`, another row of the actor's account, by that row; an event in both.

    `form_token`: of the page's form, which can be sent only once.

    Raises:
        Forbidden: the actor does not see the submission, or the account may not prepare there.
        Refusal: the portal no longer has the chapter, or the filing is damaged.
    """
    with transaction.atomic():
        submission = workflow.lock_row(submission)
        if not permissions.visible_to(actor).filter(pk=submission.pk).exists():
            raise Forbidden("not-allowed/of-another-organization", what="submission")
        row = next((row for row in copy_targets(actor) if row.pk == target.pk), None)
        if row is None:
            raise Forbidden("not-preparing-there", organization=target.organization)
        if form_token is not None:
            idempotency.note_sent_form(actor, form_token)
        lists = _lists_of_tables(submission)
        draft = drafts.create_draft(row, submission.chapter)
        _copy(submission, draft, without=lists)
        drafts.record_start(draft, copied_from=submission.number, property=str(submission.organization))
        record_event(actor, submission, "copied", after={"copy": draft.number, "property": str(row.organization)})
    return draft


def _lists_of_tables(submission: Submission) -> set[str]:
    """The lines whose answer is a list of tables; a `Refusal` if the portal no longer has the chapter."""
    try:
        options = draft_chapter(submission).options
    except UnknownChapter as error:
        raise Refusal("unknown-chapter/start", problem=str(error).capitalize()) from None
    return {option.key for option in options if option.limits.format == "tables"}


def _copy(submission: Submission, draft: Submission, *, without: Collection[str]) -> None:
    """The groups with their answers, but for those lines; and the latest file that each answer names."""
    groups = [
        (position, name, {key: answer for key, answer in answers.items() if key not in without})
        for position, name, answers in _groups(submission)
    ]
    for position, name, answers in groups:
        described = {"name": name} if position else {}  # the first has its name from being the first
        Configuration.objects.create(submission=draft, position=position, answers=answers, **described)
    given = [line for *_, answers in groups for line in answers.items()]
    named = {(key, answer["sha256"]) for key, answer in given if isinstance(answer, dict)}
    latest = {(file.option, file.stored_id): file for file in reversed(submission.attachments.all())}
    for line in sorted(named & latest.keys()):
        copied = {"option": line[0], "stored_id": line[1], "name": latest[line].name}
        Attachment.objects.create(submission=draft, uploaded_by=draft.created_by, **copied)


def _groups(submission: Submission) -> Iterable[GroupAnswers]:
    """What is being prepared, or else what was filed last."""
    revision = None if submission.editable else submission.revisions.first()
    if revision is None:
        return [(row.position, row.name, dict(row.answers)) for row in submission.configurations.all()]
    refuse_damaged(revision)
    content = revision.content
    rows = enumerate(content["configurations"])
    return [(group_at(content, place), row["name"], dict(row["answers"])) for place, row in rows]
