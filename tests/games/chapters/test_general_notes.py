"""Interpretation notes that belong to no chapter, and readings of places where two readers would differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.registry import chapter, general_notes
from games.rules import records
from games.rules.errors import RuleError

READINGS = {
    "583": {"face-down-from-the-manual-shoe": ".8(c)"},
    "593": {"resolved-under-h": ".4(f)(2)(ii)"},
    "637a": {"odd-chip-by-suit": ".10(i)(3)(ii)"},
    "678a": {"returned-or-settled": ".13(a)"},
    "687a": {"wrong-number-of-cards": ".13(c)"},
    "688a": {"cover-card-as-marker": ".5(j)"},
}


def test_general_notes_name_the_provisions_that_pages_rest_on() -> None:
    assert {note.id: note.citation for note in general_notes().values()} == {
        "layout-clock-stops": "§ 601a.10(d)", "approved-filings-public": "§ 601a.2", "manager-or-above": "§ 601a.2",
    }  # fmt: skip


def test_what_no_text_at_hand_says_is_called_an_inference() -> None:
    assert general_notes()["layout-clock-stops"].evidence.startswith(
        "This is an inference of this portal, not the Board's"
    )


@pytest.mark.parametrize(
    ("written", "refusal"),
    [
        ('[[reading]]\nid = "x"\ncitation = "601a.99"', "there is no § 601a.99"),
        ('[[note]]\nid = "x"', "unknown key `note`; allowed here: reading"),
        (
            '[[reading]]\nid = "x"\ncitation = "601a.2"\nprinted = "p"\nreading = "r"\nevidence = "e"\ntouches = ["y"]',
            "unknown key `touches`",
        ),
    ],
)
def test_general_note_that_is_wrong_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, refusal: str
) -> None:
    (tmp_path / "general.toml").write_text(written, encoding="utf-8")
    (tmp_path / "general.md").write_text((records.CHAPTERS / "general.md").read_text(encoding="utf-8"), "utf-8")
    monkeypatch.setattr(records, "CHAPTERS", tmp_path)
    with pytest.raises(RuleError, match=refusal):
        records.load_general_notes()


@pytest.mark.parametrize("number", READINGS)
def test_places_where_readers_would_differ_have_a_reading(number: str) -> None:
    found = {reading.id: reading.citation for reading in chapter(number).readings}
    expected = {f"{number}.{name}": f"§ {number}{place}" for name, place in READINGS[number].items()}
    assert expected.items() <= found.items()


def test_three_raise_inscriptions_are_three_elements() -> None:
    inscribed = {element.citation: element.wording for element in chapter("678a").layout if "raise_" in element.key}
    wordings = [inscribed[f"§ 678a.2(b)(7)(iii)({letter})"] for letter in "ABC"]
    assert [words.split(", ")[-1].removeprefix("a player may place a Raise Wager ") for words in wordings] == [
        "equal to the player's Ante Wager.",
        "up to two times the amount of the player's Ante Wager.",
        "up to three times the amount of the player's Ante Wager.",
    ]
