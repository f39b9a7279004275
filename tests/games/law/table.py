"""`python -m tests.games.law.table`: writes `tests/recorded/law-cases.md`, what became of the cases of each chapter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from games.registry import chapter
from tests.games.law.case_files import Case, cases_of, chapters_with_cases
from tests.games.law.verdicts import problem

PAGE = Path(__file__).parents[2] / "recorded" / "law-cases.md"
OPENING = """# Configurations entered from the law

These configurations were entered from the words of each chapter, without sight of the rules as data: which are legal
and which are not. They are in `tests/games/law/cases`, one file for each chapter, each case with the section that it
rests on and a sentence that says why. An illegal configuration counts as refused when a blocking finding cites the
section that the case expects, a part of it or the provision that it is a part of, and says what to do. A legal one
counts as accepted when nothing blocks it. `tests/games/law/test_law.py` judges all of them; this page is written by
`python -m tests.games.law.table`.
"""
HEADER = """| Chapter | Game | Illegal | Refused | Legal | Accepted | Sections |
| :-- | :-- | --: | --: | --: | --: | :-- |"""


def page() -> str:
    """The whole page, as it must be in `tests/recorded`."""
    by_chapter = {number: cases_of(number) for number in chapters_with_cases()}
    every = [case for cases in by_chapter.values() for case in cases]
    rows = [_row(number, chapter(number).title, cases) for number, cases in by_chapter.items()]
    total = f"| **Total** | {len(by_chapter)} games | {_counts(every)} | {len(_sections(every))} sections |"
    return "\n".join([OPENING, HEADER, *rows, total]) + "\n"


def _row(number: str, title: str, cases: Sequence[Case]) -> str:
    sections = ", ".join(section.removeprefix(number) for section in _sections(cases))
    return f"| {number} | {title} | {_counts(cases)} | {sections} |"


def _counts(cases: Sequence[Case]) -> str:
    illegal, legal = ([case for case in cases if case.legal is kind] for kind in (False, True))
    numbers = [len(illegal), _right(illegal), len(legal), _right(legal)]
    return " | ".join(map(str, numbers))


def _right(cases: Sequence[Case]) -> int:
    """How many the portal judges as the law does."""
    return sum(not problem(case) for case in cases)


def _sections(cases: Sequence[Case]) -> list[str]:
    """The sections that the cases rest on, without their subsections, in the order of their numbers."""
    sections = {case.section.partition("(")[0] for case in cases}
    return sorted(sections, key=lambda section: (section.partition(".")[0], int(section.partition(".")[2])))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
