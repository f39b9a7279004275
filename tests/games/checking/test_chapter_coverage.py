"""Every sentence of every chapter accounted for, every record by a sentence; what a wrong entry is refused with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from games.checking.chapter_coverage import ChapterCoverage, coverage, coverage_of, played_sections
from games.registry import chapter, folder_of, folders, play, words
from games.rules.coverage import GAP, UNACCOUNTED
from games.rules.errors import RuleError
from games.rules.files import CHAPTERS
from games.rules.loader import load
from games.rules.sections import cited_places
from games.runs.dealing import round_steps
from games.runs.engine import analyze, replay_round
from tests.games.chapters.examples import example
from tests.games.rules.folder import copied, spoil

NOT_ENTERED: set[str] = set()
"""Chapters whose sentences are still to be entered."""
GAPS: dict[str, str] = {}
"""Citation → what is not modeled yet."""
WITHOUT_SENTENCE = {
    "588": {"option:progressive_rate"},  # note `rate-unprinted`: the section's title announces it, its text does not
    # No rounds are dealt: what the players win of each other is procedure.
    "637a": {"replay:.7(e)(6)", "replay:.10(i)", "replay:.11(k)"},
    "687a": {"element:progressive_meter"},  # § 605a.7 asks for it
    "688a": {"replay:.1", "replay:.6"},  # steps that rest on whole sections: definitions, ranks
}
"""Chapter → records that the text does not ask for, with the reason."""
NO_TEXT = {"655a", "657a"}  # their sections are not in the sources, so their records are of other sources
NUMBERED = {"585"}
"""Chapters whose play puts in the last step of a citation; the list above it is known."""
ENTERED = [number for number in folders() if number not in NOT_ENTERED]


@pytest.mark.parametrize("number", ENTERED)
def test_every_sentence_has_an_account(number: str) -> None:
    open_sentences = [
        f"{row.sentence.citation} [{row.sentence.ordinal}] {row.sentence.text}"
        for row in coverage(number).accounted
        if row.account.kind == UNACCOUNTED
    ]
    assert open_sentences == []


def test_terms_of_a_meter_belong_to_the_paytable_above_them() -> None:
    terms = [row for row in coverage("688a").accounted if row.sentence.text.startswith("Original wager")]
    tables = [name for row in terms for name in row.account.by if name.startswith("paytable:")]
    assert tables == [f"paytable:progressive/Paytable {number}" for number in range(1, 8)]


def test_gaps_are_listed() -> None:
    gaps = {
        row.sentence.citation: row.account.gap
        for number in folders()
        for row in coverage(number).accounted
        if row.account.kind == GAP
    }
    assert gaps == GAPS


@pytest.mark.parametrize("number", [number for number in ENTERED if number not in NO_TEXT])
def test_every_record_and_step_has_a_sentence(number: str) -> None:
    assert set(coverage(number).without_sentence) == WITHOUT_SENTENCE.get(number, set())


def test_chapters_still_to_be_entered_are_not_complete() -> None:
    complete = [
        number for number in NOT_ENTERED if all(row.account.kind != UNACCOUNTED for row in coverage(number).accounted)
    ]
    assert complete == [], "take them off NOT_ENTERED"


@pytest.mark.parametrize("number", folders())
def test_sentences_are_the_whole_text(number: str) -> None:
    """Nothing of the text is lost or said twice: its words, without Markdown and labels, are those of the sentences."""
    text = (folder_of(number) / "text.md").read_text(encoding="utf-8")
    text = text[text.index("\n## ") :]
    printed = re.sub(r"(?m)^ *- \(\w+\) |^ *\|[\s|:-]+\|$|^## ", "", text)
    said = " ".join(row.sentence.text for row in coverage(number).accounted)
    assert re.findall(r"\w+", said) == re.findall(r"\w+", printed)


@pytest.mark.slow
@pytest.mark.parametrize("number", folders())
def test_steps_of_a_round_cite_sections_that_the_play_is_known_to_cite(number: str) -> None:
    """What a sentence may call `replay` is read from the source of the play: here it is compared with rounds."""
    covered = coverage(number)
    rounds = range(24) if play(number).deals_rounds else ()
    steps = [round_steps(covered.chapter, example(number), 7, 0, index) for index in rounds]
    cited = {step.section for of_round in steps for step in of_round}
    known = {places[0] for name, places in covered.known.citations.items() if name.startswith("replay:")}
    places = {place for section in cited for place in cited_places(section, number)}
    if number in NUMBERED:
        places = {place if place in known else place.rpartition("(")[0] for place in places}
    assert places - known == set()


def test_settlements_cite_sections_that_the_play_is_known_to_cite() -> None:
    covered, answers = coverage("583"), example("583")
    analysis = analyze(covered.chapter, answers)
    replays = [replay_round(covered.chapter, answers, analysis, seed=7, block=0, index=index) for index in range(24)]
    cited = {settlement.section for replay in replays for settlement in replay.settlements}
    assert len(cited) > 2
    assert {f"replay:{section.removeprefix('§ 583')}" for section in cited} <= covered.known.citations.keys()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of 583 with its play and the shared shapes."""
    made = copied(tmp_path, "583")
    shutil.copy(CHAPTERS / "coverage.toml", tmp_path)
    shutil.copy(folder_of("583") / "play.py", made)
    return made


