"""What each kind of item does: it calls the same action as the pages and returns the outcome.

Not here: the answers of an item (`item_answers`), updates of very many drafts at once (`planned_items`).
"""

from collections.abc import Callable
from typing import Any

from submissions.bulk.item_answers import ItemActor, ItemOutcome, outcome_of, save_item_answers
from submissions.bulk.item_schema import ITEM_VERBS, ItemRequest
from submissions.core.configuration_index import index_of_group
from submissions.core.errors import Conflict, NotFound
from submissions.filings import amendments, drafts, filing, own_copies, planned_day, questions, table_groups
from submissions.filings.diff_base import base_revision, compare_revisions
from submissions.models import Configuration, Revision, Submission
from submissions.permissions import remarks_visible_to, visible_to, workflow
from submissions.review import comments, decisions

ATTESTATION = {
    "file": f"Of each Rules Submission that this batch files I attest: {filing.ATTESTATION}",
    "withdraw": "I withdraw the Rules Submissions named in this batch.",
    "recommend": "I have reviewed the Rules Submissions named in this batch, and recommend their approval.",
    "return": "I return the Rules Submissions named in this batch with the questions that are open.",
}


Handler = Callable[[ItemActor, Submission, ItemRequest], ItemOutcome]


def apply_item(actor: ItemActor, sent: ItemRequest, submission: str) -> ItemOutcome:
    """Apply the item. `submission` is the number that it refers to; "" if it refers to none."""
    if "submission" not in ITEM_VERBS[sent.verb].needs:
        draft = drafts.start_submission(actor.person, sent.text("chapter"), another=sent.text("another") != "no")
        return _started(actor, draft, draft.configurations.get(), sent)
    row = visible_to(actor.person).select_related("organization").filter(number=submission[:40]).first()
    if row is None:
        raise NotFound("not-found/submission", option="submission", submission=submission[:40])
    return _HANDLERS[sent.verb](actor, row, sent)


def _update(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    _plan(actor, submission, sent)
    return save_item_answers(actor, submission, sent, group=sent.number("group"), version=sent.number("version"))


def _plan(actor: ItemActor, submission: Submission, sent: ItemRequest) -> None:
    """Plan the effective day that the item names, before its answers are judged by the rules of that day."""
    if text := sent.text("takes_effect"):
        day = planned_day.parse_planned_day(text)
        submission.takes_effect = planned_day.plan_effective_day(actor.person, submission, day).takes_effect


def _amend(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    draft = amendments.start_amendment(actor.person, submission)
    return _started(actor, draft, _copied_group(submission, draft, sent), sent)


def _copy(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    draft = own_copies.copy_own(actor.person, submission)
    outcome = _started(actor, draft, _copied_group(submission, draft, sent), sent)
    return ItemOutcome(outcome.made | {"not_copied": own_copies.lines_not_copied(draft)}, outcome.changes)


def _copied_group(submission: Submission, draft: Submission, sent: ItemRequest) -> Configuration:
    """The table group of the draft; a refusal names the submission, because the draft is then undone."""
    row = draft.configurations.filter(position=sent.number("group")).first()
    if row is None:
        raise drafts.no_such_group(submission, sent.number("group"))
    return row


def _add_group(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
    workflow.check_version(submission, sent.number("version"))
    description = table_groups.GroupDescription(sent.text("name"), sent.text("tables"), sent.text("pit"))
    row = table_groups.add_group(actor.person, submission, description)
    return _started(actor, submission, row, sent)


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


def _step(take: Callable[..., object]) -> Handler:
    """A step of the workflow that takes a version and a reason."""

    def handle(actor: ItemActor, submission: Submission, sent: ItemRequest) -> ItemOutcome:
        take(actor.person, submission, version=sent.number("version"), reason=sent.text("reason"))
        submission.refresh_from_db()
        return outcome_of(submission)

    return handle


_HANDLERS: dict[str, Handler] = {
    "update": _update,
    "amend": _amend,
    "copy": _copy,
    "add-group": _add_group,
    "remove-group": _remove_group,
    "answer": _answer,
    "file": _file,
    "withdraw": _step(filing.withdraw_submission),
    "remark": _remark,
    "recommend": _step(decisions.recommend_approval),
    "return": _step(decisions.return_to_licensee),
}


def _started(actor: ItemActor, submission: Submission, row: Configuration, sent: ItemRequest) -> ItemOutcome:
    """The outcome of an item that creates something, with the day and the answers that it brings."""
    _plan(actor, submission, sent)
    if sent.answers:
        return save_item_answers(actor, submission, sent, group=row.position, version=row.version)
    return outcome_of(submission, group=row.position, configuration_version=row.version)


def _filing_summary(revision: Revision) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The base filing ("" for a first one), the numbers of answers and open findings; and the differences, as text.

    For the person who confirms. Of the filing that the check makes and rolls back: with the changes of earlier items.
    """
    base, configurations = base_revision(revision), revision.content["configurations"]
    summary = {
        "base": base.receipt if base else "",
        "answers": sum(bool(line["answer"]) for configuration in configurations for line in configuration["lines"]),
        "findings": sum(len(configuration["findings"]) for configuration in configurations),
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
