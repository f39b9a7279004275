"""The player's hand against one up card: the rules as arrays, the best play, and the ends of hands by a strategy.

The play is found card by card. Ends have the chance of every net and amount wagered and the dealer's end. Amounts are
halves of the wager. Chances and amounts are joint with the dealer having no Blackjack, which is settled before any
decision: so the shoe is never weighed for the hole card. A hand is judged by its own cards and the up card; of equal
decisions the one that wagers more is best. Splitting, which needs all hands of a pair, is in `optimal`.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.blackjack import hands
from games.maths.blackjack.dealer import ENDS, Ends, blackjack_needs
from games.maths.blackjack.hands import (
    ALL_HANDS,
    CARDS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FIRST,
    FREE_DOUBLE,
    HANDS,
    HIT,
    KINDS,
    LAMMER,
    NEXT_HAND,
    RESCUE,
    SECOND_CHANCE,
    SOFT,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    STAND,
    SURRENDER,
    TOTAL,
    TWO_CARDS,
    VALUES,
    Floats,
    HandClasses,
    HandFigures,
    HandFlags,
    PhaseDecisions,
    ValueCounts,
)
from games.maths.blackjack.rules import (
    LOST,
    NO_BONUS,
    SEVEN,
    WON,
    Payouts,
    Rules,
    bonus_of,
    classes,
    hands_over,
    results,
    suits_lie,
)

REAL, REAL_DOUBLED, REAL_FREE_DOUBLED, LAMMER_ALONE, LAMMER_DOUBLED, LAMMER_FREE_DOUBLED = range(6)
SURRENDERED, SURRENDERED_DOUBLED, RESCUED, SECOND, SECOND_DOUBLED = range(6, 11)
STAKES = np.array(
    [
        (2, -2, 1),  # REAL
        (4, -4, 2),  # REAL_DOUBLED
        (4, -2, 1),  # REAL_FREE_DOUBLED: the lammer wins as much as the wager, and loses nothing
        (2, 0, 0),  # LAMMER_ALONE
        (4, -2, 1),  # LAMMER_DOUBLED
        (4, 0, 0),  # LAMMER_FREE_DOUBLED
        (0, -1, 1),  # SURRENDERED
        (0, -2, 2),  # SURRENDERED_DOUBLED
        (0, -2, 2),  # RESCUED
        (2, -4, 2),  # SECOND: the first wager is returned at best
        (4, -8, 4),  # SECOND_DOUBLED
    ]
)
"""Stake on a hand → (net if won, net if lost, wagered); nets in halves. A tie wins nothing."""

STAKE_DOUBLED = np.array([(REAL, REAL_DOUBLED, REAL_FREE_DOUBLED)] * KINDS)
STAKE_DOUBLED[LAMMER] = LAMMER_ALONE, LAMMER_DOUBLED, LAMMER_FREE_DOUBLED
"""Kind of the hand, whether it is as dealt, doubled, doubled free → what is at stake."""
STAKED, NETS, NO_NET = 5, 17, 8
ENDINGS = STAKED * NETS
"""An ending of one hand: (units wagered) × NETS + net + NO_NET."""
DECISIONS = 8


class Game(NamedTuple):
    """The rules as arrays; hands that a second chance has subtracted a card from come last, by cards and that card."""

    counts: NDArray[np.int8]  # hand × value
    subtracted: NDArray[np.int64]  # hand above 21 − HANDS, value of the card subtracted → hand
    subtracted_class: HandClasses  # the same → class
    over: HandFlags  # hand → whether it is at most 21 and gets no more cards
    compared: HandClasses  # hand → class
    nets: NDArray[np.int64]  # stake × class × dealer's end → net
    endings: NDArray[np.int64]  # the same → ending
    allowed: NDArray[np.bool_]  # decision → whether this player knows it
    any_time: bool
    free_bets: bool
    bonus: HandClasses  # hand → bonus
    bonus_win: NDArray[np.int64]
    lies: Floats


def game_of(rules: Rules, paid: Payouts, decks: int, without: frozenset[int] = frozenset()) -> Game:
    """Return the tables of a game, for a player who never decides what `without` names."""
    known = {STAND, HIT, DOUBLE, SPLIT, SURRENDER}
    known |= {FREE_DOUBLE} if rules.lammer else set()
    known |= {RESCUE} if rules.rescue else set()
    known |= {SECOND_CHANCE} if rules.second_chance else set()
    allowed = np.array([decision in known - without for decision in range(DECISIONS)])
    bonus = np.zeros(len(counts_of(rules)), dtype=np.int8)
    bonus[:ALL_HANDS] = bonus_of() if rules.bonuses else 0
    compared = results(rules)
    nets = np.where(compared > 0, STAKES[:, 0, None, None], np.where(compared < 0, STAKES[:, 1, None, None], 0))
    endings = STAKES[:, 2, None, None] * NETS + nets + NO_NET
    return Game(
        counts_of(rules), _subtracted()[1] if rules.second_chance else np.empty((0, VALUES), np.int64),
        _subtracted_classes(), hands_over(rules), classes(rules), nets, endings, allowed, rules.any_time,
        rules.lammer != "", bonus, np.array(paid.bonus), suits_lie(decks),
    )  # fmt: skip


def counts_of(rules: Rules) -> NDArray[np.int8]:
    """Return hand × value → cards, as far as the game needs them."""
    return _subtracted()[0] if rules.second_chance else hands.COUNTS


@cache
def _subtracted() -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return the cards of all hands, then of those above 21 with one more, and the place of each of these."""
    more, which = hands.one_more(hands.COUNTS[HANDS:].astype(np.int64))
    return np.concatenate([hands.COUNTS, more.astype(np.int8)]), ALL_HANDS + which


