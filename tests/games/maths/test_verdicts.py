"""The five classes of the Board's printed figures: each is met by a figure made for it, and by none that is not."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from games.maths.results import OutcomeRow, Progressive, Required, WagerAnalysis
from games.maths.verdicts import Verdict, judge_printed, plain_odds, shortest_between
from games.rules.model import Published

WIN, LOSS = Fraction(1, 100), Fraction(99, 100)


def figure(value: str, measure: str = "payback") -> Published:
    return Published("figure", "bonus", "", measure, value, "Preamble")  # type: ignore[arg-type]


def wager(odds: int, **known: object) -> WagerAnalysis:
    """One outcome in a hundred pays `odds` to 1: the payback is odds + 1 percent."""
    rows = (
        OutcomeRow("Flush", WIN, Fraction(odds), pays=f"{odds} to 1"),
        OutcomeRow("Lost", LOSS, Fraction(-1)),
    )
    return WagerAnalysis(
        "bonus", "", "exact", rows, 1 - (odds + 1) * WIN, WIN, standard_deviation=1.0, largest_win=Fraction(odds),
        **known,  # type: ignore[arg-type]
    )  # fmt: skip


def judged(value: str, odds: int = 90, measure: str = "payback", **known: object) -> tuple[Verdict, str]:
    return judge_printed(figure(value, measure), wager(odds, **known), (odds + 1) * WIN)


@pytest.mark.parametrize(("value", "measure"), [("91", "payback"), ("91.000", "payback"), ("9.0", "hold")])
def test_figure_that_follows_from_the_text_is_reproduced(value: str, measure: str) -> None:
    assert judged(value, measure=measure) == (Verdict.REPRODUCED, "")


def test_figure_near_enough_for_a_simulation_says_in_how_many_rounds() -> None:
    """σ = 91 · √(0.01 · 0.99) = 9.05 units: 0.286 % of 10⁷ rounds."""
    verdict, evidence = judged("91.10")
    assert verdict is Verdict.NOISE
    assert evidence.startswith("A simulation may have given it: z = +0.35 for 10,000,000, z = +1.10 for 100,000,000")
    assert judged("91.60")[0] is not Verdict.NOISE


def test_cell_that_gives_the_figure_is_named_with_what_is_printed() -> None:
    assert judged("82.00") == (Verdict.ONE_CHANGE, "It would be Flush at 81 to 1 where 90 to 1 is printed.")
    assert judged("81.53") == (Verdict.UNEXPLAINED, "")  # 80.53 to 1 is printed nowhere


def test_digit_and_cut_are_named() -> None:
    assert judged("61.000")[1].startswith("It would be 91.000 % with one digit changed; or ")
    analysis = wager(90)
    assert judge_printed(figure("91.2"), analysis, Fraction("0.9129"))[1].endswith("91.290 % cut, not rounded.")


def meter(rate: Fraction | None) -> Progressive:
    """91 % without a rate; 60 % at the reset amount."""
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


def test_progressive_without_a_printed_rate_depends_on_the_rate_filed() -> None:
    verdict, evidence = judge_printed(figure("77"), wager(90, progressive=meter(None)), Fraction(6, 10))
    assert (verdict, evidence) == (
        Verdict.DEPENDS, "No rate of progression is printed; 7.0 % (6.5 to 7.5 %) would give it."
    )  # fmt: skip
    assert judge_printed(figure("65.43"), wager(90, progressive=meter(None)), Fraction(6, 10))[0] is Verdict.UNEXPLAINED


def test_progressive_with_another_rate_than_printed_names_it() -> None:
    progressive = meter(Fraction(17, 100))
    verdict, evidence = judge_printed(figure("95.000"), wager(90, progressive=progressive), Fraction(87, 100))
    assert verdict is Verdict.ONE_CHANGE
    assert evidence == "It would be a rate of progression of 25 % where 17 % is printed."


def test_other_denominator_is_named() -> None:
    required = Required(Fraction(4, 100), Fraction(2, 100), Fraction(1, 100), Fraction(8, 3))
    assert judged("4.00", measure="hold", required=required)[1].endswith("the hold per Ante, 4.000000 %.")
    assert judged("2.67", measure="hold", required=required)[1].endswith("the average total wager, 2.666667 Antes.")


@pytest.mark.parametrize(
    ("low", "high", "found"), [("299.2", "311", "300"), ("0.41", "0.49", "0.45"), ("7", "7", "7"), ("98", "104", "100")]
)
def test_shortest_number_between_two(low: str, high: str, found: str) -> None:
    assert shortest_between(Fraction(low), Fraction(high)) == Decimal(found)


def test_odds_far_from_what_is_printed_are_not_proposed() -> None:
    row = OutcomeRow("Flush", WIN, Fraction(90))
    assert plain_odds(row, Fraction(449), Fraction(450)) == 450
    assert plain_odds(row, Fraction(499), Fraction(500)) is None
    assert plain_odds(row, Fraction(17), Fraction(17)) is None


def test_empty_range_has_no_number() -> None:
    with pytest.raises(ValueError, match="no number of up to 15 digits"):
        shortest_between(Fraction(3), Fraction(2))
    row = OutcomeRow("Flush", WIN, Fraction(90))
    assert plain_odds(row, Fraction(-9), Fraction(1, 2)) is None
    assert plain_odds(row, Fraction(901, 10), Fraction(909, 10)) is None
