"""Table groups: exceptions from "all tables" with answers of their own; no table in two, no position given twice."""

from __future__ import annotations

import pytest

from submissions.audit.chain import verify_chain
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import attachments, drafts, filing, table_groups
from submissions.filings.review import decisions
from submissions.filings.table_groups import GroupDescription
from submissions.models import Configuration, Event, Person, Submission
from tests.submissions import files
from tests.submissions.example_drafts import ready_to_file

pytestmark = pytest.mark.service("constraints")

HIGH = GroupDescription("High limit", "3, 7-9", "Pit 2")
MAIN = GroupDescription("Main floor", "12")
SCATTERED = ",".join(str(number) for number in range(10_000, 10_200, 2))


@pytest.fixture
def draft(preparer: Person) -> Submission:
    draft = drafts.start_submission(preparer, "686a")
    drafts.save_answers(preparer, draft, {"adjacent_boxes_allowed": True, "adjacent_boxes": 2}, seen={})
    return draft


def row(draft: Submission, position: int) -> Configuration:
    return draft.configurations.get(position=position)


def names(draft: Submission) -> list[tuple[int, str, str]]:
    return list(draft.configurations.values_list("position", "name", "tables"))


def test_group_begins_as_a_copy_and_goes_its_own_way(preparer: Person, draft: Submission) -> None:
    high = table_groups.add_group(preparer, draft, HIGH)
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 3}, seen=high.answers, configuration=1)
    assert (high.position, high.name, high.tables, high.pit) == (1, "High limit", "3, 7-9", "Pit 2")
    assert row(draft, 0).answers == {"adjacent_boxes_allowed": True, "adjacent_boxes": 2}
    assert row(draft, 1).answers == {"adjacent_boxes_allowed": True, "adjacent_boxes": 3}
    assert table_groups.differing(row(draft, 1), row(draft, 0)) == {"adjacent_boxes"}
    assert table_groups.add_group(preparer, draft, MAIN, copy_of=1).answers["adjacent_boxes"] == 3


def test_history_names_the_group(preparer: Person, draft: Submission) -> None:
    high = table_groups.add_group(preparer, draft, HIGH)
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 3}, seen=high.answers, configuration=1)
    table_groups.describe_group(preparer, draft, 1, GroupDescription("High limit", "3, 7-9, 12"), seen=HIGH)
    table_groups.remove_group(preparer, draft, 1)
    told = list(Event.objects.filter(submission=draft).order_by("sequence").values_list("verb", "before", "after"))[2:]
    assert told == [
        (
            "grouped",
            {},
            {"name": "High limit", "tables": "3, 7-9", "pit": "Pit 2", "as": "All other tables", "position": 1},
        ),
        (
            "saved",
            {"adjacent_boxes": 2},
            {"adjacent_boxes": 3, "@group": {"position": 1, "name": "High limit"}},
        ),
        (
            "regrouped",
            {"name": "High limit", "tables": "3, 7-9", "pit": "Pit 2"},
            {"name": "High limit", "tables": "3, 7-9, 12", "pit": ""},
        ),
        (
            "ungrouped",
            {
                "name": "High limit",
                "tables": "3, 7-9, 12",
                "pit": "",
                "answers": {"adjacent_boxes_allowed": True, "adjacent_boxes": 3},
            },
            {"name": "High limit"},
        ),
    ]
    assert verify_chain()[1] is None


@pytest.mark.parametrize(
    ("description", "code", "field", "says"),
    [
        (GroupDescription("", "4"), "group-name-missing", "name", "is missing"),
        (GroupDescription("  ", "4"), "group-name-missing", "name", "is missing"),
        (GroupDescription("high LIMIT", "4"), "group-name-taken", "name", "“high LIMIT”"),
        (GroupDescription("All other tables", "4"), "group-name-taken", "name", "already"),
        (GroupDescription("x" * 81, "4"), "group-name-too-long", "name", "81 characters; 80"),
        (GroupDescription("New", "4", "y" * 81), "group-pit-too-long", "pit", "81 characters; 80"),
        (GroupDescription("New\x07", "4"), "control-characters", "name", "U+0007"),
        (GroupDescription("New", "4\u202e5"), "control-characters", "tables", "U+202E"),
        (GroupDescription("New", ""), "group-without-tables", "tables", "no tables"),
        (GroupDescription("New", " , "), "group-without-tables", "tables", "no tables"),
        (GroupDescription("New", "9-7"), "group-tables-unreadable", "tables", "backwards"),
        (GroupDescription("New", "1-99999"), "group-tables-unreadable", "tables", "more than 1,000"),
        (GroupDescription("New", "4,5," * 2_501), "text-too-long", "tables", "10,004 characters"),
        (GroupDescription("New", "x" * 10_000), "group-tables-unreadable", "tables", "xxx…”"),
        (GroupDescription("New", SCATTERED), "group-tables-too-long", "tables", "The limit is 400"),
        (GroupDescription("New", "8-10, 4"), "table-in-two-groups", "tables", "Tables 8-9 of “High limit”"),
        (GroupDescription("New", "7"), "table-in-two-groups", "tables", "Table 7 of “High limit”"),
    ],
)  # fmt: skip
def test_description_that_makes_no_group_is_refused(
    preparer: Person, draft: Submission, description: GroupDescription, code: str, field: str, says: str
) -> None:
    table_groups.add_group(preparer, draft, HIGH)
    with pytest.raises(Refusal) as refusal:
        table_groups.add_group(preparer, draft, description)
    assert (refusal.value.code, refusal.value.option) == (code, field)
    assert says in refusal.value.message
    assert len(refusal.value.message) < 200
    assert refusal.value.fix
    assert names(draft) == [(0, "All tables", ""), (1, "High limit", "3, 7-9")]


