"""The wagers on seven cards, exactly.

The required wager comes from the counted deals, the optional ones from counted hands and a paytable.

A player who sees the dealer's hands can win if some setting beats both, else tie if some setting beats one (a copy
counts for the dealer); so the best setting is the one that beats most. To surrender is to lose what a set hand at worst
loses, so it never helps.

The C(53, 7) = 154,143,080 hands are counted without dealing a card. Ranks are taken as multisets, weighted with their
suits. At most one suit can make a flush (five of its cards, or four and the joker); every choice of ranks in that suit
beside every multiset of the other cards is counted with the flush and taken off the count of its ranks without. An
ace-high hand has no pair, no straight and no flush, and an ace or the joker: the 8.25 · 10^15 deals of seven cards to
dealer and player are counted by ranks, common and not, and by the suits' lengths. Not here: the counted deals of the
required wager (`seven_pairs`), dealing (`games.second.seven_cards`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE
from games.maths.results import (
    LOST_OUTCOME,
    Choice,
    OutcomeRow,
    StrategyTable,
    WagerAnalysis,
    counted,
    counted_by_table,
    report_plays,
    required,
    row,
)
from games.maths.two_hands import ranking, seven_pairs
from games.maths.two_hands.ranking import ROYAL_FLUSH, ROYAL_MATCH, RUNS, THREE_PAIR, hand_masks, paid_row
from games.maths.two_hands.seven_pairs import ANSWERS, HIGHEST_HIGH, HIGHEST_LOW, HOUSE_WAY, Ends
from games.rules.model import HouseWay, Paytable


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenCardWording:
    """A chapter's names for the parts of a game, and their sections; a `str` without a comment is a section."""

    dealt: Mapping[str, str]  # option → section; the first where none is answered
    dealer_sets: str
    player_sets: str
    ends: Mapping[int, str]  # `LOSES` … → section
    tied_hand: str  # the dealer's hand with which the wager ties: ace high
    ace_high_rows: tuple[str, str, str]  # of ace-high paytables: both, only the dealer with joker and without
    loses: Mapping[str, str]  # optional wager → section
    ranking: str
    best_hand: str  # section: the first row that the cards fill is paid
    wild_joker: str
    readings: Mapping[str, str]  # row of a paytable → the reading that decides which hands it pays


LOSES, TIES, WINS, PUSHES = range(4)
"""Ends of the required wager; the last where the dealer is ace high."""
ENDS: Final = {
    LOSES: ("Neither hand wins", -1),
    TIES: ("One hand wins", 0),
    WINS: ("Both hands win", 1),
    PUSHES: ("The dealer has {}", 0),
}
"""End of a round → outcome and net, in the order of the counts."""
PLAIN: Final = {
    HOUSE_WAY: ("Sets by the house way", "As the dealer would set the same cards, against any dealer's hand."),
    HIGHEST_HIGH: (
        "Keeps the highest high hand",
        "The setting with the highest high hand, against any dealer's hand.",
    ),
    HIGHEST_LOW: (
        "Plays the highest low hand",
        "The setting with the highest low hand, against any dealer's hand.",
    ),
}


def required_wager(wager: str, way: HouseWay, wording: SevenCardWording) -> WagerAnalysis:
    """Return the wager under one house way, whose key takes the place of the paytable; it pays 1 to 1."""
    ends = seven_pairs.count_deals(way.key)
    rows = _rows(ends, ANSWERS, wording)
    return counted(
        wager,
        way.key,
        rows,
        DEALS,
        required=required(rows, 1),
        strategy=_answers(rows, wording.tied_hand),
        strategy_tables=(_house_way(ends, way),),
        simplified_plays=report_plays(
            ((name, when, _rows(ends, play, wording)) for play, (name, when) in PLAIN.items()), 1
        ),
        notes=(
            f"All deals of seven cards to the dealer and seven to the player are counted, {DEALS:,}; nothing is "
            "estimated.",
            f"The dealer follows the {way.name} house way; the player sees both of the dealer's hands, and sets the "
            "own two so as to beat both if possible, else one.",
            f"The wager ties against {wording.tied_hand} ({wording.ends[PUSHES]}). "
            "Surrender never helps and is not used.",
            _push_first(ends, wording),
        ),
    )


