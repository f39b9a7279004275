"""`python -m games new NUMBER --title TITLE --like CHAPTER`: the folder of a new chapter, complete but for its text.

Everything is copied from the other chapter under the new number, so that it works at once; each section of the text is
marked as still to be entered, and the Board's figures, which are not this game's, are left out.
"""

import argparse
import re
import shutil
from pathlib import Path

from games import registry
from games.checking.chapter_check import TO_BE_ENTERED
from games.checking.chapter_files import FILES, PRINTED
from games.commands import BadUse
from games.registry import UnknownChapter
from games.rules.files import CHAPTERS, ERRATA, RULES, TEXT

_NUMBER = re.compile(r"\d+[a-h]?", re.ASCII)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("number", help="the new chapter's number, for example 699a")
    parser.add_argument("--title", required=True, help="the name of the game")
    parser.add_argument("--like", required=True, metavar="CHAPTER", help="the chapter that it is closest to")
    parser.add_argument("--in", dest="parent", type=Path, default=CHAPTERS, metavar="FOLDER",
                        help="where its folder is made (games/chapters)")  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments.number, arguments.title, arguments.parent)
    try:
        like = registry.folder_of(arguments.like)
    except UnknownChapter as error:
        raise BadUse(f"--like: {error}") from None
    title = registry.chapter(arguments.like).title
    if not (like / ERRATA).is_file():
        raise BadUse(f"--like: {like.name} has no {ERRATA} to copy yet")
    shutil.copytree(like, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in filter(Path.is_file, folder.rglob("*")):
        words = re.sub(rf"\b{arguments.like}\b", arguments.number, file.read_text("utf-8"))
        file.write_text(words.replace(title, arguments.title), encoding="utf-8")
    _change(folder / TEXT, r"(?m)^(## § .*)$", rf"\1\n\n{TO_BE_ENTERED}")
    _change(folder / RULES, r"(?ms)^\[\[published\]\]\n.*?(?=^\[|^#|\Z)", "")
    _change(folder / ERRATA, r'(?m)^document = ".*"$', f'document = "{TO_BE_ENTERED}"')
    _change(folder / PRINTED, r'(?m)^figures = ".*"$', 'figures = ""')
    print(f"{folder}: {len(FILES)} files, from {like.name}")
    print(f"Enter its text in {TEXT}, then all that differs. This says what is left to do:")
    print(f"python -m games check-chapter {arguments.number}")
    return 0


def _folder(number: str, title: str, parent: Path) -> Path:
    if not _NUMBER.fullmatch(number):
        raise BadUse(f"{number}: is not the number of a chapter, such as 699a")
    if number in registry.folders():
        raise BadUse(f"{number}: there is a chapter of this number, {registry.folder_of(number).name}")
    name = "_".join(re.findall(r"[a-z0-9]+", title.lower()))
    if not name:
        raise BadUse(f"--title {title!r}: has no letter and no digit")
    if not title.isprintable() or set(title) & set('"\\'):
        raise BadUse(f"--title {title!r}: quotation marks, backslashes and line breaks cannot be part of it")
    if not parent.is_dir():
        raise BadUse(f"--in {parent}: is not a folder")
    folder = parent / f"ch{number}_{name}"
    if folder.exists():
        raise BadUse(f"{folder}: is there already; remove it, or choose another title")
    return folder


def _change(file: Path, pattern: str, replacement: str) -> None:
    file.write_text(re.sub(pattern, replacement, file.read_text("utf-8")), encoding="utf-8")
