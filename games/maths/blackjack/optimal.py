"""Whole rounds: the optimal strategy, split pairs, and every way in which the required wager then ends.

The mean of a round with a split pair is exact. Each hand by itself is played out exactly: cards drawn by a rule from a
shuffled shoe are as good as its first cards, so that the other hands' cards do not matter but for those of the pair,
which are known, and their second cards that are not of the pair: the chance that none is, is summed over those that are
(inclusion and exclusion). The mean of all hands is the sum of the means.

How the hands win and lose together, from which come the deviation and the chances of the rounds' ends, is not exact.
That they share the dealer is; what one draws is missing to the other is taken to the first order in 1 / (cards in the
shoe): two draws of k and l cards, with a and b cards of a value, are 1 + k l / N − Σ a b / n times as likely together
as from two shoes. The ends are then moved to the exact mean amounts. Not here: one hand (`player`), the report
(`exact`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.blackjack.dealer import ENDS, Ends, blackjack_needs, ends_of
from games.maths.blackjack.hands import (
    ACE,
    ALL_HANDS,
    BLACKJACK,
    COUNTS,
    FIRST,
    LAMMER,
    NEXT_HAND,
    PAIR,
    PHASES,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    TEN,
    TWO_CARDS,
    VALUES,
    EndChances,
    Floats,
    HandFigures,
    PhaseDecisions,
    RoundEndings,
    Strategy,
    ValueCounts,
)
from games.maths.blackjack.player import (
    DECISIONS,
    ENDINGS,
    INDIFFERENT,
    NETS,
    NO_NET,
    Game,
    Played,
    counts_of,
    decide,
    game_of,
    play_out,
)
from games.maths.blackjack.rules import Payouts, Rules, Table, shoe_of
from games.maths.enumerations import SHARES, in_shares

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
    """Return all ways of a pair split into `most` hands at most, always split again."""
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
    """Return [wagered, net] → chance, once the pair is dealt and will be split.

    Chances are joint with no Blackjack of the dealer's. `base`: the shoe without the up card. `decision[phase, hand]`:
    the strategy against the up card.
    """
    if pair == ACE and rules.one_card_aces:
        most = 2
    own = np.eye(VALUES, dtype=np.int64)[pair]

    @cache
    def ends_without(pairs: int) -> Ends:
        return ends_of(up, base - pairs * own, game.counts)

    @cache
    def hand(pairs: int, kind: int, unpaired: bool) -> Played:
        return _hand(game, ends_without(pairs), pair, kind, unpaired, decision)

    @cache
    def amounts(pairs: int, kind: int, unpaired: bool) -> Floats:
        total: Floats = (_AMOUNTS * hand(pairs, kind, unpaired).end_chances.sum(axis=1)).sum(axis=1)
        return total

    total, mean = np.zeros((WAGERED, ROUND_NETS)), np.zeros(2)
    for made, unpaired, ways in ways_to_fill(most):
        each = [(kind, place < unpaired) for place, kind in enumerate(_kinds(rules, pair, made))]
        more = _drawn_in_a_row(base[pair] - 2, base.sum() - 2, made - 2)
        if more > 0:
            left = ends_without(made - 1).base - own
            (end,) = ends_without(made - 1).beside(np.array([int(NEXT_HAND[0, pair])]))
            played = {like: hand(made - 1, *like) for like in each}
            total += ways * more * _none_of_them(left, pair, up, unpaired) * _joined(left, end, played, each)
        for like in each:
            for paired, sign in _signs(unpaired - like[1]):
                chance = _drawn_in_a_row(base[pair] - 2, base.sum() - 2, made - 2 + paired)
                if chance > 0:
                    mean += ways * sign * chance * amounts(made - 1 + paired, *like)
    return _moved(total, *mean)


_AMOUNTS = np.stack([np.arange(ENDINGS) // NETS, np.arange(ENDINGS) % NETS - NO_NET]).astype(np.float64)
"""The units wagered and the net, in halves, of each ending of one hand."""


def _signs(cards: int) -> list[tuple[int, int]]:
    """Return (some of the cards, factor of the chance that these are of the pair): the sum is that none is."""
    return [(paired, (-1) ** paired * comb(cards, paired)) for paired in range(cards + 1)]


def _moved(endings: RoundEndings, wagered: float, net: float) -> RoundEndings:
    """Return the endings moved to these mean amounts: each chance changes by a share that is linear in its amounts.

    What the first order makes less than nothing, rare ends from few decks, is nothing.
    """
    staked, place = np.nonzero(endings > 0.0)
    chance, gain = endings[staked, place], NET[place]
    chance = chance * endings.sum() / chance.sum()
    by_net = gain - (chance * gain).sum() / chance.sum()
    by_wagered = staked - (chance * staked).sum() / chance.sum()
    square = (chance * by_net**2).sum()
    by_wagered = by_wagered - (chance * by_wagered * by_net).sum() / square * by_net
    factor = 1.0 + (net - (chance * gain).sum()) / square * by_net
    square = (chance * by_wagered**2).sum()
    if square > NO_SPREAD:
        factor += (wagered - (chance * factor * staked).sum()) / square * by_wagered
    moved = np.zeros_like(endings)
    moved[staked, place] = chance * factor
    return moved


NO_SPREAD = 1e-9
"""The variance of the amounts wagered in units, where they do not differ but by rounding."""


def _kinds(rules: Rules, pair: int, made: int) -> Iterator[int]:
    """Yield the kind of each hand made: the original wager moves with the first, the others may have lammers."""
    for place in range(made):
        if pair == ACE and rules.one_card_aces:
            yield SPLIT_ACE
        else:
            yield LAMMER if rules.lammer and pair != TEN and place > 0 else SPLIT_HAND


def _drawn_in_a_row(have: int, cards: int, times: int) -> float:
    return float(reduce(lambda chance, step: chance * max(have - step, 0) / (cards - step), range(times), 1.0))


def _none_of_them(left: ValueCounts, pair: int, up: int, unpaired: int) -> float:
    """Return the chance that `unpaired` second cards are not of the pair and that the dealer has no Blackjack."""
    cards, hole = int(left.sum()), blackjack_needs(up)
    rest = cards - int(left[pair])
    if hole < 0:
        return _drawn_in_a_row(rest, cards, unpaired)
    if hole == pair:
        return _drawn_in_a_row(rest, cards, unpaired + 1)
    of_pair = left[pair] / cards * _drawn_in_a_row(rest, cards - 1, unpaired)
    return float(of_pair + (rest - left[hole]) / cards * _drawn_in_a_row(rest - 1, cards - 1, unpaired))


def _hand(game: Game, ends: Ends, pair: int, kind: int, unpaired: bool, decision: PhaseDecisions) -> Played:
    """Return the play of one of the hands made, its second card any or not of the pair."""
    own = np.eye(VALUES, dtype=np.int64)[pair]
    second, dealt = np.maximum(ends.base - own, 0) / (ends.base - own).sum(), np.zeros(ALL_HANDS)
    if unpaired:
        second[pair] = 0.0
    dealt[NEXT_HAND[NEXT_HAND[0, pair]]] = second
    return play_out(game, ends, kind, dealt, decision, own)


def _joined(
    left: ValueCounts, end: EndChances, played: dict[tuple[int, bool], Played], each: list[tuple[int, bool]]
) -> RoundEndings:
    """Return [wagered, net] → chance of the hands together, in all 1."""
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
    """Write all hands of `order` into `joint`, independent but for the dealer's end and the first order of `weight`.

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
    """Return `plain`, `once` and `paired` with one hand more: [wagered, net], `once[wagered, value, net]`.

    After the last hand `once` is not needed, and stays 0. Only nets that occur are gone through, side by side: an index
    that could be negative would hinder that.
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


STARTS = [int(NEXT_HAND[NEXT_HAND[0, first], second]) for first in range(VALUES) for second in range(first, VALUES)]
_CARDS_OF = {hand: np.repeat(np.arange(VALUES), COUNTS[hand]).tolist() for hand in STARTS}
NET = np.arange(ROUND_NETS) - NO_ROUND_NET


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A game as one table deals it and one player knows it."""

    rules: Rules
    paid: Payouts
    table: Table
    game: Game


