"""The errata report of a chapter: its interpretation notes in the Code's order, the holds that the payout notes change,
and the Board's printed figures with their verdicts.

Not here: the notes themselves (`games.rules.errata`), the holds (`errata_holds`), the comparison of a printed figure
(`games.maths.published`), the report as data (`errata_export`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from games import registry
from games.maths.published import Printed, printed
from games.rules.errata import ChapterErrata, ErrataNote
from games.rules.errors import RuleError
from games.rules.loading.files import CHAPTERS, read_text
from games.rules.loading.files import GENERAL as GENERAL_TEXT
from games.rules.model import Reading
from games.runs.engine import analyze
from games.runs.errata_holds import HoldChange, NoteHolds, compute_holds

GENERAL = "general"
"""What the general provisions are called where a chapter's number is expected."""
GENERAL_TITLE = "General provisions"


@dataclass(frozen=True, slots=True)
class ReportedNote:
    """A reading with its errata note, and the holds of a payout note."""

    reading: Reading
    section: str  # "§ 683a.12. Payout odds; payout limitation."
    note: ErrataNote
    holds: tuple[HoldChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrataReport:
    """What the report says of one chapter, or of the general provisions (`number` is "general")."""

    number: str
    title: str
    document: str
    rules_digest: str  # "" for the general provisions
    errata_digest: str
    notes: tuple[ReportedNote, ...]  # in the Code's order
    figures: tuple[Printed, ...] = ()


def numbers() -> tuple[str, ...]:
    """What can be reported: every finished chapter in the Code's order, then the general provisions."""
    return (*(chapter.number for chapter in registry.chapters()), GENERAL)


def collect(wanted: Sequence[str], make: Callable[[str], ErrataReport]) -> tuple[list[ErrataReport], dict[str, str]]:
    """The reports that can be made, and number → why another cannot."""
    reports, refused = [], {}
    for number in wanted:
        try:
            reports.append(make(number))
        except RuleError as error:
            refused[number] = str(error)
    return reports, refused


def notes_of(number: str) -> ErrataReport:
    """The notes without anything computed; `RuleError` where the errata are missing or do not fit."""
    if number == GENERAL:
        readings = tuple(registry.general_notes().values())
        errata = registry.errata("")
        notes = _in_order(readings, errata, read_text(CHAPTERS / GENERAL_TEXT))
        return ErrataReport(GENERAL, GENERAL_TITLE, errata.document, "", errata.digest, notes)
    chapter, errata = registry.chapter(number), registry.errata(number)
    notes = _in_order(chapter.readings, errata, chapter.sections)
    return ErrataReport(number, chapter.title, errata.document, chapter.digest, errata.digest, notes)


def _in_order(
    readings: Sequence[Reading], errata: ChapterErrata, sections: Mapping[str, str]
) -> tuple[ReportedNote, ...]:
    """The notes in the order of the text, which is the Code's."""
    order = {citation: place for place, citation in enumerate(sections)}
    return tuple(
        ReportedNote(reading, _heading(reading.citation, sections), errata.note(reading.id))
        for reading in sorted(readings, key=lambda reading: order[reading.citation])
    )


def _heading(citation: str, sections: Mapping[str, str]) -> str:
    """The heading of the section in which the citation is."""
    section = citation.partition("(")[0]
    return sections[section].partition("\n")[0].lstrip("# ") if section in sections else section


def compute_report(number: str) -> ErrataReport:
    """The notes with the holds of the payout notes and the verdicts on the printed figures: seconds."""
    report = notes_of(number)
    if number == GENERAL:
        return report
    chapter = registry.chapter(number)
    figures = tuple(printed(chapter, analyze(chapter).wagers)) if chapter.published else ()
    return complete(report, compute_holds(number), figures)


def complete(report: ErrataReport, holds: Collection[NoteHolds], figures: Collection[Printed]) -> ErrataReport:
    """The report with what was computed for it."""
    of_notes = {row.reading: row.holds for row in holds}
    notes = tuple(replace(row, holds=of_notes.get(row.reading.id, ())) for row in report.notes)
    return replace(report, notes=notes, figures=tuple(figures))
