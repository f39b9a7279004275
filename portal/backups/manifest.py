"""The first member of a backup: what is in it, and what the database said at the moment of the backup.

Not here: reading those figures from a database (`table_figures`).
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from portal.backups.errors import BackupDamaged

FORMAT = 2  # of the file; a later format gets another number
NAME = "manifest.json"  # of the member


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the backup. `name`: its path there; `size` in bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableFigures:
    """Counts that identify a database. `tip`: number and link of the last event, 0 and "" before the first."""

    tables: Mapping[str, int]  # rows of each
    migrations: tuple[str, ...]
    tip: tuple[int, str]
    running_jobs: int

    @property
    def rows(self) -> int:
        return sum(self.tables.values())


@dataclass(frozen=True, slots=True)
class Manifest:
    """`secret_key`: a fingerprint, so that a restore shows whether it has the same; the key is not in it."""

    portal: str  # version of the portal
    made_at: str  # ISO 8601
    vendor: str  # of the database: sqlite or postgresql
    figures: TableFigures
    members: tuple[Member, ...]
    secret_key: str
    format: int = FORMAT

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), indent=1).encode()


def read_manifest(content: bytes) -> Manifest:
    """Errors: `BackupDamaged`, also for a format that this version does not know."""
    try:
        data: dict[str, Any] = json.loads(content)
        if data["format"] != FORMAT:
            raise BackupDamaged(
                f"It has format {data['format']}; this version reads format {FORMAT}. Use the version that made it: "
                f"{data.get('portal', 'unknown')}."
            )
        figures = data["figures"]
        return Manifest(
            portal=data["portal"],
            made_at=data["made_at"],
            vendor=data["vendor"],
            figures=TableFigures(
                tables=figures["tables"],
                migrations=tuple(figures["migrations"]),
                tip=(figures["tip"][0], figures["tip"][1]),
                running_jobs=figures["running_jobs"],
            ),
            members=tuple(Member(**member) for member in data["members"]),
            secret_key=data["secret_key"],
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise BackupDamaged(f"Its manifest cannot be read ({error}).") from None
