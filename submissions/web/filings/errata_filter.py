"""The filter of the errata pages: notes of one class, of one effect. Not here: the pages (`errata_pages`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from games.rules.errata import CLASSES, EFFECTS
from games.runs.errata import ErrataReport, ReportedNote
from submissions.core.errors import Refusal

ALLOWED: Mapping[str, Mapping[str, str]] = {
    "class": {str(name): text for name, text in CLASSES.items()},
    "effect": {str(name): text for name, text in EFFECTS.items()},
}


@dataclass(frozen=True, slots=True)
class ErrataFilter:
    """`entered`: what the address asks for, by field; `faults`: what no note can be, by field."""

    entered: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, Refusal] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return 400 if self.faults else 200

    @property
    def query(self) -> str:
        """For links: "?class=substantive"; "" for all notes."""
        return f"?{urlencode(self._valid)}" if self._valid else ""

    @property
    def query_of_chapter(self) -> str:
        """The same after another parameter: "&class=substantive"."""
        return self.query.replace("?", "&", 1)

    @property
    def _valid(self) -> dict[str, str]:
        return {name: text for name, text in self.entered.items() if text and name not in self.faults}

    @property
    def fields(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Each field with its values and what they mean."""
        return [(name, list(values.items())) for name, values in ALLOWED.items()]

    def matches(self, report: ErrataReport) -> list[ReportedNote]:
        """The notes of the report that the filter leaves; a field with a fault leaves all."""
        note_class, effect = self._valid.get("class"), self._valid.get("effect")
        return [
            row
            for row in report.notes
            if note_class in (None, row.note.note_class) and effect in (None, row.note.effect)
        ]


def errata_filter(parameters: Mapping[str, str]) -> ErrataFilter:
    """The filter that these parameters of an address ask for."""
    entered = {name: parameters.get(name, "").strip() for name in ALLOWED}
    faults = {
        name: Refusal("unknown-filter/errata", what=name, text=text[:40], known=", ".join(ALLOWED[name]))
        for name, text in entered.items()
        if text and text not in ALLOWED[name]
    }
    return ErrataFilter(entered, faults)
