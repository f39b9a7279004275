"""Judging one configuration of a draft or a filing: its tables, the orders of the day and the licensee's list."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.registry import chapter
from games.rules.evaluate import GroupTables
from submissions.filings import judging
from submissions.filings.orders.waived_findings import OrderBook
from submissions.models import Configuration, Organization, Person, Submission
from tests.games.chapters.examples import example
from tests.submissions import filing_rows
from tests.submissions.orders.orders import RULE, WITHOUT_RACK, waiver
from tests.submissions.table_list.lists import enter

DAY = timedelta(days=1)
OVER_UNDER = "686a"
SOUND = example(OVER_UNDER)
BLOCKED = {**SOUND, **WITHOUT_RACK}


@pytest.fixture
def draft(preparer: Person) -> Submission:
    """For all tables with a sound configuration, and for two groups, the second of which names no tables yet."""
    submission = filing_rows.draft(preparer, OVER_UNDER)
    for position, tables in enumerate(("", "3, 7-9", "")):
        Configuration.objects.create(
            submission=submission, position=position, name=f"Group {position}", tables=tables, answers=SOUND
        )
    return submission


def rows(draft: Submission) -> list[Configuration]:
    return list(draft.configurations.order_by("position"))


def judged(draft: Submission, position: int = 0, **given: Any) -> list[tuple[str, str]]:
    every = rows(draft)
    judgment = judging.judge_draft(chapter(OVER_UNDER), every[position], every, **given)
    found = [(finding.rule.partition(".")[2], finding.severity) for finding in judgment.findings]
    return [each for each in found if each[0] != "chapter-not-final"]  # which no answer can mend


def blocking(draft: Submission, answers: Any, position: int = 0, **given: Any) -> list[str]:
    every = rows(draft)
    verdict = judging.judge_draft(chapter(OVER_UNDER), every[position], every, answers, **given, reads_list=False)
    return [each.rule for each in verdict.blocking]


def test_tables_of_a_configuration(draft: Submission) -> None:
    named = frozenset({"3", "7", "8", "9"})
    every = rows(draft)
    assert judging.draft_tables(every[0], every) == GroupTables(frozenset(), named)
    assert judging.draft_tables(every[1], every) == GroupTables(named, frozenset())


def test_answers_of_the_draft_or_given_ones(draft: Submission) -> None:
    assert judged(draft) == []
    assert judged(draft, answers=BLOCKED) == [("discard-rack-undecided", "blocking")]
    assert ("not-answered", "blocking") in judged(draft, answers={})
    assert blocking(draft, SOUND) == []
    assert blocking(draft, BLOCKED) == [RULE]


@pytest.mark.parametrize(("position", "hand", "blocks"), [(0, "12", False), (0, "3", True), (1, "12", True)])
def test_tables_of_another_group_block(draft: Submission, position: int, hand: str, blocks: bool) -> None:
    one, every = chapter("687a"), rows(draft)
    answers = example("687a", from_hand_tables=hand)
    for findings in (
        judging.judge_draft(one, every[position], every, answers).findings,
        judging.judge_draft(one, every[position], every, answers, reads_list=False).blocking,
    ):
        outside = [each for each in findings if each.rule == "687a.tables-outside-group" and hand in each.message]
        assert bool(outside) is blocks


def test_group_without_tables_blocks(draft: Submission) -> None:
    assert judged(draft, 2) == [("group-without-tables", "blocking")]
    every = rows(draft)
    (finding,) = judging.judge_draft(chapter(OVER_UNDER), every[2], every, SOUND, reads_list=False).blocking
    assert (finding.rule, finding.options, finding.citation) == ("686a.group-without-tables", (), "§ 601a.2")
    assert finding.message == "The tables of the group “Group 2” are to be entered."
    assert finding.fix == "Enter the tables of this property, or remove the group."


@pytest.mark.parametrize(("first_day", "last_day", "waived"), [(0, None, True), (1, None, False), (0, 0, True)])
def test_orders_of_the_day(
    draft: Submission, director: Person, first_day: int, last_day: int | None, waived: bool
) -> None:
    today = timezone.localdate()
    end = None if last_day is None else today + last_day * DAY
    waiver(director, first_day=today + first_day * DAY, last_day=end)
    severity = "warning" if waived else "blocking"
    assert judged(draft, answers=BLOCKED) == [("discard-rack-undecided", severity)]
    assert blocking(draft, BLOCKED) == ([] if waived else [RULE])
    assert blocking(draft, BLOCKED, book=OrderBook()) == [RULE]
    assert judged(draft, answers=BLOCKED, book=OrderBook()) == [("discard-rack-undecided", "blocking")]
    Submission.objects.update(takes_effect=today + 2 * DAY)
    later = Submission.objects.get()
    still = last_day is None
    assert blocking(later, BLOCKED) == ([] if still else [RULE])


def test_order_for_tables_covers_their_group_only(draft: Submission, director: Person) -> None:
    waiver(director, tables="3, 7-9")
    assert [blocking(draft, BLOCKED, position) for position in (0, 1)] == [[RULE], []]
    severities = [judged(draft, position, answers=BLOCKED)[0][1] for position in (0, 1)]
    assert severities == ["blocking", "warning"]


def test_order_of_another_licensee_covers_nothing(draft: Submission, director: Person, stranger: Person) -> None:
    waiver(director, licensee="west")
    assert blocking(draft, BLOCKED) == [RULE]


def test_warnings_of_the_table_list(draft: Submission, preparer: Person) -> None:
    enter(preparer, ("3", OVER_UNDER), ("7", OVER_UNDER), ("8", "683a"))
    assert judged(draft, 1) == [("table-not-on-list", "warning"), ("table-of-another-game", "warning")]
    assert judged(draft, 1, answers=BLOCKED)[0] == ("discard-rack-undecided", "blocking")
    assert blocking(draft, SOUND, 1) == []
    note = {**SOUND, "adjacent_boxes_allowed": False}
    severities = [severity for _, severity in judged(draft, 1, answers={**note, "adjacent_boxes": 1})]
    assert severities == sorted(severities, key=("blocking", "warning", "note").index)
    assert set(severities) == {"warning", "note"}


def test_missing_text_blocks_unless_it_is_allowed(
    preparer: Person, settings: LazySettings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.ALLOW_MISSING_TEXT = False
    number = "637a"
    submission = filing_rows.draft(preparer, number)
    row = Configuration.objects.create(submission=submission, answers={})
    one = chapter(number)
    missing = one.missing_text[0]
    answers = {key: test.values[0] for key, test in missing.when.alternatives[0]}
    found = judging.judge_draft(one, row, [row], answers).findings
    blocks = judging.judge_draft(one, row, [row], answers, reads_list=False).blocking
    settings.ALLOW_MISSING_TEXT = True
    assert len(found) > len(judging.judge_draft(one, row, [row], answers).findings)
    assert len(blocks) > len(judging.judge_draft(one, row, [row], answers, reads_list=False).blocking)


def content(*configurations: dict[str, Any], **fields: Any) -> Any:
    return {"configurations": [{"tables": "", **each} for each in configurations], **fields}


def test_filed_configuration(director: Person, casino: Organization) -> None:
    one, today = chapter(OVER_UNDER), timezone.localdate()
    filed = content({"answers": SOUND}, {"answers": BLOCKED, "tables": "3"}, licensee={"slug": "east"})
    found = judging.filed_judgment(one, filed, 1)
    assert (found.licensee, found.tables) == ("east", GroupTables(frozenset({"3"})))
    assert judging.filed_judgment(one, filed, 0).tables == GroupTables(frozenset(), frozenset({"3"}))
    assert [each.rule for each in found.judgment.blocking] == [RULE]
    assert judging.filed_judgment(one, content({"answers": SOUND}), 0).licensee == ""
    assert judging.filed_judgment(one, content({"answers": SOUND}, licensee={}), 0).licensee == ""
    waiver(director, tables="3", first_day=today, last_day=today)

    def rules(place: int, day: date, **book: Any) -> list[str]:
        return [each.rule for each in judging.judge_filed(one, filed, place, day, **book).blocking]

    assert (rules(0, today), rules(1, today), rules(1, today + DAY)) == ([], [], [RULE])
    assert rules(1, today, book=OrderBook()) == [RULE]
    assert [each.rule for each in found.on(one, today, OrderBook()).blocking] == [RULE]
    assert found.on(one, today).blocking == ()


def test_filed_configuration_is_judged_with_its_tables() -> None:
    filed = content({"answers": example("687a", from_hand_tables="12"), "tables": "3"})
    findings = judging.filed_judgment(chapter("687a"), filed, 0).judgment.findings
    assert "687a.tables-outside-group" in [each.rule for each in findings]


def test_slug_by_which_orders_name_a_licensee(casino: Organization, board: Organization) -> None:
    sandbox = Organization(kind="licensee", slug="east-test", sandbox_of=casino)
    assert [judging.licensee_slug(each) for each in (casino, board, sandbox, None)] == ["east", "", "", ""]
