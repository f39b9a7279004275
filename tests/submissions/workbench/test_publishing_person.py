"""What the page answers to a person who asks to publish a rulemaking and may not."""

from __future__ import annotations

import pytest
from django.urls import reverse

from submissions.models import Person
from tests.submissions.web.clients import browser
from tests.submissions.workbench.steps import head, written

pytestmark = pytest.mark.django_db


def test_analyst_who_publishes_reads_that_a_director_must(analyst: Person, director: Person) -> None:
    rulemaking = written(analyst, head() + '[chapter]\nstatus = "final"\n')
    address = reverse("rulemaking-publish", args=[rulemaking.number])
    sent = {"version": rulemaking.version, "confirmed": "yes"}
    assert browser(analyst, confirmed=False).post(address, sent).status_code == 403
    by_director = browser(director, confirmed=False).post(address, sent)
    assert by_director.status_code == 400
    assert "trial" in by_director.content.decode()
