"""Apply one item by the handler of its kind.

It calls the same action as the pages, and the result is written into the item's row: done, or refused with the refusal
of the action.

An item must not cause a finding: a page stores a wrong answer with its finding, so that nothing typed is lost, but an
item with a wrong answer is refused. Open lines are allowed. Not here: updates of very many drafts at once
(`planned_items`), the order and the transactions of the items (`batch_worker`).
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from django.db import DatabaseError, DataError, IntegrityError, transaction
from django.utils import timezone

from games.rules.differences import answer_differences
from games.rules.export import finding_data
from games.rules.model import Chapter
from submissions.accounts import api_credentials
from submissions.bulk.items import ITEM_VERBS, SIGNED_STEPS, ItemDependencies, ItemRequest, parse_item
from submissions.core.configurations import index_of_group
from submissions.core.errors import Conflict, Forbidden, NotFound, Refusal
from submissions.core.row_updates import update_rows
from submissions.filings import copies, drafts, filing, planned_day, questions, table_groups
from submissions.filings.answer_values import parse_answer
from submissions.filings.diff import base_revision, compare_revisions, draft_figures
from submissions.filings.drafts import DraftChange, store_changes
from submissions.filings.hold_findings import findings_by_place
from submissions.filings.judging import judge_draft, refuse_missing_text
from submissions.filings.orders.waived_findings import OrderBook
from submissions.filings.review import comments, decisions
from submissions.models import Batch, Configuration, Item, Person, Revision, Submission
from submissions.permissions import remarks_visible_to, visible_to, workflow
from submissions.permissions.credentials import refuse_revoked, signers_of
from submissions.rules import draft_chapter, filed_chapter

UNREPORTED = ("seen", "filing")  # results for the portal itself: the checked versions, and the summary of a filing


@dataclass(slots=True)
class ItemOutcome:
    """The result of an item: the numbers and versions that the next call needs; the changed lines as text."""

    made: dict[str, Any]  # with those of `UNREPORTED`
    changes: list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class ItemActor:
    """The person; whether answers are text, from a spreadsheet; the versions when the item was checked."""

    person: Person
    answers_are_text: bool = False
    seen: Mapping[str, Any] = field(default_factory=dict)


def plan_item(
    actor: ItemActor,
    submission: Submission,
    rows: Sequence[Configuration],
    sent: ItemRequest,
    book: OrderBook | None = None,
    *,
    group: int,
    version: int,
) -> tuple[list[DraftChange], ItemOutcome]:
    """Return the changes of an item's day and answers, and its outcome.

    The rows have them in memory, after a refusal maybe a part of them; nothing is written.

    `rows`: the submission's configurations; `group`, `version`: the one that is changed; `book`: the Board's orders, if
    they are loaded.
    """
    changes = []
    if text := sent.text("takes_effect"):  # the answers are judged by the rules of that day
        changes += planned_day.set_effective_day(actor.person, submission, planned_day.parse_planned_day(text))
    if not sent.answers and sent.verb != "update":
        return changes, outcome_of(submission, group=group, configuration_version=version)
    chapter = draft_chapter(submission)
    answers = sent.answers
    if actor.answers_are_text:
        answers = {key: _parsed(chapter, key, value) for key, value in answers.items()}
    saved = drafts.plan_answers(
        actor.person, submission, rows, answers, version=version, configuration=group, strict=True
    )
    _refuse_wrong(chapter, saved, rows, book)
    if saved.changed:
        changes.append(drafts.saved_change(actor.person, submission, saved))
    row = saved.row
    differences = answer_differences(chapter, saved.before, row.answers)
    lines = [asdict(line) for line in differences if line.before != line.after]  # some only differ in form: 50.0 → 50
    return changes, outcome_of(submission, lines, group=row.position, configuration_version=row.version)


def outcome_of(submission: Submission, changes: Sequence[dict[str, str]] = (), **made: Any) -> ItemOutcome:
    return ItemOutcome({"submission": submission.number, "version": submission.version, **made}, list(changes))


def _parsed(chapter: Chapter, key: str, value: Any) -> Any:
    """Return a cell as the answer of its line; an unknown line is refused by the action."""
    option = next((option for option in chapter.options if option.key == key), None)
    return parse_answer(option, value) if option and isinstance(value, str) else value


def _refuse_wrong(
    chapter: Chapter, saved: drafts.SaveResult, rows: Sequence[Configuration], book: OrderBook | None
) -> None:
    """Refuse the findings that these answers cause; open lines and old findings are allowed."""
    after = judge_draft(chapter, saved.row, rows, saved.row.answers, book, reads_list=False).blocking
    findings = [finding for finding in after if not finding.unanswered]
    if findings:
        known = judge_draft(chapter, saved.row, rows, saved.before, book, reads_list=False).blocking
        findings = [finding for finding in findings if finding not in known]
    refuse_missing_text(findings)
    if findings:
        more = f" ({len(findings) - 1} more: see `findings`)" if len(findings) > 1 else ""
        raise Refusal(
            "answers-not-allowed",
            fix=findings[0].fix,
            option=next(iter(findings[0].options), ""),
            citation=findings[0].citation,
            findings=findings,
            text=findings[0].message,
            more=more,
        )


Handler = Callable[[ItemActor, Submission, ItemRequest], ItemOutcome]


def apply_item(actor: ItemActor, sent: ItemRequest, submission: str) -> ItemOutcome:
    """Apply the item. `submission` is the number that it refers to; "" if it refers to none."""
    if "submission" not in ITEM_VERBS[sent.verb].needs:
        draft = drafts.start_submission(actor.person, sent.text("chapter"), another=sent.text("another") != "no")
        return _write(actor, draft, sent, group=0, version=1)
    row = visible_to(actor.person).select_related("organization").filter(number=submission[:40]).first()
    if row is None:
        raise NotFound("not-found/submission", option="submission", submission=submission[:40])
    return _HANDLERS[sent.verb](actor, row, sent)


def _update(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    return _write(actor, submission, sent, sent.number("group"), sent.number("version"))


def _write(actor: ItemActor, submission: Submission, sent: ItemRequest, group: int, version: int) -> ItemOutcome:
    """Write the day and the answers that the item brings."""
    submission = workflow.lock_row(submission)
    rows = list(submission.configurations.all())
    changes, outcome = plan_item(actor, submission, rows, sent, group=group, version=version)
    store_changes([changes])
    return outcome


def _amend(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    draft = copies.start_amendment(actor.person, submission)
    row = _copied_group(submission, draft, sent)
    return _write(actor, draft, sent, row.position, row.version)


def _copy(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    draft = copies.copy_own(actor.person, submission)
    row = _copied_group(submission, draft, sent)
    outcome = _write(actor, draft, sent, row.position, row.version)
    return ItemOutcome(outcome.made | {"not_copied": copies.lines_not_copied(draft)}, outcome.changes)


def _copied_group(submission: Submission, draft: Submission, sent: ItemRequest) -> Configuration:
    """Return the table group of the draft; a refusal names the submission, because the draft is then undone."""
    row = draft.configurations.filter(position=sent.number("group")).first()
    if row is None:
        raise drafts.no_such_group(submission, sent.number("group"))
    return row


def _add_group(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    description = table_groups.GroupDescription(sent.text("name"), sent.text("tables"), sent.text("pit"))
    row = table_groups.add_group(actor.person, submission, description)
    return _write(actor, submission, sent, row.position, row.version)


def _remove_group(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    row = drafts.configuration_of(submission, sent.number("group"))
    drafts.check_configuration_version(row, sent.number("version"))
    table_groups.remove_group(actor.person, submission, row.position)
    return outcome_of(submission)


def _answer(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    remark = remarks_visible_to(actor.person, submission).filter(pk=sent.number("remark")).first()
    if remark is None:
        raise NotFound("not-found/remark", option="remark", number=submission.number, remark=sent.number("remark"))
    questions.answer_question(actor.person, remark, kind=sent.text("kind"), text=sent.text("text"))
    return outcome_of(submission, remark=remark.pk)


def _file(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    """File what was confirmed: refused if an answer changed since the check."""
    seen = {str(group): version for group, version in submission.configurations.values_list("position", "version")}
    if actor.seen and actor.seen != seen:
        raise Conflict("configuration-changed-meanwhile/batch", theirs=seen, option="version", number=submission.number)
    revision = filing.file_submission(actor.person, submission, version=sent.number("version"), attested=True)
    submission.refresh_from_db()
    summary, changes = _filing_summary(revision)
    made = {"receipt": revision.receipt, "sha256": revision.sha256, "seen": seen, "filing": summary}
    return outcome_of(submission, changes, **made)


def _remark(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    latest = submission.revisions.latest("number")
    place = index_of_group(latest.content, sent.number("group"))
    if place is None:
        raise drafts.no_such_group(submission, sent.number("group"))
    texts = {name: sent.text(name) for name in ("text", "audience", "option")}
    revision = sent.number("revision")
    written = comments.write_comment(actor.person, submission, revision=revision, configuration=place, **texts)
    return outcome_of(submission, remark=written.pk)


def _step(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    """Take a step of the workflow that needs no more than a version and a reason."""
    version, reason = sent.number("version"), sent.text("reason")
    decisions.take_step(actor.person, submission, sent.verb, version=version, reason=reason)
    submission.refresh_from_db()
    return outcome_of(submission)


_HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(SIGNED_STEPS, _step),
    "update": _update,
    "amend": _amend,
    "copy": _copy,
    "add-group": _add_group,
    "remove-group": _remove_group,
    "answer": _answer,
    "file": _file,
    "remark": _remark,
}


def _filing_summary(revision: Revision) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """Return the base filing, the numbers of answers and open findings, and the differences as text.

    For the person who confirms; the base is "" for a first filing. Of the filing that the check makes and rolls back:
    with the changes of earlier items.
    """
    base, content = base_revision(revision), revision.content
    configurations = content["configurations"]
    on_holds = findings_by_place(content, draft_figures(filed_chapter(revision, content), content))
    summary = {
        "base": base.receipt if base else "",
        "answers": sum(bool(line["answer"]) for configuration in configurations for line in configuration["lines"]),
        "findings": sum(len(configuration["findings"]) for configuration in configurations) + sum(map(len, on_holds)),
    }
    return summary, _filing_changes(base, revision) if base else []


def _filing_changes(base: Revision, revision: Revision) -> list[dict[str, str]]:
    diff = compare_revisions(base, revision)
    several = any(len(filing.content["configurations"]) > 1 for filing in (base, revision))
    groups = [
        {"option": "", "citation": "", "question": f"Table group: {name}", "before": before, "after": after}
        for name, before, after in diff.groups
    ]
    lines = [
        {
            "option": line.key,
            "citation": line.citation,
            "question": f"{part.tables}: {line.question}" if several else line.question,
            "before": line.before,
            "after": line.after,
        }
        for part in diff.parts
        for line in part.lines
    ]
    return [*groups, *lines]


log = logging.getLogger(__name__)

DONE_FIELDS = ("state", "status", "made", "at")
RESULT_FIELDS = (*DONE_FIELDS, "changes", "code", "message", "fix", "section", "option", "findings")
Action = Callable[[ItemActor, ItemRequest, str], ItemOutcome]


class ActorResolver:
    """The actors of a batch's items. Made for each transaction: people leave, and credentials are revoked."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def of(self, sent: ItemRequest) -> Person:
        """Return the person who confirmed a signed step, before that one who may; for others the sender."""
        if self.batch.credential and not self.batch.signer:  # a confirmed batch is the person's
            refuse_revoked(self.batch.credential)
        person = self._signer if ITEM_VERBS[sent.verb].signed else self.batch.by
        if not person.is_active:
            raise Forbidden("person-left", name=person.name, organization=self.batch.organization)
        return person

    @cached_property
    def _signer(self) -> Person:
        batch = self.batch
        if batch.signer:
            return batch.signer
        if not batch.organization.is_live:
            return api_credentials.sandbox_signer(batch.organization)
        signers = signers_of(batch.organization).select_related("organization")
        signer: Person | None = signers.filter(pk=batch.by.pk).first() or signers.first()
        if signer is None:
            raise Forbidden("nobody-signs", organization=batch.organization)
        return signer


