"""Configurations entered from the text of the law: each illegal one is refused with section and remedy, each legal one
accepted, by the judgment and by the command line. `tests/recorded/law-cases.md` counts them.

Not found here: a rule that the chapter and its case misread alike; a configuration that no case enters; a remedy with
wrong words.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from games.__main__ import main
from games.registry import chapter
from tests.games.law.case_files import Case, cases_of, chapters_with_cases
from tests.games.law.table import PAGE, page
from tests.games.law.verdicts import cites, problem

pytestmark = pytest.mark.proof

NUMBERS = chapters_with_cases()


@pytest.mark.parametrize("number", NUMBERS)
def test_each_case_is_judged_as_the_law_says(number: str, subtests: pytest.Subtests) -> None:
    for case in cases_of(number):
        with subtests.test(f"case {case.place}"):
            assert problem(case) == "", case


@pytest.mark.parametrize("number", NUMBERS)
def test_command_line_says_the_same(number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first, the middle and the last case."""
    cases = cases_of(number)
    config = tmp_path / "config.json"
    for case in (cases[0], cases[len(cases) // 2], cases[-1]):
        config.write_text(json.dumps(case.answers), encoding="utf-8")
        status = main(["check", number, "--config", str(config), "--json"])
        report = json.loads(capsys.readouterr().out)
        blocking = [finding for finding in report["findings"] if finding["severity"] == "blocking"]
        assert (status, report["blocking"]) == (0 if case.legal else 1, len(blocking)), case
        assert case.legal or any(cites(each["citation"], case.refused_at) and each["fix"] for each in blocking), case


@pytest.mark.parametrize("number", NUMBERS)
def test_cases_are_of_the_text_and_differ(number: str) -> None:
    cases = cases_of(number)
    assert [case for case in cases if not _is_printed(number, case.section)] == []
    assert [case for case in cases if not case.legal and not _is_printed(number, case.refused_at)] == []
    assert [case for case in cases if not case.complete and not set(case.without) <= _example_keys(case)] == []
    entered = [json.dumps(case.answers, sort_keys=True) for case in cases]
    assert [str(case) for case, text in zip(cases, entered, strict=True) if entered.count(text) > 1] == []


@pytest.mark.parametrize(
    ("citation", "expected", "right"),
    [
        ("§ 581.2(e)(1)", "581.2(e)", True),
        ("§ 581.2(e)", "581.2(e)(1)", True),
        ("§ 581.2(d)", "581.2(e)", False),
        ("§ 581.2", "581.2(e)", True),
        ("§ 581.12(a)", "581.1", False),
        ("§ 686a.7(g)[2]", "686a.7(g)", True),
    ],
)
def test_finding_must_cite_the_section_a_part_of_it_or_what_it_is_a_part_of(
    citation: str, expected: str, right: bool
) -> None:
    assert cites(citation, expected) is right


def test_page_in_the_docs_counts_these_cases() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it again: python -m tests.games.law.table"


def _is_printed(number: str, section: str) -> bool:
    """Whether the chapter's text has the citation; of other chapters the text is not at hand."""
    return f"§ {section}" in chapter(number).sections or not re.match(rf"{number}\b", section)


def _example_keys(case: Case) -> set[str]:
    return set(Case(case.chapter, 0, "", "", legal=True).answers)
