"""Wagers that lose money for the house, and wagers that pay almost nothing back, of every chapter's printed odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from games.maths.export import to_json
from games.registry import chapter
from games.rules.model import Finding
from games.runs.engine import analyze
from games.runs.hold_findings import on_holds
from tests.games.chapters.examples import example

EDGE, LOW = "player-has-the-edge", "low-payback"


def of_chapter(number: str) -> list[Finding]:
    """Every paytable of every wager."""
    return list(on_holds(chapter(number), to_json(analyze(chapter(number)))["wagers"]))


def named(number: str, **answers: Any) -> list[tuple[str, str]]:
    """(rule without its chapter, citation) of the chapter's example."""
    rows = to_json(analyze(chapter(number), example(number, **answers)))["wagers"]
    return [(finding.rule.removeprefix(f"{number}."), finding.citation) for finding in on_holds(chapter(number), rows)]


def row(**changes: object) -> dict[str, Any]:
    """An optional wager of 687a that holds nothing, as exports write it."""
    exact = {"hold_fraction": "0", "hold_pct": 0.0, "method": "exact", "standard_error_pct": None}
    return {"wager": "trips", "paytable": "Paytable 1", "spot": "", "progressive": None, **exact, **changes}


def exact(hold: Fraction) -> list[str]:
    rows = [row(hold_fraction=str(hold), hold_pct=float(100 * hold))]
    return [finding.rule for finding in on_holds(chapter("687a"), rows)]


def estimate(hold_pct: float, standard_error_pct: float) -> list[str]:
    rows = [row(hold_fraction=None, hold_pct=hold_pct, standard_error_pct=standard_error_pct, method="estimate")]
    return [finding.rule for finding in on_holds(chapter("687a"), rows)]


def test_each_super_paytable_loses_money() -> None:
    findings = of_chapter("589")
    assert {finding.rule for finding in findings} == {f"589.{EDGE}"}
    assert [finding.message.split(",")[1] for finding in findings] == [
        " the hold is −25.1916 %: taken by itself",
        " the hold is −18.7552 %: taken by itself",
        " the hold is −23.0788 %: taken by itself",
    ]
    assert findings[0] == Finding(
        rule="589.player-has-the-edge",
        severity="warning",
        options=("super_wager", "super_paytable"),
        message="Of all money wagered on the Super Wager under “Paytable A”, the hold is −25.1916 %: taken by itself, "
        "the wager loses money for the house in the long run.",
        fix="Choose another paytable, or do not offer the wager, or leave it as it is if this is meant. To approve, a "
        "director confirms it.",
        citation="§ 589.12(b)",
    )


def test_wagers_of_the_examples() -> None:
    """587 and 655a hold more than 40 % at the reset amounts of their examples; 583's pot holds exactly 0."""
    assert named("588") == [(EDGE, "§ 588.7(e)(1)"), (LOW, "§ 588.12(d)")]
    assert named("591") == [(EDGE, "§ 591.12(a)")]
    assert named("655a") == [(LOW, "§ 655a.12(c)(1)")]
    assert [named(number) for number in ("583", "637a", "683a")] == [[], [], []]


def test_blackjack_names_the_line_that_changes_its_hold() -> None:
    (finding,) = of_chapter("591")
    assert finding.options == ("number_of_decks",)
    assert "the hold is −0.0319 %" in finding.message
    assert finding.fix.startswith("Change an answer that the hold depends on, or leave it as it is if this is meant.")


def test_meter_is_at_its_reset_amount() -> None:
    (finding,) = (each for each in of_chapter("588") if "$1 Progressive" in each.message)
    assert finding.message.endswith(
        "the hold is 42.6113 %, with the meter at its reset amount: players are paid back less than 60 % of it in the "
        "long run."
    )
    assert finding.options == (
        "progressive_payout_wager", "progressive_paytable", "progressive_reset",
    )  # fmt: skip


def test_spots_of_one_wager_are_one_finding() -> None:
    """The hold of Extra Roll on every circle is the player's; on four single spots players are paid back little."""
    roll = [finding for finding in of_chapter("593") if "Extra Roll" in finding.message]
    assert [finding.rule for finding in roll] == [f"593.{EDGE}", f"593.{LOW}"]
    assert "the hold is −200.8016 % on every circle, two to eight:" in roll[0].message
    assert roll[1].message.count(" % on ") == 4


@pytest.mark.parametrize(
    ("hold", "rules"),
    [
        (Fraction(0), []),
        (Fraction(-1, 10**12), [f"687a.{EDGE}"]),
        (Fraction(2, 5), []),
        (Fraction(2, 5) + Fraction(1, 10**12), [f"687a.{LOW}"]),
        (Fraction(1, 10**12), []),
    ],
)
def test_limits_are_exactly_0_and_40(hold: Fraction, rules: list[str]) -> None:
    assert exact(hold) == rules


def test_estimate_counts_only_beyond_its_interval() -> None:
    """The 95 % interval is 1.96 standard errors to either side."""
    assert estimate(-0.19, 0.1) == estimate(40.19, 0.1) == []
    assert estimate(-0.2, 0.1) == [f"687a.{EDGE}"]
    assert estimate(40.2, 0.1) == [f"687a.{LOW}"]


def test_rounded_hold_is_taken_as_printed() -> None:
    assert [rule.rule for rule in on_holds(chapter("687a"), [row(hold_fraction=None, hold_pct=-0.000000001)])]
    assert not list(on_holds(chapter("687a"), [row(hold_fraction=None)]))
