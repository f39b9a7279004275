"""One table as it was approved: what must be on the felt, on the sign and at the table, what is paid, what was chosen.

From a frozen filing alone; no queries here.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from submissions.core import table_ranges
from submissions.core.canonical_json import Content
from submissions.documents.context import document_context
from submissions.documents.document_record import compose_record

TemplateContext = dict[str, Any]

# The kinds of layout element, in the order in which a person at the table looks for them.
PLACES_TO_LOOK = (
    ("On the felt", ("inscription", "area", "card_area", "position")),
    ("On the sign at the table", ("sign",)),
    ("At the table", ("device", "box")),
)

POSTED = {"odds_sign": "on the sign at the table", "odds_on_layout": "on the felt"}  # by the element that asks for it


def table_rules(content: Content, table: str) -> TemplateContext:
    """What the filing says of the table: its group, where to look for what, what is paid, what was chosen."""
    rows = content["configurations"]
    place = table_ranges.group_at([row["tables"] for row in rows], table)
    row, shown = rows[place], document_context(compose_record(dict(content)))["configurations"][place]
    return {
        "group": row["name"],
        "tables": row["tables"],
        "pit": row.get("pit", ""),
        "named": bool(row["tables"]),  # whether the group names this table, or is for all others
        "places": list(_places(row)),
        # where the payouts must stand, in words; "" = nowhere in particular
        "posted": next((POSTED[element["key"]] for element in row["layout"] if element["key"] in POSTED), ""),
        "paytables": [paytable for pair in shown["paytables"] for paytable in pair],
        "waived": [finding for finding in row["findings"] if "waiver" in finding],
        "lines": [(name, list(lines)) for name, lines in groupby(row["lines"], key=lambda line: str(line["group"]))],
    }


def _places(row: Content) -> Iterator[tuple[str, list[TemplateContext]]]:
    """Inscriptions first: they can be read from a distance."""
    for where, kinds in PLACES_TO_LOOK:
        elements = [element for kind in kinds for element in row["layout"] if element["kind"] == kind]
        if elements:
            yield where, elements
