"""Open items of the Board by person: filings that wait for a recommendation or a decision. For the Board only."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from submissions.models import LayoutStatus, Person, Status
from submissions.permissions import layouts_visible_to, visible_to
from submissions.review.target_days import overdue_before
from submissions.review.worklist import with_latest

OPEN_STATUSES = (Status.FILED, Status.RECOMMENDED)
OPEN_LAYOUT_STATUSES = (LayoutStatus.FILED, LayoutStatus.RECOMMENDED)
UNASSIGNED = "Unassigned"


@dataclass(slots=True)
class Workload:
    """The open items assigned to one person, or unassigned."""

    name: str
    submissions: int = 0
    overdue: int = 0  # of the submissions: past their target day
    layouts: int = 0

    @property
    def total(self) -> int:
        return self.submissions + self.layouts


def workloads(reader: Person, today: date) -> list[Workload]:
    """By name; what is unassigned comes last. Two queries."""
    moment = overdue_before(today)
    by_name: dict[str, Workload] = defaultdict(lambda: Workload(""))
    rows = with_latest(visible_to(reader).filter(status__in=OPEN_STATUSES)).order_by()
    for name, filed_at in rows.values_list("assignment__person__name", "filed_at"):
        by_name[name or ""].submissions += 1
        by_name[name or ""].overdue += bool(moment and filed_at and filed_at < moment)
    layouts = layouts_visible_to(reader).filter(status__in=OPEN_LAYOUT_STATUSES).order_by()
    for name in layouts.values_list("assignment__person__name", flat=True):
        by_name[name or ""].layouts += 1
    for name, workload in by_name.items():
        workload.name = name or UNASSIGNED
    return [by_name[name] for name in sorted(by_name, key=lambda name: (not name, name))]