def covered(folder: Path) -> ChapterCoverage:
    return coverage_of(load(folder), folder, words(chapter("583")).guide)


def test_copy_is_covered_like_the_chapter(folder: Path) -> None:
    assert covered(folder).accounted == coverage("583").accounted


FLOP = 'at = ".11(c)"\nbegins = "The dealer shall then deal the flop"\nby = ["replay", "guide"]'


@pytest.mark.parametrize(
    ("new", "refused"),
    [
        (
            'at = ".11(c)"\nbegins = "The dealer"\nby = ["replay:.99"]',
            "`by` names 'replay:.99', which chapter 583 does not",
        ),
        ('at = ".11(c)"\nbegins = "Nothing"\nby = ["replay"]', "0 sentences begin so; exactly one must"),
        ('at = ".99"\nby = ["replay"]', "`at` is '.99', which has no sentence of its own"),
        ('at = ".11(c)"\nbegins = "The dealer"\nby = ["option:manual_sho"]', "did you mean `option:manual_shoe`?"),
        ('at = ".4(a)"\nby = ["replay"]', "no replay cites a section near § 583.4(a)"),
        ('at = ".11(c)"\nbegins = "The dealer"\nneeds_nothing = "lazy"', "`needs_nothing` is 'lazy'; allowed are"),
        ('at = ".11(c)"\nbegins = "The dealer"\nneeds_nothing = "other"', "`why` is missing"),
        ('at = ".11(c)"\nbegins = "The dealer"', "one of `by`, `needs_nothing` and `gap` is expected"),
        ('at = ".11(c)"\nbegins = "The dealer"\nby = ["play"]\nbye = 1', "unknown key `bye`"),
        ('at = ".11(c)"\nbegins = "Unless the certificate holder"\nby = ["play"]', "another entry accounts for"),
    ],
)
def test_wrong_entry_is_refused_with_file_and_place(new: str, refused: str, folder: Path) -> None:
    spoil(folder, "coverage.toml", FLOP, new)
    with pytest.raises(RuleError, match=re.escape(refused)) as error:
        covered(folder)
    assert error.value.file == f"{folder.name}/coverage.toml"


def test_sentence_with_two_shapes_is_refused(folder: Path) -> None:
    shapes = folder.parent / "coverage.toml"
    twice = '\n[[shape]]\ntexts = ["Verbal wagers accompanied by cash may not be …."]\nneeds_nothing = "equipment"\n'
    shapes.write_text(shapes.read_text("utf-8") + twice, encoding="utf-8")
    with pytest.raises(RuleError, match="too; remove one"):
        covered(folder)


def test_shape_whose_option_the_chapter_lacks_is_refused(folder: Path) -> None:
    spoil(folder.parent, "coverage.toml", 'by = ["option:abandoned_wagers"]', 'by = ["option:midshoe"]')
    with pytest.raises(RuleError, match="`by` names 'option:midshoe', which chapter 583 does not have"):
        covered(folder)


def test_what_leaves_something_open_is_not_covered_by_a_reason_for_the_section(folder: Path) -> None:
    """A sentence added to the shuffle, which otherwise is procedure, needs an option of its own."""
    sentence = "A certificate holder may use six decks."
    spoil(
        folder, "text.md", "Once the cover card has been inserted", f"{sentence} Once the cover card has been inserted"
    )
    rows = {row.sentence.text: row.account.kind for row in covered(folder).accounted}
    assert rows[sentence] == UNACCOUNTED
    assert "procedure" in set(rows.values())


def test_changed_sentence_loses_its_account(folder: Path) -> None:
    spoil(folder, "text.md", "Verbal wagers accompanied by cash may not be accepted", "Verbal wagers may be accepted")
    kinds = {row.sentence.text: row.account.kind for row in covered(folder).accounted}
    assert kinds["Verbal wagers may be accepted."] == UNACCOUNTED


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("§ 593.4(d), (e)", ["§ 593.4(d)", "§ 593.4(e)"]),
        (".4(f)(2)(i), (ii)", ["§ 593.4(f)(2)(i)", "§ 593.4(f)(2)(ii)"]),
        ("§ 593.2(d)({})", ["§ 593.2(d)"]),
        ("§ 592.4(d)", []),
        ("§ 593.4(d) says so", []),
    ],
)
def test_text_that_is_a_citation_names_its_places(text: str, places: list[str]) -> None:
    assert list(cited_places(text, "593")) == places


def test_citations_in_a_play_are_found() -> None:
    assert "§ 583.11(d)(2)" in played_sections(folder_of("583"), "583")
    assert {"§ 585.3(e)", "§ 585.3(g)", "§ 585.2(d)"} <= set(played_sections(folder_of("585"), "585"))