def _subtracted_classes() -> HandClasses:
    """Return hand above 21 − HANDS, value → class of the hand less the card; an ace counts 1, a 21 is paid at once."""
    total = hands.TOTAL[HANDS:, None] - np.arange(1, VALUES + 1)
    classes = np.where(total > 21, LOST, np.where(total == 21, WON, np.maximum(0, total - 16)))
    return classes.astype(np.int8)


def in_order(terms: Floats) -> Floats:
    """Return sums over the last axis, added up in order: so rounding does not depend on the machine."""
    total: Floats = np.add.accumulate(terms, axis=-1)[..., -1]
    return total


INDIFFERENT = 1e-12
STAKED_ONCE = 6
NEVER = np.int8(-1)


def decide(game: Game, ends: Ends, decision: PhaseDecisions) -> HandFigures:
    """Write the best play against the up card into `decision[phase, hand]`; return the worth of each hand not split.

    Each hand is judged by its own cards and the up card.
    """
    left = ends.base - game.counts[:ALL_HANDS]
    possible = (CARDS > 1) & (left.min(axis=1) >= 0) & (left.sum(axis=1) > 0)
    worth, doubled = np.zeros((KINDS, ALL_HANDS)), np.zeros((STAKED_ONCE, ALL_HANDS))
    _above_21(game, ends, HANDS + np.flatnonzero(possible[HANDS:]), left, worth, doubled, decision)
    hands = np.flatnonzero(possible[:HANDS])
    end, over = ends.beside(hands), game.over[hands]
    nets, none = game.nets[:STAKED_ONCE, game.compared[hands]], in_order(end)
    stakes = in_order(nets * end)
    doubled[1:, hands] = stakes[1:]
    _out_of_doubled(game, hands, none, doubled, decision)
    stand = stakes[STAKE_DOUBLED[:, 0]]
    bonus = game.bonus[hands]
    mean = in_order(game.lies[1 if ends.up == SEVEN else 0, bonus] * game.bonus_win[bonus])
    stand[FIRST] = np.where(bonus != NO_BONUS, mean * none, stand[FIRST])
    surrendered = np.full((KINDS, len(hands)), -np.inf)
    if game.allowed[SURRENDER]:
        early = game.any_time | ((np.arange(KINDS) == FIRST)[:, None] & (CARDS[hands] == 2))
        surrendered = np.where(early & ~over, STAKES[SURRENDERED, 1] * none, -np.inf)
    _draw_or_not(
        NEXT_HAND, hands, left[hands], CARDS[hands], over, _doubling(game)[hands], stand, surrendered, doubled, worth,
        decision,
    )  # fmt: skip
    alone: HandFigures = worth[FIRST]
    return alone


