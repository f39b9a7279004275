"""The commands on the figures of whole chapters: `published`, `errata`, `crosscheck`."""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from games.commands import BadUse
from games.commands.inputs import add_json, print_json, read_chapter
from games.maths.export import digits_of, percent
from games.maths.published import Printed, Verdict, printed
from games.registry import folders
from games.rules.errata import CLASSES, EFFECTS, GRADES, NO_HOLDS, ErrataNote
from games.rules.model import Chapter
from games.runs.agreement import FOUND_IN, REJECTION, RETEST_ROUNDS, SUSPICION
from games.runs.engine import ENGINE, MOST_ROUNDS, Checked, analyze, crosscheck
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
from games.streams import GENERATOR, SEED_LIMIT

PUBLISHED_HEADER = "| Wager | Paytable | The Board | Here | Result | Note |\n| :-- | :-- | --: | --: | :-- | :-- |"


def add_published(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help="chapter numbers; none = all")
    add_json(parser)
    parser.set_defaults(run=run_published)


def run_published(arguments: argparse.Namespace) -> int:
    """Print a Markdown page, as tests/recorded/published.md; as JSON the `figures` are as in `errata --json`."""
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    if arguments.json:
        print_json({"engine": ENGINE, "chapters": [_published_data(chapter) for chapter in chapters]})
        return 0
    print(
        "# The Board's printed figures\n\nEvery hold and payback that the Board printed of these games, beside what "
        "follows from the printed text, to the digits printed. Made by `python -m games published` "
        f"(`make crosscheck`), {ENGINE}."
    )
    for chapter in chapters:
        _print_published(chapter)
    return 0


def _figures(chapter: Chapter) -> list[Printed]:
    return printed(chapter, analyze(chapter).wagers) if chapter.published else []


def _published_data(chapter: Chapter) -> dict[str, Any]:
    figures = [asdict(row) for row in _figures(chapter)]
    return {"chapter": chapter.number, "title": chapter.title, "rules_digest": chapter.digest, "figures": figures}


def _print_published(chapter: Chapter) -> None:
    rows = _figures(chapter)
    print(f"\n## {chapter.number} {chapter.title}\n")
    print("\n".join([PUBLISHED_HEADER, *map(_published_line, rows)]) if rows else "None is printed.", flush=True)


def _published_line(row: Printed) -> str:
    shown = f"**{row.verdict}**" if row.verdict == Verdict.DIFFERS else row.verdict
    cells = (row.wager, row.paytable or "–", row.figure, row.ours or "–", shown, row.note)
    return _line(cells)


def add_errata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="NUMBER", help="chapter numbers, or general; none = all")
    parser.add_argument("--summary", action="store_true", help="only how many notes there are by class and effect")
    add_json(parser)
    parser.set_defaults(run=run_errata)


def run_errata(arguments: argparse.Namespace) -> int:
    wanted = arguments.chapters or numbers()
    if unknown := [number for number in wanted if number not in numbers()]:
        raise BadUse(f"there is no chapter {unknown[0]!r}; known are {', '.join(numbers())}")
    reports, refused = collect(wanted, notes_of if arguments.summary else compute_report)
    for problem in refused.values():
        print(problem, file=sys.stderr)
    if arguments.json:
        content = {} if arguments.summary else {"chapters": [report_data(report) for report in reports]}
        print_json({**content, "summary": report_summary(reports), "problems": refused})
    elif arguments.summary:
        _print_summary(reports)
    else:
        for report in reports:
            _print_report(report)
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


def _print_report(report: ErrataReport) -> None:
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


SEED = 58  # the title of the Code; any number does
HEADER = ("Wager", "Paytable", "Hold, %", "±", "Rounds", "Simulated, %", "±", "z", "p", "Would find")
NUMBERS = 2  # columns before the first number


def add_crosscheck(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapters", nargs="*", metavar="N", help="chapter numbers; none = all")
    parser.add_argument("--rounds", type=int, metavar="N", help="for every wager; default: as its rarest outcome asks")
    parser.add_argument("--seed", type=int, default=SEED, metavar="S", help=f"default: {SEED}")
    parser.set_defaults(run=run_crosscheck)


def run_crosscheck(arguments: argparse.Namespace) -> int:
    rounds, seed = arguments.rounds, arguments.seed
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        raise BadUse(f"--rounds {rounds}: allowed are 1 to {MOST_ROUNDS:,}")
    if not 0 <= seed < SEED_LIMIT - len(folders()):
        raise BadUse(f"--seed {seed}: allowed are 0 to {SEED_LIMIT - len(folders()) - 1:,}")
    chapters = [read_chapter(number) for number in arguments.chapters or folders()]
    print(_opening(rounds, seed))
    agree = [_checked(chapter, seed, rounds) for chapter in chapters]
    return 0 if all(agree) else 1


def _opening(rounds: int | None, seed: int) -> str:
    command = f"python -m games crosscheck --seed {seed}" + (f" --rounds {rounds}" if rounds else "")
    return (
        "# Exact and simulated\n\nEvery wager under every paytable: what is computed, and what dealt rounds gave. "
        f"Made by `{command}` (`make crosscheck`), {ENGINE}, {GENERATOR}. A wager agrees where what each outcome pays "
        f"is equal on both sides and p is at least {SUSPICION:.4f}: the smallest p-value of its outcomes and sums, "
        f"adjusted for all comparisons of the run. A run with a smaller one is dealt again from a new seed, "
        f"{RETEST_ROUNDS} times as many rounds, and disagrees where p is below {REJECTION:g}. Would find: the error of "
        f"the hold, in points, that {FOUND_IN:.0%} of such runs find. Hold of required wagers: per total wagered. "
        f"± is one standard error; the first, where the figure is itself an estimate."
    )


def _checked(chapter: Chapter, seed: int, rounds: int | None) -> bool:
    """Print the chapter's table; whether all of it agrees."""
    order = [wager.key for wager in chapter.wagers]
    checks = sorted(
        crosscheck(chapter, seed, rounds, os.cpu_count() or 1), key=lambda check: order.index(check.analysis.wager)
    )
    agree = all(check.simulation.passed for check in checks)
    print(f"\n## {chapter.number} {chapter.title}\n")
    rows = (HEADER, [":--"] * NUMBERS + ["--:"] * (len(HEADER) - NUMBERS), *map(_checked_cells, checks))
    print("\n".join(map(_line, rows)), flush=True)
    print(f"{chapter.number}: {'agrees' if agree else 'DOES NOT AGREE'}", file=sys.stderr)
    return agree


def _checked_cells(check: Checked) -> Iterator[str]:
    exact, seen = check.analysis, check.simulation
    yield from (exact.key.replace("_", " ").replace("/", ": ", 1), exact.paytable or "–")
    yield f"{percent(exact.hold):.{digits_of(exact, 6)}f}"
    yield "exact" if exact.standard_error is None else f"{percent(exact.standard_error):.{digits_of(exact, 6) + 1}f}"
    yield from (f"{seen.rounds:,}", f"{percent(seen.hold):.4f}", f"{percent(seen.standard_error):.4f}")
    yield "–" if seen.z is None else f"{seen.z:+.2f}"
    yield f"{seen.least_p:.4f}" + ("" if seen.passed else " **does not agree**")
    yield "–" if seen.finds is None else f"{percent(seen.finds):.4f}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
