"""How hands end that are played by a strategy: the chance of every net and amount wagered, with the dealer's end.

Not here: which play is best (`decisions`), several hands of one pair (`splits`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.maths.blackjack.arrays import EndChances, HandFigures, PhaseDecisions, ValueCounts
from games.maths.blackjack.dealer import ENDS, chances
from games.maths.blackjack.hands import (
    ALL_HANDS,
    DOUBLE,
    DOUBLED,
    DRAWN,
    FREE_DOUBLE,
    HIT,
    LAMMER,
    RESCUE,
    SECOND_CHANCE,
    STAND,
    SURRENDER,
    TWO_CARDS,
    VALUES,
)
from games.maths.blackjack.payouts import LIES, NO_BONUS, SEVEN
from games.maths.blackjack.player import (
    DECISIONS,
    ENDINGS,
    LAMMER_ALONE,
    LAMMER_DOUBLED,
    LAMMER_FREE_DOUBLED,
    NETS,
    NO_NET,
    REAL,
    REAL_DOUBLED,
    REAL_FREE_DOUBLED,
    RESCUED,
    SECOND,
    SECOND_DOUBLED,
    STAKES,
    SURRENDERED,
    SURRENDERED_DOUBLED,
    Game,
    no_blackjack,
    stake_doubled,
    subtracted,
    take_out,
)
from games.maths.blackjack.rules import LOST
from games.maths.compiled import kernel

Floats = NDArray[np.float64]


class Ledger(NamedTuple):
    """What is found out, and room to work in."""

    end_chances: Floats  # ending × dealer's end → chance
    moments: Floats  # ending × value (and all together) × dealer's end → chance × cards drawn; empty: not asked for
    taken: Floats  # decision → chance that it is taken after the first two cards
    own: ValueCounts  # cards by value that count as not drawn
    left: ValueCounts
    drawn: NDArray[np.int64]
    end: EndChances


def ledger(own: ValueCounts, moments: bool) -> Ledger:
    """An empty one."""
    wanted = (ENDINGS, VALUES + 1, ENDS) if moments else (0, 0, 0)
    return Ledger(
        np.zeros((ENDINGS, ENDS)), np.zeros(wanted), np.zeros(DECISIONS), own,
        np.zeros(VALUES, np.int64), np.zeros(VALUES + 1, np.int64), np.zeros(ENDS),
    )  # fmt: skip


@kernel
def play_out(
    game: Game, up: int, base: ValueCounts, kind: int, dealt: HandFigures, decision: PhaseDecisions, into: Ledger
) -> HandFigures:
    """Hands of this kind, dealt with these chances, under the strategy; returns the chance of reaching each hand.

    `base`: the shoe without the up card, the hands' own cards still in it. Blackjacks and hands to be split are no
    part of `dealt`.
    """
    alone = LAMMER_ALONE if kind == LAMMER else REAL
    reach = np.zeros((len(STAKES), ALL_HANDS))
    for hand in range(ALL_HANDS):
        reach[alone, hand] = dealt[hand]
    for hand in range(VALUES, ALL_HANDS):  # a hand grows into those of larger numbers only
        unseen = take_out(game, hand, base, into.left) if reach[alone, hand] > 0.0 else 0
        if unseen > 0:
            _play(game, up, kind, alone, hand, unseen, reach, decision, into)
    for stake in (REAL_DOUBLED, REAL_FREE_DOUBLED, LAMMER_DOUBLED, LAMMER_FREE_DOUBLED):
        for hand in range(VALUES, ALL_HANDS):
            unseen = take_out(game, hand, base, into.left) if reach[stake, hand] > 0.0 else 0
            if unseen > 0:
                choice, chance = decision[3 * kind + DOUBLED, hand], reach[stake, hand]
                _settle_doubled(game, up, stake, hand, unseen, choice, chance, into)
    reached: HandFigures = reach[alone]
    return reached


@kernel
def _play(
    game: Game, up: int, kind: int, stake: int, hand: int, cards: int, reach: Floats, decision: PhaseDecisions,
    into: Ledger,
) -> None:  # fmt: skip
    """One hand that has not been doubled; `cards`: unseen."""
    stage = TWO_CARDS if game.size[hand] == 2 else DRAWN
    choice, chance = decision[3 * kind + stage, hand], reach[stake, hand]
    if stage == DRAWN:
        into.taken[choice] += chance * no_blackjack(up, into.left, cards)
    if choice == HIT:
        _draw(game, hand, cards, chance, into.left, reach[stake])
    elif choice in (DOUBLE, FREE_DOUBLE):
        _draw(game, hand, cards, chance, into.left, reach[stake_doubled(kind, choice == FREE_DOUBLE)])
    elif choice == SECOND_CHANCE:
        _second_chance(game, up, hand, cards, chance, SECOND, into)
    elif choice == SURRENDER:
        _settle(game, up, hand, cards, chance, SURRENDERED, LOST, into)
    else:
        _settle(game, up, hand, cards, chance, stake, game.compared[hand], into)


@kernel
def _settle_doubled(
    game: Game, up: int, stake: int, hand: int, cards: int, choice: int, chance: float, into: Ledger
) -> None:
    into.taken[choice] += chance * no_blackjack(up, into.left, cards)
    if choice == SECOND_CHANCE:
        _second_chance(game, up, hand, cards, chance, SECOND_DOUBLED, into)
    elif choice == STAND:
        _settle(game, up, hand, cards, chance, stake, game.compared[hand], into)
    else:
        _settle(game, up, hand, cards, chance, RESCUED if choice == RESCUE else SURRENDERED_DOUBLED, LOST, into)


@kernel
def _draw(game: Game, hand: int, cards: int, chance: float, left: ValueCounts, reach: HandFigures) -> None:
    for value in range(VALUES):
        if left[value] > 0:
            reach[game.moves[hand, value]] += chance * left[value] / cards


@kernel
def _second_chance(game: Game, up: int, hand: int, cards: int, chance: float, stake: int, into: Ledger) -> None:
    """One card more, its value subtracted."""
    for value in range(VALUES):
        if into.left[value] > 0:
            share = chance * into.left[value] / cards
            into.left[value] -= 1
            into.own[value] -= 1  # it is drawn, though not part of the hand
            _settle(game, up, hand, cards - 1, share, stake, subtracted(game, hand, value), into)
            into.own[value] += 1
            into.left[value] += 1


@kernel
def _settle(game: Game, up: int, hand: int, cards: int, chance: float, stake: int, compared: int, into: Ledger) -> None:
    """The hand against every end of the dealer's; a bonus is paid on the original hand only."""
    chances(game.draws, up, into.left, cards, into.end)
    bonus = game.bonus[hand] if stake == REAL and into.moments.size == 0 else NO_BONUS
    for ends in range(ENDS):
        both, result = chance * into.end[ends], game.results[compared, ends]
        net = 0 if result == 0 else STAKES[stake, 0 if result > 0 else 1]
        ending = STAKES[stake, 2] * NETS + net + NO_NET
        if bonus == NO_BONUS:
            into.end_chances[ending, ends] += both
        else:
            for lie in range(LIES):
                paid = STAKES[stake, 2] * NETS + game.bonus_win[bonus, lie] + NO_NET
                into.end_chances[paid, ends] += both * game.lies[1 if up == SEVEN else 0, bonus, lie]
        if into.moments.size > 0:
            _remember(game, hand, ending, ends, both, into)


@kernel
def _remember(game: Game, hand: int, ending: int, ends: int, chance: float, into: Ledger) -> None:
    into.drawn[VALUES] = 0
    for value in range(VALUES):
        into.drawn[value] = game.counts[hand, value] - into.own[value]
        into.drawn[VALUES] += into.drawn[value]
    for value in range(VALUES + 1):
        into.moments[ending, value, ends] += chance * into.drawn[value]
