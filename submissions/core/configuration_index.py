"""Which configuration is meant: its place in a filing, its group in the draft, and whose evidence it has.

Runs, remarks and indexes name a configuration by its *place*: the index in the `configurations` of one filing's
snapshot, which never changes. Its *group* is the draft's `Configuration.position`, which stays the same from filing to
filing and is never given to another group, so that a remark on one filing finds its line in the draft and in the next
filing. `evidence_as` is the place of the first configuration with the same answers (its own, if none before it has
them): only that one is simulated. Filings made before there were groups have neither `group` nor `evidence_as`.

Pure. The shape of a snapshot is described in `submissions.filings.snapshot`.
"""

from collections.abc import Sequence
from typing import Any

from submissions.core.table_ranges import tables_as_text

Snapshot = dict[str, Any]


def evidence_index(configurations: Sequence[Snapshot], place: int) -> int:
    """The place of the configuration whose run is the evidence of the one at `place`."""
    return int(configurations[place].get("evidence_as", place))


def runs_needed(configurations: Sequence[Snapshot]) -> list[int]:
    """The places that are simulated, in order."""
    return sorted({evidence_index(configurations, place) for place in range(len(configurations))})


def group_at(content: Snapshot, place: int) -> int:
    """The draft's position of the configuration at `place` of a filing."""
    return int(content["configurations"][place].get("group", place))


def index_of_group(content: Snapshot, group: int) -> int | None:
    """Where a filing has the draft's configuration at position `group`; None if it has none."""
    places = range(len(content["configurations"]))
    return next((place for place in places if group_at(content, place) == group), None)


def tables_text(content: Snapshot, place: int) -> str:
    """ "tables 3, 7-9, pit 2"; "all other tables"; "" where one configuration is for all."""
    row = content["configurations"][place]
    if row["tables"]:
        return tables_as_text(row["tables"], row.get("pit", ""))
    name: str = row["name"]
    return name.lower() if len(content["configurations"]) > 1 else ""
