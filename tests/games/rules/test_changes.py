"""A rulemaking changes a chapter from a day on: rows, cells, words and text. Before that day all is as it was."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from games.registry import chapter, words
from games.rules.changes import RuleChange, read_change
from games.rules.errors import RuleError
from games.rules.evaluate import judge
from games.rules.model import Chapter
from games.runs.engine import analyze
from tests.games.chapters.examples import example

BEFORE, FIRST = date(2026, 12, 31), date(2027, 1, 1)
HEAD = 'number = "687a"\neffective = 2027-01-01\ntitle = "Trips"\nsource = "A rulemaking"\n'
CELL = '[[paytable]]\nwager = "trips"\nname = "DJWT-05"\nchanged_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]\n'


def change(text: str, head: str = HEAD) -> RuleChange:
    return read_change(head + text, "change.toml")


def on(day: date | None, *texts: str) -> Chapter:
    return chapter("687a", day, tuple(change(text) for text in texts))


def natural(loaded: Chapter) -> Fraction | None:
    rows = {row.outcome: row for row in loaded.paytable("trips", "DJWT-05").rows}
    return rows["Three-of-a-Kind"].pays[0].odds


def test_cell_changes_on_the_day_and_not_before() -> None:
    assert [natural(on(day, CELL)) for day in (BEFORE, FIRST, None)] == [6, 5, 5]


def test_digest_before_the_day_is_the_one_without_the_change() -> None:
    unchanged = chapter("687a")
    assert on(BEFORE, CELL).digest == unchanged.digest != on(FIRST, CELL).digest
    assert words(on(BEFORE, CELL)).digest == words(unchanged).digest


def test_chapter_says_how_long_it_is_as_it_is() -> None:
    assert (on(BEFORE, CELL).begins, on(BEFORE, CELL).ends) == (None, BEFORE)
    assert (on(FIRST, CELL).begins, on(FIRST, CELL).ends) == (FIRST, None)


def test_hold_of_the_changed_cell_rises_by_the_share_of_its_hands() -> None:
    """A hand that pays one less costs its own probability; a hand that is better as another one costs nothing."""
    before, after = (
        next(row for row in analyze(on(day, CELL)).wagers if row.paytable == "DJWT-05") for day in (BEFORE, FIRST)
    )
    (hits,) = [row for row in after.outcomes if row.outcome == "Three-of-a-Kind, natural"]
    assert after.hold - before.hold == hits.probability
    assert (before.hold, hits.net) == (Fraction(30852, 409955), 5)


def test_earlier_change_is_part_of_the_later_one() -> None:
    later = read_change(HEAD.replace("2027-01-01", "2028-01-01") + CELL.replace("[5, 1]", "[4, 1]"), "later.toml")
    for changes in ((change(CELL), later), (later, change(CELL))):
        assert [natural(chapter("687a", day, changes)) for day in (BEFORE, FIRST, date(2028, 1, 1))] == [6, 5, 4]


def test_element_is_removed_and_status_changed() -> None:
    removed = on(FIRST, '[chapter]\nstatus = "final"\n[[element]]\nkey = "discard_rack"\nremoved = true\n')
    keys = {element.key for element in chapter("687a").layout} - {element.key for element in removed.layout}
    assert (removed.status, chapter("687a").status, keys) == ("final", "proposed", {"discard_rack"})


def test_new_line_is_asked_from_the_day_on() -> None:
    line = '[[option]]\nkey = "new_line"\nafter = "adjacent_boxes"\ncitation = ".7(d)"\nquestion = "New?"\n'
    line += 'kind = "yes_no"\ngroup = "Wagers"\nbasis = "explicit"\n'
    answers = example("687a")
    assert not judge(on(BEFORE, line), answers).blocking
    (finding,) = judge(on(FIRST, line), answers).blocking
    assert finding.message == "“New?” is not answered."
    keys = [option.key for option in on(FIRST, line).options]
    assert keys.index("new_line") == keys.index("adjacent_boxes") + 1


def test_words_of_the_law_change_with_the_day() -> None:
    section = '[[section]]\ncitation = ".3(a)"\ntext = "- (a) The game is played with one deck."\n'
    new = '[[section]]\ncitation = ".3(z)"\ntext = "- (z) Another rule."\n'
    before, after = on(BEFORE, section, new).sections, on(FIRST, section, new).sections
    assert before == chapter("687a").sections
    assert (after["§ 687a.3(a)"], after["§ 687a.3(z)"]) == (
        "- (a) The game is played with one deck.",
        "- (z) Another rule.",
    )
    same = {"§ 687a.3(b)", "§ 687a.3(b)(1)", "§ 687a.2", "§ 687a.4"}
    assert {cited: after[cited] for cited in same} == {cited: before[cited] for cited in same}


def test_label_changes_with_the_day() -> None:
    label = '[labels.says]\ndiscard_rack = "Rack"\n'
    assert words(on(FIRST, label)).labels.suggested["discard_rack"] == "Rack"
    assert words(on(BEFORE, label)).labels.suggested["discard_rack"] != "Rack"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("", "it changes nothing"),
        ("[[paytabel]]\n", "unknown key `paytabel`; did you mean `paytable`?"),
        (CELL.replace("Three-of-a-Kind", "Trips"), "in `changed_rows`, the row `Trips` is unknown"),
        (CELL.replace("DJWT-05", "DJWT-99"), "`changed_rows` is for a paytable that exists"),
        (CELL.replace("[5, 1]", "5"), "Three-of-a-Kind"),
        ('[[element]]\nkey = "none"\nremoved = true\n', "is to be removed, but does not exist"),
        ('[[element]]\nkey = "new"\nafter = "none"\n', "is to follow `none`, but the chapter has no such element"),
        ("[chapter]\nnumber = 1\n", "unknown key `number`"),
        ('[chapter]\nstatus = "made"\n', "`status` is 'made'; allowed are"),
        ('[[section]]\ncitation = ".3(a)"\ntext = "No label"\n', "the new words begin with 'No label'"),
        ('[[section]]\ncitation = ".3(x)"\nremoved = true\n', "it is not there"),
        ('[[option]]\nkey = "adjacent_boxes"\nkind = "colour"\n', "`kind` is 'colour'"),
        (
            '[[paytable]]\nwager = "trips"\nname = "DJWT-05"\nremoved = true\n',
            "the paytable `trips/DJWT-05` is unknown",
        ),
    ],
)
def test_change_that_does_not_fit_is_refused(text: str, refused: str) -> None:
    with pytest.raises((RuleError, LookupError), match=r"change\.toml|687a") as refusal:
        on(FIRST, text)
    assert refused in str(refusal.value)


def test_change_of_another_chapter_is_refused() -> None:
    with pytest.raises(LookupError, match="is 683a; the chapter is 687a"):
        chapter("687a", FIRST, (change(CELL, HEAD.replace("687a", "683a")),))
