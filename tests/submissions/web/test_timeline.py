"""The history in words, on every page that shows a submission, as far as its reader may know it."""

from __future__ import annotations

from datetime import timedelta

import time_machine
from django.urls import reverse
from django.utils import timezone

from submissions.audit.timeline import VERB_TEXTS, timeline
from submissions.filings import drafts, filing, questions
from submissions.filings.review import comments, decisions
from submissions.models import Event, Person, Remark, Submission
from submissions.notifications.notices import NOTICE_RULES
from submissions.permissions.workflow import TRANSITIONS
from tests.submissions.web.clients import browser, complete, work

KEY = "discard_rack_equal"
QUESTION = "“Is the height of the discard rack equal to the height of the full stack of cards?”"
PAGES = ("submission", "checklist", "file", "receipt", "round", "changes", "discontinue")


def returned(submission: Submission, analyst: Person) -> None:
    comments.write_comment(analyst, submission, text="Which?", audience="licensee", revision=1, option=KEY)
    comments.write_comment(analyst, submission, text="Ask the laboratory.", audience="board", revision=1)
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="Two things.")
    submission.refresh_from_db()


def timeline_rows(submission: Submission, reader: Person) -> list[tuple[str, str, str]]:
    return [(entry.who, entry.what, entry.detail) for entry in timeline(submission, reader)]


def test_history_is_on_every_page_that_shows_a_submission(
    preparer: Person, manager: Person, analyst: Person, director: Person, filed: Submission
) -> None:
    work()
    decisions.recommend_approval(analyst, filed, version=filed.version)
    filed.refresh_from_db()
    decisions.approve_submission(director, filed, version=filed.version, confirmed=True)
    second = complete(preparer, "687a")
    filing.file_submission(manager, second, version=second.version, attested=True)
    second.refresh_from_db()
    decisions.return_to_licensee(analyst, second, version=second.version, reason="Which?")
    seen = set()
    for name in PAGES:
        for submission in (filed, second, drafts.start_submission(preparer, "581")):
            answer = browser(manager).get(reverse(name, args=[submission.number]))
            page = answer.content.decode() if answer.status_code == 200 else ""
            if '<main id="main"' in page:
                seen.add(name)
                assert (name, 'id="history-title"' in page) == (name, True)
    assert seen == set(PAGES)


def test_history_tells_the_board_what_the_licensee_does_not_read(
    preparer: Person, manager: Person, analyst: Person, filed: Submission
) -> None:
    returned(filed, analyst)
    filed.refresh_from_db()
    for_board, for_casino = timeline_rows(filed, analyst), timeline_rows(filed, preparer)
    assert ("Analyst One", "wrote a comment", QUESTION) in for_board
    assert ("Analyst One", "wrote a comment", "About the whole filing.") in for_board
    assert [entry[1] for entry in for_casino][:2] == ["returned it with questions", "filed it"]
    assert "laboratory" not in str(timeline(filed, preparer))


def test_history_does_not_tell_the_board_what_is_not_filed(
    preparer: Person, manager: Person, analyst: Person, filed: Submission
) -> None:
    returned(filed, analyst)
    drafts.save_answers(preparer, filed, {KEY: False}, seen={KEY: True})
    questions.answer_question(preparer, Remark.objects.get(audience="licensee"), kind="answered", text="As you wish.")
    assert timeline_rows(filed, preparer)[0] == ("Preparer East", "answered a question", QUESTION)
    assert timeline_rows(filed, analyst)[0][1] == "returned it with questions"


def test_history_tells_the_day_of_an_approval_and_the_numbers_of_the_events(
    manager: Person, analyst: Person, director: Person, filed: Submission
) -> None:
    work()
    decisions.recommend_approval(analyst, filed, version=filed.version)
    filed.refresh_from_db()
    day = timezone.localdate() + timedelta(days=3)
    decisions.approve_submission(director, filed, version=filed.version, from_day=day, confirmed=True)
    entries = timeline(filed, manager)
    assert (entries[0].what, entries[0].detail) == ("approved it", f"In effect from {day:%B} {day.day}, {day.year}.")
    assert entries[0].number == Event.objects.count()
    numbers = [entry.number for entry in entries]
    assert numbers == sorted(numbers, reverse=True)


def test_changes_within_an_hour_are_told_together_with_what_was_before(preparer: Person, draft: Submission) -> None:
    now = timezone.now()
    for minutes, answer, before in ((0, True, None), (50, False, True), (200, True, False)):
        with time_machine.travel(now + timedelta(minutes=minutes), tick=False):
            drafts.save_answers(preparer, draft, {KEY: answer}, seen={KEY: before})
    later, earlier, _ = timeline(draft, preparer)
    assert [change[1:] for change in earlier.changes.values()] == [("not answered", "No")]
    assert [change[1:] for change in later.changes.values()] == [("No", "Yes")]


def test_every_step_and_every_notice_has_its_words() -> None:
    assert {step.done for step in TRANSITIONS.values()} | set(NOTICE_RULES) <= set(VERB_TEXTS)