@kernel
def _draw_or_not(
    moves: NDArray[np.int16], hands: NDArray[np.int64], left: NDArray[np.int64], size: NDArray[np.int8],
    over: HandFlags, doubling: NDArray[np.int8], stand: Floats, surrendered: Floats, doubled: Floats, worth: Floats,
    decision: PhaseDecisions,
) -> None:  # fmt: skip
    """Write the best play of each of `hands` into `decision` and `worth[kind, hand]`.

    Hands are taken from the largest number down, for each grows into those of larger numbers only; equal ones resolve
    to the larger wager. By place among `hands`: `left[place, value]`, `stand` and `surrendered[kind, place]`,
    `doubling[place]` the decision that doubles it. By hand: `doubled[stake, hand]`, what it is worth once doubled.
    """
    for place in range(len(hands) - 1, -1, -1):
        hand, cards = hands[place], 0
        for value in range(VALUES):
            cards += left[place, value]
        for kind in range(KINDS):
            best, choice = stand[kind, place], STAND
            if kind != SPLIT_ACE and not over[place]:
                double = doubling[place]
                stake = STAKE_DOUBLED[kind, 2 if double == FREE_DOUBLE else 1]
                hit, twice = 0.0, 0.0
                for value in range(VALUES):
                    if left[place, value] > 0:
                        hit += left[place, value] * worth[kind, moves[hand, value]]
                        twice += left[place, value] * doubled[stake, moves[hand, value]]
                hit, twice = hit / cards, twice / cards
                if hit >= best - INDIFFERENT:
                    best, choice = hit, HIT
                if double != NEVER and twice >= best - INDIFFERENT:
                    best, choice = twice, double
            if surrendered[kind, place] > best + INDIFFERENT:
                best, choice = surrendered[kind, place], SURRENDER
            decision[3 * kind + (TWO_CARDS if size[place] == 2 else DRAWN), hand], worth[kind, hand] = choice, best


def _doubling(game: Game) -> NDArray[np.int8]:
    """Return hand → the decision that doubles it: a lammer doubles two cards that make a hard 9, 10 or 11."""
    free = game.free_bets & (CARDS == 2) & ~SOFT & (TOTAL >= 9) & (TOTAL <= 11) & game.allowed[FREE_DOUBLE]
    early = (CARDS == 2) | game.any_time
    return np.where(free, FREE_DOUBLE, np.where(early & game.allowed[DOUBLE], DOUBLE, NEVER)).astype(np.int8)


def _out_of_doubled(
    game: Game, hands: NDArray[np.int64], none: Floats, doubled: Floats, decision: PhaseDecisions
) -> None:
    """Write the better of leaving a doubled hand and giving it up; `none`: chances of no Blackjack of the dealer's."""
    worth, given_up = doubled[REAL_DOUBLED, hands], STAKES[RESCUED, 1] * none
    out = given_up > worth + INDIFFERENT
    if not game.allowed[RESCUE]:
        out &= game.any_time & game.allowed[SURRENDER] & ~game.over[hands]
    doubled[REAL_DOUBLED, hands[out]] = given_up[out]
    for kind in (FIRST, SPLIT_HAND):
        decision[3 * kind + DOUBLED, hands[out]] = RESCUE if game.allowed[RESCUE] else SURRENDER


def _above_21(
    game: Game, ends: Ends, hands: NDArray[np.int64], left: NDArray[np.int64], worth: Floats, doubled: Floats,
    decision: PhaseDecisions,
) -> None:  # fmt: skip
    """Settle hands above 21: lost, or one card more, its value subtracted."""
    cards = left[hands].sum(axis=1)
    none = ends.no_blackjack(hands, cards)
    doubled[:, hands] = STAKES[:STAKED_ONCE, 1, None] * none
    worth[FIRST, hands] = worth[SPLIT_HAND, hands] = lost = STAKES[REAL, 1] * none
    if game.allowed[SECOND_CHANCE]:
        second = np.zeros(len(hands))
        for value in range(VALUES):
            nets = game.nets[SECOND, game.subtracted_class[hands - HANDS, value]]
            end = ends.beside(game.subtracted[hands - HANDS, value])
            second += left[hands, value] / cards * in_order(nets * end)
        better = second >= lost - INDIFFERENT
        taken = hands[better]
        worth[FIRST, taken] = worth[SPLIT_HAND, taken] = second[better]
        doubled[REAL_DOUBLED, taken] = 2 * second[better]
        decision[:, taken] = SECOND_CHANCE


