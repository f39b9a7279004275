"""`manage.py print_workflow`: the states of a submission, and who does what in each, as the page `docs/workflow.md`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.management.base import BaseCommand

from portal.checks import SERVICE_TAG
from submissions.models import LayoutStatus, Role, Status
from submissions.permissions import CAPABILITIES, LAYOUT_CAPABILITIES, Capability
from submissions.permissions.workflow import LAYOUT_TRANSITIONS, TRANSITIONS, Transition

Steps = Mapping[str, Transition]
Capabilities = Mapping[str, Capability]

HEAD = """\
# The states of a submission

Printed by `manage.py print_workflow` from `submissions/permissions/`; a test compares the page with the code. A role
counts only at its own side, and a licensee's people reach its own submissions alone. What is not named here is refused.
A preparer who is stand-in for the Table Games Manager does what that role does, on the days of the stand-in.
"""
LAYOUT_HEAD = """\
# The states of a layout filing

What § 601a.10 asks for: layouts, signs and gaming guides are filed with the Bureau of Gaming Operations, which reviews
them within 15 calendar days and reports to the Executive Director. A Rules Submission can be laid out (`lay-out`) from
its first filing on.
"""


class Command(BaseCommand):
    help = "Print the states of a submission, and who does what in each, as Markdown."
    requires_system_checks = [SERVICE_TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(page(), ending="")


def page() -> str:
    """Return the page: for submissions and for layout filings, steps, capabilities, what each role may do when."""
    layouts = [LAYOUT_HEAD, *_tables(LAYOUT_TRANSITIONS, LAYOUT_CAPABILITIES, LayoutStatus)]
    return "\n".join((HEAD, *_tables(TRANSITIONS, CAPABILITIES, Status), "", *layouts, ""))


def _tables(steps: Steps, capabilities: Capabilities, states: type[Status] | type[LayoutStatus]) -> Iterator[str]:
    yield "## Steps\n"
    yield from _table(
        ("step", "from", "to", "by", "needs"),
        (
            (verb, _words(step.sources), _words([step.target]), _words(step.roles), _needs(verb, step))
            for verb, step in steps.items()
        ),
    )
    yield "\n## Without a step\n"
    rows = ((verb, _words(capability.sources), _words(capability.roles)) for verb, capability in capabilities.items())
    yield from _table(("action", "while", "by"), rows)
    yield "\n## Who does what when\n"
    yield from _table(
        ("while", *(role.label for role in Role)),
        (
            (str(state.label), *(", ".join(_verbs(steps, capabilities, state, role)) for role in Role))
            for state in states
        ),
    )


def _words(named: Iterable[Any]) -> str:
    return ", ".join(str(choice.label) for choice in named)


def _needs(verb: str, step: Transition) -> str:
    needs = {
        "a reason": step.needs_reason,
        "a question": verb == "return",
        "an element that is deficient": verb == "notify",
        "every element found, or accepted by the Board": step.done == "layout-recommended",
        "every simulation passed": step.needs_evidence,
        "a person other than the one who recommended it": verb == "approve",
        "a draft that the preparer started; a Table Games Manager deletes any": step.by_owner,
        "the Rules Submission approved": step.done == "layout-approved",
    }
    return "; ".join(need for need, needed in needs.items() if needed)


def _verbs(steps: Steps, capabilities: Capabilities, state: str, role: Role) -> Iterator[str]:
    yield from (
        verb for verb, capability in capabilities.items() if state in capability.sources and role in capability.roles
    )
    yield from (verb for verb, step in steps.items() if state in step.sources and role in step.roles)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(cell or '–' for cell in row)} |"
