"""The command `reproduce`: the figures and rounds in a signed PDF, computed and dealt again.

Everything comes from the PDF: the record and the chapter that are attached to it. The seal is not verified: the page
`/verify` of the portal does that, or `manage.py verify_document`.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from games.commands import BadUse
from games.commands.configurations import MOST_WORKERS, Progress
from games.commands.inputs import add_json, print_json
from games.maths.results import Analysis
from games.registry import UnknownChapter, chapter, chapter_or_none, play
from games.rules.dated_files import load_files
from games.rules.model import Chapter
from games.runs.engine import ENGINE
from games.runs.filed_record import FiledRecord, FiledRun, NotARecord, read_filed_record
from games.runs.reproduction import Difference, ReproducedRounds, ReproducedWager, compute_again, deal_again

ALLOWED = "allowed is the signed PDF of an approved Rules Submission, as the portal gave it out"
UNFIT = (LookupError, TypeError, ValueError)  # what answers and figures of no filing of this chapter lead to


def add_reproduce(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.pdf", help="the signed PDF of an approved Rules Submission")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="W", help="threads; default: as many as processors"
    )
    parser.add_argument(
        "--installed",
        action="store_true",
        help="for a PDF that carries no chapter: by the chapter installed here, if it is the record's",
    )
    add_json(parser)
    parser.set_defaults(run=run_reproduce)


@dataclass(frozen=True, slots=True)
class ReproducedRun:
    """One configuration's run, computed and dealt again."""

    run: FiledRun
    wagers: tuple[ReproducedWager, ...]
    rounds: ReproducedRounds

    @property
    def differences(self) -> int:
        return sum(len(wager.differences) for wager in self.wagers) + len(self.rounds.differences)


def run_reproduce(arguments: argparse.Namespace) -> int:
    """Print what is equal and what is not; 0 = all of it is equal, 1 = not, 2 = it cannot be computed."""
    if not 1 <= arguments.workers <= MOST_WORKERS:
        raise BadUse(f"--workers {arguments.workers}: allowed are 1 to {MOST_WORKERS}")
    record = _read(arguments.file)
    loaded = _chapter(arguments.file, record, arguments.installed)
    general = _general_differences(record, loaded)
    if not arguments.json:
        _print_head(arguments.file, record, loaded)
    computed = [_compute(record, loaded, run) for run in record.runs]
    if not arguments.json:
        for run, (_, wagers) in zip(record.runs, computed, strict=True):
            _print_figures(record, run, wagers)
    reproduced = _deal(record, loaded, computed, arguments.workers)
    differences = len(general) + sum(run.differences for run in reproduced)
    if arguments.json:
        print_json(_data(record, loaded, general, reproduced))
    else:
        _print_rounds(record, general, reproduced, differences)
    return 1 if differences else 0


def _read(file: str) -> FiledRecord:
    try:
        return read_filed_record(Path(file).read_bytes())
    except OSError as error:
        raise BadUse(f"{file}: cannot be read ({error.strerror}); {ALLOWED}") from None
    except NotARecord as error:
        raise BadUse(f"{file}: {error}; {ALLOWED}. Download it again from the filing's page") from None


def _chapter(file: str, record: FiledRecord, installed: bool) -> Chapter:
    """Return the chapter that the PDF carries; without one, that of this installation, if it is asked for and equal."""
    try:
        play(record.number)
        if record.files is not None:
            return load_files(record.files)
        here = chapter_or_none(record.number, record.rules_on)
    except UnknownChapter as error:
        raise BadUse(f"{file}: {error}; install the program that has this game") from None
    lacks = f"{file}: carries no chapter, only the record: it was signed before chapters were attached"
    if here is None or here.digest != record.rules_digest:
        raise BadUse(
            f"{lacks}. The record names the rules {record.rules_digest[:12]}; on {record.rules_on} chapter "
            f"{record.number} is {here.digest[:12] if here else 'missing'} here. Install the edition that has the rules"
        )
    if not installed:
        raise BadUse(f"{lacks}. Chapter {record.number} as installed here has the record's rules: add --installed")
    return chapter(record.number, record.rules_on)


def _general_differences(record: FiledRecord, loaded: Chapter) -> list[Difference]:
    """Return what differs of the filing as a whole."""
    differences = [Difference(f"run of {name}", "missing", None) for name in record.without_run]
    if loaded.number != record.number:
        differences.append(Difference("chapter", record.number, loaded.number))
    if loaded.digest != record.rules_digest:
        differences.append(Difference("rules, SHA-256", record.rules_digest, loaded.digest))
    return differences


def _compute(record: FiledRecord, loaded: Chapter, run: FiledRun) -> tuple[Analysis, tuple[ReproducedWager, ...]]:
    print(f"{_named(record, run)}: computing the exact figures", file=sys.stderr)
    try:
        return compute_again(loaded, run)
    except UNFIT as error:
        raise BadUse(f"{record.receipt}, {_named(record, run)}: cannot be computed ({error})") from None


