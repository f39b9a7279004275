"""The errata: a note for each reading, the official document entered, sections that exist, holds that change."""

import re
from collections.abc import Iterator

from games.checking.chapter_files import ChapterFiles
from games.checking.problem import Problem
from games.checking.text_check import TO_BE_ENTERED, missing_sections
from games.registry import chapter_or_none
from games.rules.errors import RuleError
from games.rules.loading.errata import load_errata
from games.rules.loading.files import ERRATA
from games.runs.errata_holds import hold_changes

_AMENDED = re.compile(r"for “[^”]*”")  # the printed words, which may name a section that does not exist


def check_errata(files: ChapterFiles) -> Iterator[Problem]:
    label = files.label(ERRATA)
    try:
        errata = load_errata(files.chapter, files.folder)
    except RuleError as error:
        yield Problem(error.file, error.where, error.problem)
        return
    if TO_BE_ENTERED in errata.document:
        yield Problem(label, "`document`", "is still to be entered: the official document that the text is from")
    for note in errata.notes:
        where = f"note `{note.reading}`"
        words = _AMENDED.sub("", f"{note.proposed} {note.no_change} {note.other_reading} {note.hold_not_computed}")
        for section in missing_sections(files.chapter, words):
            if _is_at_hand(section):
                yield Problem(label, where, f"names {section}, which does not exist")
        try:
            list(hold_changes(files.chapter, note))
        except (RuleError, ValueError) as error:
            yield Problem(label, where, str(error))


def _is_at_hand(section: str) -> bool:
    """Whether the portal has the whole chapter of the section: a wording may name others of the Code."""
    chapter = chapter_or_none(section.removeprefix("§ ").partition(".")[0])
    return chapter is not None and chapter.complete
