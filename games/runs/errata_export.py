"""An errata report as plain data for programs, and the numbers of its notes by class and effect."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from games.maths.published import Printed
from games.rules.errata import ErrataNote, OtherPay, OtherRate
from games.runs.engine import ENGINE
from games.runs.errata import ErrataReport, ReportedNote
from games.runs.errata_holds import HoldChange


def summary(reports: Sequence[ErrataReport]) -> dict[str, Any]:
    """Numbers of notes by class and effect, by status, with and without a proposed wording; by chapter and in all."""
    notes = [row.note for report in reports for row in report.notes]
    return {
        "notes": len(notes),
        "by_class_and_effect": _nested(notes),
        "proposed": sum(bool(note.proposed) for note in notes),
        "payout": {
            "with_both_holds": sum(note.states_holds for note in notes),
            "without_hold": dict(sorted(Counter(note.no_hold for note in notes if note.no_hold).items())),
        },
        "by_status": dict(Counter(note.status for note in notes)),
        "by_grade": dict(sorted(Counter(note.grade for note in notes).items())),
        "by_chapter": {
            report.number: {
                "notes": len(report.notes),
                "by_class_and_effect": _nested([row.note for row in report.notes]),
            }
            for report in reports
        },
    }


def _nested(notes: Sequence[ErrataNote]) -> dict[str, dict[str, int]]:
    counted: dict[str, dict[str, int]] = {}
    for (name, effect), count in sorted(Counter((note.note_class, note.effect) for note in notes).items()):
        counted.setdefault(name, {})[effect] = count
    return counted


def report_data(report: ErrataReport) -> dict[str, Any]:
    """One chapter's report for programs."""
    return {
        "chapter": report.number,
        "title": report.title,
        "document": report.document,
        "rules_digest": report.rules_digest,
        "errata_digest": report.errata_digest,
        "engine": ENGINE,
        "notes": [note_data(report, row) for row in report.notes],
        "figures": [figure_data(figure) for figure in report.figures],
    }


def note_data(report: ErrataReport, row: ReportedNote) -> dict[str, Any]:
    """One note for programs; `hold` is the first of `holds`, null without one."""
    note, answer = row.note, row.note.board_answer
    holds = [_hold_data(hold) for hold in row.holds]
    return {
        "id": row.reading.id,
        "citation": row.reading.citation,
        "section": row.section,
        "place": note.place,
        "printed": row.reading.printed,
        "reading": row.reading.reading,
        "evidence": row.reading.evidence,
        "touches": list(row.reading.touches),
        "class": note.note_class,
        "effect": note.effect,
        "grade": note.grade,
        "proposed": note.proposed,
        "no_change": note.no_change,
        "document": report.document,
        "status": note.status,
        "asked_on": answer.asked_on.isoformat() if answer.asked_on else None,
        "answered_on": answer.answered_on.isoformat() if answer.answered_on else None,
        "answered_by": answer.answered_by,
        "answer": answer.answer,
        "other_reading": note.other_reading,
        "otherwise": [_cell_data(cell) for cell in note.otherwise],
        "hold": holds[0] if holds else None,
        "holds": holds,
        "no_hold": note.no_hold or None,
        "hold_not_computed": note.hold_not_computed,
    }


def _cell_data(cell: OtherPay | OtherRate) -> dict[str, str]:
    if isinstance(cell, OtherRate):
        return {"wager": cell.wager, "paytable": cell.paytable, "rate": cell.printed}
    keys = ("wager", "paytable", "outcome", "column")
    return {key: getattr(cell, key) for key in keys} | {"pays": cell.pays.printed}


def _hold_data(hold: HoldChange) -> dict[str, Any]:
    keys = ("wager", "name", "paytable", "per", "as_read_pct", "otherwise_pct", "digits")
    return {key: getattr(hold, key) for key in keys}


def figure_data(figure: Printed) -> dict[str, Any]:
    keys = ("wager", "paytable", "figure", "source", "ours", "reproduced", "verdict", "note")
    return {key: getattr(figure, key) for key in keys}
