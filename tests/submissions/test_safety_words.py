"""What people type cannot break the store, hang a page or mislead a reader of the signed document."""

from __future__ import annotations

import pytest

from games.registry import chapter
from submissions.core.errors import Refusal
from submissions.filings import drafts, filing
from submissions.filings.review import decisions
from submissions.models import Event, Person, Submission
from tests.submissions.example_drafts import ready_to_file

MISLEADING = ("a\x00b", "a\x1b[31mb", "pays \u202e001$", "\u2066hidden\u2069", "a\ud800b")


@pytest.fixture
def filed(preparer: Person, manager: Person) -> Submission:
    draft = ready_to_file(preparer, "687a")
    filing.file_submission(manager, draft, version=1, attested=True)
    draft.refresh_from_db()
    return draft


@pytest.mark.parametrize("reason", MISLEADING)
def test_reason_that_cannot_be_printed_is_refused(filed: Submission, analyst: Person, reason: str) -> None:
    with pytest.raises(Refusal) as refusal:
        decisions.return_to_licensee(analyst, filed, version=2, reason=reason)
    assert refusal.value.code == "control-characters"
    assert "U+" in refusal.value.message
    assert not Event.objects.filter(verb="returned").exists()


def test_reason_of_a_novel_is_refused(filed: Submission, manager: Person) -> None:
    with pytest.raises(Refusal) as refusal:
        filing.withdraw_submission(manager, filed, version=2, reason="why " * 10_000)
    assert refusal.value.code == "text-too-long"


def test_reason_is_kept_alike_in_history_and_decision(filed: Submission, analyst: Person) -> None:
    decision = decisions.return_to_licensee(analyst, filed, version=2, reason="  Which\r\nshuffler?\t ")
    assert decision.reason == Event.objects.get(verb="returned").reason == "Which\nshuffler?"


@pytest.mark.parametrize("answer", MISLEADING)
def test_answer_that_cannot_be_printed_is_refused(preparer: Person, answer: str) -> None:
    draft = drafts.start_submission(preparer, "687a")
    key = next(option.key for option in chapter("687a").options if option.kind == "text")
    with pytest.raises(Refusal) as refusal:
        drafts.save_answers(preparer, draft, {key: answer}, strict=True)
    assert refusal.value.code == "control-characters"


@pytest.mark.parametrize("kind", ["money", "percent", "count"])
@pytest.mark.parametrize("answer", ["1E+999999999", "1e-999999999", "9" * 5000, 10**100])
def test_number_that_no_checklist_asks_for_is_refused(preparer: Person, kind: str, answer: str | int) -> None:
    """Written out, 1E+999999999 fills a gigabyte: whoever looked at the history would wait for it."""
    number, key = next(
        (number, option.key) for number in ("687a", "588", "637a") for option in chapter(number).options
        if option.kind == kind
    )  # fmt: skip
    draft = drafts.start_submission(preparer, number)
    with pytest.raises(Refusal) as refusal:
        drafts.save_answers(preparer, draft, {key: answer}, strict=True)
    assert (refusal.value.code, refusal.value.option) == ("number-too-long", key)


def test_start_of_a_chapter_that_is_not_there_is_refused(preparer: Person) -> None:
    with pytest.raises(Refusal) as refusal:
        drafts.start_submission(preparer, "999")
    assert refusal.value.code == "unknown-chapter"
