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
from games.maths.two_hands.six_ends import BOTH_COPY, BOTH_LOWER, HIGH_COPY, HIGH_WINS, LOW_COPY, LOW_WINS, WIN
from games.maths.two_hands.six_rounds import DOUBLE_LOSS, DOUBLE_TIE, DOUBLE_WIN, NOT_PLACED, RETURNED
from games.maths.two_hands.six_ways import BEST, REGULATION
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
    ("Sets by the house way", "As the dealer would set the same cards; the dealer explains how on request."),
    (
        "Keeps the highest high hand",
        "Of the six settings, that with the highest high hand, regardless of the low hand that is left.",
    ),
    ("Plays the highest low hand", "Of the six settings, that with the highest low hand that may be set beside it."),
)
"""In the order of `six_pairs.WAYS` from the second on."""


def required_wager(wager: str, way: HouseWay, wording: SixCardWording) -> WagerAnalysis:
    """The player sets in the best way against a dealer who sets by the house way; it pays 1 to 1."""
    rows, *plain = (_rows(ENDS, ends, wording.ends) for ends in six_pairs.count().ends.tolist())
    return counted(
        wager,
        "",
        rows,
        six_pairs.DEALS,
        required=required(rows, 1),
        strategy=_settings(wording),
        strategy_tables=(_house_way(way, wording.dealer_sets),),
        simplified_plays=tuple(
            SimplifiedPlay(*words, required(ends, 1)) for words, ends in zip(PLAIN, plain, strict=True)
        ),
        notes=(
            "Best play: of all ways to set the six cards, the player takes the one that wins most against all the "
            "dealers that the other 47 cards can make. It looks at the ranks and at a suit of five cards.",
            "Where two settings differ only in an ace or the joker as the low hand, the player takes the joker "
            f"({wording.player_joker}).",
            "All deals of six cards to the player and six to the dealer are counted; nothing is estimated.",
            *_readings(wording),
        ),
    )


def _settings(wording: SixCardWording) -> tuple[Choice, ...]:
    same, higher, lower = (Fraction(int(hands), six_hands.HANDS) for hands in six_pairs.count().differs.sum(axis=0))
    choices = (
        Choice("Set by the house way", f"As {wording.dealer_sets} has the dealer set the same cards", same),
        Choice("Set a higher low hand", "A lower high hand than the house way's wins more; see the table", higher),
        Choice("Set a lower low hand", "A higher high hand than the house way's wins more", lower),
    )
    return tuple(choice for choice in choices if choice.frequency)


def _readings(wording: SixCardWording) -> tuple[str, ...]:
    """What the hold would be under the other reading."""
    pairs = six_pairs.count()
    by_house_way = six_pairs.WAYS.index(REGULATION)
    house_way = six_pairs.DEALS - int(pairs.ends[by_house_way, [WIN, WIN, HIGH_WINS, LOW_WINS]].sum())
    copies_lose = (-int(pairs.edges[six_pairs.COPIES_LOSE]), house_way + int(pairs.copies[by_house_way]))
    best, plain = (float(Fraction(100 * loss, six_pairs.DEALS)) for loss in copies_lose)
    return (
        f"The reading “identical-hands” ({wording.player_joker}) moves the hold: if the wager lost where one hand is "
        f"identical and the other higher, it would be {best:.6f} % with the best setting and {plain:.6f} % by the "
        "house way.",
        f"The reading “low-hand-joker” ({wording.player_joker}) of the dealer's joker moves nothing: an ace beside it "
        "loses as an identical hand or as a lower one.",
    )


def double_down_wager(wager: str, required_name: str, wording: SixCardWording) -> WagerAnalysis:
    """Doubled where that wins more than it loses; `required_name` is what the wager that it doubles is called."""
    thresholds, house_way = (six_doubling.best_thresholds(way) for way in (BEST, REGULATION))
    rows = _doubled(BEST, thresholds, wording)
    placed = sum((row.probability or Fraction(0) for row in rows[:-1]), Fraction(0))
    gain = sum(((row.probability or Fraction(0)) * row.net for row in rows), Fraction(0))
    pairs = six_pairs.count()
    won, lost = int(pairs.ends[0, WIN]), int(pairs.ends[0, BOTH_LOWER:].sum())
    more = Fraction(int(pairs.edges[six_pairs.BOTH_WAGERS]) - won + lost, six_pairs.DEALS) - gain
    plain = (
        ("Sets by the house way", "Doubles where that wins more than it loses.", (REGULATION, house_way)),
        ("Doubles every hand", "Always, with the best setting.", (BEST, (0,) * LOWS)),
    )
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
        simplified_plays=tuple(
            SimplifiedPlay(name, when, required(_doubled(*play, wording), 1)) for name, when, play in plain
        ),
        notes=(
            "The hold is per unit placed on the Double Down Wager; it is placed after the cards are seen "
            f"({wording.doubles[NOT_PLACED]}), and gains {float(100 * gain):.4f} % of the {required_name} a round.",
            f"The player sets in the best way for the {required_name}, looks at the two hands as set, and doubles "
            "where that wins more than it loses.",
            "To set and to double each hand as is best for both wagers together would gain another "
            f"{float(100 * more):.4f} % of the {required_name} a round.",
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


def _doubled(way: int, thresholds: tuple[int, ...], wording: SixCardWording) -> list[OutcomeRow]:
    return _rows(DOUBLE_ENDS, six_doubling.doubled(way, thresholds), wording.doubles)


def _house_way(way: HouseWay, section: str) -> StrategyTable:
    rows = []
    for (when, words), counts in zip(way.rules, six_pairs.count().differs.tolist(), strict=True):
        higher = counts[six_pairs.HIGHER_LOW] / sum(counts)
        rows.append((when, words, f"{100 * sum(counts) / six_hands.HANDS:.4f} %", f"{100 * higher:.4f} %"))
    header = ("Six cards", "Set", "Dealt", "Of these, better with a higher low hand")
    return StrategyTable(f"The house way, {section}, and where the best setting leaves it", header, tuple(rows))


def _doubling(thresholds: tuple[int, ...]) -> StrategyTable:
    names = (*(name.capitalize() for name in RANK_NAMES), "Joker")
    rows = tuple((name, six_doubling.words(place)) for name, place in zip(names, thresholds, strict=True))
    return StrategyTable("When to double", ("Low hand", "Least high hand"), rows)
