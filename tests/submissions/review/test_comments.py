"""Remarks from their writing to their end: who reads one when, what a return reopens, what is held up."""

from __future__ import annotations

import pytest

from submissions import permissions
from submissions.audit.chain import event_content
from submissions.audit.row_seals import rows_in
from submissions.audit.timeline import affected_lines
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import attachments, drafts, filing, questions
from submissions.filings.questions import is_fully_editable, locked_lines, open_questions, refuse_locked_groups
from submissions.filings.review import comments, decisions
from submissions.models import Event, Person, Remark, Reply, Simulation, Status, Submission
from submissions.rules import draft_chapter
from tests import cast
from tests.games.chapters.examples import example
from tests.submissions import files
from tests.submissions.example_drafts import answer_all, ready_to_file

LICENSEE, BOARD = Remark.Audience.LICENSEE, Remark.Audience.BOARD
ANSWERED, DISPUTED = Reply.Kind.ANSWER, Reply.Kind.DISPUTED


@pytest.fixture(scope="module", autouse=True)
def built(module_rows: None) -> Submission:
    return file(cast.manager(), ready_to_file(cast.preparer(), "687a"))


@pytest.fixture
def filed(built: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=built.pk)


def file(manager: Person, submission: Submission) -> Submission:
    submission.refresh_from_db()
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    Simulation.objects.update(passed=True)
    submission.refresh_from_db()
    return submission


def ask(by: Person, submission: Submission, option: str = "adjacent_boxes", text: str = "How many?") -> Remark:
    return write(by, submission, option=option, text=text)


def write(by: Person, submission: Submission, **said: object) -> Remark:
    said = {"revision": submission.revisions.first().number, "text": "Why?", "audience": LICENSEE, **said}
    return comments.write_comment(by, submission, **said)


def send_back(by: Person, submission: Submission, reason: str = "") -> Submission:
    decisions.return_to_licensee(by, submission, version=submission.version, reason=reason)
    submission.refresh_from_db()
    return submission


def change(by: Person, submission: Submission, **lines: object) -> None:
    drafts.save_answers(by, submission, lines, strict=True)


def closed(submission: Submission) -> frozenset[str]:
    answers = submission.configurations.get(position=0).answers
    return locked_lines(draft_chapter(submission), submission, 0, answers)


def code_of(refused: pytest.ExceptionInfo[Refusal]) -> str:
    return refused.value.code


def test_remark_for_the_licensee_is_read_with_the_return(filed: Submission, analyst: Person, reader: Person) -> None:
    remark = ask(analyst, filed)
    write(analyst, filed, audience=BOARD, text="Ask the counsel.", option="adjacent_boxes")
    before = list(permissions.remarks_visible_to(reader, filed))
    send_back(analyst, filed)
    assert before == []
    assert list(permissions.remarks_visible_to(reader, filed)) == [remark]
    assert permissions.remarks_visible_to(analyst, filed).count() == 2


def test_remark_within_the_board_leaves_no_trace_at_the_licensee(
    filed: Submission, analyst: Person, director: Person, manager: Person, stranger: Person
) -> None:
    remark = write(analyst, filed, audience=BOARD, text="Not for the casino's ears.")
    comments.say(director, remark, text="Nor this.")
    ask(analyst, filed)
    send_back(director, filed)
    told = " ".join(event.reason for event in permissions.history_visible_to(manager, filed))
    assert "ears" not in told
    assert [event.verb for event in permissions.history_visible_to(manager, filed)][-2:] == ["filed", "returned"]
    assert remark not in permissions.remarks_visible_to(manager, filed)
    assert not permissions.remarks_visible_to(stranger, filed).exists()