def _rows(ends: Ends, play: int, wording: SevenCardWording) -> list[OutcomeRow]:
    won, lost = ends.settled[play]
    counts = {LOSES: lost, TIES: DEALS - ends.pushes - won - lost, WINS: won, PUSHES: ends.pushes}
    return [
        row(
            *(name.format(wording.tied_hand), counts[end], DEALS, net),
            pays="1 to 1" if net == 1 else "",
            section=wording.ends[end],
        )
        for end, (name, net) in ENDS.items()
    ]


def _answers(rows: list[OutcomeRow], tied_hand: str) -> tuple[Choice, ...]:
    lost, tied, won, pushed = (end.probability or Fraction(0) for end in rows)
    return (
        Choice("Beat both hands", "a setting ranks above both hands of the dealer", won),
        Choice("Beat one hand", "no setting beats both, but one beats one of them", tied),
        Choice("Set as you like", "no setting beats either hand", lost),
        Choice("Set as you like", f"the dealer has {tied_hand}: the wager ties", pushed),
    )


def _push_first(ends: Ends, wording: SevenCardWording) -> str:
    """Return the note on the hold if those hands were compared too."""
    (won, lost), (more_won, more_lost) = ends.settled[ANSWERS], ends.pushed[ANSWERS]
    hold = float(Fraction(100 * (lost + more_lost - won - more_won), DEALS))
    return (
        f"The reading “ace-high-push-first” ({wording.ends[PUSHES]}) moves the hold: if the hands were compared also "
        f"where the dealer has {wording.tied_hand}, it would be {hold:.6f} %."
    )


def _house_way(ends: Ends, way: HouseWay) -> StrategyTable:
    lines = zip(way.rules, ends.lines, strict=True)
    rows = tuple((when, words, f"{100 * hands / HANDS:.4f} %") for (when, words), hands in lines)
    return StrategyTable(f"The dealer's {way.name} house way", ("Seven cards", "Set", "Dealt"), rows)


THREE_ROW, STRAIGHT_ROW, THREE_PAIR_ROW = "Three of a Kind", "Straight", "Three Pair"  # rows that a reading speaks of


def ace_high_wager(table: Paytable, wording: SevenCardWording) -> WagerAnalysis:
    """Return the wager that the dealer is ace high. The joint deals of dealer and player are the cycle."""
    deals = count_ace_high()
    numbers = (deals.both, deals.dealer_with_joker, deals.dealer_no_joker, deals.not_dealer)
    counts = dict(zip((*wording.ace_high_rows, LOST_OUTCOME), numbers, strict=True))
    return _counted(table, counts, DEALS, wording)


def hand_wager(table: Paytable, wording: SevenCardWording) -> WagerAnalysis:
    """Return a wager on the player's own hand, progressive or not: the seven cards against the paytable.

    A reserve rate and an Envy Bonus count towards the return of a progressive in the long run.
    """
    counts = counts_by_row(table, count_hands(table.fully_wild_joker), wording.ranking)
    analysis = _counted(table, counts, HANDS, wording)
    per_player, meter = analysis.envy_per_other_player or 0, analysis.progressive
    if meter and meter.long_run_return is not None:
        more = (table.reserve or 0) + per_player / Fraction(table.wager_amount or 1)
        meter = replace(meter, long_run_return=meter.long_run_return + more)
    notes = (*_notes(table, per_player, wording), *_readings(table, wording))
    return replace(analysis, progressive=meter, notes=notes)


