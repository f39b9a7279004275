"""The page of notices: one's own, new once, in words; the choice of mails; the count in the head of every page."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from submissions.filings.review import decisions
from submissions.models import MailPreference, Notice, Person, Submission
from submissions.notifications import pages as notification_pages
from tests.submissions.web.clients import browser

HERE = "/notices/"


def page(person: Person, address: str = HERE) -> str:
    return browser(person).get(address).content.decode()


def test_notice_is_new_once_and_counted_until_then(analyst: Person, filed: Submission) -> None:
    count = '<b class="unseen">1<span class="usa-sr-only"> new</span></b>'
    assert count in page(analyst, "/")
    first = page(analyst)
    assert f"Manager East filed {filed.number} (Over/Under, Casino East)." in first
    assert reverse("submission", args=[filed.number]) in first
    assert "notices--new" in first
    assert "notices--new" not in page(analyst)
    assert count not in page(analyst, "/")


def test_notices_are_one_s_own(analyst: Person, stranger: Person, director: Person, filed: Submission) -> None:
    for other in (stranger, director):
        assert filed.number not in page(other)


def test_return_is_told_with_its_lines(manager: Person, analyst: Person, filed: Submission) -> None:
    decisions.return_to_licensee(analyst, filed, version=filed.version, reason="Which <rack>?")
    told = page(manager)
    assert "<li>the filing as a whole</li>" in told
    assert "Which" not in told


def test_choice_of_mails_is_kept_and_shown(preparer: Person) -> None:
    answer = browser(preparer).post(HERE, {"mails": "digest"}, follow=True)
    assert "From now on: Everything together, once a day." in answer.content.decode()
    preparer.refresh_from_db()
    assert preparer.mails == MailPreference.DIGEST
    assert 'value="digest" checked' in page(preparer)


def test_choice_that_is_none_changes_nothing(preparer: Person) -> None:
    answer = browser(preparer).post(HERE, {"mails": "<weekly>"})
    assert (answer.status_code, "&lt;weekly&gt;" in answer.content.decode()) == (400, True)
    preparer.refresh_from_db()
    assert preparer.mails == MailPreference.EACH


def more_for(person: Person, submission: Submission) -> None:
    """A notice of every other event of the submission."""
    rest = submission.events.exclude(pk=Notice.objects.get(person=person).event_id)
    Notice.objects.bulk_create(
        Notice(person=person, event=event, submission=submission, words=f"Told of {event.pk}.", at=event.at)
        for event in rest
    )


def test_notices_take_the_same_number_of_queries_however_many(analyst: Person, filed: Submission) -> None:
    def asked() -> int:
        Notice.objects.update(seen_at=None)
        with CaptureQueriesContext(connection) as queries:
            page(analyst)
        return len(queries)

    one = asked()
    more_for(analyst, filed)
    assert Notice.objects.filter(person=analyst).count() == 3
    assert asked() == one


def test_older_notices_are_on_the_next_page_and_still_new_there(
    analyst: Person, filed: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notification_pages, "NOTICES_PER_PAGE", 2)
    more_for(analyst, filed)
    first, second = page(analyst), page(analyst, f"{HERE}?page=2")
    assert "Page 1 of 2" in first
    assert (first.count("notices--new"), second.count("notices--new")) == (2, 1)
