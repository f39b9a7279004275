"""Interpretation notes on the general provisions, which belong to no chapter."""

from collections.abc import Mapping

from games.rules.errors import RuleError
from games.rules.loading.fields import Fields
from games.rules.loading.files import CHAPTERS, GENERAL, GENERAL_NOTES, label, read_text, read_toml
from games.rules.model import Reading


def load_general_notes() -> Mapping[str, Reading]:
    """Id → note; `RuleError` where the file is not right, or cites what `general.md` does not have."""
    path = CHAPTERS / GENERAL_NOTES
    data, sections = read_toml(path), dict(read_text(CHAPTERS / GENERAL))
    if unknown := data.keys() - {"reading"}:
        raise RuleError(label(path), "top of the file", f"unknown key `{min(unknown)}`; allowed is reading")
    return {note.id: note for note in (_note(label(path), table, sections) for table in data.get("reading", []))}


def _note(file: str, table: dict[str, object], sections: dict[str, str]) -> Reading:
    row = Fields(file, f"reading `{table.get('id')}`", table, "", sections)
    note = Reading(row.text("id"), row.citation(), row.text("printed"), row.text("reading"), row.text("evidence"))
    row.refuse_unknown()
    return note
