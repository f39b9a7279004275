"""Approving what rests on odds or chapters that no final text at hand has: only with an explicit confirmation."""

from __future__ import annotations

import pytest
from django.urls import reverse

from submissions.core.errors import Refusal
from submissions.documents.document_record import document_record
from submissions.filings.review import decisions
from submissions.filings.review.decisions import to_confirm
from submissions.models import Decision, Event, Person, Status, Submission, Version
from tests.submissions.approved import Cast, set_apart
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.web.clients import browser

PROPOSED = (
    "Chapter 687a is available as a proposed rulemaking only (Proposed rulemaking 125-223 (IRRC 3239), Annex A, with "
    "its regulatory analysis form and its Rules Submission checklist)."
)


def recommended(cast: Cast, number: str) -> Submission:
    draft = ready_to_file(cast.manager, number)
    cast.file(draft)
    draft.refresh_from_db()
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def test_approval_without_the_confirmation_is_refused(cast: Cast) -> None:
    submission = recommended(cast, "687a")
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(cast.director, submission, version=submission.version)
    submission.refresh_from_db()
    assert (refused.value.code, refused.value.option) == ("approval-not-confirmed", "confirmed")
    assert refused.value.message == f"You must confirm this approval: {PROPOSED}"
    assert (submission.status, Version.objects.exists()) == (Status.RECOMMENDED, False)


def test_confirmation_is_kept_with_the_decision_the_event_and_the_document(cast: Cast) -> None:
    submission = recommended(cast, "687a")
    decision = decisions.approve_submission(cast.director, submission, version=submission.version, confirmed=True)
    assert Decision.objects.get(kind="approve").confirmed == [PROPOSED]
    assert Event.objects.get(verb="approved").after["confirmed"] == [PROPOSED]
    approval = document_record(decision.revision)["decisions"][-1]
    assert (approval["confirmed"], approval["by"]["name"]) == ([PROPOSED], "Director One")


def test_final_chapter_with_its_own_odds_needs_none(cast: Cast) -> None:
    submission = recommended(cast, "683a")
    decision = decisions.approve_submission(cast.director, submission, version=submission.version)
    assert decision.confirmed is None
    assert "confirmed" not in document_record(decision.revision)["decisions"][-1]


def test_each_reason_is_confirmed_once_however_many_groups_have_it(cast: Cast) -> None:
    draft = ready_to_file(cast.manager, "677a")
    set_apart(draft, "High limit", "3, 7-9")
    (bad_beat,) = to_confirm(cast.file(draft))
    assert "The odds of the Bad Beat Bonus are not in the available text" in bad_beat


def test_page_names_what_is_confirmed_and_refuses_without_it(cast: Cast) -> None:
    submission, client = recommended(cast, "687a"), browser(cast.director)
    page = client.get(reverse("submission", args=[submission.number])).content.decode()
    box = page.split('for="confirmed"')[1].split("</label>")[0]
    assert "For the Board, I confirm that this submission may be approved despite:" in box
    assert "available as a proposed rulemaking only" in box
    address, form = reverse("decide", args=[submission.number, "approve"]), {"version": submission.version}
    refused = client.post(address, form)
    assert (refused.status_code, "You must confirm this approval" in refused.content.decode()) == (
        400,
        True,
    )
    client.post(address, form | {"confirmed": "yes"})
    page = client.get(reverse("submission", args=[submission.number])).content.decode()
    submission.refresh_from_db()
    assert submission.status == Status.APPROVED
    assert "Confirmed by the Board" in page


def test_page_of_a_final_chapter_asks_no_confirmation(cast: Cast) -> None:
    submission = recommended(cast, "683a")
    page = browser(cast.director).get(reverse("submission", args=[submission.number])).content.decode()
    assert 'id="from_day"' in page
    assert 'id="confirmed"' not in page
