"""Who filled in what: the last change of each line, by table group, from the events in one query."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from games.registry import chapter
from submissions.audit.timeline import last_changes
from submissions.filings import attachments, copies, drafts, table_groups
from submissions.filings.table_groups import GroupDescription
from submissions.models import Event, Person
from tests.submissions import files
from tests.submissions.web.clients import HTMX, browser

pytestmark = [pytest.mark.django_db, pytest.mark.service("queries")]


def names(submission: Any, group: int = 0) -> dict[str, str]:
    return {key: change.name for key, change in last_changes(submission, group).items()}


def test_last_person_of_each_line_counts(preparer: Person, manager: Person, django_assert_num_queries: Any) -> None:
    draft = drafts.start_submission(preparer, "686a")
    assert names(draft) == {}
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2, "verbal_wagers": True})
    drafts.save_answers(manager, draft, {"adjacent_boxes": 3})
    with django_assert_num_queries(1):
        changes = last_changes(draft, 0)
    assert {key: change.name for key, change in changes.items()} == {
        "adjacent_boxes": "Manager East",
        "verbal_wagers": "Preparer East",
    }
    assert changes["adjacent_boxes"].at == Event.objects.latest("sequence").at


def test_group_of_tables_has_its_own_changes_and_a_new_one_none(preparer: Person, manager: Person) -> None:
    draft = drafts.start_submission(preparer, "686a")
    drafts.save_answers(preparer, draft, {"adjacent_boxes": 2})
    group = table_groups.add_group(preparer, draft, GroupDescription("High limit", "3"))
    drafts.save_answers(manager, draft, {"adjacent_boxes": 3}, configuration=group.position)
    assert (names(draft), names(draft, group.position)) == (
        {"adjacent_boxes": "Preparer East"},
        {"adjacent_boxes": "Manager East"},
    )
    table_groups.remove_group(preparer, draft, group.position)
    again = table_groups.add_group(preparer, draft, GroupDescription("Pit 2", "4"))
    assert names(draft, again.position) == {}


def test_copy_begins_without_changes_and_a_file_counts(preparer: Person, manager: Person) -> None:
    source = drafts.start_submission(preparer, "688a")
    line = next(option.key for option in chapter("688a").options if option.kind == "attachment")
    attachments.attach_file(manager, source, line, "rules.pdf", files.pdf())
    assert names(source) == {line: "Manager East"}
    assert names(copies.copy_own(preparer, source)) == {}


def test_checklist_names_the_person_at_once(preparer: Person, manager: Person) -> None:
    draft = drafts.start_submission(preparer, "686a")
    address, client = reverse("checklist", args=[draft.number]), browser(manager)
    assert "Last change:" not in client.get(address).content.decode()
    saved = client.post(address, {"answer-verbal_wagers": "yes", "seen-verbal_wagers": "null"}, headers=HTMX)
    assert saved.content.decode().count("Last change: Manager East, ") == 1
    assert _at_findings(saved.content.decode()) == ""  # their own change is among the details of the line
    shown = browser(preparer).get(address).content.decode()
    assert shown.count("Last change: Manager East, ") == 1
    assert "Last change: Manager East, " in _at_findings(shown)


def _at_findings(html: str) -> str:
    """What is under the line `verbal_wagers`, in sight."""
    return html.split('id="findings-verbal_wagers"')[1].split(">", 1)[1].split("</div>")[0]