def _readings(table: Paytable, wording: SevenCardWording) -> tuple[str, ...]:
    """Return the notes on the hold of a wager without a meter under the other reading."""
    if table.seed is not None:
        return ()
    by_bits, rows = count_hands(table.fully_wild_joker), {line.outcome: line for line in table.rows}
    notes = []
    three, straight = rows.get(THREE_ROW), rows.get(STRAIGHT_ROW)
    if three and straight and table.rows.index(three) < table.rows.index(straight):
        swapped = {three: straight, straight: three}
        ranked = replace(table, rows=tuple(swapped.get(line, line) for line in table.rows))
        hold = _hold(ranked, counts_by_row(ranked, by_bits, wording.ranking), wording)
        notes.append(
            f"The reading “{wording.readings[STRAIGHT_ROW]}” moves the hold: if a hand with both were paid as a "
            f"straight, which ranks above three-of-a-kind, it would be {float(100 * hold):.6f} %."
        )
    if THREE_PAIR_ROW not in rows:
        paid = hand_masks(list(rows), wording.ranking)
        three_pair = ((bits, hands) for bits, hands in by_bits.items() if bits & THREE_PAIR)
        unpaid = sum(hands for bits, hands in three_pair if paid_row(bits, paid) == len(paid))
        hold = _hold(table, counts_by_row(table, by_bits, wording.ranking), wording)
        hold -= Fraction(unpaid, HANDS)
        notes.append(
            f"The reading “{wording.readings[THREE_PAIR_ROW]}” moves the hold: if three pair were returned, as under "
            f"Paytable 1, it would be {float(100 * hold):.6f} %."
        )
    return tuple(notes)


def _hold(table: Paytable, counts: dict[str, int], wording: SevenCardWording) -> Fraction:
    return _counted(table, counts, HANDS, wording).hold


def counts_by_row(table: Paytable, by_bits: dict[int, int], ranking: str) -> dict[str, int]:
    """Return the counts by the paytable's outcomes, all unpaid as `LOST_OUTCOME`; `by_bits`: see `ranking`."""
    outcomes = [*(line.outcome for line in table.rows), LOST_OUTCOME]
    rows, counts = hand_masks(outcomes[:-1], ranking), dict.fromkeys(outcomes, 0)
    for bits, count in by_bits.items():
        counts[outcomes[paid_row(bits, rows)]] += count
    return counts


def _counted(table: Paytable, counts: dict[str, int], cycle: int, wording: SevenCardWording) -> WagerAnalysis:
    return counted_by_table(table, counts, cycle, wording.loses[table.wager])


def _notes(table: Paytable, envy: Fraction | int, wording: SevenCardWording) -> tuple[str, ...]:
    notes = [f"A hand is paid by the first row, in the printed order, that its seven cards fill ({wording.best_hand})."]
    if table.fully_wild_joker:
        notes.append(f"The joker is any card: fully wild ({wording.wild_joker}).")
    if table.seed is not None and envy:
        share = float(100 * envy / Fraction(table.wager_amount or 1))
        notes.append(f"The long-run return counts the reserve rate and one other player's Envy Bonus, {share:.3f} %.")
    elif envy:
        notes.append(f"The Envy Bonus is not in the hold; per other player it is worth ${float(envy):.6f} a round.")
    return tuple(notes)


HANDS: Final = comb(53, 7)
QUEEN, KING = ACE - 2, ACE - 1
Numbers = NDArray[np.int64]

_RANKS = np.arange(13)
_SEVENS: Final = (*(set(range(low, low + 7)) for low in range(7)), {ACE, *range(6)})


@cache
def count_hands(wild: bool) -> dict[int, int]:
    """Return bits of hands (`ranking`) → number of seven-card hands; `wild`: under a fully wild joker."""
    counts = Counter(_counts_by_bits(0, False))
    counts.update(_counts_by_bits(1, wild))
    return {bits: count for bits, count in counts.items() if count}


