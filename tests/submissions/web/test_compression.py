"""What is sent compressed: pages and answers that are text; never a page with a secret, nor a file that is packed."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

from games.registry import chapters
from submissions.filings import drafts
from submissions.models import Person, Submission
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db
PACKED = {"Accept-Encoding": "gzip, deflate, br"}
LARGEST = 40_000  # bytes that the largest checklist may be sent as


def _largest_chapter() -> str:
    return max(chapters(), key=lambda chapter: len(chapter.options)).number


def test_page_is_compressed_for_who_accepts_it() -> None:
    plain, packed = Client().get("/games/"), Client().get("/games/", headers=PACKED)
    assert ("Content-Encoding" in plain, packed["Content-Encoding"]) == (False, "gzip")
    assert gzip.decompress(packed.content) == plain.content
    assert "Accept-Encoding" in packed["Vary"]


@pytest.mark.parametrize("number", ["637a", "688a", _largest_chapter])
def test_largest_checklists_are_sent_in_less_than_40_kb(preparer: Person, number: object) -> None:
    chapter = number() if callable(number) else number
    submission = drafts.start_submission(preparer, chapter)
    page = browser(preparer).get(f"/submissions/{submission.number}/checklist/", headers=PACKED)
    assert page["Content-Encoding"] == "gzip"
    assert len(page.content) < LARGEST


def test_answer_of_the_api_is_compressed_with_a_tag_that_still_counts() -> None:
    client = Client(headers=PACKED)
    answer = client.get("/api/v1/chapters/")
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")
    assert client.get("/api/v1/chapters/", headers={"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.parametrize("address", ["/accounts/login/", "/accounts/password/reset/"])
def test_page_of_the_sign_in_is_not_compressed(address: str) -> None:
    page = Client().get(address, headers=PACKED)
    assert (page.status_code, "Content-Encoding" in page) == (200, False)


def test_page_with_a_new_link_is_not_compressed(manager: Person) -> None:
    Person.objects.filter(pk=manager.pk).update(administrator=True)
    fields = {"name": "New Person", "email": "new@east.example.test", "role": "preparer"}
    client = browser(Person.objects.get(pk=manager.pk))
    page = client.post("/people/", fields | {"confirm_password": "a long demo passphrase"}, headers=PACKED)
    assert (page.status_code, "/invitations/" in page.content.decode()) == (200, True)
    assert "no-transform" in page["Cache-Control"]


def test_draft_of_a_paper_is_sent_as_it_is(preparer: Person, draft: Submission) -> None:
    """PDF files are compressed inside; a second time costs and saves nothing."""
    book = browser(preparer).get("/bulk/configurations.xlsx", headers=PACKED)
    assert (book.status_code, "Content-Encoding" in book) == (200, False)
