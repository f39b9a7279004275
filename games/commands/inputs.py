"""What the commands are given: the chapter's number and the file with the answers. Shared by all of them."""

import argparse
import json
from collections import Counter
from pathlib import Path

from games.commands import BadUse
from games.registry import UnknownChapter, chapter
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter


def add_chapter(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", help="the chapter's number, for example 687a")


def add_config(parser: argparse.ArgumentParser, *, required: bool) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        required=required,
        help='the answers as JSON: {"bonus_wager": true, …} or {"answers": {…}}; "-" reads standard input',
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def read_chapter(number: str) -> Chapter:
    """The chapter asked for; `BadUse` names those there are."""
    try:
        return chapter(number)
    except UnknownChapter as error:
        raise BadUse(str(error)) from None


def read_answers(name: str) -> Answers:
    """The answers in the file; `BadUse` says where the file is not readable."""
    try:
        text = Path("/dev/stdin" if name == "-" else name).read_text(encoding="utf-8")
        data = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except OSError as error:
        raise BadUse(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadUse(f"{name}: is not UTF-8 text") from None
    except RecursionError:
        raise BadUse(f"{name}: is nested too deeply to be a configuration") from None
    except ValueError as error:  # JSONDecodeError among them
        raise BadUse(f"{name}: is not JSON ({error})") from None
    answers = data.get("answers", data) if isinstance(data, dict) else data
    if not isinstance(answers, dict):
        raise BadUse(f'{name}: must hold an object, {{"option": answer, …}}')
    return answers


def refuse_blocked(chapter: Chapter, answers: Answers, *, partial: bool = False) -> None:
    """`BadUse` names the first finding that blocks the configuration; `partial` lets unanswered lines pass."""
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
    """An object whose keys differ: of two answers to one line, neither is the licensee's choice."""
    twice = sorted(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    if twice:
        raise ValueError(f"key given twice: {', '.join(twice)}")
    return dict(pairs)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a number that JSON knows")
