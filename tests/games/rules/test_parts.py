"""The small parts: conditions, tables, periods, sections, words, differences."""

import dataclasses
from datetime import date
from decimal import Decimal

import pytest

from games.maths.results import net_of
from games.registry import UnknownChapter, chapter, chapters, folder_of, folders, play
from games.rules.answers import fault
from games.rules.conditions import holds
from games.rules.differences import answer_differences
from games.rules.errors import RuleError
from games.rules.evaluate import judge
from games.rules.files import RULES, Fields
from games.rules.loader import load_from, read_folder
from games.rules.model import Chapter, Condition, Option, Pay, Test
from games.rules.phrases import in_words
from games.rules.records import read_cell
from games.rules.sections import read_sections
from tests.games.chapters.examples import example

TWO_OR_MORE = Condition(((("boxes", Test(at_least=Decimal(2))),),))
YES = Condition(((("offer", Test(values=(True,))),),))


@pytest.mark.parametrize(
    ("condition", "answers", "expected"),
    [
        (Condition(), {}, True),
        (YES, {"offer": True}, True),
        (YES, {"offer": False}, False),
        (YES, {"offer": 1}, False),  # 1 == True in Python, not here
        (YES, {}, False),
        (TWO_OR_MORE, {"boxes": 2}, True),
        (TWO_OR_MORE, {"boxes": "2.5"}, True),
        (TWO_OR_MORE, {"boxes": 1}, False),
        (TWO_OR_MORE, {"boxes": True}, False),
        (TWO_OR_MORE, {"boxes": "many"}, False),
        (TWO_OR_MORE, {"boxes": "NaN"}, False),
        (Condition(YES.alternatives + TWO_OR_MORE.alternatives), {"boxes": 3}, True),
        (Condition((YES.alternatives[0] + TWO_OR_MORE.alternatives[0],)), {"boxes": 3}, False),
    ],
)
def test_condition(condition: Condition, answers: dict[str, bool | str | int], expected: bool) -> None:
    assert holds(condition, answers) is expected


def test_cell_that_is_printed_and_lost() -> None:
    lost = read_cell({"loss": "N/A"}, Fields("paytables.toml", "row", {}))
    assert lost == Pay(loss=True, printed="N/A")
    assert net_of(lost, chapter("687a").paytable("blind", "Paytable")) == -1


def test_cell_may_print_its_jackpot_without_of() -> None:
    table = {"meter": 100, "jackpot": "mega jackpot", "printed": "100% mega jackpot"}
    assert read_cell(table, Fields("paytables.toml", "row", {})).jackpot == "mega jackpot"


def test_rules_hold_in_their_period() -> None:
    dated = {"effective": date(2024, 3, 23), "expires": date(2026, 3, 23)}
    answers = example("686a")
    assert (
        "bars_midshoe_entry"
        in judge(with_lines(date(2026, 3, 23), dated, key="bars_midshoe_entry"), answers).asked_keys
    )
    after = judge(with_lines(date(2026, 3, 24), dated, key="bars_midshoe_entry"), answers)
    assert "bars_midshoe_entry" not in after.asked_keys
    assert [finding.rule for finding in after.blocking] == ["686a.unknown-option"]


def test_later_wording_replaces_the_earlier_one() -> None:
    line, answers = chapter("686a").option("odds_posted"), example("686a", odds_posted=None)
    early = {"expires": date(2025, 12, 31)}
    late = {"effective": date(2026, 1, 1), "question": "Where?"}
    for day, question in ((date(2025, 12, 31), line.question), (date(2026, 1, 1), "Where?"), (None, "Where?")):
        (finding,) = judge(with_lines(day, early, late), answers).blocking
        assert finding.message == f"“{question}” is not answered."


def test_paytable_of_a_name_that_two_have_is_refused() -> None:
    one = chapter("686a")
    twice = dataclasses.replace(one, paytables=(*one.paytables, one.paytables[0]))
    with pytest.raises(LookupError, match="has 2 paytables"):
        twice.paytable(one.paytables[0].wager, one.paytables[0].name)


