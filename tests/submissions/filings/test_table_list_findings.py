"""Tables of groups and answers that the casino's table list does not have: a warning, never a refusal."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.registry import chapter
from games.rules.lists import parse_tables
from games.rules.model import Finding
from submissions.filings import table_groups
from submissions.filings.judging import judge_draft
from submissions.filings.table_groups import GroupDescription
from submissions.models import Person, Submission
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.table_list.lists import enter

pytestmark = pytest.mark.service("queries")

DAY = timedelta(days=1)
RULES = ("table-not-on-list", "table-of-another-game")


@pytest.fixture
def grouped(preparer: Person) -> Submission:
    submission = ready_to_file(preparer, "686a")
    table_groups.add_group(preparer, submission, GroupDescription("High limit", "3, 7-9, 12"))
    return submission


def warnings(submission: Submission, position: int = 1) -> list[Finding]:
    rows = list(submission.configurations.all())
    judgment = judge_draft(chapter(submission.chapter), rows[position], rows)
    return [finding for finding in judgment.findings if finding.rule.partition(".")[2] in RULES]


def test_casino_without_a_list_gets_no_warning(grouped: Submission) -> None:
    assert warnings(grouped) == []


def test_tables_that_are_not_listed_or_of_another_game_are_warnings(grouped: Submission, preparer: Person) -> None:
    enter(preparer, ("3", "686a"), ("7", "686a", "", "closed"), ("12", "683a"))
    found = warnings(grouped)
    assert [(one.rule, one.severity, one.options, one.message) for one in found] == [
        ("686a.table-not-on-list", "warning", (), "Tables 8-9 are not on Casino East's table list."),
        (
            "686a.table-of-another-game", "warning", (),
            "Table 12 is on Casino East's table list for Cajun Stud, not for Over/Under.",
        ),
    ]  # fmt: skip
    assert all("Tables" in one.fix for one in found)
    assert warnings(grouped, position=0) == []


def test_list_is_that_of_the_day_for_which_the_draft_is_judged(grouped: Submission, preparer: Person) -> None:
    friday = timezone.localdate() + 4 * DAY
    enter(preparer, *((number, "686a") for number in ("3", "7", "8", "12")))
    enter(preparer, ("9", "686a"), from_day=friday)
    assert [one.message for one in warnings(grouped)] == ["Table 9 is not on Casino East's table list."]
    Submission.objects.filter(pk=grouped.pk).update(takes_effect=friday)
    assert warnings(Submission.objects.get(pk=grouped.pk)) == []


def test_answer_that_names_a_table_is_warned_at_its_line(preparer: Person) -> None:
    submission = ready_to_file(preparer, "683a")
    answers = submission.configurations.get().answers
    keys = [option.key for option in chapter("683a").options if option.limits.format == "tables"]
    named = {key: answers[key] for key in keys if answers.get(key)}
    key = next(iter(named))
    listed = parse_tables(", ".join(str(text) for text in named.values()))
    enter(preparer, *((number, "683a") for number in sorted(listed)))
    assert warnings(submission, position=0) == []
    change(preparer, submission, {key: f"{named[key]}, 999"})
    assert [(one.options, one.message) for one in warnings(submission, position=0)] == [
        ((key,), "Table 999 is not on Casino East's table list.")
    ]


def test_warning_does_not_stop_the_filing_and_is_in_what_is_filed(
    grouped: Submission, preparer: Person, manager: Person, analyst: Person, director: Person
) -> None:
    enter(preparer, ("3", "686a"))
    revision = Cast(manager, analyst, director, computes=False).file(grouped)
    rules = [finding["rule"] for finding in revision.content["configurations"][1]["findings"]]
    assert "686a.table-not-on-list" in rules
