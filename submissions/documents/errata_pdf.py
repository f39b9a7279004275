"""The signed errata report as a tagged PDF/A-3a with an empty field for the seal: its wording and its pages.

The same record gives the same bytes. Not here: the data (`errata_record`), the seal (`signed_pdf`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.template.loader import render_to_string

from games.rules.errata import CLASSES, EFFECTS, GRADES
from games.runs.errata import GENERAL
from submissions.core.canonical_json import canonical_json, digest
from submissions.documents.context import day, moment, qr
from submissions.documents.document_record import DocumentRecord, Fields
from submissions.documents.number_format import NONE, number
from submissions.documents.signed_pdf import add_field
from submissions.documents.weasyprint_pdf import RenderedPdf, attached_file, render_pages, write_pdf

ATTACHED = "The errata report as data: notes, proposed wordings, holds by both readings, verdicts on printed figures"


def render_errata(record: DocumentRecord) -> RenderedPdf:
    """The PDF of the record, with its record attached and an empty signature field."""
    text = canonical_json(record)
    pages = render_pages(render_to_string("documents/errata.html", {"document": errata_context(record)}))
    asked_at = datetime.fromisoformat(record["requested"]["at"])
    attached = attached_file(f"{record['number']}.json", text.encode(), ATTACHED, asked_at)
    return RenderedPdf(add_field(write_pdf(pages, attached, made_from=text), pages), len(pages.pages))


def errata_context(record: DocumentRecord) -> Fields:
    """The template's context: texts and tables in the order of the document."""
    chapters = [_chapter(report) for report in record["reports"]]
    return {
        "number": record["number"],
        "day": day(record["day"]),
        "title": _title(record),
        "requested": {**record["requested"]["by"], "at": moment(record["requested"]["at"])},
        "made_at": record["requested"]["at"],
        "chapters": chapters,
        "counts": _counts(record["summary"]),
        "effects": list(EFFECTS),
        "summary": record["summary"],
        "terms": [
            ("Class", _terms(CLASSES)),
            ("Effect", _terms(EFFECTS)),
            ("Grade of the evidence", "; ".join(f"{name}: {text}" for name, text in GRADES.items()) + "."),
        ],
        "engine": record["engine"],
        "record_sha256": digest(record),
        "short": digest(record)[:12],
        "verify_at": record["verify_at"],
        "qr": qr(record["verify_at"]),
        "demo": record["demo"],
    }


def _title(record: DocumentRecord) -> str:
    reports = record["reports"]
    if len(reports) > 1:
        return "58 Pa. Code, Subpart K"
    report = reports[0]
    is_general = report["chapter"] == GENERAL
    return report["title"] if is_general else f"{report['title']}—58 Pa. Code Chapter {report['chapter']}"


def _terms(meanings: Mapping[Any, str]) -> str:
    return " ".join(f"{name.capitalize()}: {text}" for name, text in meanings.items())


def _counts(summary: Mapping[str, Any]) -> list[Fields]:
    """A row for each class, with its notes by effect, and one for all."""
    by_class = summary["by_class_and_effect"]
    rows = [{"name": name.capitalize(), "cells": [by_class.get(name, {}).get(effect, 0) for effect in EFFECTS]}
            for name in CLASSES]  # fmt: skip
    totals = [sum(by_class.get(name, {}).get(effect, 0) for name in CLASSES) for effect in EFFECTS]
    return [{**row, "sum": sum(row["cells"])} for row in [*rows, {"name": "All", "cells": totals}]]


def _chapter(report: Fields) -> Fields:
    of_chapter = report["chapter"] != GENERAL
    return {
        **report,
        "anchor": f"chapter-{report['chapter']}",
        "counts": [len(report["notes"]), *_of_class(report["notes"]), _of_effect(report["notes"], "payout")],
        "heading": f"Chapter {report['chapter']}. {report['title']}" if of_chapter else report["title"],
        "sections": [
            {"heading": heading, "notes": [_note(note) for note in notes]}
            for heading, notes in groupby(report["notes"], key=lambda note: note["section"])
        ],
        "figures": [_figure(figure) for figure in report["figures"]],
    }


def _of_class(notes: Sequence[Fields]) -> list[int]:
    return [sum(note["class"] == name for note in notes) for name in CLASSES]


def _of_effect(notes: Sequence[Fields], effect: str) -> int:
    return sum(note["effect"] == effect for note in notes)


def _note(note: Fields) -> Fields:
    asked_on, answered_on = note["asked_on"], note["answered_on"]
    return {
        **note,
        "grade_text": GRADES[note["grade"]],
        "asked": day(asked_on) if asked_on else "",
        "answered": day(answered_on) if answered_on else "",
        "holds": list(_holds(note["holds"])),
    }


def _holds(holds: Iterable[Fields]) -> Iterable[Fields]:
    for hold in holds:
        as_read, otherwise = (number(hold[key], hold["digits"]) for key in ("as_read_pct", "otherwise_pct"))
        change = hold["otherwise_pct"] - hold["as_read_pct"]
        signed = f"{'+' if change > 0 else ''}{number(change, hold['digits'])}"
        yield {**hold, "as_read": as_read, "otherwise": otherwise, "change": signed}


def _figure(figure: Fields) -> Fields:
    said = f"{figure['evidence']} {figure['note']}".strip()
    verdict = figure["verdict"] or "nothing to compare it to"
    return {**figure, "ours": figure["ours"] or NONE, "verdict": verdict, "said": said}
