"""The printed table of states says what the code does."""

from pathlib import Path

from portal.management.commands.print_workflow import page

PRINTED = Path(__file__).parents[2] / "docs" / "workflow.md"


def test_page_of_the_workflow_is_that_of_the_code() -> None:
    assert PRINTED.read_text() == page(), "print it again: manage.py print_workflow > docs/workflow.md"
