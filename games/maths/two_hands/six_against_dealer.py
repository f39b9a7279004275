"""The two wagers of six cards against the dealer, exactly: the required one, and the one that doubles it.

Not here: the counting (`six_pairs`), when to double (`six_doubling`), wagers on the player's own cards (`six_wagers`).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from games.maths.cards import RANK_NAMES
from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, StrategyTable, WagerAnalysis
from games.maths.two_hands import six_doubling, six_hands, six_pairs
from games.maths.two_hands.six_cards import LOWS
from games.maths.two_hands.six_compare import BOTH_COPY, BOTH_LOWER, HIGH_COPY, HIGH_WINS, LOW_COPY, LOW_WINS, WIN
from games.maths.two_hands.six_rounds import DOUBLE_LOSS, DOUBLE_TIE, DOUBLE_WIN, NOT_PLACED, RETURNED
from games.maths.two_hands.wording import SixCardWording
from games.maths.wagers import counted, required, row
from games.rules.model import HouseWay

Ends = Mapping[int, tuple[str, int, int]]
"""End of a round → outcome, net, wagered; in the order of the counts."""

ENDS: Final[Ends] = {
    WIN: ("Both hands win", 1, 1),
    HIGH_WINS: ("High hand wins, low hand does not", 0, 1),
    LOW_WINS: ("Low hand wins, high hand does not", 0, 1),
    BOTH_LOWER: ("Both hands lower", -1, 1),
    LOW_COPY: ("High hand lower, low hand identical", -1, 1),
    HIGH_COPY: ("High hand identical, low hand lower", -1, 1),
    BOTH_COPY: ("Both hands identical", -1, 1),
}
DOUBLE_ENDS: Final[Ends] = {
    DOUBLE_WIN: ("Wins", 1, 1),
    DOUBLE_TIE: ("Ties", 0, 1),
    DOUBLE_LOSS: ("Loses", -1, 1),
    RETURNED: ("Returned: the dealer has less than a pair of 8s", 0, 1),
    NOT_PLACED: ("Not placed", 0, 0),
}
PLAIN: Final = (
    (
        "Keeps the highest high hand",
        "Of the six settings, that with the highest high hand, regardless of the low hand that is left.",
    ),
    ("Plays the highest low hand", "Of the six settings, that with the highest low hand that may be set beside it."),
)
"""In the order of `six_pairs.WAYS` from the second on."""


def required_wager(wager: str, way: HouseWay, wording: SixCardWording) -> WagerAnalysis:
    """The player sets by the house way, as the dealer does; it pays 1 to 1."""
    rows, *plain = (_rows(ENDS, ends, wording.ends) for ends in six_pairs.count().ends.tolist())
    return counted(
        wager,
        "",
        rows,
        six_pairs.DEALS,
        required=required(rows, 1),
        strategy=(
            Choice(f"Sets as {wording.dealer_sets} has the dealer set", "Every hand; see the table", Fraction(1)),
        ),
        strategy_tables=(_house_way(way, wording.dealer_sets),),
        simplified_plays=tuple(
            SimplifiedPlay(*words, required(ends, 1)) for words, ends in zip(PLAIN, plain, strict=True)
        ),
        notes=(
            "The player sets his cards by the house way, which the dealer tells him on request "
            f"({wording.on_request}). Where it leaves him an ace or the joker for the low hand, he takes the joker "
            f"({wording.player_joker}).",
            "All deals of six cards to the player and six to the dealer are counted; nothing is estimated.",
        ),
    )


def double_down_wager(wager: str, required_name: str, wording: SixCardWording) -> WagerAnalysis:
    """Doubled where that wins more than it loses; `required_name` is what the wager that it doubles is called."""
    thresholds = six_doubling.best_thresholds()
    rows = _doubled(thresholds, wording)
    placed = sum((row.probability or Fraction(0) for row in rows[:-1]), Fraction(0))
    gain = sum(((row.probability or Fraction(0)) * row.net for row in rows), Fraction(0))
    always = required(_doubled((0,) * LOWS, wording), 1)
    return counted(
        wager,
        "",
        rows,
        six_pairs.DEALS,
        strategy=(
            Choice("Double", "The high hand is at least that of the table", placed),
            Choice("Do not double", "Any lower high hand", 1 - placed),
        ),
        strategy_tables=(_doubling(thresholds),),
        simplified_plays=(SimplifiedPlay("Doubles every hand", "Always.", always),),
        notes=(
            "The hold is per unit placed on the Double Down Wager; it is placed after the cards are seen "
            f"({wording.doubles[NOT_PLACED]}), and gains {float(100 * gain):.4f} % of the {required_name} a round.",
            "The player looks at his two hands as set, and doubles where that wins more than it loses.",
        ),
    )


def counts_by_outcome(ends: Ends, counts: Sequence[int]) -> dict[str, int]:
    """Outcome → count, from the counts by end."""
    return {outcome: count for (outcome, _, _), count in zip(ends.values(), counts, strict=True)}


def _rows(ends: Ends, counts: Sequence[int], sections: Mapping[int, str]) -> list[OutcomeRow]:
    return [
        row(outcome, count, six_pairs.DEALS, net, wagered, "1 to 1" if net == 1 else "", sections[end])
        for (end, (outcome, net, wagered)), count in zip(ends.items(), counts, strict=True)
    ]


def _doubled(thresholds: tuple[int, ...], wording: SixCardWording) -> list[OutcomeRow]:
    return _rows(DOUBLE_ENDS, six_doubling.doubled(thresholds), wording.doubles)


def _house_way(way: HouseWay, section: str) -> StrategyTable:
    lines = zip(way.rules, six_hands.count().lines.tolist(), strict=True)
    rows = tuple((when, words, f"{100 * count / six_hands.HANDS:.4f} %") for (when, words), count in lines)
    return StrategyTable(f"The house way, {section}", ("Six cards", "Set", "Dealt"), rows)


def _doubling(thresholds: tuple[int, ...]) -> StrategyTable:
    names = (*(name.capitalize() for name in RANK_NAMES), "Joker")
    rows = tuple((name, six_doubling.words(place)) for name, place in zip(names, thresholds, strict=True))
    return StrategyTable("When to double", ("Low hand", "Least high hand"), rows)
