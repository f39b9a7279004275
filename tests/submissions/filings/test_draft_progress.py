"""How far a draft is: lines and findings, over its groups, in a number of queries that is written here."""

from __future__ import annotations

from typing import Any

import pytest

from submissions.filings import drafts, filing, table_groups
from submissions.filings.drafts import DraftProgress, draft_progress, progress_of_drafts
from submissions.filings.table_groups import GroupDescription
from submissions.models import Person, Submission
from submissions.rules import published_changes_read_once
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.django_db


def progress(submission: Submission) -> DraftProgress:
    found = draft_progress(submission)
    assert found is not None
    return found


def test_findings_count_what_is_wrong_and_not_what_is_open(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "686a")
    empty = progress(draft)
    assert (empty.answered_lines, empty.findings) == (0, 0)
    drafts.save_answers(preparer, draft, {"adjacent_boxes_allowed": True, "adjacent_boxes": 99})
    wrong = progress(draft)
    assert wrong.findings == 1
    assert wrong.words == f"{wrong.answered_lines} of {wrong.lines} lines answered, 1 finding"


def test_complete_draft_waits_for_the_manager(preparer: Person, manager: Person) -> None:
    draft = ready_to_file(preparer, "686a")
    complete = progress(draft)
    assert complete.is_complete
    table_groups.add_group(preparer, draft, GroupDescription("High limit", "3"))
    assert progress(draft).lines == 2 * complete.lines
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    draft.refresh_from_db()
    assert draft_progress(draft) is None


def test_progress_of_many_drafts_takes_as_many_queries_as_of_one(
    preparer: Person, django_assert_num_queries: Any
) -> None:
    numbers = ("593", "686a", "683a")
    made = [drafts.start_submission(preparer, number) for number in numbers]
    with published_changes_read_once(), django_assert_num_queries(4):  # three, and the published changes of rules
        found = progress_of_drafts([draft.pk for draft in made])
    assert found == {draft.pk: progress(draft) for draft in made}
    assert progress_of_drafts([]) == {}
