"""The answers of an item: saved, or planned without writing; judged; and the outcome of the item.

An item must not cause a finding: a page stores a wrong answer with its finding, so that nothing typed is lost, but an
item with a wrong answer is refused. Open lines are allowed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from games.rules.compare import differences
from games.rules.model import Answers, Chapter
from submissions.bulk.item_schema import ItemRequest
from submissions.core.errors import Refusal
from submissions.filings import drafts
from submissions.filings.answer_parsing import parse_answer
from submissions.filings.judging import blocking_findings
from submissions.filings.missing_text import refuse_missing_text
from submissions.models import Configuration, Person, Submission
from submissions.orders.waived_findings import OrderBook
from submissions.rules.rules_day import draft_chapter

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


def save_item_answers(
    actor: ItemActor, submission: Submission, sent: ItemRequest, *, group: int, version: int
) -> ItemOutcome:
    """Write the answers, unless they cause a finding."""
    chapter = draft_chapter(submission)
    changes = _changes(actor, chapter, sent)
    saved = drafts.save_answers(actor.person, submission, changes, version=version, configuration=group, strict=True)
    _refuse_wrong(chapter, saved, list(saved.row.submission.configurations.all()))
    return _saved_outcome(chapter, submission, saved)


def plan_item_answers(
    actor: ItemActor,
    submission: Submission,
    rows: Sequence[Configuration],
    sent: ItemRequest,
    book: OrderBook,
    *,
    version: int,
) -> tuple[drafts.SaveResult, ItemOutcome]:
    """What saving the answers would store, and the outcome. Nothing is written, and nothing read again. A refusal may
    leave the answers in the row. `rows`: the configurations of the submission; `book`: the orders of the Board.
    """
    chapter, group = draft_chapter(submission), sent.number("group")
    changes = _changes(actor, chapter, sent)
    planned = drafts.plan_answers(
        actor.person, submission, rows, changes, version=version, configuration=group, strict=True
    )
    _refuse_wrong(chapter, planned, rows, book)
    return planned, _saved_outcome(chapter, submission, planned)


def outcome_of(submission: Submission, changes: Sequence[dict[str, str]] = (), **made: Any) -> ItemOutcome:
    return ItemOutcome({"submission": submission.number, "version": submission.version, **made}, list(changes))


def _changes(actor: ItemActor, chapter: Chapter, sent: ItemRequest) -> Answers:
    changes = sent.answers
    if actor.answers_are_text:
        changes = {key: _parsed(chapter, key, value) for key, value in changes.items()}
    return changes


def _parsed(chapter: Chapter, key: str, value: Any) -> Any:
    """A cell as the answer of its line; an unknown line is refused by the action."""
    option = next((option for option in chapter.options if option.key == key), None)
    return parse_answer(option, value) if option and isinstance(value, str) else value


def _saved_outcome(chapter: Chapter, submission: Submission, saved: drafts.SaveResult) -> ItemOutcome:
    row = saved.row
    changed_lines = (line for line in differences(chapter, saved.before, row.answers) if line.before != line.after)
    lines = [asdict(line) for line in changed_lines]  # without those that only differ in form: 50.0 → 50
    return outcome_of(submission, lines, group=row.position, configuration_version=row.version)


def _refuse_wrong(
    chapter: Chapter, saved: drafts.SaveResult, rows: Sequence[Configuration], book: OrderBook | None = None
) -> None:
    """Refuse the findings that these answers cause; open lines and old findings are allowed."""
    after = blocking_findings(chapter, saved.row, rows, saved.row.answers, book)
    findings = [finding for finding in after if not finding.unanswered]
    if findings:
        known = blocking_findings(chapter, saved.row, rows, saved.before, book)
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
