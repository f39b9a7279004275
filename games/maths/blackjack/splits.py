"""A split pair: how all of its hands together end, against the one hand of the dealer.

Each hand by itself is played out exactly: cards drawn by a rule from a shuffled shoe are as good as its first cards, so
that the other hands' cards do not matter but for the cards of the pair, which are known. That the hands share the
dealer is exact too. That what one hand draws is missing to the other is taken to the first order in 1 / (cards in the
shoe): two draws of k and l cards, with a and b cards of a value, are 1 + k l / N − Σ a b / n times as likely together
as from two shoes. What that leaves moves the mean of a round by about 10⁻⁸ of a wager from eight decks and 10⁻⁶ from
one; beside 10⁸ simulated rounds, from one deck too, it does not show. Not here: how one hand is played (`endings`).
"""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import EndChances, Floats, PhaseDecisions, RoundEndings, ValueCounts
from games.maths.blackjack.dealer import ENDS, Ends, blackjack_needs, ends_of
from games.maths.blackjack.endings import Played, play_out
from games.maths.blackjack.hands import ACE, ALL_HANDS, LAMMER, NEXT_HAND, SPLIT_ACE, SPLIT_HAND, TEN, VALUES
from games.maths.blackjack.player import ENDINGS, NETS, NO_NET, Game
from games.maths.blackjack.rules import Rules
from games.maths.compiled import kernel

WAGERED, ROUND_NETS, NO_ROUND_NET = 17, 65, 32
"""A round's ending: [units wagered, net in halves + NO_ROUND_NET]."""


class Filled(NamedTuple):
    """A way in which the second cards fall: `ways` orders in which a pair makes `hands` hands.

    Of these `unpaired` got a second card that is not of the pair, and the rest any card, there being no more splits.
    """

    hands: int
    unpaired: int
    ways: int


@cache
def ways_to_fill(most: int) -> list[Filled]:
    """All ways of a pair split into `most` hands at most, always split again."""
    open_ways, full_ways = {(2, 0): 1}, dict[tuple[int, int], int]()
    while open_ways:
        (made, filled), ways = open_ways.popitem()
        if made in (most, filled):
            full_ways[made, filled] = full_ways.get((made, filled), 0) + ways
        else:
            for then in ((made, filled + 1), (made + 1, filled)):
                open_ways[then] = open_ways.get(then, 0) + ways
    return [Filled(made, filled, ways) for (made, filled), ways in sorted(full_ways.items())]


def split_endings(
    game: Game, rules: Rules, most: int, base: ValueCounts, pair: int, up: int, decision: PhaseDecisions
) -> RoundEndings:
    """[wagered, net] → chance, once the pair is dealt and will be split; joint with no Blackjack of the dealer's.

    `base`: the shoe without the up card. `decision[phase, hand]`: the strategy against the up card.
    """
    if pair == ACE and rules.one_card_aces:
        most = 2
    total = np.zeros((WAGERED, ROUND_NETS))
    own = np.eye(VALUES, dtype=np.int64)[pair]
    for made, all_ways in groupby(ways_to_fill(most), lambda filled: filled.hands):
        more = _drawn_in_a_row(base[pair] - 2, base.sum() - 2, made - 2)
        if more > 0:
            ends = ends_of(up, base - (made - 1) * own, game.counts)  # without the other hands' cards of the pair
            left, played = ends.base - own, dict[tuple[int, bool], Played]()
            (end,) = ends.beside(np.array([int(NEXT_HAND[0, pair])]))
            for _, unpaired, ways in all_ways:
                each = [(kind, place < unpaired) for place, kind in enumerate(_kinds(rules, pair, made))]
                for like in set(each) - set(played):
                    played[like] = _hand(game, ends, pair, *like, decision)
                chance = ways * more * _none_of_them(left, pair, up, unpaired)
                total += chance * _joined(left, end, played, each)
    return total


def _kinds(rules: Rules, pair: int, made: int) -> Iterator[int]:
    """The original wager moves with the first hand, a lammer is the wager of each other one."""
    for place in range(made):
        if pair == ACE and rules.one_card_aces:
            yield SPLIT_ACE
        else:
            yield LAMMER if rules.lammer and pair != TEN and place > 0 else SPLIT_HAND


def _drawn_in_a_row(have: int, cards: int, times: int) -> float:
    return float(reduce(lambda chance, step: chance * max(have - step, 0) / (cards - step), range(times), 1.0))


def _none_of_them(left: ValueCounts, pair: int, up: int, unpaired: int) -> float:
    """The chance that `unpaired` second cards are not of the pair and that the dealer has no Blackjack."""
    cards, hole = int(left.sum()), blackjack_needs(up)
    rest = cards - int(left[pair])
    if hole < 0:
        return _drawn_in_a_row(rest, cards, unpaired)
    if hole == pair:
        return _drawn_in_a_row(rest, cards, unpaired + 1)
    of_pair = left[pair] / cards * _drawn_in_a_row(rest, cards - 1, unpaired)
    return float(of_pair + (rest - left[hole]) / cards * _drawn_in_a_row(rest - 1, cards - 1, unpaired))