def _apply_or_undo(actor: ItemActor, sent: ItemRequest, submission: str) -> ItemOutcome:
    with transaction.atomic():
        return apply_item(actor, sent, submission)


def answer_item(
    item: Item, actors: ActorResolver, dependencies: ItemDependencies, action: Action = _apply_or_undo
) -> None:
    """Apply the item and write its result; failures of the machine are raised, so that the job is tried again.

    `action`: what is done for the actor, with the item and the number of the submission that it refers to.
    """
    try:
        sent = parse_item(item.given)
        number = dependencies.submission_of(item, sent)
        seen, is_text = item.made.get("seen", {}), actors.batch.form != "json"
        done = action(ItemActor(actors.of(sent), answers_are_text=is_text, seen=seen), sent, number)
    except Refusal as refusal:
        refuse_item(item, refusal)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, DatabaseError) and not isinstance(error, DataError | IntegrityError):
            raise
        log.exception("%s, item %s", actors.batch.number, item.place)
        fault = Refusal("our-fault")
        fault.status = 500
        refuse_item(item, fault)
    else:
        item.state, item.status, item.at = Item.State.DONE, 200, timezone.now()
        item.made, item.changes = done.made, done.changes
        item.code = item.message = item.fix = item.section = item.option = ""
        item.findings = []
    dependencies.note(item)


