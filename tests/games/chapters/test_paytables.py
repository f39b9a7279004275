"""Every paytable against the chapter's own text: names, rows, cells, Envy Bonuses and what stands below."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from games.registry import chapter, folders
from games.rules.model import Paytable
from tests.games.chapters import printed

LOST = "Not in the source text"  # begins the name of a paytable that stands in for one that the text lacks
SENTENCES = "Payout odds"  # the name of a paytable that is printed in sentences
NOT_PRINTED = {  # (chapter, wager and paytable, outcome): lost in the text; a reading says what stands in for it
    "row": ("687a", "trips/DJWT-07", "Three-of-a-Kind"),
    "envy": ("588", "progressive/$5 Progressive Payout Wager", "Four-of-a-kind"),
}
NUMBERS = list(folders())


def places(number: str) -> list[tuple[str, str]]:
    """Section and name of each printed table, once."""
    return list(dict.fromkeys((table.citation, table.name) for table in chapter(number).paytables))


def printed_places(number: str) -> list[tuple[str, str]]:
    """Those that the text prints as a table."""
    return [place for place in places(number) if place[1] != SENTENCES and not place[1].startswith(LOST)]


def ours(number: str, citation: str, name: str) -> list[Paytable]:
    """What we hold of one printed table, which may serve several wagers (585: a line or two for each)."""
    return [table for table in chapter(number).paytables if (table.citation, table.name) == (citation, name)]


def line(cells: Iterable[str]) -> str:
    """A row on one line, without empty cells at its end; "$ 25" (587) is $25."""
    return " | ".join(cells).replace("$ ", "$").rstrip(" |")


def below(outcome: str, subheads: list[str]) -> str:
    """The outcome as printed below its subhead: "Third card drawn is a: 6" is printed "6"."""
    return next((outcome.removeprefix(f"{head} ") for head in subheads if outcome.startswith(head)), outcome)


def lines(number: str, table: Paytable, subheads: list[str]) -> Iterator[str]:
    """What we hold of the table's printed rows."""
    for row in table.rows:
        place = (number, f"{table.wager}/{table.name}", row.outcome)
        envy = "" if row.envy is None or place == NOT_PRINTED["envy"] else f"${row.envy:,}"
        if place != NOT_PRINTED["row"]:
            yield line([below(row.outcome, subheads), *map(str, row.pays), envy])


@pytest.mark.parametrize("number", NUMBERS)
def test_paytables_are_as_printed(number: str, subtests: pytest.Subtests) -> None:
    for citation, name in printed_places(number):
        with subtests.test(f"{citation} {name}"):
            rows, subheads, _ = printed.paytable(chapter(number).sections[citation], name)
            held = [row for table in ours(number, citation, name) for row in lines(number, table, subheads)]
            assert held == [line(row) for row in rows]


@pytest.mark.parametrize("number", NUMBERS)
def test_odds_in_sentences_are_as_printed(number: str, subtests: pytest.Subtests) -> None:
    for citation, name in places(number):
        if name == SENTENCES:
            with subtests.test(citation):
                text = chapter(number).sections[citation]
                rows = [row for table in ours(number, citation, name) for row in table.rows]
                cells = {str(pay) for row in rows for pay in row.pays} | {f"${row.envy:,}" for row in rows if row.envy}
                assert [cell for cell in cells if cell not in text] == []
                assert printed.odds(text) <= cells


@pytest.mark.parametrize("number", NUMBERS)
def test_paytables_that_the_text_lacks_have_a_reading(number: str) -> None:
    touched = {name for one in chapter(number).readings for name in one.touches}
    lost = {f"{table.wager}/{table.name}" for table in chapter(number).paytables if table.name.startswith(LOST)}
    assert lost - touched == set()


@pytest.mark.parametrize("number", NUMBERS)
def test_what_stands_with_the_paytables_is_as_printed(number: str, subtests: pytest.Subtests) -> None:
    for citation, name in printed_places(number):
        with subtests.test(f"{citation} {name}"):
            (table, *_) = ours(number, citation, name)
            _, _, words = printed.paytable(chapter(number).sections[citation], name)
            as_printed(number, table, words)


def as_printed(number: str, table: Paytable, words: str) -> None:
    """The amount of the wager, the meter and the words below the table."""
    amount = re.search(r"\$(\d+) (?:[A-Z]\w+ )*[Ww]ager", words)
    seed = re.search(r"Meter Seed: \$([\d,]+)|\$([\d,]+) seed", words)
    rate, reserve = re.search(r"Rate of Progression: (\d+)%", words), re.search(r"Reserve Rate: (\d+)%", words)
    returned = re.search(r"Original wager (not )?returned", words)
    if amount or table.wager_amount is None:
        assert table.wager_amount == (Decimal(amount[1]) if amount else None)
    else:  # 593: the section on the wager says that it is of $1
        wager = chapter(number).wager(table.wager)
        assert f"${table.wager_amount}" in chapter(number).sections[wager.citation]
    assert table.seed == (Decimal((seed[1] or seed[2]).replace(",", "")) if seed else None)
    assert table.rate == (Fraction(int(rate[1]), 100) if rate else None)
    assert table.reserve == (Fraction(int(reserve[1]), 100) if reserve else None)
    assert table.wager_returned == (not returned[1] if returned else None)
    assert table.fully_wild_joker == ("Fully Wild Joker" in words)


@pytest.mark.parametrize("number", NUMBERS)
def test_paytables_have_their_number_of_rows(number: str) -> None:
    rows = tomllib.loads((Path(__file__).parent / "rows.toml").read_text(encoding="utf-8"))
    found = {f"{table.wager}/{table.name}": len(table.rows) for table in chapter(number).paytables}
    assert found == rows.get(number, {})


@pytest.mark.parametrize(("number", "name", "outcome"), NOT_PRINTED.values())
def test_what_is_not_printed_has_a_reading(number: str, name: str, outcome: str) -> None:
    readings = [one for one in chapter(number).readings if name in one.touches]
    assert [one for one in readings if outcome.lower() in one.reading.lower()]


def test_odds_are_exact() -> None:
    straight = chapter("688a").paytable("progressive", "Paytable 4").rows[-1].pays[0]
    assert (straight.amount, straight.printed) == (Decimal("7.50"), "$7.50")
    top = chapter("688a").paytable("progressive", "Paytable 4").rows[1].pays[0]
    assert (top.amount, top.meter, top.printed) == (Decimal(5000), Fraction(1, 5), "$5,000/20% of meter")
    assert chapter("687a").paytable("blind", "Paytable").rows[0].pays[0].odds == Fraction(1000)