def with_lines(day: date | None, *changes: dict[str, object], key: str = "odds_posted") -> Chapter:
    """Chapter 686a on the day, one of its lines once for each change of it."""
    source = read_folder(folder_of("686a"))
    rules = source.data.files[RULES]
    (line,) = [line for line in rules["option"] if line["key"] == key]
    lines = [other for other in rules["option"] if other is not line] + [{**line, **change} for change in changes]
    files = {**source.data.files, RULES: {**rules, "option": lines}}
    changed = dataclasses.replace(source, data=dataclasses.replace(source.data, files=files))
    return load_from(changed, day, ())


def test_sections_tell_the_letter_i_from_the_numeral() -> None:
    text = "## § 1a.1. T.\n\n- (h) h\n\n  - (1) one\n\n    - (i) numeral\n\n- (i) letter\n"
    assert list(read_sections(text)) == ["§ 1a.1", "§ 1a.1(h)", "§ 1a.1(h)(1)", "§ 1a.1(h)(1)(i)", "§ 1a.1(i)"]


def test_section_is_given_without_its_indentation() -> None:
    text = "## § 1a.1. T.\n\n- (a) a\n\n  - (1) one\n\n    - (i) numeral\n"
    assert read_sections(text)["§ 1a.1(a)(1)"] == "- (1) one\n\n  - (i) numeral"


def test_sections_refuse_a_label_that_hangs_in_the_air() -> None:
    with pytest.raises(RuleError, match="line 3"):
        read_sections("## § 1a.1. T.\n\n    - (i) numeral\n")


def test_words_of_answers() -> None:
    one = chapter("688a")
    assert in_words(one, "house_way", "traditional") == "Traditional"
    assert in_words(one, "ace_high_wager", True) == "Yes"
    assert in_words(one, "ace_high_wager", None) == "not answered"
    assert in_words(one, "house_rules", {"sha256": "0" * 64, "name": "rules.pdf", "size": 48213}) == "rules.pdf (48 kB)"
    limit = Option("limit", "", "Which?", "money", "", "form")
    assert in_words(one, limit, "50000.00") == "$50,000.00"
    assert in_words(one, limit, "fifty") == "fifty"


def test_differences_are_told_in_the_forms_order_and_in_words() -> None:
    before, after = example("687a"), example("687a", trips_paytable="DJWT-06", adjacent_boxes=3)
    found = answer_differences(chapter("687a"), before, after)
    assert [(one.option, one.before, one.after) for one in found] == [
        ("adjacent_boxes", "2", "3"),
        ("trips_paytable", "DJWT-05", "DJWT-06"),
    ]
    assert found[1].citation == "§ 687a.12(d)"


def test_difference_of_a_line_that_is_no_more_is_told() -> None:
    (found,) = answer_differences(chapter("687a"), example("687a", old_line="a"), example("687a"))
    assert (found.option, found.before, found.after) == ("old_line", "a", "None")


def test_equal_configurations_do_not_differ() -> None:
    assert answer_differences(chapter("687a"), example("687a"), example("687a")) == ()


def test_message_never_carries_what_disturbs_a_line() -> None:
    wrong = fault(chapter("688a"), chapter("688a").option("house_way"), "x\x1b[2J\n" + "y" * 500)
    assert wrong is not None
    assert wrong.message.isprintable()
    assert len(wrong.message) < 250


def test_registry_knows_the_chapters_in_the_codes_order() -> None:
    numbers = [one.number for one in chapters()]
    assert numbers == sorted(numbers, key=lambda number: int(number.rstrip("a")))
    assert numbers[-3:] == ["686a", "687a", "688a"]
    assert chapter("687a") is chapter("687a")


@pytest.mark.parametrize("number", ["999", "../686a", "", "686A"])
def test_unknown_chapter_is_refused_with_those_there_are(number: str) -> None:
    for ask in (chapter, play):
        with pytest.raises(UnknownChapter, match=f"known are {', '.join(folders())}"):
            ask(number)
