"""What differs between two filings: exactly the lines, tables, holds and layout elements concerned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.registry import chapter
from submissions.filings import copies
from submissions.filings.diff import (
    NOT_OFFERED,
    FilingSide,
    GroupDiff,
    LineDiff,
    base_revision,
    base_revision_of_draft,
    comparable_revisions,
    compare_draft,
    compare_revisions,
    diff_filings,
    draft_content,
)
from submissions.filings.evidence import computations
from submissions.models import Person, Revision, Submission
from submissions.rules import draft_chapter
from tests.submissions.approved import Cast, change, set_apart
from tests.submissions.example_drafts import ready_to_file

POCKET_BONUS = ("4.5249\N{NO-BREAK SPACE}%", "9.9548\N{NO-BREAK SPACE}%", "+5.4299")  # 10/221, 22/221 of all wagered


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director)


@pytest.fixture
def grouped(cast: Cast) -> Revision:
    """Cajun Stud with a group of four tables that has another Pocket Bonus paytable."""
    draft = ready_to_file(cast.manager, "683a")
    set_apart(draft, "High limit", "3, 7-9", pocket_bonus_paytable="Paytable A")
    return cast.approve(draft)


def test_one_paytable_at_four_tables_is_named_with_both_holds_and_nothing_else(cast: Cast, grouped: Revision) -> None:
    draft = copies.start_amendment(cast.manager, grouped.submission)
    change(cast.manager, draft, {"pocket_bonus_paytable": "Paytable C"}, group=1)
    after = cast.file(draft)
    assert base_revision(after) == grouped
    found = compare_revisions(grouped, after)
    (part,) = found.parts
    assert (part.tables, part.number, part.before, part.after) == ("Tables 3, 7-9", 4, "High limit", "High limit")
    option = chapter("683a").option("pocket_bonus_paytable")
    citation, question = option.citation, option.question
    assert part.lines == (LineDiff("pocket_bonus_paytable", citation, question, "Paytable A", "Paytable C"),)
    (hold,) = part.changed_holds
    assert (hold.wager, hold.paytable) == ("Pocket Bonus Wager", "Paytable A → Paytable C")
    assert (hold.before, hold.after, hold.change) == POCKET_BONUS
    (tables,) = part.paytables
    assert (tables.before, tables.after) == ("Paytable A", "Paytable C")
    assert any(differs for *_, differs in tables.rows)
    assert (part.appear, part.go, part.new_findings, part.settled, found.groups) == ((), (), (), (), ())
    assert found.same_rules


def test_tables_set_apart_are_compared_with_what_held_there_before(cast: Cast, grouped: Revision) -> None:
    """A group made for four tables, one of which was in another group before."""
    draft = copies.start_amendment(cast.manager, grouped.submission)
    draft.configurations.filter(position=1).update(tables="3, 7-8")
    set_apart(draft, "Salon", "9, 20, BJ-4", pocket_bonus_paytable="Paytable C")
    found = compare_revisions(grouped, cast.file(draft))
    told = [(part.tables, part.lines[0].before, part.lines[0].after) for part in found.parts]
    assert told == [
        ("Tables 20, BJ-4", "Paytable B", "Paytable C"),
        ("Table 9", "Paytable A", "Paytable C"),
    ]
    assert found.groups == (
        ("High limit", "tables 3, 7-9", "tables 3, 7-8"),
        ("Salon", "no such group", "tables 9, 20, BJ-4"),
    )


def test_group_given_up_falls_back_to_what_holds_for_all(cast: Cast, grouped: Revision) -> None:
    draft = copies.start_amendment(cast.manager, grouped.submission)
    draft.configurations.filter(position=1).delete()
    (part,) = compare_revisions(grouped, cast.file(draft)).parts
    assert (part.tables, part.before, part.after) == ("Tables 3, 7-9", "High limit", "All tables")
    assert [line.after for line in part.lines] == ["Paytable B"]


def test_wager_that_is_no_longer_offered_takes_its_layout_with_it(cast: Cast) -> None:
    first = cast.version()
    second = cast.amend(first.submission, bonus_wager=False)
    (part,) = compare_revisions(first, second).parts
    assert [(line.key, line.before, line.after) for line in part.lines] == [("bonus_wager", "Yes", "No")]
    (hold,) = part.changed_holds
    assert (hold.wager, hold.after, hold.change) == ("Bonus Wager", NOT_OFFERED, "")
    assert [element["key"] for element in part.go] == ["bonus_area"]
    assert (part.appear, part.tables, part.number) == ((), "All tables", 0)
    back = compare_revisions(second, first).parts[0]
    assert [element["key"] for element in back.appear] == ["bonus_area"]


def test_same_answers_differ_in_nothing(cast: Cast) -> None:
    first = cast.version()
    found = compare_revisions(first, cast.amend(first.submission))
    assert not found
    assert found.count == 0


def test_another_file_of_the_same_name_and_size_differs(cast: Cast) -> None:
    content = replace(cast, computes=False).file(ready_to_file(cast.manager, "688a")).content
    row = content["configurations"][0]
    key, file = next((key, answer) for key, answer in row["answers"].items() if isinstance(answer, dict))
    after = {**row, "answers": {**row["answers"], key: {**file, "sha256": "ab" * 32}}}
    (part,) = diff_filings(FilingSide(content, {}), FilingSide({**content, "configurations": [after]}, {})).parts
    assert [line.key for line in part.lines] == [key]
    assert part.lines[0].after.endswith("[abababababab]")


def draft_parts(cast: Cast, base: Revision, draft: Submission) -> tuple[GroupDiff, ...]:
    game = draft_chapter(draft)
    return compare_draft(base, game, draft_content(draft, game, cast.manager)).parts


def test_draft_is_compared_with_what_it_amends_before_anything_is_computed(cast: Cast) -> None:
    first = cast.version()
    draft = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"adjacent_boxes": 2})
    base = base_revision_of_draft(draft)
    assert base == first
    (part,) = draft_parts(cast, base, draft)
    assert [(line.key, line.before, line.after) for line in part.lines] == [("adjacent_boxes", "3", "2")]
    assert part.changed_holds == ()


def test_hold_after_a_change_is_shown_before_it_is_filed(cast: Cast) -> None:
    first = cast.version()
    draft = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"bonus_wager": False})

    def shown() -> dict[str, tuple[str, str]]:
        (part,) = draft_parts(cast, first, draft)
        return {hold.wager: (hold.before, hold.after) for hold in part.holds}

    ante = "Ante, Over 23 and Under 18 Wagers"
    before = shown()[ante][0]
    assert shown()[ante] == (before, "not computed yet")
    computations.compute_figures(chapter("686a"), draft.configurations.get().answers)
    assert shown()[ante] == (before, before)
    assert shown()["Bonus Wager"][1] == "not offered"


def test_draft_of_a_game_without_holds_waits_for_none(cast: Cast) -> None:
    first = cast.version("637a")
    draft = copies.start_amendment(cast.manager, first.submission)
    change(cast.manager, draft, {"maximum_raises": 5})
    (part,) = draft_parts(cast, first, draft)
    assert [line.key for line in part.lines] == ["maximum_raises"]
    assert part.holds == ()


def test_filing_is_compared_with_the_version_before_even_after_a_later_one(cast: Cast) -> None:
    first = cast.version()
    second = cast.amend(first.submission, adjacent_boxes=2)
    third = cast.amend(second.submission, adjacent_boxes=4)
    assert [base_revision(one) for one in (first, second, third)] == [None, first, second]
    assert comparable_revisions(second) == [third, first]
