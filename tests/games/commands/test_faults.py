"""Faults made on purpose are found, a change that is none is not, and a line that is not there is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import registry
from games.__main__ import main
from games.runs.faults import SourceFault, judge_source_fault, source_faults

HARMLESS = SourceFault(
    "686a", "none", "chapters/ch686a_over_under/second.py", "under_to=17,", "under_to=17,  # changes nothing"
)


@pytest.mark.slow
def test_faults_of_over_under_are_found(capsys):
    assert main(["faults", "686a", "--rounds", "1000000"]) == 0
    table = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    made = {kind: (int(number), int(found)) for kind, number, found, _ in table[2:]}
    assert made["payout"] == made["misread odds"] == (7, 7)
    assert [kind for kind, (number, found) in made.items() if number != found] == []
    assert made["all"] == (34, 34)
    assert {"missing card", "biased random numbers", "naive shuffle", "wrong qualifier"} <= made.keys()


def test_a_change_that_is_no_fault_is_not_found():
    assert judge_source_fault(HARMLESS, 200_000, workers=1).rounds is None


def test_a_line_that_is_not_there_and_a_program_without_a_result_are_named():
    with pytest.raises(ValueError, match="occurs 0 times"):
        judge_source_fault(replace(HARMLESS, old="under_to=19"), 1_000, workers=1)
    with pytest.raises(RuntimeError, match="SyntaxError"):
        judge_source_fault(replace(HARMLESS, new="under_to=,"), 1_000, workers=1)


def test_every_fault_of_the_file_is_of_a_line_that_is_there_once():
    for fault in source_faults(registry.folders()):
        folder = registry.folder_of("686a").parents[1]
        assert (folder / fault.file).read_text(encoding="utf-8").count(fault.old) == 1, fault
