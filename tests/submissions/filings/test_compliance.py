"""Versions that no longer comply: options that expire, requirements that begin, data that was corrected."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from games.rules.changes import RuleChange
from submissions.filings import versions
from submissions.filings.compliance import ComplianceReport, current_periods, judge_periods
from submissions.models import Person, Version
from submissions.rules import published_changes_read_once
from tests.submissions.approved import Cast
from tests.submissions.rulemakings import publish, rulemaking

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


def ending(name: str, on: date) -> RuleChange:
    """A paytable of chapter 683a's Pocket Bonus that is no longer allowed from that day on."""
    tables = f'[[paytable]]\nwager = "pocket_bonus"\nname = "{name}"\nremoved = true\n'
    if name == "Paytable C":
        tables += '[[published]]\nid = "pocket-bonus-c"\nremoved = true\n'
    return rulemaking("683a", on, tables)


def judged(day: date | None = None) -> ComplianceReport:
    day = day or timezone.localdate()
    return judge_periods(current_periods(Version.objects.all(), day), day)


def test_rules_as_they_were_filed_under_are_not_judged_again(cast: Cast, django_assert_num_queries: object) -> None:
    cast.version()
    with published_changes_read_once(), django_assert_num_queries(3):  # the versions, orders, published changes
        report = judged()
    assert (report.judged, report.other_rules, report.breaches) == (1, 0, ())


def test_paytable_that_will_end_is_listed_from_its_day(
    cast: Cast, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = cast.version("683a")
    publish(monkeypatch, ending("Paytable B", today + 10 * DAY))
    (breach,) = judged().breaches
    assert (breach.since, breach.is_coming(today)) == (today + 10 * DAY, True)
    ((group, (finding, *_)),) = breach.groups
    assert (group, finding.options) == ("All tables", ("pocket_bonus_paytable",))
    (later,) = judged(today + 20 * DAY).breaches
    assert (later.since, later.is_coming(today + 20 * DAY)) == (today + 10 * DAY, False)
    assert later.term.version.revision == revision


def test_paytable_that_nobody_chose_may_end(cast: Cast, today: date, monkeypatch: pytest.MonkeyPatch) -> None:
    cast.version("683a")
    publish(monkeypatch, ending("Paytable C", today + 10 * DAY))
    report = judged()
    assert (report.judged, report.other_rules, report.breaches) == (1, 0, ())


def test_corrected_data_is_counted_and_judged_again(cast: Cast, today: date, monkeypatch: pytest.MonkeyPatch) -> None:
    cast.version("683a")
    publish(monkeypatch, ending("Paytable B", today - 10 * DAY))
    report = judged()
    assert (report.other_rules, [breach.since for breach in report.breaches]) == (1, [None])


def test_version_that_is_replaced_before_the_day_is_not_listed(
    cast: Cast, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cast.version("683a")
    cast.amend(first.submission, from_day=today + 9 * DAY, pocket_bonus_paytable="Paytable A")
    publish(monkeypatch, ending("Paytable B", today + 9 * DAY))
    assert judged().breaches == ()
    publish(monkeypatch, ending("Paytable B", today + 8 * DAY))
    (breach,) = judged().breaches
    assert breach.term.version.revision == first


def test_discontinued_game_is_not_judged(cast: Cast, today: date) -> None:
    first = cast.version()
    versions.discontinue(cast.manager, first.submission, from_day=today, reason="Closed.")
    assert judged().judged == 0