def check_items(items: Sequence[Item], actors: ActorResolver, dependencies: ItemDependencies) -> None:
    """Apply the items one after the other, write their results, and roll back."""
    with transaction.atomic():
        for item in items:
            answer_item(item, actors, dependencies)
        transaction.set_rollback(True)
    mark_as_checked(items)


def mark_as_checked(items: Iterable[Item]) -> None:
    """Mark the items that would be applied as checked, without what only applying them creates."""
    for item in items:
        if item.state == Item.State.DONE:
            item.state = Item.State.PASSED
            item.made = {name: value for name, value in item.made.items() if name in UNREPORTED}


def refuse_item(item: Item, refusal: Refusal) -> None:
    item.state, item.status, item.at = Item.State.REFUSED, refusal.status, timezone.now()
    item.code, item.message, item.fix = refusal.code[:60], refusal.message, refusal.fix
    item.section, item.option = refusal.citation[:200], refusal.option[:60]
    item.findings = [finding_data(finding) for finding in refusal.findings]
    item.made, item.changes = {}, []


def save_results(items: Iterable[Item], stored: Mapping[int, object] | None = None) -> None:
    """Store the results of items that had none yet.

    The texts of those that are not refused are empty as before. `stored`: by the items' places, the changes that a
    check has stored, which are not stored again if they are equal.
    """
    rows, stored = list(items), stored or {}
    applied = [row for row in rows if row.state != Item.State.REFUSED]
    update_rows([row for row in rows if row.state == Item.State.REFUSED], RESULT_FIELDS)
    update_rows([row for row in applied if stored.get(row.place) != row.changes], (*DONE_FIELDS, "changes"))
    update_rows([row for row in applied if stored.get(row.place) == row.changes], DONE_FIELDS)
