"""Filing ahead: the planned effective day, the rules that judge the draft, and where a day begins in Pennsylvania."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import registry
from submissions.audit.row_verification import verify_history
from submissions.core.errors import Refusal
from submissions.filings import drafts, filing
from submissions.filings.evidence.computations import compute_figures
from submissions.filings.judging import judge_draft
from submissions.filings.planned_day import approval_day, plan_effective_day
from submissions.filings.review import decisions
from submissions.filings.rule_effects import planned_effect
from submissions.models import Event, Organization, Person, Submission
from submissions.rules import chapter_on, draft_chapter, rules_day
from tests.submissions.api.clients import made, system
from tests.submissions.approved import Cast
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.rulemakings import CELL, publish, rulemaking
from tests.submissions.web.clients import browser

pytestmark = [pytest.mark.django_db, pytest.mark.service("views", "time")]
EASTERN = ZoneInfo("America/New_York")
NEW_LINE = (
    '[[option]]\nkey = "new_line"\nafter = "adjacent_boxes"\ncitation = ".7(d)"\nquestion = "New?"\n'
    'kind = "yes_no"\ngroup = "Wagers"\nbasis = "explicit"\n'
)
BOUNDARIES = (  # the last day before a rulemaking, and its first
    (date(2026, 12, 31), date(2027, 1, 1)),
    (date(2027, 3, 13), date(2027, 3, 14)),  # clocks go forward at 2 a.m. of the second
    (date(2027, 3, 14), date(2027, 3, 15)),
    (date(2027, 11, 6), date(2027, 11, 7)),  # clocks go back
    (date(2027, 11, 7), date(2027, 11, 8)),
)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture
def draft(manager: Person) -> Submission:
    return ready_to_file(manager, "687a")


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def blocking(draft: Submission) -> list[str]:
    rows = list(draft.configurations.all())
    return [finding.message for row in rows for finding in judge_draft(draft_chapter(draft), row, rows).blocking]


def at(day: date, hour: int, minute: int) -> time_machine.travel:
    return time_machine.travel(datetime(day.year, day.month, day.day, hour, minute, tzinfo=EASTERN), tick=False)


def test_draft_is_judged_by_the_rules_of_its_planned_day(
    manager: Person, draft: Submission, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = today + timedelta(days=10)
    publish(monkeypatch, rulemaking("687a", day, NEW_LINE))
    assert blocking(draft) == []
    for planned, messages in ((day - timedelta(days=1), []), (day, ["“New?” is not answered."]), (None, [])):
        draft = plan_effective_day(manager, draft, planned)
        assert blocking(draft) == messages, planned
    draft = plan_effective_day(manager, draft, day)
    drafts.save_answers(manager, draft, {"new_line": True}, seen={})
    shown = browser(manager).get(reverse("submission", args=[draft.number])).content.decode()
    assert "New?" in shown  # the history names the line, which is none today
    revision = filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert revision.rules_digest == chapter_on("687a", day).digest != chapter_on("687a", today).digest


def test_day_that_is_over_is_refused_when_planned_and_when_filed(
    manager: Person, draft: Submission, today: date
) -> None:
    with pytest.raises(Refusal) as refused:
        plan_effective_day(manager, draft, today - timedelta(days=1))
    assert (refused.value.code, refused.value.option) == ("planned-day-past", "takes_effect")
    draft = plan_effective_day(manager, draft, today + timedelta(days=1))
    with time_machine.travel(timezone.now() + timedelta(days=2)), pytest.raises(Refusal) as refused:
        filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert refused.value.code == "planned-day-past"


def test_planning_is_one_sealed_event_and_planning_again_is_none(
    manager: Person, draft: Submission, today: date
) -> None:
    for _ in range(2):
        plan_effective_day(manager, draft, today)
    event = Event.objects.get(submission=draft, verb="planned")
    assert (event.before, event.after) == ({"takes_effect": None}, {"takes_effect": today.isoformat()})
    assert verify_history().differences == ()
    Submission.objects.filter(pk=draft.pk).update(takes_effect=today + timedelta(days=1))
    assert [difference.column for difference in verify_history().differences] == ["takes_effect"]


def test_only_the_own_side_plans_and_only_before_it_is_filed(
    manager: Person, analyst: Person, stranger: Person, draft: Submission, today: date
) -> None:
    for person in (analyst, stranger):
        with pytest.raises(Refusal):
            plan_effective_day(person, draft, today)
    filing.file_submission(manager, draft, version=draft.version, attested=True)
    with pytest.raises(Refusal):
        plan_effective_day(manager, draft, today)


def test_approval_is_for_the_planned_day_unless_another_is_chosen(cast: Cast, draft: Submission, today: date) -> None:
    plan_effective_day(cast.manager, draft, day := today + timedelta(days=40))
    revision = cast.approve(draft)
    assert revision.version.from_day == day


@pytest.mark.parametrize(
    ("planned", "expected"),
    [
        (None, date(2026, 3, 7)),
        ("2026-03-06", date(2026, 3, 7)),  # over
        ("2026-03-07", date(2026, 3, 7)),
        ("2026-03-08", date(2026, 3, 8)),
    ],
)
def test_approval_day_is_the_planned_day_but_not_before_today(planned: str | None, expected: date) -> None:
    with at(date(2026, 3, 7), 23, 59):  # the next day in UTC
        assert approval_day({"takes_effect": planned}) == expected


def test_approval_after_the_rules_changed_is_refused_with_both_days(
    cast: Cast, draft: Submission, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.file(draft)
    draft.refresh_from_db()
    publish(monkeypatch, rulemaking("687a", today + timedelta(days=5), CELL))
    decisions.recommend_approval(cast.analyst, draft, version=draft.version)
    draft.refresh_from_db()
    day = today + timedelta(days=5)
    with pytest.raises(Refusal) as refused:
        decisions.approve_submission(cast.director, draft, version=draft.version, from_day=day, confirmed=True)
    assert refused.value.code == "other-rules-on-day"
    for words in (f"{today:%B} {today.day}, {today.year}", f"{day:%B} {day.day}, {day.year}", "Three-of-a-Kind"):
        assert words in refused.value.message
    with time_machine.travel(timezone.now() + timedelta(days=6)), pytest.raises(Refusal):
        decisions.approve_submission(cast.director, draft, version=draft.version, confirmed=True)


@pytest.mark.parametrize(("eve", "first"), BOUNDARIES)
def test_rules_change_at_midnight_in_pennsylvania(
    manager: Person, draft: Submission, eve: date, first: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the checklist, in the API and in a filing; in winter midnight is 05:00 UTC, in summer 04:00 UTC."""
    publish(monkeypatch, rulemaking("687a", first, NEW_LINE))
    digests = {day: chapter_on("687a", day).digest for day in (eve, first)}
    assert len(set(digests.values())) == 2
    for day, hour, minute in ((eve, 23, 59), (first, 0, 0)):
        with at(day, hour, minute):
            assert rules_day(draft) == day
            assert blocking(draft) == (["“New?” is not answered."] if day == first else [])
            page = browser(manager).get(reverse("checklist", args=[draft.number])).content.decode()
            assert ("New?" in page) is (day == first)
            assert Client().get("/api/v1/chapters/687a/").json()["digest"] == digests[day]
            for asked in (eve, first):
                asked_for = Client().get(f"/api/v1/chapters/687a/?on={asked}").json()
                assert asked_for["digest"] == digests[asked]
    with at(eve, 23, 59):
        revision = filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert (revision.content["rules_on"], revision.rules_digest) == (eve.isoformat(), digests[eve])


