"""The demonstration's table lists: entered once, and every table that its example filing names is listed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from games import registry
from games.rules.lists import parse_tables
from portal import demo
from submissions.filings.tables.table_lists import entries_on
from submissions.models import TableEntry

pytestmark = pytest.mark.django_db


def test_first_filing_is_under_final_rules_whose_text_is_complete() -> None:
    chapter = registry.chapter(demo.CHAPTER)
    assert (chapter.status, chapter.missing) == ("final", "")


def test_lists_are_entered_once_and_have_the_tables_of_the_example(settings: Any) -> None:
    settings.DEMO_PASSPHRASE = settings.DEMO_PASSPHRASE or "a long demo passphrase"
    demo.create_cast()
    demo.enter_table_lists()
    count = TableEntry.objects.count()
    demo.enter_table_lists()
    assert TableEntry.objects.count() == count
    answers = json.loads(demo.ANSWERS.read_text(encoding="utf-8"))
    named = parse_tables(f"{answers['from_hand_tables']}, {answers['automated_shoe_tables']}")
    listed = entries_on(timezone.localdate()).filter(organization__slug="east")
    assert named <= {row.number for row in listed if row.chapter == demo.CHAPTER}
