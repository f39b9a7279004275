"""Nets, denominators, progressives and printed figures."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from games.maths.published import compare_published
from games.maths.results import counted, net_of, progressive, required, row
from games.registry import chapter
from games.rules.model import Pay, Paytable


def table(**known):
    return Paytable("progressive", "One", "§ 1", (), **known)


@pytest.mark.parametrize(
    ("pay", "known", "net"),
    [
        (Pay(odds=Fraction(3, 2), per="to"), {}, Fraction(3, 2)),
        (Pay(odds=Fraction(25), per="for"), {}, Fraction(24)),
        (Pay(push=True), {}, Fraction(0)),
        (Pay(amount=Decimal("500")), {"wager_amount": Decimal(5)}, Fraction(99)),
        (Pay(amount=Decimal("500")), {"wager_amount": Decimal(5), "wager_returned": True}, Fraction(100)),
        (Pay(meter=Fraction(1, 10)), {"seed": Decimal(2000), "wager_amount": Decimal(1)}, Fraction(199)),
        (Pay(meter=Fraction(1), amount=Decimal(50)), {"seed": Decimal(100), "wager_amount": Decimal(5)}, Fraction(29)),
    ],
)
def test_net_of_a_cell(pay, known, net):
    assert net_of(pay, table(**known)) == net


def test_outcomes_that_do_not_add_up_to_the_cycle_are_refused():
    with pytest.raises(ValueError, match="count 3, the cycle is 4"):
        counted("coin", "", [row("heads", 2, 4, 1), row("tails", 1, 4, -1)], 4)


def test_hold_of_a_wager_of_stages_is_per_total_wagered_and_each_denominator_is_its_own():
    rows = [row("wins", 4, 10, 3, 4), row("loses", 4, 10, -4, 4), row("folds", 2, 10, -2, 2)]
    found = counted("ante", "", rows, 10, required=required(rows, initial=2))
    assert found.hold == Fraction(8, 36)
    assert found.required.loss_per_ante == Fraction(8, 10)
    assert found.required.loss_per_initial == Fraction(4, 10)
    assert found.required.loss_per_total_wagered == found.hold
    assert found.required.average_wagered == Fraction(36, 10)
    assert found.hit_frequency == Fraction(4, 10)


def test_progressive_splits_fixed_part_and_meter_and_breaks_even_where_they_make_one():
    meter, fixed = Pay(meter=Fraction(1)), Pay(odds=Fraction(10), per="for")
    one = table(seed=Decimal(1000), wager_amount=Decimal(5), rate=Fraction(1, 5))
    found = progressive(one, [(meter, Fraction(1, 10_000)), (fixed, Fraction(1, 20))])
    assert found.fixed_return == Fraction(1, 2)
    assert found.meter_coefficient == Fraction(1, 50_000)
    assert found.return_at_reset == Fraction(52, 100)
    assert found.long_run_return == Fraction(72, 100)
    assert found.fixed_return + found.meter_coefficient * found.break_even_meter == 1


def test_published_figures_are_compared_to_the_digits_printed():
    rows = [row("wins", 98_951, 100_000, 0), row("loses", 1_049, 100_000, -1)]
    found = compare_published(chapter("686a"), counted("ante", "", rows, 100_000))
    assert [(figure.figure, figure.ours, figure.reproduced) for figure in found.published] == [
        ("98.95% payback", "98.951000 %", True)
    ]
    rows = [row("wins", 98_956, 100_000, 0), row("loses", 1_044, 100_000, -1)]
    assert not compare_published(chapter("686a"), counted("ante", "", rows, 100_000)).published[0].reproduced