def test_group_keeps_its_own_tables_when_it_is_described_anew(preparer: Person, draft: Submission) -> None:
    table_groups.add_group(preparer, draft, HIGH)
    table_groups.describe_group(preparer, draft, 1, GroupDescription("Salon", "9, 8, 3"), seen=HIGH)
    assert names(draft)[1] == (1, "Salon", "3, 8-9")
    table_groups.add_group(preparer, draft, GroupDescription("High limit", "7"))


def test_two_people_describe_one_group_second_is_told(preparer: Person, manager: Person, draft: Submission) -> None:
    table_groups.add_group(preparer, draft, HIGH)
    table_groups.describe_group(preparer, draft, 1, GroupDescription("High limit", "3, 7-9, 12", "Pit 2"), seen=HIGH)
    with pytest.raises(Conflict) as conflict:
        table_groups.describe_group(manager, draft, 1, GroupDescription("High limit", "3", "Pit 2"), seen=HIGH)
    assert "tables 3, 7-9, 12, pit Pit 2" in conflict.value.message
    assert names(draft)[1] == (1, "High limit", "3, 7-9, 12")


def test_two_people_edit_two_groups_and_nobody_waits(preparer: Person, manager: Person, draft: Submission) -> None:
    high, main = table_groups.add_group(preparer, draft, HIGH), table_groups.add_group(preparer, draft, MAIN)
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 3}, seen=high.answers, configuration=1)
    drafts.save_answers(manager, draft, {"adjacent_boxes": 4}, seen=main.answers, configuration=2)
    assert [row(draft, place).answers["adjacent_boxes"] for place in (0, 1, 2)] == [2, 3, 4]


def test_line_is_set_back_to_all_other_tables(preparer: Person, draft: Submission) -> None:
    high = table_groups.add_group(preparer, draft, HIGH)
    changes = {"adjacent_boxes": 3, "verbal_wagers": True}
    drafts.save_answers(preparer, draft, changes, seen=high.answers, configuration=1)
    table_groups.reset_line(preparer, draft, 1, "adjacent_boxes")
    table_groups.reset_line(preparer, draft, 1, "verbal_wagers")
    assert table_groups.differing(row(draft, 1), row(draft, 0)) == set()
    assert Event.objects.filter(verb="saved").last().after["@group"]["name"] == "High limit"


def test_file_belongs_to_its_group_and_is_filed_with_it(preparer: Person, manager: Person) -> None:
    draft = ready_to_file(preparer, "688a")
    table_groups.add_group(preparer, draft, HIGH)
    attachments.attach_file(preparer, draft, "house_rules", "high limit.pdf", files.pdf(Lang="en"), configuration=1)
    content = filing.file_submission(manager, draft, version=1, attested=True).content
    assert row(draft, 0).answers["house_rules"]["name"] == "house rules.pdf"
    assert sorted(file["name"] for file in content["attachments"]) == ["high limit.pdf", "house rules.pdf"]


def test_unknown_group_is_told(preparer: Person, draft: Submission) -> None:
    for attempt in (
        lambda: drafts.save_answers(preparer, draft, {"adjacent_boxes": 3}, seen={}, configuration=7),
        lambda: table_groups.remove_group(preparer, draft, 7),
        lambda: table_groups.add_group(preparer, draft, HIGH, copy_of=7),
        lambda: table_groups.describe_group(preparer, draft, 7, HIGH, seen=HIGH),
        lambda: table_groups.reset_line(preparer, draft, 7, "adjacent_boxes"),
    ):
        with pytest.raises(Conflict) as conflict:
            attempt()
        assert conflict.value.code == "no-such-group"


def test_all_tables_are_no_group(preparer: Person, draft: Submission) -> None:
    for attempt in (
        lambda: table_groups.remove_group(preparer, draft, 0),
        lambda: table_groups.describe_group(preparer, draft, 0, HIGH, seen=GroupDescription("All tables", "")),
    ):
        with pytest.raises(Refusal, match="cannot rename or remove"):
            attempt()


def test_more_than_forty_groups_are_refused(preparer: Person, draft: Submission) -> None:
    for number in range(table_groups.MOST):
        table_groups.add_group(preparer, draft, GroupDescription(f"Group {number}", str(number)))
    with pytest.raises(Refusal) as refusal:
        table_groups.add_group(preparer, draft, GroupDescription("One more", "99"))
    assert refusal.value.code == "too-many-groups"


def test_groups_by_others_forbidden(
    preparer: Person, reader: Person, stranger: Person, analyst: Person, draft: Submission
) -> None:
    table_groups.add_group(preparer, draft, HIGH)
    for person in (reader, stranger, analyst):
        for attempt in (
            lambda person=person: table_groups.add_group(person, draft, MAIN),
            lambda person=person: table_groups.describe_group(person, draft, 1, MAIN, seen=HIGH),
            lambda person=person: table_groups.remove_group(person, draft, 1),
            lambda person=person: table_groups.reset_line(person, draft, 1, "adjacent_boxes"),
        ):
            with pytest.raises(Forbidden):
                attempt()
    assert names(draft) == [(0, "All tables", ""), (1, "High limit", "3, 7-9")]


def test_position_of_a_filed_group_is_never_given_again(preparer: Person, manager: Person, analyst: Person) -> None:
    draft = ready_to_file(preparer, "686a")
    table_groups.add_group(preparer, draft, HIGH)
    filing.file_submission(manager, draft, version=1, attested=True)
    draft.refresh_from_db()
    decisions.return_to_licensee(analyst, draft, version=draft.version, reason="Which tables are these?")
    draft.refresh_from_db()
    table_groups.remove_group(preparer, draft, 1)
    assert table_groups.add_group(preparer, draft, MAIN).position == 2
