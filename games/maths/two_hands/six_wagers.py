"""The wagers of six cards, exactly.

They are the required one and the one that doubles it, with when to double; the wagers on the player's own cards, and
the progressive.

The player knows the own two hands, not the dealer's. For each low hand there is a least high hand, given by its class
and first rank, from which on doubling wins more than it loses; of equal plays the one that doubles more is taken. An
optional wager sums the counts by 16 × category + first rank that belong to each row. Not here:
the counting (`six_pairs`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final, cast

import numpy as np

from games.compiled import Ints
from games.maths.cards import RANK_NAMES
from games.maths.results import (
    Choice,
    OutcomeRow,
    StrategyTable,
    WagerAnalysis,
    counted,
    counted_by_table,
    on_terms,
    report_plays,
    required,
    row,
    with_lost,
)
from games.maths.two_hands import ranking
from games.maths.two_hands.ranking import RUNS, STRAIGHT
from games.maths.two_hands.six_cards import (
    BEST,
    BOTH_COPY,
    BOTH_LOWER,
    DOUBLE_LOSS,
    DOUBLE_TIE,
    DOUBLE_WIN,
    HIGH_COPY,
    HIGH_WINS,
    LOW_COPY,
    LOW_WINS,
    LOWS,
    NOT_PLACED,
    REGULATION,
    RETURNED,
    WIN,
    high_hands,
)
from games.maths.two_hands.six_pairs import (
    ALL_DEALS,
    BOTH_WAGERS,
    COPIES_LOSE,
    DEALS,
    HANDS,
    HIGHER_LOW,
    QUALIFIED,
    QUALIFIED_LOSS,
    QUALIFIED_WIN,
    WAYS,
    count_deals,
    count_hands,
)
from games.maths.wagers import least_allowed
from games.rules.model import Answers, Chapter, HouseWay, Paytable


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardWording:
    """A chapter's names for the parts of a game, and their sections; a `str` without a comment is a section."""

    dealt: Mapping[str, str]  # option → section; the first where none is answered
    dealer_sets: str
    player_sets: str
    on_request: str  # section: the dealer tells the player the house way
    player_joker: str  # section: what the joker is as a player's low hand
    ends: Mapping[int, str]  # `six_cards.WIN` … → section
    doubles: Mapping[int, str]  # `six_cards.DOUBLE_WIN` … → section
    loses: Mapping[str, str]  # wager on the player's own cards → section
    reset: str  # section: the least reset amount of the progressive


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
    """Return the required wager, which pays 1 to 1: best settings against a dealer who sets by the house way."""
    rows, *plain = (_rows(ENDS, ends, wording.ends) for ends in count_deals().ends.tolist())
    return counted(
        wager,
        "",
        rows,
        DEALS,
        required=required(rows, 1),
        strategy=_settings(wording),
        strategy_tables=(_house_way(way, wording.dealer_sets),),
        simplified_plays=report_plays(((*words, ends) for words, ends in zip(PLAIN, plain, strict=True)), 1),
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
    same, higher, lower = (Fraction(int(hands), HANDS) for hands in count_deals().differs.sum(axis=0))
    choices = (
        Choice("Set by the house way", f"As {wording.dealer_sets} has the dealer set the same cards", same),
        Choice("Set a higher low hand", "A lower high hand than the house way's wins more; see the table", higher),
        Choice("Set a lower low hand", "A higher high hand than the house way's wins more", lower),
    )
    return tuple(choice for choice in choices if choice.frequency)


def _readings(wording: SixCardWording) -> tuple[str, ...]:
    """Return the notes on the hold under the other reading."""
    pairs = count_deals()
    by_house_way = WAYS.index(REGULATION)
    house_way = DEALS - int(pairs.ends[by_house_way, [WIN, WIN, HIGH_WINS, LOW_WINS]].sum())
    copies_lose = (-int(pairs.edges[COPIES_LOSE]), house_way + int(pairs.copies[by_house_way]))
    best, plain = (float(Fraction(100 * loss, DEALS)) for loss in copies_lose)
    return (
        f"The reading “identical-hands” ({wording.player_joker}) moves the hold: if the wager lost where one hand is "
        f"identical and the other higher, it would be {best:.6f} % with the best setting and {plain:.6f} % by the "
        "house way.",
        f"The reading “low-hand-joker” ({wording.player_joker}) of the dealer's joker moves nothing: an ace beside it "
        "loses as an identical hand or as a lower one.",
    )


def double_down_wager(wager: str, required_name: str, wording: SixCardWording) -> WagerAnalysis:
    """Return the wager that doubles where it wins more than it loses; `required_name` is the doubled wager's name."""
    thresholds, house_way = (best_thresholds(way) for way in (BEST, REGULATION))
    rows = _doubled(BEST, thresholds, wording)
    placed = sum((row.probability or Fraction(0) for row in rows[:-1]), Fraction(0))
    gain = sum(((row.probability or Fraction(0)) * row.net for row in rows), Fraction(0))
    pairs = count_deals()
    won, lost = int(pairs.ends[0, WIN]), int(pairs.ends[0, BOTH_LOWER:].sum())
    more = Fraction(int(pairs.edges[BOTH_WAGERS]) - won + lost, DEALS) - gain
    plain = (
        ("Sets by the house way", "Doubles where that wins more than it loses.", (REGULATION, house_way)),
        ("Doubles every hand", "Always, with the best setting.", (BEST, (0,) * LOWS)),
    )
    return counted(
        wager,
        "",
        rows,
        DEALS,
        strategy=(
            Choice("Double", "The high hand is at least that of the table", placed),
            Choice("Do not double", "Any lower high hand", 1 - placed),
        ),
        strategy_tables=(_doubling(thresholds),),
        simplified_plays=report_plays(((name, when, _doubled(*play, wording)) for name, when, play in plain), 1),
        notes=(
            "The hold is per unit placed on the Double Down Wager; it is placed after the cards are seen "
            f"({wording.doubles[NOT_PLACED]}), and gains {float(100 * gain):.4f} % of the {required_name} a round.",
            f"The player sets in the best way for the {required_name}, looks at the two hands as set, and doubles "
            "where that wins more than it loses.",
            "To set and to double each hand as is best for both wagers together would gain another "
            f"{float(100 * more):.4f} % of the {required_name} a round.",
        ),
    )


def _rows(ends: Ends, counts: Sequence[int], sections: Mapping[int, str]) -> list[OutcomeRow]:
    return [
        row(outcome, count, DEALS, net, wagered, "1 to 1" if net == 1 else "", sections[end])
        for (end, (outcome, net, wagered)), count in zip(ends.items(), counts, strict=True)
    ]


def _doubled(way: int, thresholds: tuple[int, ...], wording: SixCardWording) -> list[OutcomeRow]:
    return _rows(DOUBLE_ENDS, doubled(way, thresholds), wording.doubles)


def _house_way(way: HouseWay, section: str) -> StrategyTable:
    rows = []
    for (when, words), counts in zip(way.rules, count_deals().differs.tolist(), strict=True):
        higher = counts[HIGHER_LOW] / sum(counts)
        rows.append((when, words, f"{100 * sum(counts) / HANDS:.4f} %", f"{100 * higher:.4f} %"))
    header = ("Six cards", "Set", "Dealt", "Of these, better with a higher low hand")
    return StrategyTable(f"The house way, {section}, and where the best setting leaves it", header, tuple(rows))


def _doubling(thresholds: tuple[int, ...]) -> StrategyTable:
    names = (*(name.capitalize() for name in RANK_NAMES), "Joker")
    rows = tuple((name, doubling_words(place)) for name, place in zip(names, thresholds, strict=True))
    return StrategyTable("When to double", ("Low hand", "Least high hand"), rows)


CATEGORIES: Final = {
    "Five Aces": ranking.FIVE_ACES,
    "royal flush": ranking.ROYAL_FLUSH,
    "straight flush": ranking.STRAIGHT_FLUSH,
    "Four-of-a-kind": ranking.FOUR_OF_A_KIND,
    "Full house": ranking.FULL_HOUSE,
    "Flush": ranking.FLUSH,
    "Straight": ranking.STRAIGHT,
    "Three-of-a-kind": ranking.THREE_OF_A_KIND,
}
HIGHEST_CARDS: Final = {"Eight": 6, "Nine": 7, "Ten": 8, "Jack": 9, "Queen": 10, "King": 11}  # "Eight-high"


def hand_wager(table: Paytable, wording: SixCardWording) -> WagerAnalysis:
    """Return a wager on the player's six cards."""
    counts = counts_by_row(table, count_hands().best.tolist())
    notes: tuple[str, ...] = ()
    if table.seed is not None:
        notes = (f"The hold is that of a meter at its reset amount, ${table.seed:,} ({wording.reset}).",)
    return counted_by_table(table, counts, HANDS, wording.loses[table.wager], notes=notes)


def counts_by_row(table: Paytable, best: Sequence[int]) -> dict[str, int]:
    """Return outcome → count, from the counts by 16 × category + first rank of the best five cards."""
    counts = {line.outcome: sum(best[place] for place in _places(line.outcome)) for line in table.rows}
    return with_lost(counts, sum(best))


def _places(outcome: str) -> range:
    """Return the range of the counts for the hands of a row: a class, or one highest card."""
    if outcome in CATEGORIES:
        return range(16 * CATEGORIES[outcome], 16 * CATEGORIES[outcome] + 16)
    highest = HIGHEST_CARDS[outcome.removesuffix("-high")]
    return range(highest, highest + 1)


def metered(chapter: Chapter, table: Paytable, answers: Answers) -> Paytable:
    """Return the table with the reset amount and the rate of the answers, or the least reset amount demanded."""
    return on_terms(table, answers, least_allowed(chapter, "progressive_reset"))


FIRST_RANK: Final = 16  # bits below category and first rank in a value (`ranking`)

_WORDS: Final = {
    ranking.HIGH_CARD: "{} high",
    ranking.PAIR: "a pair of {}s",
    ranking.TWO_PAIR: "two pairs, the higher of {}s",
    ranking.THREE_OF_A_KIND: "three {}s",
    ranking.FLUSH: "a flush, {} high",
    ranking.FULL_HOUSE: "a full house with three {}s",
    ranking.FOUR_OF_A_KIND: "four {}s",
    ranking.FIVE_ACES: "five {}s",
}


@cache
def best_thresholds(way: int) -> tuple[int, ...]:
    """Return the least high hand to double with, as its place among `high_hands`, for each low hand (13 = the joker).

    `way` is how the player sets, `BEST` or `REGULATION`.
    """
    edge = _qualified(way)[QUALIFIED_WIN] - _qualified(way)[QUALIFIED_LOSS]
    levels = high_hands() >> FIRST_RANK
    starts = np.flatnonzero(np.diff(levels, prepend=-1))
    from_here_on = np.concatenate([edge[::-1].cumsum(axis=0)[::-1], np.zeros((1, LOWS), np.int64)])
    candidates = np.append(starts, len(levels))
    return tuple(int(candidates[from_here_on[candidates, low].argmax()]) for low in range(LOWS))


def least_doubled(way: int) -> tuple[tuple[int, int] | None, ...]:
    """Return the least high hand to double with by its class, lowest first, and first rank; None = never.

    Of a run the rank is its place: 4 to 11 the highest rank, 12 = ace to 5, 13 = ace to 10.
    """
    return tuple(_class_and_rank(place) for place in best_thresholds(way))


def _class_and_rank(place: int) -> tuple[int, int] | None:
    if place == len(high_hands()):
        return None
    category, first = divmod(int(high_hands()[place]) >> FIRST_RANK, 16)
    return category, first + 4 if category in (STRAIGHT, ranking.STRAIGHT_FLUSH, ranking.ROYAL_FLUSH) else first


@cache
def doubled(way: int, thresholds: tuple[int, ...]) -> tuple[int, int, int, int, int]:
    """Return deals won, tied, lost, returned and not placed, of `DEALS`; high hands double from these places on."""
    places = np.arange(len(high_hands()))[:, None] >= np.array(thresholds)
    won, lost, dealt, every = (
        int(counts[places].sum()) for counts in _qualified(way)[[QUALIFIED_WIN, QUALIFIED_LOSS, QUALIFIED, ALL_DEALS]]
    )
    return won, dealt - won - lost, lost, every - dealt, DEALS - every


def _qualified(way: int) -> Ints:
    return cast(Ints, count_deals().qualified[WAYS.index(way)])


def doubling_words(place: int) -> str:
    """Return the least high hand of its class and first rank in words: "a pair of 8s"."""
    if place in (0, len(high_hands())):
        return "never" if place else "any"
    category, first = divmod(int(high_hands()[place]) >> FIRST_RANK, 16)
    if category in (STRAIGHT, ranking.STRAIGHT_FLUSH, ranking.ROYAL_FLUSH):
        return ("a straight, " if category == STRAIGHT else "a straight flush, ") + _run(first)
    return _WORDS[category].format(RANK_NAMES[first])


def _run(place: int) -> str:
    """Return the run in words; ace to 5 is above king to 9."""
    return "ace to 5" if place == len(RUNS) - 2 else f"up to the {RANK_NAMES[max(RUNS[place])]}"