def _hand(game: Game, ends: Ends, pair: int, kind: int, unpaired: bool, decision: PhaseDecisions) -> Played:
    """One of the hands made, its second card any or not of the pair."""
    own = np.eye(VALUES, dtype=np.int64)[pair]
    second, dealt = np.maximum(ends.base - own, 0) / (ends.base - own).sum(), np.zeros(ALL_HANDS)
    if unpaired:
        second[pair] = 0.0
    dealt[NEXT_HAND[NEXT_HAND[0, pair]]] = second
    return play_out(game, ends, kind, dealt, decision, own)


def _joined(
    left: ValueCounts, end: EndChances, played: dict[tuple[int, bool], Played], each: list[tuple[int, bool]]
) -> RoundEndings:
    """[wagered, net] → chance of the hands together, in all 1."""
    weight = np.array([-1 / count if count > 0 else 0.0 for count in left] + [1 / left.sum()])
    joint, order = np.zeros((WAGERED, ROUND_NETS)), np.array([list(played).index(like) for like in each])
    hand_chances = np.stack([hand.end_chances for hand in played.values()])
    moments = np.stack([hand.moments for hand in played.values()])
    _join(hand_chances, moments, order, weight, end, joint)
    joint /= joint.sum()
    return joint


@kernel
def _join(
    hand_chances: Floats, moments: Floats, order: NDArray[np.int64], weight: Floats, end: EndChances,
    joint: RoundEndings,
) -> None:  # fmt: skip
    """Into `joint` all hands of `order`, independent given the dealer's end but for the first-order term of `weight`.

    With A the chances of a hand and B = its moments, the product is carried along with Σ B and Σ B B' (pairs of
    hands) for each value, so that any number of hands takes one pass each.
    """
    for ends in range(ENDS):
        if end[ends] > 0.0:
            plain, paired = np.zeros((1, ROUND_NETS)), np.zeros((1, ROUND_NETS))
            once = np.zeros((1, VALUES + 1, ROUND_NETS))
            plain[0, NO_ROUND_NET] = end[ends]
            for place, hand in enumerate(order):
                plain, once, paired = _one_more(
                    hand_chances[hand], moments[hand], weight, ends, end[ends], plain, once, paired,
                    place + 1 == len(order),
                )  # fmt: skip
            for wagered in range(min(WAGERED, plain.shape[0])):
                for net in range(ROUND_NETS):
                    joint[wagered, net] += plain[wagered, net] + paired[wagered, net]


@kernel
def _one_more(
    hand_chances: Floats, moments: Floats, weight: Floats, ends: int, chance: float, plain: RoundEndings, once: Floats,
    paired: Floats, is_last: bool,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """`plain`, `once` and `paired` with one hand more: [wagered, net], `once[wagered, value, net]`; after the last hand
    `once` is not needed, and stays 0.

    Only nets that occur are gone through, side by side: an index that could be negative would hinder that.
    """
    most = 0
    for ending in range(ENDINGS):
        if hand_chances[ending, ends] > 0.0:
            most = max(most, ending // NETS)
    rows = plain.shape[0]
    next_plain, next_paired = np.zeros((rows + most, ROUND_NETS)), np.zeros((rows + most, ROUND_NETS))
    next_once, more = np.zeros((rows + most, VALUES + 1, ROUND_NETS)), np.empty(ROUND_NETS)
    first, last = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    for wagered in range(rows):
        for net in range(ROUND_NETS):
            if plain[wagered, net] > 0.0:
                first[wagered] = net if last[wagered] == 0 else first[wagered]
                last[wagered] = net + 1
    for ending in range(ENDINGS):
        alone = hand_chances[ending, ends] / chance
        if alone > 0.0:
            staked, gain = ending // NETS, ending % NETS - NO_NET
            for wagered in range(rows):
                to, low, high = wagered + staked, max(first[wagered], -gain), min(last[wagered], ROUND_NETS - gain)
                for net in range(low, high):
                    here, there = np.uint64(net), np.uint64(net + gain)
                    next_plain[to, there] += plain[wagered, here] * alone
                    more[here] = paired[wagered, here] * alone
                for value in range(VALUES + 1):
                    moment = moments[ending, ends, value] / chance
                    for net in range(low, high):
                        here = np.uint64(net)
                        more[here] += weight[value] * once[wagered, value, here] * moment
                    for net in range(low, low if is_last else high):
                        here, there = np.uint64(net), np.uint64(net + gain)
                        both = once[wagered, value, here] * alone + plain[wagered, here] * moment
                        next_once[to, value, there] += both
                for net in range(low, high):
                    next_paired[to, np.uint64(net + gain)] += more[np.uint64(net)]
    return next_plain, next_once, next_paired
