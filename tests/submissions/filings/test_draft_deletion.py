"""A draft that is deleted leaves the lists, and stays in the history."""

from __future__ import annotations

import pytest

from submissions.core.errors import Conflict, Forbidden
from submissions.filings import drafts, filing
from submissions.filings.review.worklist import other_drafts, tasks_of
from submissions.models import Event, Person, Role, Status, Submission
from submissions.permissions import has_second_factor, takes_steps
from tests.cast import person
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.search.test_search import search

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(preparer: Person, manager: Person) -> Submission:
    return drafts.start_submission(preparer, "593")


def delete(actor: Person, submission: Submission) -> None:
    drafts.delete_draft(actor, submission, version=submission.version)


def test_deleted_draft_leaves_every_list_and_the_history_names_who(
    preparer: Person, manager: Person, draft: Submission
) -> None:
    delete(preparer, draft)
    draft.refresh_from_db()
    assert draft.status == Status.DELETED
    assert [*tasks_of(preparer), *tasks_of(manager), *other_drafts(manager)] == []
    assert list(search(preparer, "").qs) == []
    assert list(search(preparer, "status=deleted").qs) == [draft]
    event = Event.objects.latest("sequence")
    assert (event.verb, event.actor, event.submission) == ("deleted", preparer, draft)
    assert draft.configurations.exists()


def test_preparer_deletes_no_draft_of_another_person_and_needs_no_second_factor(
    preparer: Person, draft: Submission, settings: object
) -> None:
    settings.SECOND_FACTOR = True  # type: ignore[attr-defined]
    with pytest.raises(Forbidden, match="who started this draft"):
        delete(person(preparer.organization, Role.PREPARER, "Preparer Two"), draft)
    assert not has_second_factor(preparer)
    assert not takes_steps(preparer)
    delete(preparer, draft)


def test_nothing_that_was_filed_is_deleted(preparer: Person, manager: Person) -> None:
    submission = ready_to_file(preparer, "593")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    with pytest.raises(Forbidden, match="Filed"):
        delete(preparer, submission)


def test_draft_that_moved_on_is_not_deleted(preparer: Person, manager: Person, draft: Submission) -> None:
    filing.withdraw_submission(manager, draft, version=draft.version, reason="Not needed.")
    with pytest.raises(Conflict):
        drafts.delete_draft(preparer, draft, version=1)
