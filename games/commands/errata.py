"""`python -m games errata [N …]`: every interpretation note as counsel would file it, with the holds it changes.

`--summary` counts them by class and effect. A chapter without errata is named on standard error; exit status 1.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from games.commands import BadUse
from games.commands.inputs import add_json
from games.rules.errata import CLASSES, EFFECTS, GRADES, NO_HOLDS, ErrataNote
from games.runs.errata import (
    ErrataReport,
    HoldChange,
    ReportedNote,
    collect,
    compute_report,
    notes_of,
    numbers,
    report_data,
    report_summary,
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="NUMBER", help="chapter numbers, or general; none = all")
    parser.add_argument("--summary", action="store_true", help="only how many notes there are by class and effect")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    wanted = arguments.chapters or numbers()
    if unknown := [number for number in wanted if number not in numbers()]:
        raise BadUse(f"there is no chapter {unknown[0]!r}; known are {', '.join(numbers())}")
    reports, refused = collect(wanted, notes_of if arguments.summary else compute_report)
    for problem in refused.values():
        print(problem, file=sys.stderr)
    if arguments.json:
        content = {} if arguments.summary else {"chapters": [report_data(report) for report in reports]}
        data = {**content, "summary": report_summary(reports), "problems": refused}
        print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))
    elif arguments.summary:
        _print_summary(reports)
    else:
        for report in reports:
            _print(report)
    return 1 if refused else 0


def _print_summary(reports: Sequence[ErrataReport]) -> None:
    header = f"{'chapter':<9}{'notes':>6}" + "".join(f"{name:>17}" for name in CLASSES)
    print(header + "".join(f"{name:>11}" for name in EFFECTS))
    for report in reports:
        _print_counts(report.number, list(report.notes))
    _print_counts("all", [row for report in reports for row in report.notes])
    print()
    for name in CLASSES:
        of_class = [row for report in reports for row in report.notes if row.note.note_class == name]
        effects = "".join(f"{effect:>12} {_count(of_class, 'effect', effect):>4}" for effect in EFFECTS)
        print(f"{name:<16}{len(of_class):>5}  {effects}")
    _print_holds([row.note for report in reports for row in report.notes if row.note.effect == "payout"])


def _print_holds(notes: Sequence[ErrataNote]) -> None:
    """Print the number of the payout notes that state both holds, and the others' reasons."""
    print(f"\npayout notes {len(notes)}: both holds stated {sum(note.states_holds for note in notes)}")
    for reason, words in NO_HOLDS.items():
        if count := sum(note.no_hold == reason for note in notes):
            print(f"  no hold, {reason:<13}{count:>4}  {words}")


def _print_counts(number: str, rows: Sequence[ReportedNote]) -> None:
    classes = "".join(f"{_count(rows, 'note_class', name):>17}" for name in CLASSES)
    print(f"{number:<9}{len(rows):>6}{classes}" + "".join(f"{_count(rows, 'effect', name):>11}" for name in EFFECTS))


def _count(rows: Sequence[ReportedNote], key: str, value: str) -> int:
    return sum(getattr(row.note, key) == value for row in rows)


def _print(report: ErrataReport) -> None:
    name = report.title if not report.rules_digest else f"Chapter {report.number}, {report.title}"
    print(f"\n{name}: {len(report.notes)} interpretation notes\n{report.document}")
    for row in report.notes:
        _print_note(row)
    for figure in report.figures:
        print(f"\nThe Board's figure, {figure.wager} {figure.paytable}: {figure.figure}; here {figure.ours or '–'}")
        print(f"  {figure.verdict}. {figure.note}".rstrip())


def _print_note(row: ReportedNote) -> None:
    note, reading = row.note, row.reading
    place = f", {note.place}" if note.place else ""
    print(f"\n{reading.citation}{place}   [{reading.id}]")
    print(f"  {note.note_class}; effect: {note.effect}; evidence {note.grade}, {GRADES[note.grade]}; {note.status}")
    print(f"  Printed:  {reading.printed}\n  Read as:  {reading.reading}\n  Evidence: {reading.evidence}")
    print(f"  Proposed: {note.proposed}" if note.proposed else f"  No change: {note.no_change}")
    if note.other_reading:
        print(f"  Otherwise: {note.other_reading}")
    for hold in row.holds:
        print(f"  {_hold_line(hold)}")
    if note.hold_not_computed:
        print(f"  Hold not computed: {note.hold_not_computed}")
    if note.board_answer.asked_on:
        print(f"  Asked {note.board_answer.asked_on}")
    if note.board_answer.answered_on:
        print(
            f"  Answered {note.board_answer.answered_on} by {note.board_answer.answered_by}: {note.board_answer.answer}"
        )


def _hold_line(hold: HoldChange) -> str:
    name = f"{hold.name}, {hold.paytable}" if hold.paytable else hold.name
    figures = f"{hold.as_read_pct:.{hold.digits}f} % as read, {hold.otherwise_pct:.{hold.digits}f} % otherwise"
    return f"Hold of the {name}: {figures} (per {hold.per})"
