"""The text one click away: the words of the day that the address names, with each change of them marked."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.registry import chapter
from submissions.filings import planned_day
from submissions.models import Person
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.rulemakings import publish, rulemaking
from tests.submissions.web.clients import browser

pytestmark = pytest.mark.django_db
CITATION, PLACE = "§ 687a.3(a)", "687a.3(a)"
SECTION = '[[section]]\ncitation = ".3(a)"\ntext = "- (a) The game is played with one deck."\n'


@pytest.fixture
def day() -> date:
    return timezone.localdate() + timedelta(days=20)


def words(place: str, on: str = "") -> str:
    answer = browser().get(reverse("section", args=[place]), {"on": on} if on else {})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_section_has_the_words_of_the_day_and_the_change_marked(day: date, monkeypatch: pytest.MonkeyPatch) -> None:
    before = chapter("687a").sections[CITATION].removeprefix("- ").split()[1:4]
    publish(monkeypatch, rulemaking("687a", day, SECTION))
    today, later = words(PLACE), words(PLACE, day.isoformat())
    assert f">(a) {' '.join(before)}" in today
    assert ">(a) The game is played with one deck.</p>" in later
    assert f"Changes from {day:%B} {day.day}, {day.year}" in today
    assert f"Changed since {day:%B} {day.day}, {day.year}" in later
    for shown in (today, later):
        assert '<del><span class="usa-sr-only">deleted: </span>' in shown
        assert '<ins><span class="usa-sr-only">inserted: </span>' in shown


def test_section_that_never_changes_has_no_marks() -> None:
    shown = words(PLACE)
    assert "<del>" not in shown
    assert "<ins>" not in shown


def test_day_that_is_none_is_said(day: date) -> None:
    assert browser().get(reverse("section", args=[PLACE]), {"on": "soon"}).status_code == 400


def test_pages_lead_to_the_words_of_the_day_of_the_filing(
    manager: Person, analyst: Person, director: Person, day: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(monkeypatch, rulemaking("687a", day, SECTION))
    draft = planned_day.plan_effective_day(manager, ready_to_file(manager, "687a"), day)
    checklist = browser(manager).get(reverse("checklist", args=[draft.number])).content.decode()
    Cast(manager, analyst, director, computes=False).file(draft)
    filed = browser(analyst).get(reverse("submission", args=[draft.number])).content.decode()
    for page in (checklist, filed):
        assert f'687a.3(b)/?on={day.isoformat()}"' in page
