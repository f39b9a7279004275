"""The blackjack games of the chapters, and what tests ask of them by number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games import registry
from games.chapters.ch581_double_attack_blackjack import play as double_attack
from games.chapters.ch581_double_attack_blackjack import second as double_attack_second
from games.chapters.ch590_free_bet_blackjack import play as free_bet
from games.chapters.ch590_free_bet_blackjack import second as free_bet_second
from games.chapters.ch591_double_back_jack import play as double_back
from games.chapters.ch591_double_back_jack import second as double_back_second
from games.chapters.ch635a_spanish_21 import play as spanish
from games.chapters.ch635a_spanish_21 import second as spanish_second
from games.maths.blackjack import exact, hands
from games.maths.blackjack.game import Game
from games.maths.blackjack.hands import COUNTS, Strategy
from games.maths.blackjack.rules import Payouts, Rules, Table, payouts
from games.maths.results import WagerAnalysis
from games.rules.model import Paytable
from games.rules.wagers_in_play import covering
from games.second.blackjack import BlackjackTable
from games.second.table import Dealt
from tests.games.maths.slow_blackjack import Decide

GAMES: dict[str, Game] = {
    "581": double_attack.GAME,
    "590": free_bet.GAME,
    "591": double_back.GAME,
    "635a": spanish.GAME,
}
TABLES: dict[str, BlackjackTable] = {
    "581": double_attack_second.TABLE,
    "590": free_bet_second.TABLE,
    "591": double_back_second.TABLE,
    "635a": spanish_second.TABLE,
}
RULES: dict[str, Rules] = {number: game.rules for number, game in GAMES.items()}
DECISIONS = {
    hands.STAND: "stand",
    hands.HIT: "hit",
    hands.DOUBLE: "double",
    hands.SPLIT: "split",
    hands.SURRENDER: "surrender",
    hands.FREE_DOUBLE: "double free",
    hands.RESCUE: "rescue",
    hands.SECOND_CHANCE: "second chance",
}
KINDS = {"first": hands.FIRST, "split": hands.SPLIT_HAND, "lammer": hands.LAMMER, "split ace": hands.SPLIT_ACE}
STAGES = {"two": hands.TWO_CARDS, "drawn": hands.DRAWN, "doubled": hands.DOUBLED}
NUMBERS = {tuple(counts): number for number, counts in enumerate(COUNTS.tolist())}


def paid_by(number: str) -> Payouts:
    return payouts(RULES[number], _paytable(number))


def table_of(number: str, **answers: int | str) -> Table:
    return GAMES[number].table(answers)


def analysis(number: str, **answers: int) -> WagerAnalysis:
    """Of the required wager."""
    return table_analysis(number, table_of(number, **answers))


def table_analysis(number: str, table: Table) -> WagerAnalysis:
    game = exact.Required(number, RULES[number], GAMES[number].sections)
    return exact.required_wager(game, _paytable(number), table)


def strategy_of(number: str) -> Strategy:
    return exact.strategy_of(RULES[number], paid_by(number), table_of(number))


def dealt(number: str, strategy: Strategy, stream: tuple[int, int, int]) -> Dealt:
    """Rounds with every wager, under any strategy."""
    chapter = registry.chapter(number)
    return TABLES[number].deal(chapter, covering(chapter)[0], as_data(strategy), stream)


def as_data(strategy: Strategy) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.bool_]]:
    """As tables take it."""
    return COUNTS, strategy.decision, strategy.attack


def _paytable(number: str) -> Paytable:
    return registry.chapter(number).tables_of(GAMES[number].wager)[0]


def decide_against(strategy: Strategy, up: int) -> Decide:
    """The strategy in words, as the slow program asks for it."""
    decision = strategy.decision[:, :, up]
    return lambda kind, stage, counts: DECISIONS[int(decision[3 * KINDS[kind] + STAGES[stage], NUMBERS[counts]])]
