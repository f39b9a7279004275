"""What a rulemaking changes of a chapter, part by part; nothing where nothing changed."""

from __future__ import annotations

from datetime import date

from games.registry import chapter, folders, words
from games.rules.changes import read_change
from games.rules.differences import RuleDifference, chapter_differences, word_differences
from games.rules.model import Chapter

BEFORE, FIRST = date(2026, 12, 31), date(2027, 1, 1)
HEAD = 'number = "687a"\neffective = 2027-01-01\ntitle = "Trips"\nsource = "A rulemaking"\n'
CELL = '[[paytable]]\nwager = "trips"\nname = "DJWT-05"\nchanged_rows = [["Three-of-a-Kind", [5, 1], [1, 1]]]\n'


def on(day: date, change: str) -> Chapter:
    return chapter("687a", day, (read_change(HEAD + change, "change.toml"),))


def differences(change: str) -> list[RuleDifference]:
    return list(chapter_differences(on(BEFORE, change), on(FIRST, change)))


def test_changed_cell_is_the_only_difference() -> None:
    (cell,) = differences(CELL)
    printed = chapter("687a").paytable("trips", "DJWT-05")
    assert (cell.kind, cell.key, cell.part) == ("paytable", "trips/DJWT-05", "Three-of-a-Kind (Natural)")
    assert (cell.before, cell.after, cell.citation) == ("6 to 1", "5 to 1", printed.citation)
    assert (cell.begins, cell.ends) == (False, False)


def test_removed_element_ends_and_new_line_begins() -> None:
    line = '[[option]]\nkey = "new_line"\nafter = "adjacent_boxes"\ncitation = ".7(d)"\nquestion = "New?"\n'
    line += 'kind = "yes_no"\ngroup = "Wagers"\nbasis = "explicit"\n'
    line += '[[element]]\nkey = "discard_rack"\nremoved = true\n'
    new, removed = differences(line)
    assert (new.kind, new.key, new.after, new.begins) == ("option", "new_line", "New?", True)
    assert (removed.kind, removed.key, removed.after, removed.ends) == ("element", "discard_rack", "", True)


def test_changed_limit_and_status_are_named() -> None:
    change = '[chapter]\nstatus = "final"\n[[option]]\nkey = "adjacent_boxes"\nquestion = "Which boxes?"\n'
    status, question = differences(change)
    assert (status.kind, status.part, status.before, status.after) == ("chapter", "status", "proposed", "final")
    assert (question.part, question.after) == ("question", "Which boxes?")


def test_section_is_listed_where_its_words_changed_and_not_above() -> None:
    change = '[[section]]\ncitation = ".3(a)"\ntext = "- (a) The game is played with one deck."\n'
    change += '[[section]]\ncitation = ".3(z)"\ntext = "- (z) Another rule."\n'
    cited = {difference.key: difference for difference in differences(change)}
    assert cited.keys() == {"§ 687a.3(a)", "§ 687a.3(z)"}
    assert cited["§ 687a.3(a)"].before == chapter("687a").sections["§ 687a.3(a)"]
    assert (cited["§ 687a.3(z)"].before, cited["§ 687a.3(z)"].after) == ("", "- (z) Another rule.")


def test_label_is_a_difference_of_words_alone() -> None:
    label = '[labels.says]\ndiscard_rack = "Rack"\n'
    (difference,) = word_differences(words(on(BEFORE, label)), words(on(FIRST, label)))
    assert (difference.kind, difference.key, difference.after) == ("label", "suggested discard_rack", "Rack")
    assert differences(label) == []


def test_every_chapter_differs_from_itself_in_nothing() -> None:
    for number in folders():
        loaded = chapter(number)
        assert chapter_differences(loaded, chapter(number, BEFORE)) == (), number
        assert word_differences(words(loaded), words(chapter(number, BEFORE))) == (), number


def test_two_chapters_differ_in_every_kind_of_record() -> None:
    """Not a rulemaking, but the widest difference there is: no field of any record is without words."""
    kinds = {difference.kind for difference in chapter_differences(chapter("687a"), chapter("688a"))}
    assert {"chapter", "option", "wager", "paytable", "requirement", "element", "reading", "section"} <= kinds
