"""From preparer to manager: sent, changed since, sent back, and ended by each change of status."""

from __future__ import annotations

import pytest

from games.registry import title_of
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import drafts, filing, handover
from submissions.filings.handover import handover_state
from submissions.filings.review import decisions
from submissions.filings.review.worklist import other_drafts, tasks_of
from submissions.models import Event, Handover, Mail, Notice, Person, Role, Submission
from submissions.permissions import history_visible_to
from tests.cast import person
from tests.submissions.example_drafts import answer_all, ready_to_file

pytestmark = pytest.mark.django_db
NOTE = "Please check the discard rack."


@pytest.fixture
def draft(preparer: Person, manager: Person) -> Submission:
    return ready_to_file(preparer, "686a")


def send(actor: Person, submission: Submission, note: str = NOTE) -> Handover:
    return handover.send_to_manager(actor, submission, version=submission.version, note=note)


def test_draft_becomes_a_task_of_the_manager_only_when_it_is_sent(
    preparer: Person, manager: Person, reader: Person, stranger: Person, draft: Submission
) -> None:
    people = (preparer, manager, reader, stranger)
    assert [list(tasks_of(each)) for each in people] == [[draft], [], [], []]
    assert [list(other_drafts(each)) for each in people] == [[], [draft], [draft], []]
    send(preparer, draft)
    assert [list(tasks_of(each)) for each in people] == [[], [draft], [], []]
    assert [list(other_drafts(each)) for each in people] == [[draft], [], [draft], []]


def test_own_draft_of_a_manager_is_their_task(manager: Person, preparer: Person, casino: object) -> None:
    own = drafts.start_submission(manager, "593")
    second = person(manager.organization, Role.MANAGER, "Manager Two")
    assert (list(tasks_of(manager)), list(tasks_of(second))) == ([own], [])


def test_managers_are_notified_with_the_note_and_mailed_at_once(
    preparer: Person, manager: Person, reader: Person, stranger: Person, draft: Submission
) -> None:
    send(preparer, draft)
    notice = Notice.objects.get()
    assert notice.person == manager
    assert notice.words == f"Preparer East sent {draft.number} ({title_of('686a')}) to you. Note: {NOTE}"
    mail = Mail.objects.get()
    assert (mail.to, NOTE in mail.body) == (manager, True)


def test_sending_back_notifies_the_preparer_and_makes_it_their_task(
    preparer: Person, manager: Person, draft: Submission
) -> None:
    send(preparer, draft)
    handover.send_back(manager, draft, version=draft.version, note="Which rack?")
    assert (list(tasks_of(preparer)), list(tasks_of(manager))) == ([draft], [])
    notice = Notice.objects.get(person=preparer)
    assert notice.words.endswith("Note: Which rack?")
    state = handover_state(draft)
    assert state is not None
    assert not state.is_sent
    assert state.last.note == "Which rack?"


def test_change_after_sending_is_noticed_and_may_be_sent_again(preparer: Person, draft: Submission) -> None:
    send(preparer, draft)
    state = handover_state(draft)
    assert state is not None
    assert not state.changed
    with pytest.raises(Conflict) as refused:
        send(preparer, draft)
    assert refused.value.code == "sent-already"
    key, answer = next((key, value) for key, value in draft.configurations.get().answers.items() if value is True)
    drafts.save_answers(preparer, draft, {key: not answer})
    state = handover_state(draft)
    assert state is not None
    assert state.changed
    send(preparer, draft)
    state = handover_state(draft)
    assert state is not None
    assert not state.changed


def test_filing_ends_the_state_and_a_returned_filing_is_sent_again(
    preparer: Person, manager: Person, analyst: Person, draft: Submission
) -> None:
    send(preparer, draft)
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    draft.refresh_from_db()
    assert handover_state(draft) is None
    decisions.return_to_licensee(analyst, draft, version=draft.version, reason="Which rack?")
    draft.refresh_from_db()
    assert handover_state(draft) is None
    assert (list(tasks_of(preparer)), list(tasks_of(manager))) == ([draft], [draft])
    answer_all(preparer, draft)
    send(preparer, draft)
    assert (list(tasks_of(preparer)), list(tasks_of(manager))) == ([], [draft])


def test_nothing_is_sent_without_someone_who_files(preparer: Person, manager: Person, draft: Submission) -> None:
    Person.objects.filter(pk=manager.pk).update(is_active=False)
    with pytest.raises(Refusal) as refused:
        send(preparer, draft)
    assert refused.value.code == "no-manager"


def test_only_what_is_sent_goes_back_and_only_with_a_note(preparer: Person, manager: Person, draft: Submission) -> None:
    with pytest.raises(Conflict) as refused:
        handover.send_back(manager, draft, version=draft.version, note="Why?")
    assert refused.value.code == "not-sent"
    send(preparer, draft)
    with pytest.raises(Refusal) as without:
        handover.send_back(manager, draft, version=draft.version, note=" ")
    assert without.value.code == "reason-missing"
    with pytest.raises(Forbidden):
        handover.send_back(preparer, draft, version=draft.version, note="Why?")


def test_note_that_is_too_long_is_refused(preparer: Person, draft: Submission) -> None:
    with pytest.raises(Refusal) as refused:
        send(preparer, draft, "x" * (handover.LONGEST_NOTE + 1))
    assert refused.value.code == "note-too-long"
    assert not Handover.objects.exists()


def test_board_sees_nothing_of_it_after_the_filing(
    preparer: Person, manager: Person, analyst: Person, draft: Submission
) -> None:
    send(preparer, draft)
    handover.send_back(manager, draft, version=draft.version, note="Which rack?")
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    verbs = set(history_visible_to(analyst, draft).values_list("verb", flat=True))
    assert "filed" in verbs
    assert not verbs & {"sent-to-manager", "sent-back"}
    assert Event.objects.filter(verb="sent-to-manager").count() == 1
