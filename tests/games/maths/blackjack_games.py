"""The blackjack games of the chapters, and what tests ask of them by number."""

from __future__ import annotations

from games import registry
from games.chapters.ch581_double_attack_blackjack import play as double_attack
from games.chapters.ch590_free_bet_blackjack import play as free_bet
from games.chapters.ch591_double_back_jack import play as double_back
from games.chapters.ch635a_spanish_21 import play as spanish
from games.maths.blackjack import exact, hands
from games.maths.blackjack.game import Game
from games.maths.blackjack.hands import COUNTS, Strategy
from games.maths.blackjack.rounds import DealtGame, Settled, deal_rounds
from games.maths.blackjack.rules import Payouts, Rules, Table, payouts
from games.maths.blackjack.side_wagers import NO_SIDE
from games.maths.results import WagerAnalysis
from games.rules.model import Paytable
from tests.games.maths.slow_blackjack import Decide

GAMES: dict[str, Game] = {
    "581": double_attack.GAME,
    "590": free_bet.GAME,
    "591": double_back.GAME,
    "635a": spanish.GAME,
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


def dealt(number: str, strategy: Strategy, stream: tuple[int, int, int]) -> Settled:
    game = GAMES[number]
    side = NO_SIDE if game.side is None else game.side.kind
    table = DealtGame(game.rules, paid_by(number), game.shoe(None), table_of(number).hands, side)
    return deal_rounds(table, strategy, stream)


def _paytable(number: str) -> Paytable:
    return registry.chapter(number).tables_of(GAMES[number].wager)[0]


def decide_against(strategy: Strategy, up: int) -> Decide:
    """The strategy in words, as the slow program asks for it."""
    decision = strategy.decision[:, :, up]
    return lambda kind, stage, counts: DECISIONS[int(decision[3 * KINDS[kind] + STAGES[stage], NUMBERS[counts]])]