def test_recommendation_shows_no_remark_but_the_approval_does(
    filed: Submission, analyst: Person, director: Person, reader: Person
) -> None:
    remark = ask(analyst, filed, text="The sign is well made.")
    decisions.recommend_approval(analyst, filed, version=2)
    before = list(permissions.remarks_visible_to(reader, filed))
    decisions.approve_submission(director, filed, version=3, confirmed=True)
    shown = permissions.remarks_visible_to(reader, filed)
    assert (before, list(shown), shown[0].shown_with.kind) == ([], [remark], "approve")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"text": "x" * 100_000}, "text-too-long"),
        ({"text": " \n"}, "remark-empty"),
        ({"text": "a\x00b"}, "control-characters"),
        ({"option": "no_such_line"}, "unknown-line"),
        ({"option": "adjacent_boxes", "configuration": 7}, "unknown-configuration"),
        ({"option": "adjacent_boxes", "configuration": -1}, "unknown-configuration"),
        ({"audience": "everybody"}, "audience-unknown"),
        ({"revision": 9}, "filed-anew"),
    ],
)
def test_remark_that_cannot_be_kept_is_refused(
    filed: Submission, analyst: Person, said: dict[str, object], code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        write(analyst, filed, **said)
    assert (code_of(refused), bool(refused.value.fix)) == (code, True)
    assert not Remark.objects.exists()


@pytest.mark.parametrize("who", ["preparer", "manager", "reader", "stranger"])
def test_nobody_outside_the_board_writes_a_remark(request: pytest.FixtureRequest, filed: Submission, who: str) -> None:
    with pytest.raises(Forbidden):
        write(request.getfixturevalue(who), filed)


def test_return_reopens_the_line_it_asks_about_and_no_other(
    filed: Submission, analyst: Person, preparer: Person
) -> None:
    ask(analyst, filed)
    send_back(analyst, filed)
    change(preparer, filed, adjacent_boxes=3)
    with pytest.raises(Forbidden) as refused:
        change(preparer, filed, abandoned_wagers=not example("687a")["abandoned_wagers"])
    row = filed.configurations.get()
    assert (code_of(refused), refused.value.option) == ("line-not-reopened", "abandoned_wagers")
    assert (row.answers["adjacent_boxes"], row.answers["abandoned_wagers"]) == (3, example("687a")["abandoned_wagers"])


def test_return_with_a_reason_alone_asks_about_the_whole_filing(
    filed: Submission, analyst: Person, preparer: Person
) -> None:
    send_back(analyst, filed, "Is this the new felt?")
    question = open_questions(filed).get()
    assert (question.text, question.option, question.shown_with.kind) == ("Is this the new felt?", "", "return")
    assert is_fully_editable(filed)
    change(preparer, filed, abandoned_wagers=not example("687a")["abandoned_wagers"])


def test_reason_beside_a_question_reopens_nothing_more(filed: Submission, analyst: Person) -> None:
    ask(analyst, filed)
    send_back(analyst, filed, "Thank you for the drawings.")
    assert open_questions(filed).count() == 1
    assert "abandoned_wagers" in closed(filed)
    with pytest.raises(Forbidden) as refused:
        refuse_locked_groups(filed)
    assert code_of(refused) == "groups-not-reopened"


def test_line_that_becomes_asked_by_a_change_is_free(filed: Submission, analyst: Person, preparer: Person) -> None:
    """Without adjacent boxes nothing asks how many: asked about the first, the second may be answered too."""
    ask(analyst, filed, "adjacent_boxes_allowed")
    send_back(analyst, filed)
    change(preparer, filed, adjacent_boxes_allowed=False)
    change(preparer, filed, adjacent_boxes=None)  # it contradicts the change, and so may be cleared
    answer_all(preparer, filed, "None.")
    second = file(preparer_as_manager(preparer), filed)
    ask(analyst, second, "adjacent_boxes_allowed")
    send_back(analyst, second)
    change(preparer, second, adjacent_boxes_allowed=True)
    change(preparer, second, adjacent_boxes=2)
    assert second.configurations.get().answers["adjacent_boxes"] == 2


def preparer_as_manager(preparer: Person) -> Person:
    preparer.role = "table_games_manager"
    preparer.save()
    return preparer


def test_line_that_blocks_after_the_change_is_free(filed: Submission, analyst: Person, preparer: Person) -> None:
    ask(analyst, filed, "adjacent_boxes_allowed")
    send_back(analyst, filed)
    row = filed.configurations.get()
    assert "adjacent_boxes" in closed(filed)
    row.answers = {**row.answers, "adjacent_boxes": None}  # as if a new rule had made it wrong
    row.save()
    assert "adjacent_boxes" not in closed(filed)


def test_file_of_a_line_that_is_closed_is_refused(preparer: Person, manager: Person, analyst: Person) -> None:
    submission = file(manager, ready_to_file(preparer, "688a"))
    ask(analyst, submission, "abandoned_wagers")
    send_back(analyst, submission)
    with pytest.raises(Forbidden) as refused:
        attachments.attach_file(preparer, submission, "house_rules", "better.pdf", files.pdf(Lang="en"))
    assert code_of(refused) == "line-not-reopened"


def test_filing_again_waits_for_every_answer(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    first, second = ask(analyst, filed), ask(analyst, filed, "abandoned_wagers", "Which words?")
    send_back(analyst, filed)
    questions.answer_question(preparer, first, kind=ANSWERED, text="Two.")
    with pytest.raises(Refusal) as refused:
        filing.file_submission(manager, filed, version=filed.version, attested=True)
    assert code_of(refused) == "question-open"
    assert "If a player leaves the table" in refused.value.message
    assert "1 question " in refused.value.message
    questions.answer_question(preparer, second, kind=DISPUTED, text="The sign says so.")
    assert file(manager, filed).status == Status.FILED


def test_answer_says_something_or_changes_the_line(filed: Submission, analyst: Person, preparer: Person) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    with pytest.raises(Refusal) as silent:
        questions.answer_question(preparer, remark, kind=ANSWERED)
    with pytest.raises(Refusal) as unreasoned:
        questions.answer_question(preparer, remark, kind=DISPUTED, text=" ")
    with pytest.raises(Refusal) as neither:
        questions.answer_question(preparer, remark, kind="resolved", text="We think so.")
    change(preparer, filed, adjacent_boxes=3)
    questions.answer_question(preparer, remark, kind=ANSWERED)
    codes = [code_of(one) for one in (silent, unreasoned, neither)]
    assert codes == ["answer-missing", "reason-missing", "answer-kind"]
    assert Reply.objects.get().kind == ANSWERED


def test_answer_may_be_given_anew_before_filing_and_the_last_counts(
    filed: Submission, analyst: Person, preparer: Person
) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    questions.answer_question(preparer, remark, kind=DISPUTED, text="No.")
    questions.answer_question(preparer, remark, kind=ANSWERED, text="Two after all.")
    remark.refresh_from_db()
    assert remark.state == Remark.State.ANSWER_GIVEN
    assert [reply.kind for reply in remark.replies.all()] == [DISPUTED, ANSWERED]


def test_answer_to_a_closed_question_is_refused(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    settled, left = ask(analyst, filed), ask(analyst, filed, "abandoned_wagers")
    send_back(analyst, filed)
    answer_all(preparer, filed)
    file(manager, filed)
    with pytest.raises(Refusal) as filed_meanwhile:
        questions.answer_question(preparer, settled, kind=ANSWERED, text="Three.")
    comments.resolve_comment(analyst, settled)
    comments.reopen_comment(analyst, left, text="Which words exactly?")
    send_back(analyst, filed)
    with pytest.raises(Refusal) as resolved:
        questions.answer_question(preparer, settled, kind=ANSWERED, text="Three.")
    assert [code_of(filed_meanwhile), code_of(resolved)] == ["question-closed"] * 2
    assert "resolved" in resolved.value.message


def test_question_of_another_casino_cannot_be_answered(filed: Submission, analyst: Person, stranger: Person) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    with pytest.raises(Forbidden):
        questions.answer_question(stranger, remark, kind=ANSWERED, text="Ours.")
    assert not Reply.objects.exists()


def test_reader_and_board_answer_nothing(filed: Submission, analyst: Person, reader: Person) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    for person in (reader, analyst):
        with pytest.raises(Forbidden):
            questions.answer_question(person, remark, kind=ANSWERED, text="Two.")


def test_recommendation_waits_until_each_question_is_resolved(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    answer_all(preparer, filed)
    file(manager, filed)
    with pytest.raises(Refusal) as refused:
        decisions.recommend_approval(analyst, filed, version=filed.version)
    comments.resolve_comment(analyst, remark, text="Fine.")
    decisions.recommend_approval(analyst, filed, version=filed.version)
    assert code_of(refused) == "question-unresolved"
    assert "total number of boxes" in refused.value.message


def test_approval_waits_for_a_question_that_is_reopened_after_the_recommendation(
    filed: Submission, analyst: Person, director: Person, preparer: Person, manager: Person
) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    answer_all(preparer, filed)
    file(manager, filed)
    comments.resolve_comment(analyst, remark)
    decisions.recommend_approval(analyst, filed, version=filed.version)
    comments.reopen_comment(director, remark, text="Not clear to me.")
    filed.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(director, filed, version=filed.version, confirmed=True)
    assert code_of(refused) == "question-unresolved"


def test_reopened_question_goes_out_with_the_next_return(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    answer_all(preparer, filed)
    file(manager, filed)
    comments.reopen_comment(analyst, remark, text="Per table, please.")
    send_back(analyst, filed)
    assert list(open_questions(filed)) == [remark]
    assert "adjacent_boxes" not in closed(filed)


def test_question_that_was_not_asked_again_is_not_open_again(
    filed: Submission, analyst: Person, preparer: Person, manager: Person
) -> None:
    ask(analyst, filed)
    send_back(analyst, filed)
    answer_all(preparer, filed)
    file(manager, filed)
    second = ask(analyst, filed, "abandoned_wagers")
    send_back(analyst, filed)
    assert list(open_questions(filed)) == [second]
    assert "adjacent_boxes" in closed(filed)


def test_remark_taken_back_before_the_return_is_never_shown(
    filed: Submission, analyst: Person, director: Person, reader: Person
) -> None:
    comments.resolve_comment(director, ask(analyst, filed), text="Said in the form already.")
    second = ask(analyst, filed, "abandoned_wagers")
    send_back(analyst, filed)
    assert list(permissions.remarks_visible_to(reader, filed)) == [second]


def test_resolving_twice_tells_who_did_it(filed: Submission, analyst: Person, director: Person) -> None:
    remark = ask(analyst, filed)
    comments.resolve_comment(director, remark)
    with pytest.raises(Conflict) as late:
        comments.resolve_comment(analyst, remark)
    assert "Director One resolved it" in late.value.message


def test_word_among_the_board_is_refused_on_what_the_licensee_reads(filed: Submission, analyst: Person) -> None:
    with pytest.raises(Refusal) as refused:
        comments.say(analyst, ask(analyst, filed), text="They always do that.")
    assert code_of(refused) == "remark-for-licensee"


def test_comment_that_an_approval_sends_is_in_its_notice_and_not_in_the_event_of_signed_documents(
    filed: Submission, analyst: Person, director: Person
) -> None:
    """Signed documents are public; comments are the Board's and the licensee's."""
    ask(analyst, filed)
    decisions.recommend_approval(analyst, filed, version=filed.version)
    filed.refresh_from_db()
    decisions.approve_submission(director, filed, version=filed.version, confirmed=True)
    event = Event.objects.get(submission=filed, verb="approved")
    assert event_content(event)["after"].keys() == {"receipt", "sha256", "from_day", "confirmed"}
    (line,) = affected_lines(event)
    assert "§ 687a" in line


def test_every_word_is_an_event_in_its_transaction(filed: Submission, analyst: Person, preparer: Person) -> None:
    remark = ask(analyst, filed)
    send_back(analyst, filed)
    questions.answer_question(preparer, remark, kind=DISPUTED, text="The sign says so.")
    told = Event.objects.filter(submission=filed).order_by("-sequence")[:3]
    assert [event.verb for event in told] == ["disputed", "returned", "remarked"]
    assert told[0].after == {"remark": remark.pk, "option": "adjacent_boxes", "configuration": 0, "state": "disputed"}
    assert list(rows_in(told[1].rows)["submissions_remark"]) == [str(remark.pk)]