@cache
def setting(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Setting:
    """Return the setting for a player who never decides what `without` names."""
    return Setting(rules, paid, table, game_of(rules, paid, table.decks, without))


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A strategy, and how pairs end that it splits: [up card, value of the pair] → endings, as far as known."""

    strategy: Strategy
    splits: dict[tuple[int, int], RoundEndings]


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The rounds under a strategy by their ends; chances of a round."""

    endings: RoundEndings
    first: Floats  # [hand, up card, decision] on the first two cards, where they are played
    taken: Floats  # decision → mean number of times after the first two cards, on hands that are not split
    reached: Floats  # [hand, up card] of hands that are not split or doubled
    attacked: float  # the wager of `Rules.attack` is placed


@dataclass(frozen=True, slots=True)
class UpCard:
    """The dealer's up card, and the shoe without it."""

    up: int
    chance: float
    base: ValueCounts

    def chance_of_hand(self, hand: int) -> float:
        """Return the chance of the two cards."""
        cards, left, chance = sum(self.base.tolist()), self.base.tolist(), 2.0 if PAIR[hand] < 0 else 1.0
        for value in _CARDS_OF[hand]:
            chance *= left[value] / cards
            left[value] -= 1
            cards -= 1
        return max(chance, 0.0)

    def no_blackjack(self, hand: int) -> float:
        """Return the chance that the dealer has none beside the player's cards."""
        hole = blackjack_needs(self.up)
        return 1.0 if hole < 0 else 1.0 - float(self.base[hole] - COUNTS[hand, hole]) / float(self.base.sum() - 2)


def _each_up_card(setting: Setting) -> Iterator[UpCard]:
    shoe = shoe_of(setting.rules, setting.table.decks)
    for up in range(VALUES):
        yield UpCard(up, shoe[up] / shoe.sum(), _shoe_without(setting.rules, setting.table.decks, up))


def _shoe_without(rules: Rules, decks: int, up: int) -> ValueCounts:
    base: ValueCounts = shoe_of(rules, decks) - np.eye(VALUES, dtype=np.int64)[up]
    return base


def best_plan(setting: Setting, like: Plan | None = None) -> Plan:
    """Return the plan that loses least, hand by hand; of equal decisions the one that wagers more.

    `like`: of a player at the same table; where hands of split pairs are played as in it, they end so too.
    """
    decision = np.zeros((VALUES, PHASES, ALL_HANDS), dtype=np.int8)
    plan = Plan(Strategy(decision.transpose(1, 2, 0), np.zeros(VALUES, dtype=np.bool_)), {})
    up_cards = list(_each_up_card(setting))

    def decide_share(share: int) -> None:
        for shown in up_cards[share::SHARES]:
            _decide_against(setting, shown, decision[shown.up], plan, like)

    in_shares(decide_share)
    strategy = Strategy(np.ascontiguousarray(plan.strategy.decision), plan.strategy.attack)
    return Plan(strategy, plan.splits)


def _decide_against(setting: Setting, shown: UpCard, mine: PhaseDecisions, plan: Plan, like: Plan | None) -> None:
    """Write the plan's decisions against one up card into `mine`, and the ends of split pairs into the plan."""
    alone = decide(setting.game, _ends(setting, shown), mine)
    if like and np.array_equal(like.strategy.decision[3 * SPLIT_HAND :, :, shown.up], mine[3 * SPLIT_HAND :]):
        plan.splits.update({place: ended for place, ended in like.splits.items() if place[0] == shown.up})
    for hand in STARTS if setting.game.allowed[SPLIT] else ():
        if PAIR[hand] < 0 or shown.chance_of_hand(hand) == 0:
            continue
        if mean_net(_split(setting, shown, hand, mine, plan)) >= alone[hand] / 2 - INDIFFERENT:
            mine[3 * FIRST + TWO_CARDS, hand] = SPLIT
    if setting.rules.attack:
        plan.strategy.attack[shown.up] = mean_net(_undisturbed(setting, shown, mine, plan)[0]) > 0


def rounds(setting: Setting, plan: Plan) -> Rounds:
    """Return every round under the strategy."""
    strategy = plan.strategy
    endings, taken, attacked = np.zeros((WAGERED, ROUND_NETS)), np.zeros(DECISIONS), 0.0
    first, reached = np.zeros((ALL_HANDS, VALUES, DECISIONS)), np.zeros((ALL_HANDS, VALUES))
    for shown in _each_up_card(setting):
        mine = np.ascontiguousarray(strategy.decision[:, :, shown.up])
        times = 2 if strategy.attack[shown.up] else 1
        attacked += shown.chance * (times - 1)
        ended, choices, reach = _undisturbed(setting, shown, mine, plan)
        against = _against_blackjack(setting.rules, setting.paid.blackjack, shown, times)
        endings += shown.chance * ((_doubled_stakes(ended) if times == 2 else ended) + against)
        taken += shown.chance * choices
        reached[:, shown.up] = shown.chance * reach
        for hand in STARTS:
            if hand != BLACKJACK:
                chance = shown.chance * shown.chance_of_hand(hand) * shown.no_blackjack(hand)
                first[hand, shown.up, mine[3 * FIRST + TWO_CARDS, hand]] += chance
    return Rounds(endings, first, taken, reached, attacked)


def mean_net(endings: RoundEndings) -> float:
    """Return the mean net, in units of the wager."""
    return float((endings * NET).sum()) / 2


def _split(setting: Setting, shown: UpCard, hand: int, decision: PhaseDecisions, plan: Plan) -> RoundEndings:
    place = shown.up, int(PAIR[hand])
    if place not in plan.splits:
        most = setting.table.hands
        plan.splits[place] = split_endings(setting.game, setting.rules, most, shown.base, place[1], shown.up, decision)
    return plan.splits[place]


def _undisturbed(
    setting: Setting, shown: UpCard, decision: PhaseDecisions, plan: Plan
) -> tuple[RoundEndings, Floats, HandFigures]:
    """Return the rounds in which the dealer shows the card and has no Blackjack, the required wager being 1.

    [wagered, net] → chance; decisions after the first two cards; chances of reaching each hand.
    """
    total, dealt = np.zeros((WAGERED, ROUND_NETS)), np.zeros(ALL_HANDS)
    for hand in STARTS:
        chance = shown.chance_of_hand(hand)
        if hand == BLACKJACK:
            total[1, setting.paid.blackjack + NO_ROUND_NET] += chance * shown.no_blackjack(hand)
        elif decision[3 * FIRST + TWO_CARDS, hand] != SPLIT:
            dealt[hand] = chance
        elif chance > 0:
            total += chance * _split(setting, shown, hand, decision, plan)
    played = play_out(setting.game, _ends(setting, shown), FIRST, dealt, decision)
    for ending, chance in enumerate(played.end_chances.sum(axis=1)):
        total[ending // NETS, ending % NETS - NO_NET + NO_ROUND_NET] += chance
    return total, played.taken, played.reached


def _ends(setting: Setting, shown: UpCard) -> Ends:
    return _ends_of_shoe(setting.rules, setting.table.decks, shown.up)


@lru_cache(maxsize=VALUES)
def _ends_of_shoe(rules: Rules, decks: int, up: int) -> Ends:
    """Return the dealer's ends, for all players at a table; kept of one shoe only: two megabytes an up card."""
    return ends_of(up, _shoe_without(rules, decks, up), counts_of(rules))


def _against_blackjack(rules: Rules, blackjack: int, shown: UpCard, times: int) -> RoundEndings:
    """Return the rounds in which the dealer has a Blackjack: of the wagers placed only the first is lost."""
    total, hole = np.zeros((WAGERED, ROUND_NETS)), blackjack_needs(shown.up)
    if hole >= 0:
        both = shown.chance_of_hand(BLACKJACK) * (1 - shown.no_blackjack(BLACKJACK))
        total[times, (blackjack if rules.blackjack_beats_blackjack else 0) + NO_ROUND_NET] += both
        total[times, NO_ROUND_NET - 2] += shown.base[hole] / shown.base.sum() - both
    return total


def _doubled_stakes(endings: RoundEndings) -> RoundEndings:
    """Return the rounds with an added wager as large as the required one."""
    twice = np.zeros_like(endings)
    for wagered, net in np.argwhere(endings):
        twice[2 * wagered, 2 * (net - NO_ROUND_NET) + NO_ROUND_NET] += endings[wagered, net]
    return twice
