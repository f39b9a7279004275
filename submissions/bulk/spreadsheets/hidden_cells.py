"""What a spreadsheet hides of the rows, columns and sheets that count. It is named before it counts.

Not here: what is hidden in the file (`sheet_outline`), which cells count (`import_rows`, `table_sheets`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

from submissions.bulk.spreadsheets.sheet_rows import SheetRow, in_sheet
from submissions.core.errors import Refusal

NAMED = 10  # of each kind; the others are counted


@dataclass(slots=True)
class HiddenCells:
    """The hidden sheets, columns and rows of what was read so far, each once and in their order."""

    sheets: dict[str, None] = field(default_factory=dict)
    columns: dict[str, None] = field(default_factory=dict)
    rows: dict[str, None] = field(default_factory=dict)

    def add(self, row: SheetRow, used: Iterable[int]) -> None:
        """A row that counts, with the columns (0, 1, …) whose cells count."""
        if row.in_hidden_sheet:
            self.sheets[row.sheet] = None
            return
        if row.is_hidden:
            self.rows[row.label] = None
        for index in used:
            if index in row.hidden_columns:
                self.columns[in_sheet(row.sheet, get_column_letter(index + 1))] = None

    @property
    def names(self) -> str:
        """“the sheet Old; row 686a!4; columns 686a!E, 686a!F”; "" if nothing is hidden."""
        kinds = (("sheet", self.sheets), ("column", self.columns), ("row", self.rows))
        return "; ".join(_named(kind, list(labels)) for kind, labels in kinds if labels)

    def require_included(self, *, include: bool) -> str:
        """The sentence that names them; a `Refusal` unless the sender included them."""
        if self.names and not include:
            raise Refusal("sheet-hidden", option="include_hidden", names=self.names)
        return f"The file hides cells that count: {self.names}." if self.names else ""


def _named(kind: str, labels: list[str]) -> str:
    more = f" and {len(labels) - NAMED:,} more" if len(labels) > NAMED else ""
    return f"{kind}{'' if len(labels) == 1 else 's'} {', '.join(label[:60] for label in labels[:NAMED])}{more}"
