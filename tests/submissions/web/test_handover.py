"""The pages of the handover: send to manager, send back, delete a draft."""

from __future__ import annotations

import pytest
from django.urls import reverse

from submissions.filings import drafts, handover
from submissions.models import Handover, Person, Status, Submission
from tests.submissions.web.clients import browser, complete

pytestmark = pytest.mark.django_db


def page(person: Person, name: str, submission: Submission) -> str:
    answer = browser(person).get(reverse(name, args=[submission.number]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_preparer_sends_where_a_manager_files(preparer: Person, manager: Person) -> None:
    draft = complete(preparer)
    shown = page(preparer, "file", draft)
    assert "Send to manager</button>" in shown
    assert ">File</button>" not in shown
    form = {"version": draft.version, "note": "Please check the rack."}
    answer = browser(preparer).post(reverse("send-to-manager", args=[draft.number]), form)
    assert answer["Location"] == reverse("submission", args=[draft.number])
    assert "You sent it." in page(preparer, "file", draft)
    home = browser(manager).get(reverse("home")).content.decode()
    assert "Sent to manager by Preparer East" in home
    assert "Please check the rack." in home
    assert ".m.." not in home  # the time ends with a period
    shown = page(manager, "file", draft)
    assert ">File</button>" in shown
    assert "Send back to preparer</button>" in shown
    assert "Changed since it was sent" not in shown
    key = next(key for key, value in draft.configurations.get().answers.items() if value is True)
    drafts.save_answers(preparer, draft, {key: False})
    for name in ("file", "submission"):
        assert "Changed since it was sent" in page(manager, name, draft)


def test_manager_sends_back_with_a_note_that_is_not_lost(preparer: Person, manager: Person) -> None:
    draft = complete(preparer)
    address = reverse("send-back", args=[draft.number])
    refused = browser(manager).post(address, {"version": draft.version, "note": "Which rack?"})
    assert refused.status_code == 409
    handover.send_to_manager(preparer, draft, version=draft.version)
    empty = browser(manager).post(address, {"version": draft.version, "note": ""})
    assert (empty.status_code, "only with a note" in empty.content.decode()) == (400, True)
    too_long = "x" * 2001
    kept = browser(manager).post(address, {"version": draft.version, "note": too_long})
    assert (kept.status_code, too_long in kept.content.decode()) == (400, True)
    browser(manager).post(address, {"version": draft.version, "note": "Which rack?"})
    assert Handover.objects.latest("pk").kind == Handover.Kind.SENT_BACK
    for name in ("submission", "file"):
        shown = page(preparer, name, draft)
        assert "Sent back to preparer by Manager East" in shown
        assert "Which rack?" in shown


def test_draft_is_deleted_after_a_question(preparer: Person, manager: Person, reader: Person) -> None:
    draft = complete(preparer, "593")
    assert "Delete draft</a>" in page(preparer, "submission", draft)
    assert "Delete draft</a>" not in page(reader, "submission", draft)
    address = reverse("delete-draft", args=[draft.number])
    asked = browser(preparer).get(address).content.decode()
    assert "The history still shows it" in asked
    assert Submission.objects.get().status == Status.DRAFT
    done = browser(preparer).post(address, {"version": draft.version}, follow=True).content.decode()
    assert f"{draft.number} is deleted." in done
    assert f'href="/submissions/{draft.number}/"' not in done
    shown = page(manager, "submission", draft)
    assert "Nothing. The draft was deleted before it was filed." in shown
    assert "deleted the draft" in shown
    assert "Open the checklist" not in shown
