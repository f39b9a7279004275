"""The pages that start a draft: one of a game unless another is wanted, and from an earlier filing."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from submissions.filings import drafts
from submissions.models import Configuration, Person, Submission
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.django_db
START = reverse("start", args=["593"])
FROM = reverse("start-from", args=["593"])


def test_second_start_offers_the_draft_that_is_there(preparer: Person, manager: Person) -> None:
    assert browser(preparer).post(START).status_code == 302
    draft = Submission.objects.get()
    answer = browser(manager).post(START)
    shown = answer.content.decode()
    assert (answer.status_code, Submission.objects.count()) == (409, 1)
    for words in ("You have a draft for", "Continue your draft", "Start another draft", "0 of 3 lines answered"):
        assert words in shown
    assert f'href="{reverse("checklist", args=[draft.number])}"' in shown
    assert browser(manager).post(START, {"another": "yes"}).status_code == 302
    assert Submission.objects.count() == 2


def test_draft_of_another_casino_is_not_in_the_way(preparer: Person, stranger: Person) -> None:
    drafts.start_submission(stranger, "593")
    assert browser(preparer).post(START).status_code == 302


def test_draft_starts_from_an_earlier_filing_once(preparer: Person, stranger: Person) -> None:
    source, theirs = complete(preparer, "593"), complete(stranger, "593")
    Configuration.objects.filter(submission=source).update(answers={**source.configurations.get().answers, "old": 1})
    client = browser(preparer)
    shown = client.get(FROM).content.decode()
    assert source.number in shown
    assert theirs.number not in shown
    mark = re.search(r'name="mark" value="([0-9a-f]+)"', shown)[1]
    assert client.post(FROM, {"source": theirs.pk, "mark": mark}).status_code == 400
    answer = client.post(FROM, {"source": source.pk, "mark": mark}, follow=True)
    draft = Submission.objects.latest("pk")
    assert answer.redirect_chain[-1][0] == reverse("checklist", args=[draft.number])
    assert f"{draft.number} starts with the answers of {source.number}." in answer.content.decode()
    assert "Not copied, because the rules no longer have it: old." in answer.content.decode()
    assert client.post(FROM, {"source": source.pk, "mark": mark}).status_code == 409
    assert Submission.objects.count() == 3


def test_first_page_offers_to_start_from_what_there_is(preparer: Person, reader: Person) -> None:
    link = f'href="{FROM}"'
    assert link not in browser(preparer).get(reverse("home")).content.decode()
    complete(preparer, "593")
    assert link in browser(preparer).get(reverse("home")).content.decode()
    assert link not in browser(reader).get(reverse("home")).content.decode()
