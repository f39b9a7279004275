"""Five kinds of rulemaking through the workbench: written, tried, published; and what each day then shows."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from math import comb

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from games.rules.evaluate import judge
from submissions.core.errors import Forbidden, Refusal
from submissions.filings import copies
from submissions.models import ChangeEffect, Notice, Person, Revision, RulemakingChange, Version
from submissions.rulemakings import drafting, trials
from submissions.rulemakings.refiling import RefilingProgress, refiling_tasks_of, refilings_of
from submissions.rules import chapter_on, published_changes_read_once
from tests.games.chapters.examples import example
from tests.submissions import filing_rows as rows
from tests.submissions.approved import Cast
from tests.submissions.workbench.steps import CELL, first_day, head, published, tried, written

pytestmark = pytest.mark.service("locks", "views")

BEFORE = timedelta(days=1)
NATURAL_THREES = Fraction(12 * comb(4, 3) * comb(11, 2) * 4**2, comb(53, 5))
"""The share of natural three of a kinds: of 12 ranks that are not wild, three of four suits, and two other ranks."""


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def test_rulemaking_without_a_change_is_not_tried(analyst: Person) -> None:
    rulemaking = written(analyst)
    with pytest.raises(Refusal) as refused:
        trials.try_rulemaking(analyst, rulemaking)
    assert (refused.value.code, trials.trial_job_of(rulemaking)) == ("rulemaking-empty", None)


def test_changed_cell_moves_the_hold_from_its_day_on(cast: Cast, other_director: Person) -> None:
    """Chapter 687a, DJWT-05, Three-of-a-Kind from 6 to 1 to 5 to 1: each such hand costs a unit."""
    revision = cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = written(cast.analyst, head() + CELL)
    (change,) = tried(cast.analyst, rulemaking).changes
    (row,) = change.rows
    (hold,) = row.holds
    assert (row.receipt, hold.wager, hold.paytable, row.needs_simulation) == (
        revision.receipt,
        "trips",
        "DJWT-05",
        True,
    )
    assert (hold.before, hold.change) == (Fraction(30852, 409955), NATURAL_THREES)
    papers = [(paper.part, paper.if_odds_repeated) for paper in row.papers]
    assert papers == [("layout", True), ("sign", False), ("guide", False)]
    assert row.effects == ("hold", "sign", "guide")
    assert not row.findings
    assert not row.questions
    assert [(one.part, one.before, one.after) for one in change.differences] == [
        ("Three-of-a-Kind (Natural)", "6 to 1", "5 to 1")
    ]
    drafting.publish_rulemaking(other_director, rulemaking, version=rulemaking.version, confirmed=True)
    pays = {
        day: str(chapter_on("687a", day).paytable("trips", "DJWT-05").rows[-1].pays[0])
        for day in (first_day() - BEFORE, first_day())
    }
    assert list(pays.values()) == ["6 to 1", "5 to 1"]


def test_new_wager_is_offered_from_its_day_on(cast: Cast) -> None:
    cast.version("687a")
    text = head() + (
        '[[option]]\nkey = "second_bonus"\nafter = "bad_beat_wager"\ncitation = ".7(d)"\ngroup = "Wagers"\n'
        'question = "Do you offer the Second Bonus Wager?"\nkind = "yes_no"\nbasis = "explicit"\n'
        '[[wager]]\nkey = "second"\nname = "Second Bonus Wager"\ncitation = ".7(d)"\n'
        'size = "Any amount within the table\'s limits."\noffered_by = "second_bonus"\nsettled = ".11(f)"\n[guide]\n'
        + "fixed = ["
        + ", ".join(f'{{ wager = "{key}", pays = "1 to 1", at = [".12(a)"] }}' for key in ("ante", "raise", "second"))
        + "]\n"
    )
    rulemaking = written(cast.analyst, text)
    (change,) = tried(cast.analyst, rulemaking).changes
    assert "mathematics of chapter 687a does not have the Second Bonus Wager" in change.problem
    assert [row.questions for row in change.rows] == [
        ("“Do you offer the Second Bonus Wager?” is not answered. § 687a.7(d)",)
    ]
    drafting.publish_rulemaking(cast.director, rulemaking, version=rulemaking.version, confirmed=True)
    offered = [
        "second" in {wager.key for wager in chapter_on("687a", day).wagers}
        for day in (first_day() - BEFORE, first_day())
    ]
    assert offered == [False, True]


def test_removed_inscription_makes_the_layout_change(cast: Cast) -> None:
    cast.version("583")
    (element,) = (row for row in chapter_on("583", first_day()).layout if row.key == "flop_rule_on_layout")
    assert element.kind == "inscription"
    text = head("583") + f'[[element]]\nkey = "{element.key}"\nremoved = true\n'
    rulemaking = published(cast.analyst, cast.director, text)
    affected = ChangeEffect.objects.filter(change__rulemaking=rulemaking)
    assert [row.effects for row in affected] == [["layout"]]
    days = (first_day() - BEFORE, first_day())
    assert [element.key in {row.key for row in chapter_on("583", day).layout} for day in days] == [True, False]


def test_raised_reset_minimum_blocks_who_is_below_it(cast: Cast) -> None:
    """Chapter 588: the meter is reset to at least $5,000, from the day on to at least $50,000."""
    cast.version("588")
    text = (
        head("588")
        + '[[requirement]]\nid = "progressive-reset-minimum"\nmust = { progressive_reset = { at_least = 50000 } }\n'
    )
    rulemaking = written(cast.analyst, text)
    (change,) = tried(cast.analyst, rulemaking).changes
    (row,) = change.rows
    assert len(row.findings) == 1
    assert "§ 588.12(d)(2)" in row.findings[0]
    drafting.publish_rulemaking(cast.director, rulemaking, version=rulemaking.version, confirmed=True)
    blocked = [
        bool(judge(chapter_on("588", day), example("588")).blocking) for day in (first_day() - BEFORE, first_day())
    ]
    assert blocked == [False, True]


def test_final_status_changes_nothing_for_a_version(cast: Cast, preparer: Person) -> None:
    cast.version("687a")
    rulemaking = published(cast.analyst, cast.director, head() + '[chapter]\nstatus = "final"\n')
    statuses = [chapter_on("687a", day).status for day in (first_day() - BEFORE, first_day())]
    assert statuses == ["proposed", "final"]
    (refiling,) = refilings_of(rulemaking)
    assert (refiling.progress, refiling_tasks_of(preparer)) == (RefilingProgress.NOTHING_TO_DO, [])
    assert "nothing changes for your version" in Notice.objects.get(person=preparer, submission=None).words


def test_licensee_has_the_task_until_a_version_of_the_new_rules_is_approved(cast: Cast, preparer: Person) -> None:
    revision = cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = published(cast.analyst, cast.director, head() + CELL)
    (task,) = refiling_tasks_of(preparer)
    assert (task.change.rulemaking, task.due, task.progress) == (rulemaking, first_day(), RefilingProgress.NONE)
    assert not task.is_late(first_day() - BEFORE)
    assert task.is_late(first_day())
    draft = copies.start_amendment(cast.manager, revision.submission)
    assert [(row.progress, row.submission) for row in refilings_of(rulemaking)] == [(RefilingProgress.DRAFT, draft)]


def test_change_of_labels_alone_asks_for_papers_and_for_no_filing(cast: Cast, preparer: Person) -> None:
    """The notice, the progress and the task agree: nothing is to be filed again."""
    cast.version("687a")
    rulemaking = published(
        cast.analyst, cast.director, head() + '[labels.labels]\nreplacement_card_area = ["Replaced Card"]\n'
    )
    (refiling,) = refilings_of(rulemaking)
    assert refiling.affected.effects == ["layout"]
    assert (refiling.progress, refiling_tasks_of(preparer)) == (RefilingProgress.PAPERS, [])
    words = Notice.objects.get(person=preparer, submission=None).words
    assert "your layout must show something else. You need not refile" in words
    assert "refile by" not in words


def test_version_filed_under_the_new_rules_ends_the_task(cast: Cast, preparer: Person) -> None:
    cast.version("687a", trips_paytable="DJWT-05")
    rulemaking = published(cast.analyst, cast.director, head() + CELL)
    old = Version.objects.get()
    revision = Revision.objects.create(
        submission=rows.draft(cast.manager), number=1, receipt="RS-2026-00009-R1", snapshot="{}", sha256="0" * 64,
        rules_digest=chapter_on("687a", first_day()).digest, engine="games", attestation="", filed_by=cast.manager,
        filed_at=timezone.now(),
    )  # fmt: skip
    assert len(refiling_tasks_of(preparer)) == 1
    new = rows.put_in_force(revision, first_day(), cast.director)
    (refiling,) = refilings_of(rulemaking)
    assert (refiling.progress, refiling.submission) == (RefilingProgress.APPROVED, revision.submission)
    assert refiling_tasks_of(preparer) == []
    assert not refiling.is_late(first_day())
    assert [version.pk for version in Version.objects.all()] == [old.pk, new.pk]


def test_text_that_does_not_fit_is_refused_with_its_place(analyst: Person) -> None:
    rulemaking = written(analyst)
    for text, said in (
        (head() + CELL.replace("Three-of-a-Kind", "Trips"), "in `changed_rows`, the row `Trips` is unknown"),
        (head() + CELL.replace("[5, 1], [1, 1]", "[6, 1], [1, 1]"), "has no effect"),
        (head(day=first_day() - timedelta(days=80)) + CELL, "which has passed"),
        (head("999") + CELL, "Its chapters: "),
    ):
        with pytest.raises(Refusal) as refusal:
            drafting.write_change(analyst, rulemaking, text, version=rulemaking.version)
        assert said in refusal.value.message
    assert not rulemaking.changes.exists()


def test_writer_of_the_last_change_does_not_publish(analyst: Person, director: Person, other_director: Person) -> None:
    rulemaking = written(director, head() + CELL)
    tried(analyst, rulemaking)
    for person in (director, analyst):
        with pytest.raises(Forbidden):
            drafting.publish_rulemaking(person, rulemaking, version=rulemaking.version, confirmed=True)
    drafting.publish_rulemaking(other_director, rulemaking, version=rulemaking.version, confirmed=True)


def test_untried_rulemaking_is_not_published(analyst: Person, director: Person, cast: Cast) -> None:
    rulemaking = written(analyst, head() + CELL)
    with pytest.raises(Refusal, match="changed after its last trial"):
        drafting.publish_rulemaking(director, rulemaking, version=rulemaking.version, confirmed=True)
    tried(analyst, rulemaking)
    cast.version("687a")  # another version than it was tried on
    with pytest.raises(Refusal, match="changed after its last trial"):
        drafting.publish_rulemaking(director, rulemaking, version=rulemaking.version, confirmed=True)


def test_published_rulemaking_is_changed_by_nobody(analyst: Person, director: Person) -> None:
    rulemaking = published(analyst, director, head() + CELL)
    with pytest.raises(Refusal, match="is published"):
        drafting.write_change(analyst, rulemaking, head() + CELL, version=rulemaking.version)
    for row, change in ((rulemaking, {"title": "Another"}), (rulemaking.changes.get(), {"text": ""})):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            type(row).objects.filter(pk=row.pk).update(**change)


def test_later_rulemaking_of_the_same_day_corrects_the_first(analyst: Person, director: Person) -> None:
    published(analyst, director, head() + CELL)
    published(analyst, director, head() + CELL.replace("[5, 1]", "[4, 1]"))
    row = chapter_on("687a", first_day()).paytable("trips", "DJWT-05").rows[-1]
    assert str(row.pays[0]) == "4 to 1"


def test_published_changes_are_read_once_for_each_request(
    analyst: Person, director: Person, django_assert_num_queries: object
) -> None:
    published(analyst, director, head() + CELL)
    with django_assert_num_queries(1), published_changes_read_once():  # type: ignore[operator]
        for number in ("687a", "588", "687a"):
            chapter_on(number, first_day())
    assert RulemakingChange.objects.count() == 1
    with django_assert_num_queries(2):  # type: ignore[operator]
        for _ in range(2):
            chapter_on("687a", first_day())
