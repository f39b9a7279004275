"""Nothing typed is lost: each line is saved by itself, and two people at once are told."""

import pytest

from submissions.audit.chain import verify_chain
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import drafts
from submissions.filings.judging import judge_draft
from submissions.models import Event, Person, Submission
from submissions.rules import draft_chapter
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("locks", "JSON")


@pytest.fixture
def draft(preparer: Person) -> Submission:
    return drafts.start_submission(preparer, "687a")


def answers(draft: Submission) -> dict[str, object]:
    return draft.configurations.get().answers


def test_save_keeps_lines_and_records_them(preparer: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2, "automated_shuffler": True}, seen={})
    assert answers(draft) == {"adjacent_boxes": 2, "automated_shuffler": True}
    event = Event.objects.get(verb="saved")
    assert event.after == {"adjacent_boxes": 2, "automated_shuffler": True}
    assert event.before == {"adjacent_boxes": None, "automated_shuffler": None}


def test_save_keeps_what_the_rules_forbid(preparer: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 7}, seen={})
    assert answers(draft)["adjacent_boxes"] == 7


def test_two_browsers_on_the_same_line_conflict(preparer: Person, manager: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2}, seen={})
    result = drafts.save_answers(manager, draft, {"adjacent_boxes": 3, "automated_shuffler": True}, seen={})
    assert (result.saved, result.refusals) == (("automated_shuffler",), {})
    assert {key: clash.theirs for key, clash in result.clashes.items()} == {"adjacent_boxes": 2}
    assert answers(draft) == {"adjacent_boxes": 2, "automated_shuffler": True}


def test_two_browsers_on_different_lines_both_saved(preparer: Person, manager: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2}, seen={})
    drafts.save_answers(manager, draft, {"automated_shuffler": False}, seen={})
    assert answers(draft) == {"adjacent_boxes": 2, "automated_shuffler": False}


def test_same_answer_twice_changes_nothing(preparer: Person, manager: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2}, seen={})
    drafts.save_answers(manager, draft, {"adjacent_boxes": 2}, seen={})
    assert Event.objects.filter(verb="saved").count() == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"manual_shoe_tables": "12\x00"}, "control-characters"),
        ({"manual_shoe_tables": "12\u2028 14\x1b[31m"}, "control-characters"),
        ({"no_such_line": True}, "unknown-line"),
        ({"manual_shoe_tables": "1" * 10_001}, "text-too-long"),
        ({"manual_shoe_tables": {"a": 1}}, "answer-shape"),
    ],
)
def test_refused_line_holds_up_no_other_unless_strict(
    preparer: Person, draft: Submission, changes: dict[str, object], code: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        drafts.save_answers(preparer, draft, {"adjacent_boxes": 2, **changes}, strict=True)
    assert refusal.value.code == code
    assert answers(draft) == {}
    result = drafts.save_answers(preparer, draft, {"adjacent_boxes": 2, **changes}, seen={})
    assert [refused.code for refused in result.refusals.values()] == [code]
    assert answers(draft) == {"adjacent_boxes": 2}


@pytest.mark.parametrize("answer", [1.5, [2], {"count": 2}])
def test_answer_of_another_type_is_refused_in_the_words_of_the_finding(preparer: Person, answer: object) -> None:
    """The same text, typed on the page, is stored with that finding."""
    draft = ready_to_file(preparer, "687a")
    drafts.save_answers(preparer, draft, {"adjacent_boxes": str(answer)})
    row = draft.configurations.get()
    (finding,) = judge_draft(draft_chapter(draft), row, [row]).of("adjacent_boxes")
    with pytest.raises(Refusal) as refusal:
        drafts.save_answers(preparer, draft, {"adjacent_boxes": answer}, strict=True)
    assert (refusal.value.code, refusal.value.option) == ("answer-shape", "adjacent_boxes")
    assert refusal.value.citation == finding.citation
    assert refusal.value.message == finding.message.replace("the text ", "")
    assert refusal.value.fix == "Answer with a whole number."


def test_save_file_answer_refused(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "688a")
    with pytest.raises(Refusal) as refusal:
        drafts.save_answers(preparer, draft, {"house_rules": "x"}, strict=True)
    assert refusal.value.code == "file-expected"


def test_save_by_others_forbidden(reader: Person, stranger: Person, analyst: Person, draft: Submission) -> None:
    for person in (reader, stranger, analyst):
        with pytest.raises(Forbidden):
            drafts.save_answers(person, draft, {"adjacent_boxes": 2}, seen={})
    assert answers(draft) == {}


def test_start_by_reader_and_board_forbidden(reader: Person, analyst: Person) -> None:
    for person in (reader, analyst):
        with pytest.raises(Forbidden):
            drafts.start_submission(person, "687a")


def test_history_holds_after_saves(preparer: Person, draft: Submission) -> None:
    for boxes in range(1, 6):
        drafts.save_answers(preparer, draft, {"adjacent_boxes": boxes}, seen={"adjacent_boxes": boxes - 1 or None})
    assert verify_chain() == (6, None)
