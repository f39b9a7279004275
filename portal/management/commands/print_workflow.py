"""`manage.py print_workflow`: the states of a submission, and who does what in each, as the page `docs/workflow.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.management.base import BaseCommand

from submissions.access import DEEDS, LAYOUT_DEEDS, Deed
from submissions.models import LayoutStatus, Role, Status
from submissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS, Transition

Steps = Mapping[str, Transition]
Deeds = Mapping[str, Deed]

HEAD = """\
# The states of a submission

Printed by `manage.py print_workflow` from `submissions/workflow.py` and `submissions/access/`; a test holds the page
to the code. A role counts only at its own side, and a licensee's people reach its own submissions alone. What is not
named here is refused.
"""
LAYOUT_HEAD = """\
# The states of a layout filing

What § 601a.10 asks for: layouts, signs and gaming guides are filed with the Bureau of Gaming Operations, which reviews
them within 15 calendar days and reports to the Executive Director. A Rules Submission can be laid out (`lay-out`) from
its first filing on.
"""


class Command(BaseCommand):
    help = "Print the states of a submission, and who does what in each, as Markdown."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(page(), ending="")


def page() -> str:
    """For submissions and for layout filings, three tables: steps, deeds without one, what each role does when."""
    layouts = [LAYOUT_HEAD, *_tables(LAYOUT_TRANSITIONS, LAYOUT_DEEDS, LayoutStatus)]
    return "\n".join((HEAD, *_tables(TRANSITIONS, DEEDS, Status), "", *layouts, ""))


def _tables(steps: Steps, deeds: Deeds, states: type[Status] | type[LayoutStatus]) -> Iterator[str]:
    yield "## Steps\n"
    yield from _table(
        ("step", "from", "to", "by", "needs"),
        (
            (verb, _words(step.sources), _words([step.target]), _words(step.roles), _needs(verb, step))
            for verb, step in steps.items()
        ),
    )
    yield "\n## Without a step\n"
    rows = ((verb, _words(deed.states), _words(deed.roles)) for verb, deed in deeds.items())
    yield from _table(("deed", "while", "by"), rows)
    yield "\n## Who does what when\n"
    yield from _table(
        ("while", *(role.label for role in Role)),
        ((str(state.label), *(", ".join(_verbs(steps, deeds, state, role)) for role in Role)) for state in states),
    )


def _words(named: Iterable[Any]) -> str:
    return ", ".join(str(one.label) for one in named)


def _needs(verb: str, step: Transition) -> str:
    needs = {
        "a reason": step.needs_reason,
        "a question": verb == "return",
        "an element that is deficient": verb == "notify",
        "every element found, or accepted by the Board": step.done == "layout-recommended",
        "every simulation passed": step.needs_evidence,
        "somebody other than who recommended it": verb == "approve",
        "the Rules Submission approved": step.done == "layout-approved",
    }
    return "; ".join(need for need, needed in needs.items() if needed)


def _verbs(steps: Steps, deeds: Deeds, state: str, role: Role) -> Iterator[str]:
    yield from (verb for verb, deed in deeds.items() if state in deed.states and role in deed.roles)
    yield from (verb for verb, step in steps.items() if state in step.sources and role in step.roles)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(cell or '–' for cell in row)} |"
