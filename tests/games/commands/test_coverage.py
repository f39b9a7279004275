"""`python -m games coverage`: what it prints, as text, as JSON and as the recorded page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.__main__ import main
from games.checking.chapter_coverage import coverage
from games.registry import folders
from games.rules.coverage import COLUMNS, UNACCOUNTED

Printed = pytest.CaptureFixture[str]
PAGE = Path(__file__).parents[2] / "recorded/coverage.md"


def test_chapter_lists_every_sentence_with_what_it_has(capsys: Printed) -> None:
    assert main(["coverage", "581"]) == 0
    lines = capsys.readouterr().out.splitlines()
    place = lines.index("§ 581.6(d) [1] To participate in a round of play, a player shall place a Bet Wager.")
    assert lines[place + 1] == "    wager:bet, guide:.6(d)"
    assert "§ 581.6(c) [1]" in "\n".join(lines)
    assert "NOT ACCOUNTED FOR" not in "\n".join(lines)


def test_json_of_a_chapter_has_each_sentence_once(capsys: Printed) -> None:
    assert main(["coverage", "581", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len({(row["citation"], row["n"]) for row in rows}) == len(rows) == len(coverage("581").accounted)
    assert set(rows[0]) == {"citation", "n", "text", "by", "needs_nothing", "why", "gap"}
    assert all(bool(row["by"]) != bool(row["needs_nothing"]) for row in rows)
    assert all(row["why"] for row in rows if row["needs_nothing"])


def test_table_counts_every_sentence_once(capsys: Printed) -> None:
    status = main(["coverage", "--json"])
    counts = json.loads(capsys.readouterr().out)
    assert list(counts) == list(folders())
    assert all(sum(counts[number].values()) == len(coverage(number).accounted) for number in counts)
    assert {kind for count in counts.values() for kind in count} <= set(COLUMNS)
    assert status == any(count.get(UNACCOUNTED) for count in counts.values())


def test_page_of_the_documents_is_the_one_that_the_command_makes(capsys: Printed) -> None:
    main(["coverage", "--page"])
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8")


def test_page_of_one_chapter_is_refused(capsys: Printed) -> None:
    assert main(["coverage", "581", "--page"]) == 2
    assert "--page is the table of all chapters" in capsys.readouterr().err


def test_unknown_chapter_is_refused(capsys: Printed) -> None:
    assert main(["coverage", "999"]) == 2
    assert "there is no chapter '999'" in capsys.readouterr().err
