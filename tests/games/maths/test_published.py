"""The Board's printed figures: each is reproduced, differs or cannot be compared, and no cause is guessed."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest

from games import registry
from games.maths.published import Verdict, compare_published, printed
from games.maths.results import Comparison, OutcomeRow, Progressive, WagerAnalysis
from games.rules.model import Published
from games.runs.engine import analyze

WIN, LOSS = Fraction(1, 100), Fraction(99, 100)


def compared(value: str, measure: str = "payback", denominator: str = "wager", **known: object) -> Comparison:
    """The figure beside a payback of 91 %: one outcome in a hundred pays 90 to 1."""
    figure = Published("figure", "bonus", "", measure, value, "Preamble", denominator)  # type: ignore[arg-type]
    rows = (OutcomeRow("Flush", WIN, Fraction(90)), OutcomeRow("Lost", LOSS, Fraction(-1)))
    analysis = WagerAnalysis(
        "bonus", "", "exact", rows, 9 * WIN, WIN, standard_deviation=1.0, largest_win=Fraction(90),
        **known,  # type: ignore[arg-type]
    )  # fmt: skip
    (comparison,) = compare_published(replace(registry.chapter("686a"), published=(figure,)), analysis).published
    return comparison


def meter(rate: Fraction | None) -> Progressive:
    """91 % with a rate of 21 %."""
    return Progressive(
        fixed_return=Fraction(1, 2),
        meter_coefficient=Fraction(0),
        reset=Fraction(0),
        rate=rate,
        return_at_reset=Fraction(6, 10),
        return_without_rate=Fraction(7, 10),
        long_run_return=None if rate is None else Fraction(7, 10) + rate,
        break_even_meter=None,
    )


@pytest.mark.parametrize(
    ("value", "measure", "verdict"),
    [
        ("91", "payback", Verdict.REPRODUCED),
        ("91.000", "payback", Verdict.REPRODUCED),
        ("9.0", "hold", Verdict.REPRODUCED),
        ("91.10", "payback", Verdict.DIFFERS),  # as near as a simulation of 10,000,000 rounds comes
        ("82.00", "payback", Verdict.DIFFERS),  # what 81 to 1 would give
        ("61.000", "payback", Verdict.DIFFERS),  # one digit
    ],
)
def test_figure_is_reproduced_to_its_digits_or_differs(value: str, measure: str, verdict: Verdict) -> None:
    comparison = compared(value, measure)
    assert (comparison.verdict, comparison.reproduced) == (verdict, verdict is Verdict.REPRODUCED)


def test_share_of_the_drop_and_meter_without_a_printed_rate_cannot_be_compared() -> None:
    assert compared("18.2", "hold", "drop").verdict is Verdict.NOT_COMPARABLE
    assert compared("77", progressive=meter(None)).verdict is Verdict.NOT_COMPARABLE
    assert compared("77", progressive=meter(Fraction(21, 100))).verdict is Verdict.DIFFERS
    assert compared("91", progressive=meter(Fraction(21, 100))).verdict is Verdict.REPRODUCED


def test_figure_of_every_chapter_has_one_of_three_words_and_only_interpretation_notes_say_why_it_differs() -> None:
    named = {}
    for chapter in registry.chapters():
        rows = printed(chapter, analyze(chapter).wagers) if chapter.published else []
        assert len(rows) >= len(chapter.published)
        assert {row.verdict for row in rows} <= set(Verdict)
        assert all((row.verdict == Verdict.REPRODUCED) == bool(row.reproduced) for row in rows)
        for row in rows:
            if row.verdict == Verdict.DIFFERS and row.note:
                named[chapter.number, row.wager, row.paytable] = re.findall(r"\w+\.[\w-]+", row.note)
    assert named == {
        ("678a", "Straight Flush Bonus Wager", "Paytable A"): [
            "678a.straight-flush-bonus-amended", "678a.straight-flush-range",
        ],
        ("678a", "Straight Flush Bonus Wager", "Paytable B"): ["678a.straight-flush-range"],
        ("683a", "Board Bonus Wager", "Paytable A"): ["683a.mini-royal-40"],
        ("688a", "Progressive Payout Wager", "Paytable 6"): ["688a.rate-paytable-6"],
        ("688a", "Progressive Payout Wager", "Paytable 7"): ["688a.rate-paytable-7"],
    }  # fmt: skip