@cache
def _counts_by_bits(joker: int, wild: bool) -> Counter[int]:
    counts: Counter[int] = Counter()
    ranks = _multisets(7 - joker, 4)
    _add(counts, _rank_bits(ranks, joker, wild), _suit_ways(4)[ranks].prod(axis=1))
    for size in range(5 - joker, 8 - joker):
        suit = np.array(list(combinations(range(13), size)))
        other_suits = _multisets(7 - joker - size, 3)
        in_suit = (suit[:, :, None] == _RANKS).sum(axis=1)
        together = (in_suit[:, None, :] + other_suits[None, :, :]).reshape(-1, 13)
        weights = np.tile(4 * _suit_ways(3)[other_suits].prod(axis=1), len(suit))
        by_rank = _rank_bits(together, joker, wild)
        flush = by_rank | np.repeat(_flush_bits(in_suit, joker), len(other_suits))
        # A king and a queen beside the royal flush are of one suit in three of their nine suitings.
        match = ((other_suits[:, [QUEEN, KING]] == 1).all(axis=1) & (other_suits.sum(axis=1) == 2)).astype(np.int64)
        matched = np.where(flush & 1 << ROYAL_FLUSH, np.tile(match, len(suit)), 0) * weights // 3
        _add(counts, by_rank, -weights)
        _add(counts, flush, weights - matched)
        _add(counts, flush | ROYAL_MATCH, matched)
    return counts


def _rank_bits(sizes: Numbers, joker: int, wild: bool) -> Numbers:
    """Return the hands that ranks make (`sizes[hand, rank]`), as bits; the joker is an ace, or (`wild`) any card."""
    extra = joker if wild else 0
    present = sizes > 0
    counted = sizes + (_RANKS == ACE) * (joker - extra)
    first, second, third = -np.sort(-counted, axis=1)[:, :3].T
    return np.asarray(
        _bit(1 << ranking.STRAIGHT, _longest(present, RUNS) + joker >= 5)
        | _bit(1 << ranking.FIVE_OF_A_KIND, first + extra >= 5)
        | _bit(1 << ranking.FIVE_ACES, counted[:, ACE] + extra >= 5)
        | _bit(1 << ranking.FOUR_OF_A_KIND, first + extra >= 4)
        | _bit(1 << ranking.FULL_HOUSE, np.minimum(first, 3) + np.minimum(second, 2) + extra >= 5)
        | _bit(1 << ranking.THREE_OF_A_KIND, first + extra >= 3)
        | _bit(THREE_PAIR, third >= 2)
    )


def _flush_bits(in_suit: Numbers, joker: int) -> Numbers:
    """Return the hands that the cards of the flush's suit make with the joker, as bits; `in_suit[hand, rank]`."""
    seven = ranking.SEVEN_WITH_JOKER if joker else ranking.SEVEN_NATURAL
    return np.asarray(
        1 << ranking.FLUSH
        | _bit(1 << ranking.STRAIGHT_FLUSH, _longest(in_suit > 0, RUNS) + joker >= 5)
        | _bit(1 << ROYAL_FLUSH, _longest(in_suit > 0, RUNS[-1:]) + joker >= 5)
        | _bit(seven, _longest(in_suit > 0, _SEVENS) + joker >= 7)
    )


def _longest(present: NDArray[np.bool_], runs: Iterable[Collection[int]]) -> Numbers:
    """Return the most cards that a hand has of any of the runs."""
    return np.asarray(np.max([present[:, sorted(run)].sum(axis=1) for run in runs], axis=0))


def _bit(bit: int, where: NDArray[np.bool_]) -> Numbers:
    return np.where(where, bit, 0)


def _multisets(size: int, most: int) -> Numbers:
    """Return the cards of each rank for every multiset of `size` cards with no rank more than `most` times."""
    cards = np.array(list(combinations_with_replacement(range(13), size)), dtype=np.int64)
    sizes = (cards.reshape(len(cards), size, 1) == _RANKS).sum(axis=1)
    return np.asarray(sizes[sizes.max(axis=1) <= most])


