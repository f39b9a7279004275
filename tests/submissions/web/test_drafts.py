"""Drafts as PDF: made once by a job, with a page that shows the progress; the queue is bounded."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from submissions.filings import drafts
from submissions.filings.evidence import computations
from submissions.models import Computation, Job, Person, StoredFile, Submission
from tests.submissions.web.clients import HTMX, browser, work

pytestmark = pytest.mark.django_db
PAPERS = ("layout", "sign", "guide")


def address(submission: Submission, part: str = "") -> str:
    if part:
        return reverse("paper-draft", args=[submission.number, 0, part, "pdf"])
    return reverse("draft", args=[submission.number])


def content(client: Client, where: str) -> bytes:
    answer = client.get(where)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    return b"".join(answer.streaming_content)


def test_draft_is_shown_in_the_making_and_downloaded_when_it_is_made(manager: Person, draft: Submission) -> None:
    client, where = browser(manager), address(draft)
    first = client.get(where)
    assert (first.status_code, first["Retry-After"]) == (202, "5")
    shown = first.content.decode()
    assert f"<h1>Draft of {draft.number}</h1>" in shown
    assert "The portal is preparing the draft. It is next in line." in shown
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in shown
    part = client.get(where, headers=HTMX)
    assert (part.status_code, "<h1>" in part.content.decode()) == (202, False)
    work()
    ready = client.get(where, headers=HTMX)
    assert (ready.status_code, f'href="{where}"' in ready.content.decode()) == (286, True)
    assert content(client, where).startswith(b"%PDF-1.7")
    assert not StoredFile.objects.exists()


def test_draft_of_a_filed_revision_is_made(manager: Person, filed: Submission) -> None:
    work()  # until the evidence is there, each block of rounds makes another draft
    client, where = browser(manager), reverse("draft-of-revision", args=[filed.number, 1])
    assert client.get(where).status_code == 202
    work()
    assert content(client, where).startswith(b"%PDF-1.7")


def test_each_paper_is_made_once_for_the_same_answers(manager: Person, preparer: Person, draft: Submission) -> None:
    for part in PAPERS:
        assert browser(manager).get(address(draft, part)).status_code == 202
        assert browser(preparer).get(address(draft, part)).status_code == 202
    assert Computation.objects.filter(kind=Job.Kind.DRAFT).count() == len(PAPERS)
    work()
    for part in PAPERS:
        assert content(browser(preparer), address(draft, part)).startswith(b"%PDF-1.7")


def test_changed_answer_makes_another_draft(manager: Person, draft: Submission) -> None:
    client, where = browser(manager), address(draft)
    client.get(where)
    work()
    assert content(client, where).startswith(b"%PDF-1.7")
    drafts.save_answers(manager, draft, {"adjacent_boxes_allowed": True, "adjacent_boxes": 3}, seen={})
    assert client.get(where).status_code == 202
    assert Computation.objects.filter(kind=Job.Kind.DRAFT).count() == 2


def test_draft_of_another_size_is_another_draft(manager: Person, draft: Submission) -> None:
    client = browser(manager)
    for query in ("", "?size=tabloid", "?size=poster"):
        client.get(address(draft, "sign") + query)
    assert Computation.objects.filter(kind=Job.Kind.DRAFT).count() == 2


def test_person_with_many_drafts_waits_and_others_are_served(
    manager: Person, preparer: Person, draft: Submission, settings: Settings
) -> None:
    settings.DRAFT_QUEUE_PER_PERSON = 1
    client = browser(manager)
    assert client.get(address(draft, "sign")).status_code == 202
    refused = client.get(address(draft, "guide"))
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    assert "the portal is already creating 1 of your drafts." in refused.content.decode()
    assert client.get(address(draft, "sign")).status_code == 202  # its own place is kept
    assert browser(preparer).get(address(draft, "guide")).status_code == 202


def test_full_queue_of_drafts_is_refused(
    manager: Person, preparer: Person, draft: Submission, settings: Settings
) -> None:
    settings.DRAFT_QUEUE = 1
    assert browser(manager).get(address(draft, "sign")).status_code == 202
    refused = browser(preparer).get(address(draft, "guide"))
    assert (refused.status_code, int(refused["Retry-After"]) > 0) == (503, True)
    assert "<h1>Try again later</h1>" in refused.content.decode()
    work()
    assert browser(preparer).get(address(draft, "guide")).status_code == 202


def test_draft_that_cannot_be_made_says_so(manager: Person, draft: Submission) -> None:
    client, where = browser(manager), address(draft, "sign")
    client.get(where)
    Job.objects.update(state=Job.State.ERRORED)
    shown = client.get(where)
    assert (shown.status_code, "The draft could not be created." in shown.content.decode()) == (400, True)


def test_draft_is_deleted_after_a_day(manager: Person, draft: Submission) -> None:
    browser(manager).get(address(draft, "sign"))
    (row,) = Computation.objects.filter(kind=Job.Kind.DRAFT)
    assert computations.delete_old_results(row.created_at) == 0
    assert computations.delete_old_results(row.created_at + 2 * computations.STORED_FOR) == 1
    assert not Job.objects.filter(kind=Job.Kind.DRAFT).exists()
