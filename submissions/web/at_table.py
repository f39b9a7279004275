"""One table as it was approved: what must be on the felt, on the sign and at the table, what is paid, what was chosen.

From a frozen filing alone; no queries here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from submissions import tables
from submissions.documents.present import present
from submissions.documents.record import compose

Content = Mapping[str, Any]
Shown = dict[str, Any]

# The kinds of layout element, in the order in which somebody at the table looks for them.
WHERE = (
    ("On the felt", ("inscription", "area", "card_area", "position")),
    ("On the sign at the table", ("sign",)),
    ("At the table", ("device", "box")),
)

POSTED = {"odds_sign": "on the sign at the table", "odds_on_layout": "on the felt"}  # by the element that asks for it


@dataclass(frozen=True, slots=True)
class AtTable:
    """`group` is the configuration that holds here; `named` whether it names this table, or is for all others."""

    group: str
    tables: str
    pit: str
    named: bool
    places: tuple[tuple[str, tuple[Shown, ...]], ...]  # where to look, what must be there
    posted: str  # where the payouts must stand, in words; "" = nowhere in particular
    paytables: tuple[Shown, ...]
    lines: tuple[tuple[str, tuple[Shown, ...]], ...]  # heading, its lines


def at_table(content: Content, table: str) -> AtTable:
    """What the filing says of the table."""
    rows = content["configurations"]
    place = tables.group_at([row["tables"] for row in rows], table)
    row, shown = rows[place], present(compose(dict(content)))["configurations"][place]
    return AtTable(
        group=row["name"],
        tables=row["tables"],
        pit=row.get("pit", ""),
        named=bool(row["tables"]),
        places=tuple(_places(row)),
        posted=next((POSTED[element["key"]] for element in row["layout"] if element["key"] in POSTED), ""),
        paytables=tuple(one for pair in shown["paytables"] for one in pair),
        lines=tuple((name, tuple(lines)) for name, lines in groupby(row["lines"], key=lambda line: str(line["group"]))),
    )


def _places(row: Content) -> Iterator[tuple[str, tuple[Shown, ...]]]:
    """Inscriptions first: their words can be read from where one stands."""
    for where, kinds in WHERE:
        found = [element for kind in kinds for element in row["layout"] if element["kind"] == kind]
        if found:
            yield where, tuple(found)
