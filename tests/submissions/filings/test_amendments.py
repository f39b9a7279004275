"""Amending a version: the copy, one at a time, and only the last word."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from submissions.core.errors import Conflict, Forbidden
from submissions.filings import copies, filing, versions
from submissions.models import Attachment, Event, Person, Status, Submission
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("constraints")


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


def test_amendment_begins_as_what_was_approved(cast: Cast, preparer: Person) -> None:
    draft = ready_to_file(cast.manager, "687a")
    apart = set_apart(draft, "High limit", "3, 7-9", trips_paytable="DJWT-04")
    apart.pit = "Pit 2"
    apart.save()
    revision = cast.approve(draft)
    amendment = copies.start_amendment(preparer, draft)
    assert amendment.number != draft.number
    assert (amendment.amends, amendment.status, amendment.created_by) == (draft, Status.DRAFT, preparer)
    frozen = revision.content["configurations"]
    rows = list(amendment.configurations.all())
    assert [row.answers for row in rows] == [row["answers"] for row in frozen]
    assert [(row.name, row.tables, row.pit) for row in rows] == [
        ("All tables", "", ""),
        ("High limit", "3, 7-9", "Pit 2"),
    ]
    files = {(file.option, file.stored_id, file.name) for file in Attachment.objects.filter(submission=amendment)}
    assert files == {(file["option"], file["sha256"], file["name"]) for file in revision.content["attachments"]}
    assert Event.objects.get(verb="amends").after == {"chapter": "687a", "amends": draft.number}


def test_amendment_that_changes_nothing_can_be_filed_and_says_the_same(cast: Cast) -> None:
    first = replace(cast, computes=False).version("688a")
    amendment = copies.start_amendment(cast.manager, first.submission)
    again = filing.file_submission(cast.manager, amendment, version=amendment.version, attested=True)
    assert again.content["configurations"] == first.content["configurations"]
    assert again.content["attachments"] == first.content["attachments"]


def test_what_is_changed_later_in_the_approved_rows_is_not_copied(cast: Cast) -> None:
    first = cast.version()
    first.submission.configurations.update(answers={"adjacent_boxes": 99})
    amendment = copies.start_amendment(cast.manager, first.submission)
    assert amendment.configurations.get().answers["adjacent_boxes"] == 3


def test_second_amendment_of_a_game_is_refused_and_names_the_first(cast: Cast, preparer: Person) -> None:
    first = cast.version()
    begun = copies.start_amendment(preparer, first.submission)
    with pytest.raises(Conflict, match=f"{begun.number}.*Preparer East started it") as refused:
        copies.start_amendment(cast.manager, first.submission)
    assert (refused.value.code, Submission.objects.count()) == ("amendment-open", 2)
    filing.withdraw_submission(cast.manager, begun, version=begun.version, reason="Not now.")
    assert copies.start_amendment(cast.manager, first.submission).amends == first.submission


def test_only_the_last_word_is_amended_be_it_scheduled(cast: Cast) -> None:
    first = cast.version()
    second = cast.amend(first.submission, from_day=timezone.localdate() + timedelta(days=9), adjacent_boxes=2)
    with pytest.raises(Conflict, match=second.receipt) as refused:
        copies.start_amendment(cast.manager, first.submission)
    assert refused.value.code == "superseded"
    assert copies.start_amendment(cast.manager, second.submission).amends == second.submission


def test_discontinued_game_is_not_amended(cast: Cast) -> None:
    first = cast.version()
    versions.discontinue(cast.manager, first.submission, from_day=timezone.localdate(), reason="Closed.")
    with pytest.raises(Conflict, match="was discontinued on") as refused:
        copies.start_amendment(cast.manager, first.submission)
    assert (refused.value.code, refused.value.fix) == (
        "already-discontinued",
        "To offer it again, start a new Rules Submission.",
    )


def test_only_who_prepares_at_the_casino_amends(cast: Cast, reader: Person, stranger: Person) -> None:
    first = cast.version()
    for person in (reader, stranger, cast.analyst, cast.director):
        with pytest.raises(Forbidden):
            copies.start_amendment(person, first.submission)
    draft = ready_to_file(cast.manager, "683a")
    with pytest.raises(Forbidden, match="Draft"):
        copies.start_amendment(cast.manager, draft)


def test_amendment_is_changed_like_any_draft(cast: Cast) -> None:
    first = cast.version()
    amendment = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, amendment, {"adjacent_boxes": 2})
    revision = cast.approve(amendment)
    assert revision.content["configurations"][0]["answers"]["adjacent_boxes"] == 2
    assert first.content["configurations"][0]["answers"]["adjacent_boxes"] == 3