@pytest.mark.parametrize(("eve", "first"), BOUNDARIES[1:4:2])  # the days on which the clocks change
def test_page_of_a_game_in_effect_follows_the_day(
    cast: Cast, eve: date, first: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at(eve - timedelta(days=3), 12, 0):
        revision = cast.version("687a", trips_paytable="DJWT-05")
    publish(monkeypatch, rulemaking("687a", first, CELL))
    address = reverse("in-force-game", args=[revision.submission.organization.slug, "687a"])
    for day, hour, minute in ((eve, 23, 59), (first, 0, 0)):
        with at(day, hour, minute):
            shown = " ".join(Client().get(address).content.decode().split())
            assert ("rules of this chapter changed" in shown) is (day == first)
            dated = " ".join(Client().get(f"{address}?on={first}").content.decode().split())
            assert "rules of this chapter changed" in dated


def test_program_plans_the_day_with_the_answers(casino: Organization, draft: Submission, today: date) -> None:
    """`none` takes it back; a day that is over is refused as on the page."""
    client, address = system(made(casino, scopes=["read", "prepare"]).token), f"/api/v1/submissions/{draft.number}/"
    version, day = draft.configurations.get().version, (today + timedelta(days=3)).isoformat()
    for sent, status, planned in ((day, 200, day), ("2020-01-01", 400, day), ("soon", 400, day), ("none", 200, None)):
        item = {"version": version, "answers": {}, "takes_effect": sent}
        answer = client.post(f"{address}update/", item, content_type="application/json")
        assert answer.status_code == status, answer.content
        assert client.get(address).json()["takes_effect"] == planned


def test_planned_change_of_any_paytable_names_the_holds_that_it_decides() -> None:
    """Also that of a part: the Win Bonus of § 682a.12(b) changes the hold of the Ante Wager under each paytable."""
    without: list[str] = []
    for game in map(registry.chapter, registry.folders()):
        compute_figures(game)
        for table in game.paytables:
            changed = tuple(replace(each, rows=each.rows[:-1]) if each is table else each for each in game.paytables)
            holds = planned_effect(game, replace(game, paytables=changed)).holds
            if not holds or any(hold.before is None or hold.after is None for hold in holds):
                without.append(f"{game.number} {table.wager}/{table.name}")
    assert without == []
