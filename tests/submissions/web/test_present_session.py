"""A person ends the session in which they are, and a draft that was never filed has no progress that can be shown."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from submissions.models import Person
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db


def test_ending_the_present_session_signs_out(manager: Person) -> None:
    manager.set_password("a long spring sentence")
    manager.save()
    client = Client()
    signed_in = client.post("/accounts/login/", {"login": manager.email, "password": "a long spring sentence"})
    assert signed_in.status_code == 302
    client.get("/accounts/sessions/")
    session = UserSession.objects.get(user=manager)
    ended = client.post(reverse("end-session", args=(session.pk,)))
    assert (ended.status_code, ended["Location"]) == (302, "/accounts/login/")
    assert client.get("/accounts/sessions/").status_code == 302  # to the sign-in


def test_progress_of_a_draft_that_was_never_filed_is_not_found(preparer: Person) -> None:
    draft = ready_to_file(preparer, "686a")
    shown = browser(preparer).get(reverse("progress", args=(draft.number,)))
    assert (shown.status_code, "This submission has not been filed yet." in shown.content.decode()) == (404, True)