DEALT, TWICE, TWICE_FREE = range(3)
"""The ways to reach a hand: as dealt, doubled, doubled free."""


class Played(NamedTuple):
    """Hands by their ends."""

    reached: HandFigures  # not doubled
    taken: Floats  # decision → chance that it is taken after the first two cards
    end_chances: Floats  # ending × dealer's end → chance
    moments: Floats  # ending × dealer's end × value (and all together) → chance × cards drawn; empty: not asked for


class Settled(NamedTuple):
    """Hands that are settled, one after the other."""

    hand: NDArray[np.int64]
    chance: Floats
    stake: NDArray[np.int64]
    compared: NDArray[np.int8]  # class


def play_out(
    game: Game, ends: Ends, kind: int, dealt: HandFigures, decision: PhaseDecisions, own: ValueCounts | None = None
) -> Played:
    """Return the play of hands of this kind, dealt with these chances, under the strategy.

    `dealt` leaves out Blackjacks and hands to be split. `own`: moments are asked for; cards by value that count as not
    drawn.
    """
    reach, taken, visits = _visits(
        NEXT_HAND, game.counts, ends.base, blackjack_needs(ends.up), decision[3 * kind : 3 * kind + 3], dealt
    )
    way, hand, choice = visits.T
    chance = reach[way, hand]
    settled = _settled(game, kind, way, hand, choice, chance)
    seconds = choice == SECOND_CHANCE
    if seconds.any():
        left = ends.base - game.counts[hand[seconds]]
        settled = _second_chances(game, way[seconds], hand[seconds], left, chance[seconds], settled)
    both = settled.chance[:, None] * ends.beside(settled.hand)
    ending = game.endings[settled.stake, settled.compared]
    moments = np.zeros((0 if own is None else ENDINGS, ENDS, VALUES + 1))
    if own is not None:
        _remember(settled.hand, game.counts, own, ending, both, moments)
    elif game.bonus.any():
        ending, both = _with_bonuses(game, ends.up, settled, ending, both)
    cells = (ending * ENDS + np.arange(ENDS)).ravel()
    end_chances = np.bincount(cells, both.ravel(), ENDINGS * ENDS).astype(np.float64)  # adds up in this order
    return Played(reach[DEALT], taken, end_chances.reshape(ENDINGS, ENDS), moments)


@kernel
def _visits(
    moves: NDArray[np.int16], counts: NDArray[np.int8], base: ValueCounts, hole: int, decision: PhaseDecisions,
    dealt: HandFigures,
) -> tuple[Floats, Floats, NDArray[np.int64]]:  # fmt: skip
    """Return the chances of each hand, [way, hand], those of each first decision, and the hands reached.

    The hands reached are [place, (way, hand, decision)]; first decisions are those after the first two cards. `hole`:
    the value that makes the dealer's Blackjack, or −1; `decision[stage, hand]`. A hand grows into those of larger
    numbers only.
    """
    reach, taken, left = np.zeros((3, ALL_HANDS)), np.zeros(DECISIONS), np.empty(VALUES, np.int64)
    visits, places = np.empty((3 * ALL_HANDS, 3), np.int64), 0
    for hand in range(ALL_HANDS):
        reach[DEALT, hand] = dealt[hand]
    for way in range(3):
        for hand in range(VALUES, ALL_HANDS):
            if reach[way, hand] > 0.0:
                cards, least, size = 0, 0, 0
                for value in range(VALUES):
                    left[value] = base[value] - counts[hand, value]
                    cards, least, size = cards + left[value], min(least, left[value]), size + counts[hand, value]
                if least == 0 and cards > 0:
                    chance, stage = reach[way, hand], TWO_CARDS if size == 2 else DRAWN
                    choice = decision[DOUBLED if way > DEALT else stage, hand]
                    visits[places, 0], visits[places, 1], visits[places, 2] = way, hand, choice
                    places += 1
                    if way > DEALT or stage == DRAWN:
                        taken[choice] += chance * (1.0 - left[hole] / cards if hole >= 0 else 1.0)
                    to = TWICE if choice == DOUBLE else TWICE_FREE if choice == FREE_DOUBLE else DEALT
                    if way == DEALT and (to > DEALT or choice == HIT):
                        for value in range(VALUES):
                            if left[value] > 0:
                                reach[to, moves[hand, value]] += chance * left[value] / cards
    return reach, taken, visits[:places]


