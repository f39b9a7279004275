"""The chapters' texts and what is said about them: citations that exist, readings, figures, common data in use."""

import re
import tomllib

import pytest

from games.registry import CHAPTERS, chapter, chapters, folders

NUMBERS = list(folders())
CITED = re.compile(r"§§? ?(\d+[a-z]\.\d+(?:\([a-zA-Z0-9]+\)(?:\[\d\])?)*)")


@pytest.mark.parametrize("number", NUMBERS)
def test_every_section_named_in_words_exists(number: str) -> None:
    one = chapter(number)
    words = [f"{option.help} {option.question}" for option in one.options]
    words += [f"{wager.size}" for wager in one.wagers]
    words += [f"{requirement.message} {requirement.fix}" for requirement in one.requirements]
    words += [f"{reading.reading} {reading.evidence}" for reading in one.readings]
    words += [element.element for element in one.layout]
    cited = {f"§ {citation}" for text in words for citation in CITED.findall(text)}
    assert cited - {citation for one in chapters() for citation in one.sections} == set()


@pytest.mark.parametrize(
    ("number", "citation", "begins"),
    [
        ("687a", "§ 687a.12(d)", "- (d) A certificate holder shall pay out winning Trips Bonus Wager"),
        ("687a", "§ 687a.7(d)(2)", "- (2) If specified in its Rules Submission under § 601a.2"),
        ("688a", "§ 688a.11(h)(2)(i)(A)", "- (A) Does not have a straight or higher"),
        ("688a", "§ 688a.11(h)(3)(i)(B)(4)", "- (4) Pay the winning Progressive Payout Wager"),
        ("688a", "§ 688a.11(h)(3)(i)(C)", "- (C) Did not place a Progressive Payout Wager"),
        ("688a", "§ 688a.11(i)", "- (i) Notwithstanding the requirements in subsection (h)"),
        ("688a", "§ 688a.5(i)(1)(ii)", "- (ii) The dealer shall then remove the lid"),
        ("687a", "§ 687a.8(i)", "- (i) If the count of the stub"),
        ("686a", "§ 686a.2(b)(4)(ii)", "- (ii) House wins on 18 - 23."),
        ("686a", "§ 686a.7(g)[2]", "- (g) A player's decision to surrender"),
        ("686a", "§ 686a.7(i)[2]", "- (i) A player shall win and be paid"),
        ("687a", "§ 687a.9(e)[2]", "- (e) If the count of the stub"),
        ("687a", "§ 687a.9(f)[2]", "- (f) If the count of the stub"),
        ("688a", "§ 688a.8(f)[2]", "- (f) If the dealer determines the cards were dealt properly"),
        ("688a", "§ 601a.10(g)", "- (g) Known in part (grade A)"),
    ],
)
def test_citation_leads_to_its_words(number: str, citation: str, begins: str) -> None:
    assert chapter(number).sections[citation].startswith(begins)


@pytest.mark.parametrize(
    ("number", "citation"), [("686a", "§ 686a.7(g)"), ("687a", "§ 687a.9(e)"), ("688a", "§ 688a.8(f)")]
)
def test_label_printed_twice_leads_to_both(number: str, citation: str) -> None:
    sections = chapter(number).sections
    letter = citation[-3:]
    assert sections[citation].count(f"- {letter} ") == 2
    assert sections[f"{citation}[2]"] in sections[citation]


LAST = {"581": 14, "583": 14, "585": 5, "587": 14, "593": 6, "637a": 18, "655a": 12, "686a": 9}  # 13 in the others


@pytest.mark.parametrize("number", NUMBERS)
def test_every_section_of_the_chapter_is_there(number: str) -> None:
    last = LAST.get(number, 13)
    own = [citation for citation in chapter(number).sections if re.fullmatch(rf"§ {number}\.\d+", citation)]
    assert own == [f"§ {number}.{section}" for section in range(1, last + 1)]


@pytest.mark.parametrize(
    ("number", "figures"),
    [
        ("635a", "18.2 38.3 14.88 26.64"),
        ("655a", "1.58 16.9 31.1"),
        ("657a", "3.35 6.78"),
        ("677a", "4.52 9.95 0.75 4.34"),
        ("678a", "5.3 11.1 6.6 13.0 23 23"),
        ("682a", "2.13 2.63 1.11 6.6 6.74 18.1 4.74 9.8"),
        ("683a", "1.37 4.28 7.18 8.71 2.14 7.1 6.74 18.1 4.52 9.95"),
        ("686a", "98.95 94.393"),
        ("687a", "98.99 98.843 92.474 92.338 91.454 86.8 87.682 85.904 85.848 77 77"),
        (
            "688a",
            "98.404 96.425 95.233 94.169 93.141 92.647 93.94 94.15 94.10 93.41 92.62 94.10 "
            "75.751 78.073 75.568 91.937 80.962 75.349 75.746",
        ),
    ],
)
def test_figures_that_the_board_printed_are_all_there(number: str, figures: str) -> None:
    assert " ".join(figure.value for figure in chapter(number).published) == figures


def test_common_data_is_all_in_use() -> None:
    common = tomllib.loads((CHAPTERS / "common.toml").read_text(encoding="utf-8"))
    used = set()
    for folder in folders().values():
        for name in ("rules.toml", "layout.toml"):
            data = tomllib.loads((folder / name).read_text(encoding="utf-8"))
            used |= {(kind, row["use"]) for kind in common for row in data.get(kind, []) if "use" in row}
    assert used == {(kind, name) for kind, entries in common.items() for name in entries}


@pytest.mark.parametrize("number", NUMBERS)
def test_chapter_that_lacks_text_says_what_is_missing(number: str) -> None:
    assert chapter(number).complete != bool(chapter(number).missing)