def _deal(
    record: FiledRecord,
    loaded: Chapter,
    computed: Sequence[tuple[Analysis, tuple[ReproducedWager, ...]]],
    workers: int,
) -> list[ReproducedRun]:
    add_rounds = _adding(Progress(sum(run.all_rounds for run in record.runs)))
    reproduced = []
    for run, (analysis, wagers) in zip(record.runs, computed, strict=True):
        try:
            rounds = deal_again(loaded, run, analysis, len(record.runs), workers, add_rounds)
        except UNFIT as error:
            raise BadUse(f"{record.receipt}, {_named(record, run)}: cannot be dealt again ({error})") from None
        reproduced.append(ReproducedRun(run, wagers, rounds))
    return reproduced


def _adding(progress: Progress) -> Callable[[int], None]:
    """Return a function that is called with the rounds of each block of all runs."""
    done = 0

    def add(rounds: int) -> None:
        nonlocal done
        done += rounds
        progress(done)

    return add


def _named(record: FiledRecord, run: FiledRun) -> str:
    return f"{run.name}, configuration {run.configuration + 1}" if len(record.runs) > 1 else run.name


def _print_head(file: str, record: FiledRecord, loaded: Chapter) -> None:
    print(f"{file}: {record.receipt}, chapter {record.number} {record.title}, rules of {record.rules_on}")
    origin = "the PDF" if record.files is not None else "this installation"
    print(f"Chapter from {origin}: {_verdict(loaded.digest == record.rules_digest)}, SHA-256 {loaded.digest}")
    installed = "" if record.engine == ENGINE else f"; here {ENGINE}, which is compared all the same"
    print(f"Program: {record.engine}{installed}")
    for name, sha256 in record.attached.items():
        print(f"Attached {name}, SHA-256 {sha256}")
    print(f"The seal is not verified here. To do so: {record.verify_at or '/verify of the portal that signed it'}")


def _print_figures(record: FiledRecord, run: FiledRun, wagers: Sequence[ReproducedWager]) -> None:
    print(f"\n{_named(record, run)}: exact figures")
    for row in wagers:
        name = " ".join(filter(None, (row.wager, row.spot, row.paytable))) or "beside the wagers"
        hold = "" if row.hold_pct is row.filed_hold_pct is None else _holds(row)
        print(f"  {name}: {hold}{_verdict(not row.differences)}")
        _print_differences(row.differences)
    if not wagers:
        print("  No wager is made against the house.")


def _holds(row: ReproducedWager) -> str:
    return f"hold filed {_percent(row.filed_hold_pct)}, computed {_percent(row.hold_pct)}: "


def _percent(hold: float | None) -> str:
    return "none" if hold is None else f"{hold} %"


def _print_rounds(
    record: FiledRecord, general: Sequence[Difference], reproduced: Sequence[ReproducedRun], differences: int
) -> None:
    for row in reproduced:
        run = row.run
        again = f", then {run.retest_rounds:,} from a new seed" if run.retest_rounds else ""
        print(f"\n{_named(record, run)}: {run.rounds:,} rounds dealt from seed {run.seed}{again}")
        print(f"  {row.rounds.counts} numbers of rounds with an outcome: {_verdict(not row.rounds.differences)}")
        _print_differences(row.rounds.differences)
    print()
    _print_differences(general)
    print("Everything is equal." if not differences else f"{differences} DIFFERENCES.")


def _print_differences(differences: Sequence[Difference]) -> None:
    for row in differences:
        print(f"    {row.where}: filed {row.filed}, computed {row.computed}")


def _verdict(equal: bool) -> str:
    return "equal" if equal else "NOT EQUAL"


def _data(
    record: FiledRecord, loaded: Chapter, general: Sequence[Difference], reproduced: Sequence[ReproducedRun]
) -> dict[str, Any]:
    return {
        "receipt": record.receipt,
        "chapter": record.number,
        "rules_on": record.rules_on.isoformat(),
        "rules_from": "pdf" if record.files is not None else "installed",
        "rules_digest": {"filed": record.rules_digest, "computed": loaded.digest},
        "engine": {"filed": record.engine, "computed": ENGINE},
        "attached": dict(record.attached),
        "equal": not general and not any(run.differences for run in reproduced),
        "differences": [asdict(row) for row in general],
        "runs": [
            {
                "configuration": row.run.configuration,
                "name": row.run.name,
                "seed": row.run.seed,
                "rounds": row.run.rounds,
                "block_rounds": row.run.block_rounds,
                "retest_rounds": row.run.retest_rounds,
                "equal": not row.differences,
                "wagers": [asdict(wager) for wager in row.wagers],
                "dealt": asdict(row.rounds),
            }
            for row in reproduced
        ],
    }
