"""Versions that no longer comply: options that expire, requirements that begin, data that changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from games.registry import chapter
from games.rules.model import Chapter, Period
from submissions.filings import versions
from submissions.filings.compliance import ComplianceReport, change_days, check_compliance
from submissions.models import Person, Version
from tests.submissions.approved import Cast

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


def expiring(number: str, wager: str, name: str, on: date) -> Chapter:
    """The chapter with one paytable that expires; its digest is another one."""
    found = chapter(number)
    tables = (
        replace(table, period=Period(expires=on)) if (table.wager, table.name) == (wager, name) else table
        for table in found.paytables
    )
    return replace(found, paytables=tuple(tables), digest="1" * 64)


def judged(found: Chapter, day: date | None = None) -> ComplianceReport:
    day = day or timezone.localdate()
    return check_compliance(
        Version.objects.all(), day, lambda number: found if number == found.number else chapter(number)
    )


def test_rules_as_they_were_filed_under_are_not_judged_again(cast: Cast, django_assert_num_queries: object) -> None:
    cast.version()
    with django_assert_num_queries(2):  # the versions, and the orders of the Board
        found = judged(chapter("686a"))
    assert (found.judged, found.other_rules, found.breaches) == (1, 0, ())


def test_paytable_that_will_expire_is_told_from_the_day_after(cast: Cast, today: date) -> None:
    revision = cast.version("683a")
    rules = expiring("683a", "pocket_bonus", "Paytable B", today + 9 * DAY)
    assert change_days(rules) == [today + 10 * DAY]
    (breach,) = judged(rules).breaches
    assert (breach.since, breach.is_coming(today)) == (today + 10 * DAY, True)
    ((group, (finding, *_)),) = breach.groups
    assert (group, finding.options) == ("All tables", ("pocket_bonus_paytable",))
    (later,) = judged(rules, today + 20 * DAY).breaches
    assert (later.since, later.is_coming(today + 20 * DAY)) == (today + 10 * DAY, False)
    assert later.term.version.revision == revision


def test_paytable_that_nobody_chose_may_expire(cast: Cast, today: date) -> None:
    cast.version("683a")
    found = judged(expiring("683a", "pocket_bonus", "Paytable C", today + 9 * DAY))
    assert (found.judged, found.other_rules, found.breaches) == (1, 1, ())


def test_version_that_is_replaced_before_the_day_is_not_told(cast: Cast, today: date) -> None:
    first = cast.version("683a")
    cast.amend(first.submission, from_day=today + 9 * DAY, pocket_bonus_paytable="Paytable A")
    assert judged(expiring("683a", "pocket_bonus", "Paytable B", today + 8 * DAY)).breaches == ()
    (breach,) = judged(expiring("683a", "pocket_bonus", "Paytable B", today + 7 * DAY)).breaches
    assert breach.term.version.revision == first


def test_discontinued_game_is_not_judged(cast: Cast, today: date) -> None:
    first = cast.version()
    versions.discontinue(cast.manager, first.submission, from_day=today, reason="Closed.")
    assert judged(chapter("686a")).judged == 0
