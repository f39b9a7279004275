"""Which rows there are of a table to which rows are only added (`models.append_only`): the key of what is made of them.

A process that keeps a result beside it makes the result again as soon as there is another row.
"""

from typing import Any

RowsSeen = tuple[int, tuple[Any, ...] | None]


def rows_seen(model: Any, *moments: str) -> RowsSeen:
    """How many rows there are, and of the latest the primary key and these fields. Two queries.

    The number counts too: of two rows that are stored at the same time, the later may be seen first.
    """
    latest = model.objects.order_by("-pk").values_list("pk", *moments).first()
    return (model.objects.order_by().count(), latest)
