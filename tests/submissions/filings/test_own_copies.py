"""A draft starts from an earlier filing of the licensee, in any status, or of another property of the person."""

from __future__ import annotations

import pytest

from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.core.errors import Conflict, Forbidden
from submissions.filings import copies, drafts, filing, table_groups
from submissions.filings.copies import CopySource, copy_sources, lines_not_copied
from submissions.filings.review import decisions
from submissions.filings.table_groups import GroupDescription
from submissions.models import Configuration, Organization, Person, Role, Submission
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.properties import membership

pytestmark = pytest.mark.django_db


def rows(submission: Submission) -> list[tuple[object, ...]]:
    return list(submission.configurations.values_list("position", "name", "tables", "pit", "answers"))


def test_rejected_filing_is_copied_as_it_was_filed(preparer: Person, manager: Person, director: Person) -> None:
    begin_sealing()
    source = ready_to_file(preparer, "686a")
    table_groups.add_group(preparer, source, GroupDescription("High limit", "3, 5", "Pit A"))
    filing.file_submission(manager, source, version=source.version, attested=True)
    source.refresh_from_db()
    decisions.reject_submission(director, source, version=source.version, reason="Not the text.")
    filed = rows(source)
    source.configurations.update(answers={})  # as no action does: what was filed counts
    draft = copies.copy_own(preparer, source)
    assert rows(draft) == filed
    assert (draft.status, draft.organization, draft.created_by) == ("draft", source.organization, preparer)
    assert lines_not_copied(draft) == []


def test_withdrawn_draft_is_copied_and_the_history_verifies(preparer: Person, manager: Person) -> None:
    begin_sealing()
    source = ready_to_file(preparer, "688a")
    filing.withdraw_submission(manager, source, version=source.version, reason="Later.")
    draft = copies.copy_own(preparer, source)
    assert rows(draft) == rows(source)
    assert draft.attachments.count() == source.attachments.count()
    assert verify_history().good


def test_line_that_the_rules_no_longer_have_is_named(preparer: Person, manager: Person) -> None:
    source = ready_to_file(preparer, "593")
    Configuration.objects.filter(submission=source).update(answers={"line_of_before": True})
    draft = copies.copy_own(preparer, source)
    assert draft.configurations.get().answers == {}
    assert lines_not_copied(draft) == ["line_of_before"]


def test_sources_are_own_filings_without_deleted_ones_and_those_of_other_properties(
    preparer: Person, manager: Person, stranger: Person, other_casino: Organization
) -> None:
    away = membership(preparer, other_casino, Role.PREPARER)
    own, deleted = (drafts.start_submission(preparer, "593") for _ in range(2))
    drafts.delete_draft(preparer, deleted, version=deleted.version)
    theirs = drafts.start_submission(stranger, "593")
    drafts.start_submission(preparer, "686a")
    assert copy_sources(preparer, "593") == [CopySource(own, preparer), CopySource(theirs, away)]
    assert copy_sources(manager, "593") == [CopySource(own, manager)]
    copied = copies.start_from(preparer, CopySource(theirs, away))
    assert (copied.organization, copied.created_by) == (preparer.organization, preparer)


def test_filing_of_another_licensee_is_not_copied(preparer: Person, stranger: Person, reader: Person) -> None:
    theirs = drafts.start_submission(stranger, "593")
    with pytest.raises(Forbidden):
        copies.copy_own(preparer, theirs)
    own = drafts.start_submission(preparer, "593")
    with pytest.raises(Forbidden):
        copies.copy_own(reader, own)
    assert Submission.objects.count() == 2


def test_second_draft_of_a_game_is_started_only_on_request(preparer: Person, manager: Person) -> None:
    first = drafts.start_submission(preparer, "593", another=False)
    with pytest.raises(Conflict, match=first.number) as refused:
        drafts.start_submission(manager, "593", another=False)
    assert refused.value.code == "draft-open"
    assert drafts.start_submission(manager, "686a", another=False).chapter == "686a"
    drafts.delete_draft(preparer, first, version=first.version)
    drafts.start_submission(manager, "593", another=False)
