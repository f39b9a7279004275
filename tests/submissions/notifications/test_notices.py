"""The recipients of notices, and the words."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.filings.review import comments, decisions
from submissions.models import Mail, MailPreference, Notice, Person, Submission
from submissions.notifications import notices
from submissions.permissions import notices_visible_to
from tests.submissions.approved import Cast
from tests.submissions.layout_rows import approved_papers
from tests.submissions.web.clients import complete, work

pytestmark = pytest.mark.service("queries")

KEY = "discard_rack_equal"


@pytest.fixture(autouse=True)
def _quick(settings: object) -> None:
    settings.SIMULATION_ROUNDS = 2_000_000  # with fewer, one royal flush can look like a fault


@pytest.fixture
def colleague(casino: object) -> Person:
    from tests.cast import person

    return person(casino, "preparer", "Colleague East")


def filed_by(preparer: Person, manager: Person) -> Submission:
    submission = complete(preparer)
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    return submission


def notice_words(person: Person) -> list[str]:
    return [notice.words for notice in notices_visible_to(person).order_by("pk")]


def test_filing_is_told_to_the_analyst_and_not_to_who_filed(
    preparer: Person, manager: Person, reader: Person, stranger: Person, analyst: Person, director: Person
) -> None:
    submission = filed_by(preparer, manager)
    words = f"Manager East filed {submission.number} (Over/Under, Casino East)."
    assert notice_words(analyst) == [words]
    assert notice_words(preparer) == [words.replace(", Casino East", "")]
    assert [notice_words(person) for person in (manager, reader, stranger, director)] == [[], [], [], []]
    assert Mail.objects.count() == 0  # no decision: it waits for the digest


def test_return_names_the_lines_and_not_what_was_remarked(
    preparer: Person, manager: Person, analyst: Person, director: Person
) -> None:
    submission = filed_by(preparer, manager)
    ask = {"revision": 1, "option": KEY}
    comments.write_comment(analyst, submission, text="Which rack is it?", audience="licensee", **ask)
    comments.write_comment(analyst, submission, text="They always forget this.", audience="board", revision=1)
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="")
    said = notice_words(preparer)[-1]
    assert said.startswith(f"Analyst One returned {submission.number} (Over/Under) with questions. Lines concerned:")
    assert said.count("\n- ") == 1
    assert "(§ 686a." in said
    assert notice_words(manager)[-1] == said
    everything = "".join(Notice.objects.values_list("words", flat=True)) + "".join(
        Mail.objects.values_list("body", flat=True)
    )
    assert "Which rack" not in everything
    assert "forget" not in everything
    assert set(Mail.objects.values_list("to__email", flat=True)) == {preparer.email, manager.email}


def test_decision_is_one_mail_to_each_who_wants_it_at_once(
    preparer: Person, manager: Person, colleague: Person, analyst: Person
) -> None:
    submission = filed_by(preparer, manager)
    Person.objects.filter(pk=manager.pk).update(mails=MailPreference.DIGEST)
    Person.objects.filter(pk=colleague.pk).update(is_active=False)
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="Which rack?")
    mail = Mail.objects.get()
    assert (mail.to, mail.subject) == (preparer, f"{submission.number} returned with questions: Over/Under")
    assert f"http://127.0.0.1:8000/submissions/{submission.number}/" in mail.body
    assert "http://127.0.0.1:8000/notices/" in mail.body
    assert not Notice.objects.filter(person=colleague).filter(event__verb="returned").exists()
    assert Notice.objects.get(person=manager, event__verb="returned").mail is None


def test_approval_is_told_to_the_licensee_with_its_day(
    preparer: Person, manager: Person, analyst: Person, director: Person, other_director: Person
) -> None:
    submission = filed_by(preparer, manager)
    work()
    decisions.recommend_approval(analyst, submission, version=submission.version)
    assert {mail.to for mail in Mail.objects.all()} == {director, other_director}
    submission.refresh_from_db()
    day = timezone.localdate() + timedelta(days=30)
    decisions.approve_submission(director, submission, version=submission.version, from_day=day, confirmed=True)
    words = f"Director One approved {submission.number} (Over/Under), from {day:%B} {day.day}, {day.year}."
    missing = "The layout, sign and guide are not approved."
    assert notice_words(preparer)[-1] == f"{words}\nDo not offer the game yet. {missing}"
    assert notice_words(analyst)[-1].endswith(f"{day.year}.\nThe game is not cleared for play yet. {missing}")


def test_approval_names_only_the_papers_that_are_missing(
    preparer: Person, manager: Person, analyst: Person, director: Person
) -> None:
    cast = Cast(manager, analyst, director, computes=False)
    first = cast.version("683a")
    approved_papers(cast, first, ("layout", "guide"))
    second = cast.amend(first.submission, preinspected_cards=False)  # no paper shows it
    last_line = notice_words(preparer)[-1].splitlines()[-1]
    assert last_line == "Do not offer the game under these rules yet. The sign is not approved."
    approved_papers(cast, second, ("sign",))
    cast.amend(second.submission, preinspected_cards=True)
    assert "not approved" not in notice_words(preparer)[-1]


def test_withdrawn_draft_is_not_told_to_the_board(preparer: Person, manager: Person, analyst: Person) -> None:
    submission = complete(preparer)
    filing.withdraw_submission(manager, submission, version=submission.version, reason="A mistake.")
    assert notice_words(analyst) == []
    assert notice_words(preparer) == [f"Manager East withdrew {submission.number} (Over/Under)."]


def test_filing_again_names_what_is_changed(preparer: Person, manager: Person, analyst: Person) -> None:
    from submissions.filings import drafts, questions
    from submissions.models import Remark

    submission = filed_by(preparer, manager)
    comments.write_comment(analyst, submission, text="Which?", audience="licensee", revision=1, option=KEY)
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="")
    submission.refresh_from_db()
    before = submission.configurations.get().answers[KEY]
    drafts.save_answers(preparer, submission, {KEY: not before}, seen={KEY: before})
    assert len(notice_words(analyst)) == 1  # what is not filed yet is nobody's at the Board
    questions.answer_question(preparer, Remark.objects.get(), kind="answered")
    drafts.save_answers(preparer, submission, {KEY: before}, seen={KEY: not before})
    questions.answer_question(preparer, Remark.objects.get(), kind="answered", text="As it was.")
    assert len(notice_words(analyst)) == 1
    submission.refresh_from_db()
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    assert notice_words(analyst)[-1].count("\n- ") == 1


def test_notice_of_what_is_no_longer_seen_is_not_shown(preparer: Person, manager: Person, stranger: Person) -> None:
    filed_by(preparer, manager)
    assert len(notice_words(preparer)) == 1
    preparer.organization = stranger.organization
    preparer.save()
    assert notice_words(Person.objects.get(pk=preparer.pk)) == []


def test_unknown_choice_of_mails_is_refused(preparer: Person) -> None:
    with pytest.raises(Refusal) as refused:
        notices.choose_mail_preference(preparer, "weekly")
    assert (refused.value.code, "Everything together, once a day" in refused.value.fix) == ("mails-unknown", True)


def test_notice_is_not_written_where_the_deed_is_undone(preparer: Person, manager: Person, analyst: Person) -> None:
    submission = filed_by(preparer, manager)
    with pytest.raises(Refusal):
        decisions.return_to_licensee(analyst, submission, version=submission.version, reason="")
    assert not Notice.objects.filter(event__verb="returned").exists()