def _settled(
    game: Game, kind: int, way: NDArray[np.int64], hand: NDArray[np.int64], choice: NDArray[np.int64], chance: Floats
) -> Settled:
    """Return the hands neither drawn to nor given a second chance."""
    now = _SETTLED[choice]
    way, hand, choice, chance = way[now], hand[now], choice[now], chance[now]
    given_up = _GIVEN_UP[np.minimum(way, TWICE), choice]
    stake = np.where(given_up > 0, given_up, STAKE_DOUBLED[kind, way])
    return Settled(hand, chance, stake, np.where(given_up > 0, LOST, game.compared[hand]))


_SETTLED = ~np.isin(np.arange(DECISIONS), (HIT, DOUBLE, FREE_DOUBLE, SECOND_CHANCE))
_GIVEN_UP = np.zeros((2, DECISIONS), dtype=np.int64)  # whether it is doubled, decision → stake
_GIVEN_UP[:, SURRENDER], _GIVEN_UP[TWICE, RESCUE] = (SURRENDERED, SURRENDERED_DOUBLED), RESCUED


def _second_chances(
    game: Game, way: NDArray[np.int64], hand: NDArray[np.int64], left: NDArray[np.int64], chance: Floats, more: Settled
) -> Settled:
    """Return the hands given one card more, its value subtracted, then `more`."""
    place, value = np.nonzero(left)
    above = hand[place] - HANDS
    each = chance[place] * left[place, value] / left.sum(axis=1)[place]
    stake = np.where(way[place] > DEALT, SECOND_DOUBLED, SECOND)
    return Settled(
        np.concatenate([game.subtracted[above, value], more.hand]),
        np.concatenate([each, more.chance]),
        np.concatenate([stake, more.stake]),
        np.concatenate([game.subtracted_class[above, value], more.compared]),
    )


def _with_bonuses(
    game: Game, up: int, settled: Settled, ending: NDArray[np.int64], both: Floats
) -> tuple[NDArray[np.int64], Floats]:
    """Return `ending` and `both` for each way in which suits lie; a bonus is paid on the original hand only."""
    bonus = np.where(settled.stake == REAL, game.bonus[settled.hand], NO_BONUS)
    paid = STAKES[REAL, 2] * NETS + game.bonus_win[bonus] + NO_NET
    ending = np.where(bonus[:, None, None] == NO_BONUS, ending[:, None], paid[:, :, None])
    both = both[:, None] * game.lies[1 if up == SEVEN else 0, bonus][:, :, None]
    return ending.reshape(-1, ENDS), both.reshape(-1, ENDS)


@kernel
def _remember(
    hands: NDArray[np.int64], counts: NDArray[np.int8], own: ValueCounts, ending: NDArray[np.int64], both: Floats,
    moments: Floats,
) -> None:  # fmt: skip
    """Add `both[place, end]` times the cards drawn to `moments[ending, end, value]`, and to its end times all."""
    drawn = np.empty(VALUES + 1)
    for place in range(len(hands)):
        drawn[VALUES] = 0.0
        for value in range(VALUES):
            drawn[value] = counts[hands[place], value] - own[value]
            drawn[VALUES] += drawn[value]
        for end in range(ENDS):
            for value in range(VALUES + 1):
                moments[ending[place, end], end, value] += both[place, end] * drawn[value]
