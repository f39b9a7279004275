"""Analyses and simulations as plain data, in the shapes that other programs rely on, and records as exact JSON.

Exact JSON loses nothing: a fraction is the text "a/b" and a tuple a list (`exact_data`, `exact_reader`). In the shapes
for programs exact figures are strings, "a/b"; percentages are numbers of nine decimals, those of an estimate of as many
as its error allows, and so are a deviation and chances that have one. Nothing is NaN or infinite.
"""

from collections.abc import Callable
from dataclasses import asdict, fields, is_dataclass
from fractions import Fraction
from functools import cache
from math import floor, log10
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from games.maths.rake import Rake
from games.maths.results import CONFIDENCE, Analysis, OutcomeRow, Progressive, Required, SimulationResult, WagerAnalysis

DIGITS = 9
Data = dict[str, Any]


def to_json(result: Analysis | SimulationResult) -> Data:
    """Return an analysis (`chapter, rules_digest, engine, wagers`) or a simulation, ready for `json.dumps`."""
    if isinstance(result, SimulationResult):
        return asdict(result)
    return {
        "chapter": result.chapter,
        "rules_digest": result.rules_digest,
        "engine": result.engine,
        "wagers": [_wager(row) for row in result.wagers],
        **({"rake": _rake(result.rake)} if result.rake else {}),
    }


def percent(share: Fraction | float, digits: int = DIGITS) -> float:
    return round(float(100 * share), digits)


def digits_of(row: WagerAnalysis, most: int = DIGITS, wagered: Fraction | int = 1) -> int:
    """Return the number of decimals of a percentage to show.

    Of an estimate it is such that one of the last is not less than the standard error. `wagered`: the unit of the
    figure, as a multiple of the unit of the hold.
    """
    if not row.standard_error:
        return most
    return min(most, max(0, floor(-log10(100 * row.standard_error * wagered))))


def spread_digits(row: WagerAnalysis, times: float, most: int = DIGITS) -> int:
    """Return the number of decimals to show of a figure that has `times` the error of the deviation and the chances."""
    if not row.spread_error:
        return most
    return min(most, max(0, floor(-log10(row.spread_error * times))))


def _share_digits(row: WagerAnalysis) -> int:
    """Return the decimals of the largest prize's share, in percent: of what is returned, which is about a unit."""
    return spread_digits(row, 100 * float(row.largest_win))


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _wager(row: WagerAnalysis) -> Data:
    return {
        "wager": row.wager,
        "paytable": row.paytable,
        "spot": row.spot,
        "method": row.method,
        "hold_pct": percent(row.hold, digits_of(row)),
        "hold_fraction": str(row.hold) if row.method == "exact" and not row.rounded else None,
        "standard_error_pct": None if row.standard_error is None else percent(row.standard_error),
        "spread_error": row.spread_error,
        "hit_frequency_pct": percent(row.hit_frequency, spread_digits(row, 100)),
        "standard_deviation": round(row.standard_deviation, spread_digits(row, 1)),
        "largest_win": _number(row.largest_win),
        "largest_share_pct": None if row.largest_share is None else percent(row.largest_share, _share_digits(row)),
        "volatility_index": {
            str(level): round(row.volatility(level), spread_digits(row, times)) for level, times in CONFIDENCE.items()
        },
        "cycle": row.cycle,
        "outcomes": [_outcome(outcome) for outcome in row.outcomes],
        **_required_wager(row),
        "strategy": [
            {"decision": choice.decision, "when": choice.when, "frequency_pct": percent(choice.frequency)}
            for choice in row.strategy
        ],
        "strategy_tables": [asdict(table) for table in row.strategy_tables],
        "plain_play": [
            {"name": plain.name, "when": plain.when, **_required(plain.required)} for plain in row.simplified_plays
        ],
        "progressive": _progressive(row.progressive) if row.progressive else None,
        "envy_per_other_player": _fraction(row.envy_per_other_player),
        "published": [asdict(comparison) for comparison in row.published],
        "notes": list(row.notes),
    }


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else round(float(value), DIGITS)


def _outcome(row: OutcomeRow) -> Data:
    return {
        "outcome": row.outcome,
        "count": row.count,
        "probability": _fraction(row.probability),
        "net": str(row.net),
        "wagered": str(row.wagered),
        "pays": row.pays,
        "section": row.section,
        "contribution_pct": None if row.probability is None else percent(row.probability * row.net),
    }


def _required_wager(row: WagerAnalysis) -> Data:
    if row.required is None:
        return {}
    wagered = row.required.average_wagered
    return _required(row.required, digits_of(row), digits_of(row, wagered=wagered))


def _required(required: Required, digits: int = DIGITS, per_ante: int = DIGITS) -> Data:
    return {
        "loss_per_ante_pct": percent(required.loss_per_ante, per_ante),
        "loss_per_initial_pct": percent(required.loss_per_initial, per_ante),
        "loss_per_total_wagered_pct": percent(required.loss_per_total_wagered, digits),
        "average_wagered": round(float(required.average_wagered), DIGITS),
    }


def _progressive(meter: Progressive) -> Data:
    shares = {"fixed_return": meter.fixed_return, "return_at_reset": meter.return_at_reset}
    return {
        **{f"{name}_pct": percent(share) for name, share in shares.items()},
        "long_run_return_pct": None if meter.long_run_return is None else percent(meter.long_run_return),
        "meter_coefficient": _fraction(meter.meter_coefficient),
        "reset": str(meter.reset),
        "rate": _fraction(meter.rate),
        "break_even_meter": None if meter.break_even_meter is None else round(float(meter.break_even_meter), 2),
    }


def _rake(rake: Rake) -> Data:
    return {
        "schedule": rake.schedule,
        "pots_per_hour": list(rake.pots_per_hour),
        "pots": [
            {
                "pot": dollars(row.pot),
                "rake": dollars(row.rake),
                "rake_pct": percent(row.rake / row.pot),
                "contributions": dollars(row.contributions),
                "rake_per_hour": [dollars(amount) for amount in row.per_hour],
            }
            for row in rake.pots
        ],
        "largest": None if rake.largest is None else dollars(rake.largest),
        "reached_at": None if rake.reached_at is None else dollars(rake.reached_at),
        "by_players": [{"players": players, "rake_per_hour": dollars(amount)} for players, amount in rake.by_players],
        "notes": list(rake.notes),
    }


def dollars(amount: Fraction) -> str:
    """Return dollars and cents; a part of a cent is rounded to the nearest."""
    return f"{round(amount, 2).numerator / round(amount, 2).denominator:.2f}"


def exact_data(value: object) -> Any:
    """Return a dataclass, or a tuple of them, as exact JSON."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [exact_data(item) for item in value]
    if is_dataclass(value):
        return {field.name: exact_data(getattr(value, field.name)) for field in fields(value)}
    return value


@cache
def exact_reader(shape: Any) -> Callable[[Any], Any]:
    """Return a function from exact JSON to this type: a dataclass, `tuple[X, ...]`, `X | None` or a plain type."""
    if isinstance(shape, type) and is_dataclass(shape):
        hints = get_type_hints(shape)
        readers = {field.name: exact_reader(hints[field.name]) for field in fields(shape)}
        return lambda data: shape(**{name: read(data[name]) for name, read in readers.items()})
    if get_origin(shape) is tuple:
        item = exact_reader(get_args(shape)[0])
        return lambda data: tuple(map(item, data))
    if get_origin(shape) is UnionType:
        present = exact_reader(get_args(shape)[0])
        return lambda data: None if data is None else present(data)
    return shape if shape in (Fraction, float) else lambda data: data
