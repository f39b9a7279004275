"""Which finding a waiver covers: its licensee, chapter, rule or line, tables and days; and what follows in a filing."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from games.registry import chapter
from games.rules.evaluate import judge
from games.rules.model import Finding
from submissions.core.digests import digest
from submissions.core.errors import Refusal
from submissions.filings import filing
from submissions.filings.compliance import ComplianceReport, current_periods, judge_periods
from submissions.filings.judging import judge_draft
from submissions.filings.orders.order_entry import end_order, enter_order
from submissions.models import Configuration, Organization, Person, Submission, Version
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import RULE, WITHOUT_RACK, chapter_order, content, waiver

pytestmark = pytest.mark.service("views")

DAY = timedelta(days=1)


@pytest.fixture
def today() -> date:
    return timezone.localdate()


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


@pytest.fixture
def draft(manager: Person) -> Submission:
    """Complete, but for the rack."""
    submission = ready_to_file(manager, "686a")
    change(manager, submission, WITHOUT_RACK)
    return submission


def findings_of(submission: Submission, day: date | None = None, place: int = 0) -> list[Finding]:
    rows: list[Configuration] = list(submission.configurations.all())
    rows[place].submission.takes_effect = day
    judgment = judge_draft(chapter(submission.chapter), rows[place], rows)
    return [finding for finding in judgment.findings if finding.rule == RULE]


def is_covered(submission: Submission, day: date | None = None, place: int = 0) -> bool:
    (finding,) = findings_of(submission, day, place)
    assert (finding.severity == "warning") == hasattr(finding, "waiver")
    return finding.severity != "blocking"


def report(day: date) -> ComplianceReport:
    return judge_periods(current_periods(Version.objects.all(), day), day)


def test_finding_without_waiver_blocks(draft: Submission) -> None:
    assert not is_covered(draft)
    assert [row.finding.rule for row in filing.blocking_findings(chapter("686a"), draft)] == [RULE]


def test_waived_finding_names_its_waiver(draft: Submission, director: Person, today: date) -> None:
    order = waiver(director, last_day=today + 9 * DAY)
    (finding,) = findings_of(draft)
    assert finding.waiver.__class__.__name__ == "WaiverReference"
    assert (finding.waiver.number, finding.waiver.docket) == (order.number, "12-2026")
    assert (finding.waiver.text, finding.waiver.citation) == (order.text, "§ 686a.2(f)")
    assert (finding.waiver.first_day, finding.waiver.last_day) == (
        today.isoformat(),
        (today + 9 * DAY).isoformat(),
    )
    assert filing.blocking_findings(chapter("686a"), draft) == []


def test_message_is_that_of_the_rules(draft: Submission, director: Person) -> None:
    (before,) = findings_of(draft)
    waiver(director)
    (after,) = findings_of(draft)
    assert (after.message, after.citation, after.options) == (before.message, before.citation, before.options)


@pytest.mark.parametrize(
    ("changes", "covers"),
    [
        ({}, True),
        ({"licensee": ""}, True),
        ({"licensee": "west"}, False),
        ({"chapter": "581", "rule": "581.discard-rack-undecided"}, False),
        ({"rule": "686a.discard-rack-twofold"}, False),
        ({"rule": "", "option": "discard_rack_equal"}, False),  # the finding is on two lines: only its rule covers it
        ({"tables": "1-4"}, False),  # answers for all tables
        ({"tables": ""}, True),
        ({"kind": "order"}, False),
    ],
)
def test_scope_of_a_waiver(
    draft: Submission, director: Person, other_casino: Organization, changes: dict[str, Any], covers: bool
) -> None:
    waiver(director, **changes)
    assert is_covered(draft) is covers


@pytest.mark.parametrize(
    ("tables", "named", "others"),
    [
        ("", True, True),
        ("3, 5-8", True, False),  # exactly those of the group
        ("1-20", True, False),
        ("3, 5-7", False, False),  # one is missing: partly covered does not count
        ("3", False, False),
    ],
)
def test_every_table_of_a_group_must_be_covered(
    draft: Submission, director: Person, tables: str, named: bool, others: bool
) -> None:
    set_apart(draft, "High limit", "3, 5-8")
    waiver(director, tables=tables)
    assert (is_covered(draft, place=1), is_covered(draft, place=0)) == (named, others)


def test_first_and_last_day_count(draft: Submission, director: Person, today: date) -> None:
    waiver(director, first_day=today + 3 * DAY, last_day=today + 5 * DAY)
    days = [is_covered(draft, today + number * DAY) for number in range(1, 8)]
    assert days == [False, False, True, True, True, False, False]


@pytest.mark.parametrize(
    ("at", "covers"),
    [
        ("2026-03-07T23:59:59-05:00", True),  # the last day
        ("2026-03-08T04:59:59+00:00", True),  # the same moment in UTC, where it is the next day
        ("2026-03-08T00:00:00-05:00", False),  # the day on which clocks are set forward
        ("2026-03-08T03:00:00-04:00", False),
    ],
)
def test_day_ends_at_midnight_in_pennsylvania(
    draft: Submission, director: Person, manager: Person, at: str, covers: bool
) -> None:
    waiver(director, first_day=date(2026, 1, 1), last_day=date(2026, 3, 7))
    with time_machine.travel(datetime.fromisoformat(at), tick=False):
        assert (filing.blocking_findings(chapter("686a"), draft) == []) is covers


def test_waiver_ended_early_covers_until_the_day_before(draft: Submission, director: Person, today: date) -> None:
    order = waiver(director)
    end_order(director, order, from_day=today + 2 * DAY, reason="The rack was delivered.")
    assert [is_covered(draft, today + number * DAY) for number in range(4)] == [True, True, False, False]


def test_replaced_waiver_covers_until_the_other_begins(draft: Submission, director: Person, today: date) -> None:
    first = waiver(director)
    second = enter_order(director, content(first_day=today + 2 * DAY, last_day=today + 3 * DAY), replaces=first)
    named = [
        finding.waiver.number if hasattr(finding, "waiver") else ""
        for number in range(5)
        for finding in findings_of(draft, today + number * DAY)
    ]
    assert named == [first.number, first.number, second.number, second.number, ""]


def test_answers_that_are_missing_or_contradict_are_not_waived(manager: Person, director: Person) -> None:
    """Of a line, only what the regulation demands of its answer can be waived."""
    submission = ready_to_file(manager, "686a")
    change(manager, submission, {"reshuffling_device": True})
    rules = {row.finding.rule for row in filing.blocking_findings(chapter("686a"), submission)}
    assert rules == {"686a.not-answered"}
    waiver(director, rule="", option="reshuffling_device_approval")
    assert {row.finding.rule for row in filing.blocking_findings(chapter("686a"), submission)} == rules


def test_sandbox_is_not_covered_by_its_licensees_waiver(
    draft: Submission, director: Person, casino: Organization
) -> None:
    waiver(director)
    copy = Organization.objects.create(kind="licensee", name="East, test", slug="east-test", sandbox_of=casino)
    Submission.objects.filter(pk=draft.pk).update(organization=copy)
    assert not is_covered(Submission.objects.get(pk=draft.pk))


def test_waiver_is_frozen_with_the_finding_that_it_covers(
    draft: Submission, director: Person, cast: Cast, today: date
) -> None:
    order = waiver(director, last_day=today + 9 * DAY)
    revision = cast.file(draft)
    frozen = [finding for finding in revision.content["configurations"][0]["findings"] if "waiver" in finding]
    assert [(finding["rule"], finding["severity"], finding["waiver"]) for finding in frozen] == [
        (
            RULE,
            "warning",
            {
                "number": order.number,
                "docket": "12-2026",
                "citation": "§ 686a.2(f)",
                "text": "The casino may deal without a discard rack.",
                "first_day": today.isoformat(),
                "last_day": (today + 9 * DAY).isoformat(),
            },
        )
    ]
    assert digest(revision.content) == revision.sha256


def test_filing_without_waiver_is_frozen_as_before(cast: Cast, manager: Person, director: Person) -> None:
    """No member is added, so that digests stay what they were."""
    waiver(director)
    revision = cast.file(ready_to_file(manager, "686a"))
    members = {"rule", "severity", "message", "fix", "citation", "options"}
    found = revision.content["configurations"][0]["findings"]
    judged = judge(chapter("686a"), revision.content["configurations"][0]["answers"], timezone.localdate()).findings
    assert [set(finding) for finding in found] == [members] * len(judged)


def test_another_licensees_waiver_does_not_let_it_be_filed(
    draft: Submission, manager: Person, director: Person, other_casino: Organization
) -> None:
    waiver(director, licensee="west")
    with pytest.raises(Refusal) as refused:
        filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert (refused.value.code, [finding.rule for finding in refused.value.findings]) == ("blocking-findings", [RULE])


def test_approval_from_a_day_after_the_waiver_is_refused(
    draft: Submission, director: Person, cast: Cast, today: date
) -> None:
    waiver(director, last_day=today + 5 * DAY)
    with pytest.raises(Refusal) as refused:
        cast.approve(draft, today + 6 * DAY)
    assert (refused.value.code, refused.value.citation) == ("approval-not-covered", refused.value.findings[0].citation)
    assert [finding.rule for finding in refused.value.findings] == [RULE]


def test_version_is_reported_from_the_day_after_its_waiver(
    draft: Submission, director: Person, cast: Cast, today: date
) -> None:
    waiver(director, last_day=today + 5 * DAY)
    revision = cast.approve(draft)
    (breach,) = report(today).breaches
    assert (breach.since, breach.is_coming(today)) == (today + 6 * DAY, True)
    assert [finding.rule for _, findings in breach.groups for finding in findings] == [RULE]
    (later,) = report(today + 6 * DAY).breaches
    assert (later.since, later.term.version.revision) == (today + 6 * DAY, revision)


def test_version_whose_waiver_is_ended_on_its_own_day_is_reported(
    draft: Submission, director: Person, cast: Cast, today: date
) -> None:
    order = waiver(director)
    cast.approve(draft)
    assert report(today).breaches == ()
    end_order(director, order, from_day=today, reason="It was given by mistake.")
    (breach,) = report(today).breaches
    assert breach.since == today


def test_version_that_needs_no_waiver_is_not_reported(cast: Cast, director: Person, today: date) -> None:
    waiver(director, last_day=today + 5 * DAY)
    cast.version()
    assert report(today + 9 * DAY).breaches == ()


def test_chapter_that_ended_blocks_what_takes_effect_later(manager: Person, director: Person, today: date) -> None:
    submission = ready_to_file(manager, "581")
    chapter_order(director, "581", last_day=today)
    assert filing.blocking_findings(chapter("581"), submission) == []
    with time_machine.travel(timezone.now() + DAY):
        (row,) = filing.blocking_findings(chapter("581"), submission)
    assert (row.finding.rule, row.finding.citation) == ("581.chapter-ended", "4 Pa.C.S. § 13A03")
    assert "12-2026" in row.finding.message


def test_chapter_that_continues_blocks_nothing(manager: Person, director: Person, today: date) -> None:
    submission = ready_to_file(manager, "581")
    chapter_order(director, "581", "continues", last_day=today)
    with time_machine.travel(timezone.now() + 3 * DAY):
        assert filing.blocking_findings(chapter("581"), submission) == []


def test_later_decision_on_a_chapter_counts(manager: Person, director: Person, today: date) -> None:
    submission = ready_to_file(manager, "581")
    chapter_order(director, "581", last_day=today - DAY)
    assert len(filing.blocking_findings(chapter("581"), submission)) == 1
    chapter_order(director, "581", "continues", last_day=today + 90 * DAY)
    assert filing.blocking_findings(chapter("581"), submission) == []


def test_version_under_a_chapter_that_ends_is_reported(cast: Cast, director: Person, today: date) -> None:
    cast.version("581")
    chapter_order(director, "581", last_day=today + 4 * DAY)
    (breach,) = report(today).breaches
    assert (breach.since, [finding.rule for _, found in breach.groups for finding in found]) == (
        today + 5 * DAY,
        ["581.chapter-ended"],
    )


def test_version_approved_after_the_chapters_end_is_refused(
    cast: Cast, manager: Person, director: Person, today: date
) -> None:
    draft = ready_to_file(manager, "581")
    chapter_order(director, "581", last_day=today + 4 * DAY)
    with pytest.raises(Refusal) as refused:
        cast.approve(draft, today + 5 * DAY)
    assert refused.value.code == "approval-not-covered"
