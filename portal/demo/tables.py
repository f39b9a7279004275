"""The table lists of the demonstration's casinos: some open tables, one that is closed, one that changes its game."""

from datetime import timedelta

from django.utils import timezone

from portal.demo import cast
from submissions.models import TableState
from submissions.table_list.list_changes import TableRow, change_table_list, last_entry

LISTS = {  # casino → its tables: number, game, pit
    "east": (
        ("1", "683a", "1"), ("2", "683a", "1"), ("12", "678a", "2"), ("14", "678a", "2"), ("15", "678a", "2"),
        ("16", "678a", "2"), ("21", "678a", "3"), ("22", "686a", "3"), ("23", "590", "3"),
    ),
    "west": (("1", "683a", "Main"), ("2", "687a", "Main"), ("3", "655a", "Main")),
}  # fmt: skip
CLOSED = {"east": "16", "west": "3"}
CHANGES = timedelta(days=7)  # from now, East's table 2 offers the game of table 12


def enter_lists() -> None:
    """Each casino's list, entered by its manager, where it has none yet."""
    today = timezone.localdate()
    for slug, tables in LISTS.items():
        manager = cast.person("manager", slug)
        if manager.organization is None or last_entry(manager.organization):
            continue
        states = {CLOSED[slug]: TableState.CLOSED}
        rows = [TableRow(number, game, pit, states.get(number, TableState.OPEN)) for number, game, pit in tables]
        change_table_list(manager, rows, from_day=today)
        if slug == "east":
            change_table_list(manager, [TableRow("2", "678a", "1")], from_day=today + CHANGES)
