"""Whole rounds: the optimal strategy, and every way in which the required wager then ends.

Not here: one hand (`player`), a split pair (`splits`), how it is reported (`exact`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from games.maths.blackjack.arrays import Floats, HandFigures, PhaseDecisions, RoundEndings, ValueCounts
from games.maths.blackjack.dealer import Ends, blackjack_needs, ends_of
from games.maths.blackjack.decisions import INDIFFERENT, decide
from games.maths.blackjack.endings import play_out
from games.maths.blackjack.hands import (
    ALL_HANDS,
    BLACKJACK,
    COUNTS,
    FIRST,
    NEXT_HAND,
    PAIR,
    PHASES,
    SPLIT,
    SPLIT_HAND,
    TWO_CARDS,
    VALUES,
    Strategy,
)
from games.maths.blackjack.payouts import Payouts
from games.maths.blackjack.player import DECISIONS, NETS, NO_NET, Game, counts_of, game_of
from games.maths.blackjack.rules import Rules, Table, shoe_of
from games.maths.blackjack.splits import NO_ROUND_NET, ROUND_NETS, WAGERED, split_endings
from games.maths.shares import SHARES, in_shares

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


def setting(rules: Rules, paid: Payouts, table: Table, without: frozenset[int] = frozenset()) -> Setting:
    """For a player who never decides what `without` names."""
    return Setting(rules, paid, table, game_of(rules, paid, table.decks, without))


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A strategy, and how pairs end that it splits: [up card, value of the pair] → endings, as far as known."""

    strategy: Strategy
    splits: dict[tuple[int, int], RoundEndings]


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """What becomes of rounds under a strategy; chances of a round."""

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
        """The chance of the two cards."""
        cards, left, chance = sum(self.base.tolist()), self.base.tolist(), 2.0 if PAIR[hand] < 0 else 1.0
        for value in _CARDS_OF[hand]:
            chance *= left[value] / cards
            left[value] -= 1
            cards -= 1
        return max(chance, 0.0)

    def no_blackjack(self, hand: int) -> float:
        """The chance that the dealer has none beside the player's cards."""
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
    """What loses least, hand by hand; of equal decisions the one that wagers more.

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
    """Into `mine` the decisions of the plan against one up card; into the plan how the pairs end that are split."""
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
    """Every round under the strategy."""
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
    """In units of the wager."""
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
    """Where the dealer shows the card and has no Blackjack, the required wager being 1.

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
    """Shared by all players at a table; of one shoe only, for with second chances they are two megabytes an up card."""
    return ends_of(up, _shoe_without(rules, decks, up), counts_of(rules))


def _against_blackjack(rules: Rules, blackjack: int, shown: UpCard, times: int) -> RoundEndings:
    """Where the dealer has a Blackjack: of the wagers placed only the first is lost."""
    total, hole = np.zeros((WAGERED, ROUND_NETS)), blackjack_needs(shown.up)
    if hole >= 0:
        both = shown.chance_of_hand(BLACKJACK) * (1 - shown.no_blackjack(BLACKJACK))
        total[times, (blackjack if rules.blackjack_beats_blackjack else 0) + NO_ROUND_NET] += both
        total[times, NO_ROUND_NET - 2] += shown.base[hole] / shown.base.sum() - both
    return total


def _doubled_stakes(endings: RoundEndings) -> RoundEndings:
    """The same rounds with an added wager as large as the required one."""
    twice = np.zeros_like(endings)
    for wagered, net in np.argwhere(endings):
        twice[2 * wagered, 2 * (net - NO_ROUND_NET) + NO_ROUND_NET] += endings[wagered, net]
    return twice
