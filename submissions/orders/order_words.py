"""How pages and notices name an order: its number, scope and days, and what to do before it ends."""

from games.registry import title_of
from submissions.core.dates import date_text
from submissions.core.table_ranges import tables_as_text
from submissions.models import Order, OrderKind
from submissions.orders.chapter_decisions import ChapterDecision
from submissions.orders.order_periods import OrderPeriod
from submissions.orders.order_tasks import OrderTask

BEFORE_END = {
    OrderKind.WAIVER: "After that day, the waived finding blocks again. Amend the versions that need it, or ask the "
    "Board for another waiver.",
    OrderKind.CONDITION: "Meet the condition by then.",
    OrderKind.ORDER: "Check what the order requires by then.",
}
CHAPTER_ENDS = "After that day, nothing under the chapter is in effect. Discontinue the game, or file for another one."
CHAPTER_UNDECIDED = "After that day, the chapter is undecided unless the Board orders something else."


def order_name(order: Order) -> str:
    """ "Waiver BO-2026-00001 (12-2026)"."""
    docket = f" ({order.docket})" if order.docket else ""
    return f"{order.get_kind_display()} {order.number}{docket}"


def licensee_words(order: Order) -> str:
    """ "Casino East"; "All licensees"."""
    return order.organization.name if order.organization else "All licensees"


def chapter_words(order: Order) -> str:
    """ "Over/Under (686a)"; "Every chapter"."""
    return f"{title_of(order.chapter) or 'Chapter'} ({order.chapter})" if order.chapter else "Every chapter"


def tables_words(order: Order) -> str:
    """ "tables 3, 5-8"; "all tables"."""
    return tables_as_text(order.tables) if order.tables else "all tables"


def days_words(period: OrderPeriod) -> str:
    """When it is in effect; of a decision on a chapter, what is decided."""
    order = period.order
    return ChapterDecision(order).words if order.chapter_effect else period.days_text


def task_words(task: OrderTask) -> str:
    """ "Ends on March 1, 2026, in 9 days. …"."""
    order, left = task.period.order, task.days_left
    when = "today" if left == 0 else f"in {left} day{'' if left == 1 else 's'}"
    if order.chapter_effect:
        todo = CHAPTER_ENDS if order.chapter_effect == "ends" else CHAPTER_UNDECIDED
    else:
        todo = BEFORE_END[OrderKind(order.kind)]
    return f"Its last day is {date_text(task.last_day)}, {when}. {todo}"
