"""The errata are read strictly: what is unknown, missing or contradictory is refused with file and key."""

from __future__ import annotations

import tomllib
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from games.registry import chapter, errata, folders, general_notes
from games.rules.errata import load_errata, load_general_errata
from games.rules.errors import RuleError
from games.rules.files import CHAPTERS
from games.rules.loader import load
from games.rules.model import Pay
from tests.games.rules.folder import copied, spoil

REFUSALS = tomllib.loads(Path(__file__).with_name("errata_refusals.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", REFUSALS)
def test_errata_that_are_wrong_are_refused_with_file_and_key(case: str, tmp_path: Path) -> None:
    folder, spoilt = copied(tmp_path, "683a"), REFUSALS[case]
    spoil(folder, "errata.toml", spoilt["old"], spoilt["new"])
    with pytest.raises(RuleError) as refusal:
        load_errata(chapter("683a"), folder)
    assert refusal.value.file == f"{folder.name}/errata.toml"
    assert spoilt["where"] in refusal.value.where
    assert spoilt["problem"] in refusal.value.problem


def test_chapter_without_errata_is_loaded_and_its_errata_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path, "683a")
    (folder / "errata.toml").unlink()
    assert load(folder).digest == chapter("683a").digest
    with pytest.raises(RuleError, match=r"errata\.toml: file: is missing"):
        load_errata(chapter("683a"), folder)


def test_every_chapter_has_a_note_for_each_reading() -> None:
    noted = {number: [note.reading for note in errata(number).notes] for number in folders()}
    readings = {number: list(dict.fromkeys(note.id for note in chapter(number).readings)) for number in folders()}
    assert {number: sorted(notes) for number, notes in noted.items()} == {
        number: sorted(ids) for number, ids in readings.items()
    }
    assert sorted(note.reading for note in errata("").notes) == sorted(general_notes())


def test_general_errata_are_refused_like_those_of_a_chapter(tmp_path: Path) -> None:
    text = (CHAPTERS / "general_errata.toml").read_text("utf-8")
    (tmp_path / "general_errata.toml").write_text(text.replace('"manager-or-above"', '"manager"'), "utf-8")
    with pytest.raises(RuleError, match=r"general_errata\.toml: note `manager`: there is no reading"):
        load_general_errata(general_notes().values(), tmp_path)


def test_answered_note_has_its_days_and_its_answer(tmp_path: Path) -> None:
    folder = copied(tmp_path, "683a")
    answered = (
        'grade = "A"\nstatus = "answered"\nasked_on = 2026-01-15\nanswered_on = 2026-02-02\n'
        'answered_by = "Office of Chief Counsel"\nanswer = "As read."'
    )
    before = load_errata(chapter("683a"), folder)
    spoil(folder, "errata.toml", 'grade = "A"', answered)
    after = load_errata(chapter("683a"), folder)
    note = after.note("683a.preshuffled")
    assert (note.status, note.board_answer.asked_on, note.board_answer.answered_on) == (
        "answered", date(2026, 1, 15), date(2026, 2, 2),
    )  # fmt: skip
    assert (note.board_answer.answered_by, note.board_answer.answer) == ("Office of Chief Counsel", "As read.")
    assert before.digest != after.digest
    assert load(folder).digest == chapter("683a").digest  # no digest of the rules changes with the errata


@pytest.mark.parametrize(
    ("pays", "expected"),
    [
        ("3 to 2", Pay(odds=Fraction(3, 2), per="to", printed="3 to 2")),
        ("1,000 to 1", Pay(odds=Fraction(1000), per="to", printed="1,000 to 1")),
        ("25 for 1", Pay(odds=Fraction(25), per="for", printed="25 for 1")),
        ("push", Pay(push=True, printed="Push")),
        ("n/a", Pay(na=True, printed="n/a")),
        ("loss", Pay(loss=True, printed="Loss")),
        ("$7.50", Pay(amount=Decimal("7.50"), printed="$7.50")),
        ("10% of meter", Pay(meter=Fraction(1, 10), printed="10% of meter")),
        ("100% of mega", Pay(meter=Fraction(1), jackpot="mega", printed="100% of mega")),
        ("$5,000/20% of meter", Pay(amount=Decimal(5000), meter=Fraction(1, 5), printed="$5,000/20% of meter")),
    ],
)
def test_cell_of_the_other_reading_is_read_as_in_a_paytable(pays: str, expected: Pay, tmp_path: Path) -> None:
    folder = copied(tmp_path, "683a")
    spoil(folder, "errata.toml", 'pays = "50 to 1"', f'pays = "{pays}"')
    (cell,) = load_errata(chapter("683a"), folder).note("683a.mini-royal-40").otherwise
    assert (cell.wager, cell.paytable, cell.outcome, cell.pays) == (
        "board_bonus", "Paytable A", "Mini-royal", expected,
    )  # fmt: skip
