"""Conditions that a director adds to an approval: orders of the kind condition, tied to the decision on the revision.

They are created in the transaction of the approval and sealed in its event. Not here: the approval itself
(`review.decisions`), ending a condition (`order_entry`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from submissions.core.errors import Refusal
from submissions.models import Decision, Order, OrderKind
from submissions.orders.order_content import OrderContent, clean_content
from submissions.orders.order_entry import create_order
from submissions.orders.order_periods import OrderPeriod, order_periods

MOST_CONDITIONS = 20


@dataclass(frozen=True, slots=True)
class ConditionText:
    """A condition as it is entered; `tables` "" = all tables of the approval."""

    text: str
    citation: str
    tables: str = ""
    last_day: date | None = None


def add_conditions(decision: Decision, conditions: Sequence[ConditionText], from_day: date) -> list[Order]:
    """The rows, in effect from the first day of the version; the caller has locked the history."""
    if len(conditions) > MOST_CONDITIONS:
        raise Refusal("too-many-conditions", count=len(conditions), most_conditions=MOST_CONDITIONS)
    submission = decision.revision.submission
    rows = []
    for condition in conditions:
        content = OrderContent(
            kind=OrderKind.CONDITION,
            citation=condition.citation,
            text=condition.text,
            first_day=from_day,
            last_day=condition.last_day,
            licensee=submission.organization.slug,
            chapter=submission.chapter,
            tables=condition.tables,
        )
        organization = submission.organization
        rows.append(create_order(clean_content(content), decision.by, organization=organization, decision=decision))
    return rows


def conditions_of(revision: int) -> list[OrderPeriod]:
    """The conditions of the revision's approval with what became of them, in the order in which they were entered.

    `revision`: its primary key.
    """
    return order_periods(_of_revision(revision).order_by("pk"))


def conditions_in_effect(revision: int, day: date) -> list[OrderPeriod]:
    """Those of them that are in effect on the day."""
    return [period for period in conditions_of(revision) if period.is_in_effect(day)]


def condition_counts(revisions: Iterable[int]) -> dict[int, int]:
    """Primary key of a revision → how many conditions its approval was given under; one query."""
    rows = Order.objects.filter(kind=OrderKind.CONDITION, replaces=None, decision__revision__in=list(revisions))
    return Counter(rows.order_by().values_list("decision__revision", flat=True))


def first_conditions(revision: int) -> list[Order]:
    """As they were decided with the approval: later replacements and ends change nothing."""
    return list(_of_revision(revision).filter(replaces=None).order_by("pk"))


def _of_revision(revision: int) -> QuerySet[Order]:
    return Order.objects.filter(kind=OrderKind.CONDITION, decision__revision=revision)
