"""All that is missing or does not agree in one chapter's folder."""

from collections.abc import Callable, Iterator
from pathlib import Path

from games import registry
from games.checking.chapter_files import FILES, ChapterFiles
from games.checking.errata_check import check_errata
from games.checking.form_check import check_form
from games.checking.mathematics_check import check_mathematics
from games.checking.paytables_check import check_paytables
from games.checking.problem import Problem
from games.checking.requirements_check import check_requirements
from games.checking.text_check import check_text
from games.rules.errors import RuleError
from games.rules.loading.drawings import load_drawing_style
from games.rules.loading.words import load_words

CHECKS: tuple[Callable[[ChapterFiles], Iterator[Problem]], ...] = (
    check_text, check_form, check_paytables, check_requirements, check_mathematics, check_errata,
)  # fmt: skip


def check_chapter(number: str) -> tuple[Problem, ...]:
    """Every problem of the chapter; none: it could be filed. `UnknownChapter` if it has no folder.

    A file that is missing, or what cannot be loaded, is said first: nothing else can be judged without.
    """
    folder = registry.folder_of(number)
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        return tuple(Problem(f"{folder.name}/{name}", "file", "is missing") for name in missing)
    if refused := tuple(_refused(number, folder)):
        return refused
    files = ChapterFiles(folder, registry.chapter(number))
    return tuple(problem for check in CHECKS for problem in _run(check, files))


def _refused(number: str, folder: Path) -> Iterator[Problem]:
    """What keeps the rules or, where these can be loaded, the words, the drawing and the mathematics from loading."""
    try:
        chapter = registry.load_chapter(folder)
    except RuleError as error:
        yield Problem(error.file, error.where, error.problem)
        return
    for load in (lambda: load_words(chapter), lambda: load_drawing_style(chapter), lambda: registry.play(number)):
        try:
            load()
        except RuleError as error:
            yield Problem(error.file, error.where, error.problem)


def _run(check: Callable[[ChapterFiles], Iterator[Problem]], files: ChapterFiles) -> Iterator[Problem]:
    """What the check finds; a check that crashes is a problem, too."""
    try:
        yield from check(files)
    except Exception as error:
        where = check.__name__.replace("check_", "check of the ")
        yield Problem(files.folder.name, where, f"stopped by {type(error).__name__}: {error}")
