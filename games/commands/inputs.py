"""The arguments and the JSON that commands share: the chapter's number and day, the file with the answers."""

import argparse
import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from games.commands import BadUse
from games.registry import UnknownChapter, chapter
from games.rules.changes import read_change
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter


def add_chapter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", help="the chapter's number, for example 687a")


def add_chapter_on_day(parser: argparse.ArgumentParser) -> None:
    """Add the chapter, its day and draft changes of its rules, which `asked_chapter` reads, and `--json`."""
    add_chapter(parser)
    parser.add_argument("--on", metavar="DATE", help="by the rules in effect on this day, 2026-01-31; else the latest")
    parser.add_argument(
        "--change",
        metavar="FILE",
        action="append",
        default=[],
        help="with a draft change of the chapter (TOML, games/rules/changes.py); may be repeated",
    )
    add_json(parser)


def add_configuration(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the chapter on its day, and the file with the answers to it."""
    add_chapter_on_day(parser)
    parser.add_argument(
        "--config",
        metavar="FILE",
        required=required,
        help='the answers as JSON: {"bonus_wager": true, …} or {"answers": {…}}; "-" reads standard input',
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def read_chapter(number: str) -> Chapter:
    """Return the chapter asked for; `BadUse` names those there are."""
    try:
        return chapter(number)
    except UnknownChapter as error:
        raise BadUse(str(error)) from None


def asked_chapter(arguments: argparse.Namespace) -> Chapter:
    """Return the chapter on the day and with the changes asked for; `BadUse` or `RuleError` if it cannot be."""
    changes = tuple(read_change(_text_of(name), Path(name).name) for name in arguments.change)
    try:
        return chapter(arguments.chapter, _day(arguments.on), changes)
    except UnknownChapter as error:
        raise BadUse(str(error)) from None


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise BadUse(f"--on {text}: is not a date like 2026-01-31") from None


def _text_of(name: str) -> str:
    try:
        return Path("/dev/stdin" if name == "-" else name).read_text(encoding="utf-8")
    except OSError as error:
        raise BadUse(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadUse(f"{name}: is not UTF-8 text") from None


def read_answers(name: str) -> Answers:
    """Return the answers in the file; `BadUse` says where the file is not readable."""
    try:
        data = json.loads(_text_of(name), object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise BadUse(f"{name}: is nested too deeply to be a configuration") from None
    except ValueError as error:  # JSONDecodeError among them
        raise BadUse(f"{name}: is not JSON ({error})") from None
    answers = data.get("answers", data) if isinstance(data, dict) else data
    if not isinstance(answers, dict):
        raise BadUse(f'{name}: must hold an object, {{"option": answer, …}}')
    return answers


def refuse_blocked(chapter: Chapter, answers: Answers, *, partial: bool = False) -> None:
    """Raise `BadUse` with the first finding that blocks the configuration; `partial` lets unanswered lines pass."""
    unanswered = f"{chapter.number}.not-answered"
    blocking = [finding for finding in judge(chapter, answers).blocking if not (partial and finding.rule == unanswered)]
    if blocking:
        first = blocking[0]
        more = f" It is the first of {len(blocking)} that block;" if len(blocking) > 1 else ""
        raise BadUse(
            f"chapter {chapter.number}: {first.message} {first.fix} ({first.citation}).{more}"
            f" `python -m games check {chapter.number} --config FILE` lists what blocks."
        )


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object; refuse a repeated key, since neither of two answers to one line is the licensee's choice."""
    twice = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    if twice:
        raise ValueError(f"key given twice: {', '.join(twice)}")
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number that JSON knows")
