"""Remarks on the pages: the reviewer's forms, the licensee's questions, what stays closed, and what no page tells."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from submissions.filings import drafts, filing, questions
from submissions.filings.review import comments, decisions
from submissions.models import Person, Remark, Simulation, Status, Submission, Version
from tests import cast as people
from tests.submissions.approved import set_apart
from tests.submissions.web.clients import HTMX, browser, complete, file_complete, work
from tests.submissions.web.test_review import page, post

BOXES = "What is the total number of boxes"
SECRET = "Not for the casino’s ears."


@pytest.fixture(scope="module", autouse=True)
def filed(module_rows: None) -> Submission:
    """As if its simulation had passed."""
    submission = file_complete(people.preparer(), people.manager())
    Simulation.objects.update(passed=True)
    return submission


@pytest.fixture
def tested(filed: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=filed.pk)


def remark(client: Client, submission: Submission, **said: object) -> tuple[int, str]:
    form = {"revision": 1, "configuration": 0, "option": "adjacent_boxes", "text": "How many?", "audience": "licensee"}
    return post(client, "remark", submission, **{**form, **said})


@pytest.fixture
def returned(tested: Submission, analyst: Person) -> Submission:
    """With one question about the boxes, and a remark that is not for the licensee."""
    line = {"revision": 1, "option": "adjacent_boxes"}
    comments.write_comment(analyst, tested, text="How many?", audience="licensee", **line)
    comments.write_comment(analyst, tested, text=SECRET, audience="board", **line)
    decisions.return_to_licensee(analyst, tested, version=tested.version)
    tested.refresh_from_db()
    return tested


def test_remark_stands_beside_its_line_and_is_not_sent_yet(
    tested: Submission, analyst: Person, manager: Person
) -> None:
    status, shown = remark(browser(analyst), tested)
    line = shown.split('id="line-c0-adjacent_boxes"')[1].split("</tr>")[0]
    assert (status, "How many?" in line, "not sent yet" in line) == (200, True, True)
    assert "How many?" not in page(browser(manager), "submission", tested)


def test_remark_of_a_novel_is_refused_and_stays_in_its_form(tested: Submission, analyst: Person) -> None:
    status, shown = remark(browser(analyst), tested, text="why " * 25_000, audience="board")
    line = shown.split('id="line-c0-adjacent_boxes"')[1].split("</tr>")[0]
    assert status == 400
    assert "99,999 characters. The limit is 10,000." in line
    assert line.count("why why") > 0
    assert 'id="line-c0-adjacent_boxes-board" name="audience" value="board" checked' in line
    assert "<details" in line
    assert " open>" in line
    assert not Remark.objects.exists()


def test_reader_of_the_board_reads_everything_and_writes_nothing(
    returned: Submission, board: object, tested: Submission
) -> None:
    service_account = Person.objects.create_user(
        "service_account@board.example.test", organization=board, role="reader", name="Seat"
    )
    shown = page(browser(service_account), "submission", returned)
    assert SECRET in shown
    assert reverse("remark", args=[returned.number]) not in shown
    assert remark(browser(service_account), returned)[0] == 403


def test_licensee_sees_the_question_and_never_what_the_board_says_to_itself(
    returned: Submission, manager: Person, reader: Person, preparer: Person
) -> None:
    for person in (manager, reader, preparer):
        client = browser(person)
        for name in ("submission", "checklist", "file", "receipt", "progress"):
            assert SECRET not in page(client, name, returned)
        assert "How many?" in page(client, "submission", returned)
        assert SECRET not in client.get(reverse("home")).content.decode()


def test_checklist_shows_the_asked_line_and_the_others_as_text(returned: Submission, preparer: Person) -> None:
    shown = page(browser(preparer), "checklist", returned)
    asked = shown.split('id="line-adjacent_boxes"')[1].split('<div class="line ')[0]
    closed = shown.split('id="line-verbal_wagers"')[1].split('<div class="line ')[0]
    assert 'name="answer-adjacent_boxes"' in asked
    assert "Analyst One" in asked
    assert "Filed as" in asked
    assert 'name="answer-verbal_wagers"' not in closed
    assert "Locked: the Board did not request a change." in closed


def test_closed_line_is_refused_whatever_is_posted(returned: Submission, preparer: Person) -> None:
    before = returned.configurations.get().answers
    form = {"answer-verbal_wagers": "no", "seen-verbal_wagers": "true", "answer-adjacent_boxes": "2"}
    form["seen-adjacent_boxes"] = "3"
    answer = browser(preparer).post(reverse("checklist", args=[returned.number]), form)
    after = returned.configurations.get().answers
    assert answer.status_code == 400
    assert "Locked: the Board did not request a change." in answer.content.decode()
    assert (after["verbal_wagers"], after["adjacent_boxes"]) == (before["verbal_wagers"], 2)


def test_line_is_answered_from_the_checklist_with_what_is_typed(returned: Submission, preparer: Person) -> None:
    question = Remark.objects.get(audience="licensee")
    form = {
        "answer-adjacent_boxes": "2", "seen-adjacent_boxes": "3", "kind": "answered", f"reply-{question.pk}": "Two.",
    }  # fmt: skip
    address = reverse("answer-question", args=[returned.number, question.pk])
    answer = browser(preparer).post(address, form, follow=True)
    shown = answer.content.decode()
    assert "All questions are answered. File it again." in shown
    assert "All questions are answered." in shown
    assert returned.configurations.get().answers["adjacent_boxes"] == 2
    assert question.replies.get().text == "Two."


def test_answer_that_is_refused_stays_on_the_checklist(returned: Submission, preparer: Person) -> None:
    question = Remark.objects.get(audience="licensee")
    form = {"kind": "disputed", f"reply-{question.pk}": "no " * 5_000}
    answer = browser(preparer).post(reverse("answer-question", args=[returned.number, question.pk]), form)
    line = answer.content.decode().split('id="line-adjacent_boxes"')[1].split('<div class="line ')[0]
    assert (answer.status_code, "The limit is" in line, "no no no" in line) == (400, True, True)


def test_filing_again_names_the_question_that_is_open(returned: Submission, manager: Person) -> None:
    status, shown = post(browser(manager), "file", returned, version=returned.version, attested="yes",
                         confirm_password="a long demo passphrase")  # fmt: skip
    assert (status, BOXES in shown, "is not answered" in shown) == (400, True, True)


def test_board_sees_old_and_new_beside_the_answer_once_it_is_filed(
    returned: Submission, preparer: Person, manager: Person, analyst: Person
) -> None:
    question = Remark.objects.get(audience="licensee")
    drafts.save_answers(preparer, returned, {"adjacent_boxes": 2}, seen=returned.configurations.get().answers)
    post(browser(preparer), "remark-follow", returned, str(question.pk), do="answered", text="Two, since May.")
    before = page(browser(analyst), "submission", returned)
    filing.file_submission(manager, returned, version=returned.version, attested=True)
    shown = page(browser(analyst), "submission", returned)
    thread = shown.split(f'id="remark-{question.pk}"')[1].split("</article>")[0]
    assert "Two, since May." not in before
    assert "Two, since May." in thread
    assert "<dd>3</dd>" in thread
    assert "<ins>2</ins>" in thread


def test_resolving_and_reopening_from_the_page(
    returned: Submission, preparer: Person, manager: Person, analyst: Person
) -> None:
    question, client = Remark.objects.get(audience="licensee"), browser(analyst)
    questions.answer_question(preparer, question, kind="disputed", text="The sign says so.")
    filing.file_submission(manager, returned, version=returned.version, attested=True)
    Simulation.objects.update(passed=True)
    done = post(client, "remark-follow", returned, str(question.pk), do="resolve", text="Seen.")
    twice = post(client, "remark-follow", returned, str(question.pk), do="resolve", text="Once more.")
    again = post(client, "remark-follow", returned, str(question.pk), do="reopen", text="Which sign?")
    question.refresh_from_db()
    assert (done[0], twice[0], again[0], question.state) == (200, 409, 200, "open")
    assert "Analyst One resolved it" in twice[1]
    assert "Once more." in twice[1]
    assert "1 question is not resolved yet." not in done[1]
    assert "1 question is not resolved yet." in again[1]
    assert "Which sign?" not in page(browser(manager), "submission", returned)  # before the next return


def test_remark_that_is_not_shown_yet_is_not_there_for_the_licensee(
    tested: Submission, analyst: Person, manager: Person
) -> None:
    remark(browser(analyst), tested)
    number = str(Remark.objects.get().pk)
    assert post(browser(manager), "remark-follow", tested, number, do="answered", text="Two.")[0] == 404


def test_approval_takes_its_day_and_keeps_what_was_typed(tested: Submission, analyst: Person, director: Person) -> None:
    decisions.recommend_approval(analyst, tested, version=tested.version)
    tested.refresh_from_db()
    today, client = timezone.localdate(), browser(director)
    form = {"version": tested.version, "reason": "From the new season.", "confirm_password": "a long demo passphrase"}
    past = post(client, "decide", tested, "approve", confirmed="yes", from_day=str(today - timedelta(days=1)), **form)
    odd = post(client, "decide", tested, "approve", confirmed="yes", from_day="next Monday", **form)
    done = post(client, "decide", tested, "approve", confirmed="yes", from_day=str(today + timedelta(days=30)), **form)
    assert [past[0], odd[0], done[0]] == [400, 400, 200]
    for shown in (past[1], odd[1]):
        assert "From the new season." in shown
    assert "that day has passed" in past[1]
    assert "“next Monday” is not a valid date" in odd[1]
    assert Version.objects.get().from_day == today + timedelta(days=30)


def test_second_decision_is_told_by_whom_and_when_with_its_words_kept(
    tested: Submission, analyst: Person, director: Person
) -> None:
    decisions.return_to_licensee(director, tested, version=tested.version, reason="Which rack?")
    status, shown = post(
        browser(analyst), "decide", tested, "return", version=tested.version, reason="Which shuffler, please?"
    )
    assert status == 409
    assert "Director One returned it at " in shown
    assert "Which shuffler, please?" in shown
    assert Remark.objects.count() == 1


def test_rejection_from_the_page(tested: Submission, director: Person, manager: Person) -> None:
    form = {"version": tested.version, "confirm_password": "a long demo passphrase"}
    unreasoned = post(browser(director), "decide", tested, "reject", reason="", **form)
    done = post(browser(director), "decide", tested, "reject", reason="The wager is not authorized.", **form)
    tested.refresh_from_db()
    assert (unreasoned[0], done[0], tested.status) == (400, 200, Status.REJECTED)
    assert "The wager is not authorized." in page(browser(manager), "submission", tested)


def test_overview_says_all_on_one_screen(tested: Submission, analyst: Person) -> None:
    comments.write_comment(
        analyst, tested, revision=1, text="Which rack?", audience="board", option="discard_rack_equal"
    )
    shown = page(browser(analyst), "submission", tested).split('id="overview"')[1].split("<aside")[0]
    for words in ("Differences", "first filing of this game", "Comments", "1 open", "Hold", "Findings"):
        assert words in shown


def test_overview_lists_the_hold_of_every_wager_and_table_group_the_highest_first(
    manager: Person, analyst: Person
) -> None:
    """585 has six wagers; the last two that it prints hold one sixth (two dice, settled on one roll)."""
    draft = complete(manager, "585")
    for place, name in enumerate(("High limit", "Salon"), 1):
        set_apart(draft, name, str(place))
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    work()
    part = page(browser(analyst), "submission", draft).split('id="overview-evidence"')[1].split("</ul>")[0]
    assert re.findall(r"<span>([^<]*)</span> ?<strong>([^<]*)</strong>", part) == [
        ("Any Seven Wager", "16.6667 %"),
        ("Any Doubles Wager", "16.6667 %"),
        ("Double Wager", "13.8889 %"),
        ("Any Number Wager", "11.1111 %"),
        ("Any Craps Wager", "11.1111 %"),
        ("Field Wager", "5.5556 %"),
    ]
    assert re.findall(r'<li class="quiet">([^<]*)<', part)[1:] == ["High limit: table 1", "Salon: table 2"]
    assert part.count("Same as all other tables") == 2


def test_line_that_opens_by_a_finding_comes_back_whole(returned: Submission, preparer: Person, analyst: Person) -> None:
    """Saved by htmx: the line that now blocks can be changed at once, without loading the page anew."""
    row = returned.configurations.get()
    row.answers = {**row.answers, "odds_posted": "nowhere"}
    row.save()
    form = {"answer-adjacent_boxes": "2", "seen-adjacent_boxes": "3", "seen-odds_posted": '"layout"'}
    answer = browser(preparer).post(reverse("checklist", args=[returned.number]), form, headers=HTMX)
    assert 'name="answer-odds_posted"' in answer.content.decode()