def _suit_ways(suits: int) -> Numbers:
    return np.array([comb(suits, size) for size in range(5)])


def _add(counts: Counter[int], bits: Numbers, weights: Numbers) -> None:
    """Add up the weights of equal bits; whole numbers far below 2^53, so that the sums are exact."""
    values, where = np.unique(bits, return_inverse=True)
    for value, total in zip(values, np.bincount(where, weights), strict=True):
        counts[int(value)] += int(total)


DEALS: Final = comb(53, 7) * comb(46, 7)

Suits = tuple[tuple[int, int], ...]  # per suit how many cards (the dealer, the player) has; sorted, suits being alike


@dataclass(frozen=True, slots=True)
class AceHigh:
    """Numbers of deals, of `DEALS`, by who has an ace-high hand."""

    both: int
    dealer_with_joker: int  # only the dealer
    dealer_no_joker: int

    @property
    def not_dealer(self) -> int:
        return DEALS - self.both - self.dealer_with_joker - self.dealer_no_joker


@cache
def count_ace_high() -> AceHigh:
    natural_alone = len(_ranks(False)) * _suitings(0, 7, 0, 4, 0)
    joker_alone = len(_ranks(True)) * _suitings(0, 6, 0, 3, 0)
    both_natural = _together(False)
    one_joker = _together(True)  # the dealer has it; as often the player
    return AceHigh(
        both=both_natural + 2 * one_joker,
        dealer_with_joker=joker_alone * comb(46, 7) - one_joker,
        dealer_no_joker=natural_alone * comb(46, 7) - both_natural - one_joker,
    )


@cache
def _ranks(joker: bool) -> tuple[int, ...]:
    """Return sets of ranks, as bits, without a straight: an ace and six others, or six others beside the joker."""
    ace = 0 if joker else 1 << ACE
    runs = [sum(1 << rank for rank in run) for run in RUNS]
    sets = (sum(1 << rank for rank in other_ranks) | ace for other_ranks in combinations(range(ACE), 6))
    return tuple(ranks for ranks in sets if max((run & ranks).bit_count() for run in runs) + joker < 5)


def _together(dealer_joker: bool) -> int:
    """Return the deals in which both are ace high, and the player has no joker."""
    common = Counter((dealer & player).bit_count() for dealer in _ranks(dealer_joker) for player in _ranks(False))
    dealt, longest = (6, 3) if dealer_joker else (7, 4)
    return sum(pairs * _suitings(shared, dealt - shared, 7 - shared, longest, 4) for shared, pairs in common.items())


def _suitings(shared: int, dealer: int, player: int, dealer_longest: int, player_longest: int) -> int:
    """Return the ways to give suits to the ranks that both have, or one of them, with no suit too long."""
    states: Counter[Suits] = Counter({((0, 0),) * 4: 1})
    for gains in ((1, 1),) * shared + ((1, 0),) * dealer + ((0, 1),) * player:
        states = _dealt(states, *gains)
    return sum(
        ways
        for suits, ways in states.items()
        if all(mine <= dealer_longest and theirs <= player_longest for mine, theirs in suits)
    )


def _dealt(states: Counter[Suits], dealer: int, player: int) -> Counter[Suits]:
    """Return the states with one more rank: to the dealer, to the player, or to both in different suits."""
    after: Counter[Suits] = Counter()
    for suits, ways in states.items():
        for first in range(4):
            for second in range(4) if dealer and player else (first,):
                if dealer and player and first == second:
                    continue
                grown = [list(lengths) for lengths in suits]
                grown[first][0] += dealer
                grown[second][1] += player
                after[tuple(sorted((mine, theirs) for mine, theirs in grown))] += ways
    return after
