"""The form writes TOML that loads back equal, merged with what the change has, and read by the loader."""

from __future__ import annotations

import tomllib
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import registry
from games.rules.changes import FILE_OF, read_change, toml_text
from submissions.core.errors import Refusal
from submissions.rulemakings.pages import EXAMPLE
from submissions.rulemakings.rule_changes import (
    KINDS,
    changed_row,
    read_value,
    record_choices,
    record_fields,
    with_new_row,
    with_row,
)

DAY = date(2027, 3, 1)
HEAD = {"number": "687a", "effective": DAY, "title": "A change", "source": "57 Pa.B. 1001"}
SINGLE = st.one_of(st.text(), st.integers(), st.booleans(), st.dates())
VALUES = st.recursive(
    SINGLE,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)
ROWS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(st.dictionaries(st.text(), st.one_of(VALUES, ROWS, st.lists(ROWS, min_size=1, max_size=3)), max_size=5))
def test_tables_load_back_equal(tables: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(tables)) == tables


def test_every_record_of_every_chapter_loads_back_equal() -> None:
    for number in registry.folders():
        data = registry.chapter_data(number, DAY)
        for kind, file in FILE_OF.items():
            rows = data.files.get(file, {}).get(kind, [])
            tables = {kind: rows} if rows else {}
            assert tomllib.loads(toml_text(tables)) == tables


def test_unchanged_form_is_refused_for_every_record() -> None:
    """What is shown as the present value is read back as the present value."""
    data, sections = registry.chapter_data("687a", DAY), registry.chapter("687a", DAY).sections
    for kind in KINDS:
        for name, _ in record_choices(data, sections, kind):
            fields = record_fields(data, sections, kind, name)
            with pytest.raises(Refusal, match="has no changes"):
                changed_row(fields, {field.key: field.present for field in fields})
            assert [field.value if field.is_text else read_value("", field.present) for field in fields] == [
                field.value for field in fields
            ]


def written(kind: str, name: str, entered: dict[str, str], text: str = "") -> str:
    data, sections = registry.chapter_data("687a", DAY), registry.chapter("687a", DAY).sections
    return with_row(text, HEAD, kind, name, changed_row(record_fields(data, sections, kind, name), entered))


def test_cell_is_written_with_its_whole_row() -> None:
    text = written("paytable", "trips/DJWT-05", {"cell:Three-of-a-Kind:0": "5 to 1"})
    assert tomllib.loads(text)["paytable"] == [
        {"wager": "trips", "name": "DJWT-05", "changed_rows": [["Three-of-a-Kind", [5, 1], [1, 1]]]}
    ]
    changed = registry.chapter("687a", DAY, (read_change(text, "RM"),)).paytable("trips", "DJWT-05")
    assert str(changed.rows[-1].pays[0]) == "5 to 1"


def test_second_cell_joins_the_first() -> None:
    first = written("paytable", "trips/DJWT-05", {"cell:Three-of-a-Kind:0": "5 to 1"})
    second = written("paytable", "trips/DJWT-05", {"cell:Straight:0": "12 to 1"}, first)
    (row,) = tomllib.loads(second)["paytable"]
    assert [cells[0] for cells in row["changed_rows"]] == ["Three-of-a-Kind", "Straight"]


def test_status_text_and_line_are_written() -> None:
    text = written("chapter", "chapter", {"status": "final"})
    text = written("section", "§ 687a.3(a)", {"text": "- (a) One deck\nof 53 cards."}, text)
    text = written("option", "adjacent_boxes", {"question": "How many boxes?"}, text)
    tables = tomllib.loads(text)
    assert tables["chapter"] == {"status": "final"}
    assert tables["section"] == [{"citation": "§ 687a.3(a)", "text": "- (a) One deck\nof 53 cards."}]
    assert tables["option"] == [{"key": "adjacent_boxes", "question": "How many boxes?"}]
    loaded = registry.chapter("687a", DAY, (read_change(text, "RM"),))
    assert (loaded.status, loaded.option("adjacent_boxes").question) == ("final", "How many boxes?")


def test_new_record_and_unreadable_value() -> None:
    text = with_new_row("", HEAD, "element", 'key = "new"\nkind = "sign"\n')
    assert tomllib.loads(text)["element"] == [{"key": "new", "kind": "sign"}]
    for attempt in (lambda: with_new_row("", HEAD, "element", "key ="), lambda: read_value("Limit", "5 too 1")):
        with pytest.raises(Refusal, match="cannot be read"):
            attempt()


def test_label_and_interpretation_note_are_written() -> None:
    text = written("label", "replacement_card_area", {"label": '["Replaced Card"]'})
    text = written("reading", "rankings-title", {"reading": "As printed."}, text)
    tables = tomllib.loads(text)
    assert tables["labels"] == {"labels": {"replacement_card_area": ["Replaced Card"]}}
    assert tables["reading"] == [{"id": "rankings-title", "reading": "As printed."}]
    loaded = registry.chapter("687a", DAY, (read_change(text, "RM"),))
    assert {row.id: row.reading for row in loaded.readings}["687a.rankings-title"] == "As printed."
    assert registry.words(loaded).digest != registry.words(registry.chapter("687a", DAY)).digest


def test_second_label_joins_the_first() -> None:
    first = with_row("", HEAD, "label", "one", {"label": ["A"]})
    second = with_row(first, HEAD, "label", "two", {"label": ["B", "C"]})
    assert tomllib.loads(second)["labels"] == {"labels": {"one": ["A"], "two": ["B", "C"]}}


def test_label_that_the_chapter_does_not_have_is_refused() -> None:
    with pytest.raises(Refusal, match="no_such_area"):
        written("label", "no_such_area", {"label": "[]"})


def test_example_of_the_page_is_read_by_the_loader() -> None:
    text = toml_text(HEAD) + EXAMPLE
    changed = registry.chapter("688a", DAY, (read_change(text.replace('"687a"', '"688a"'), "RM"),))
    assert registry.words(changed).guide.object != registry.words(registry.chapter("688a", DAY)).guide.object
