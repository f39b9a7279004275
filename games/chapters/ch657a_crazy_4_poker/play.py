"""Crazy 4 Poker: the best four of five cards against the dealer's hidden five; fold, or play one to three Antes.

The chapter's text is not in the sources: wagers, settlement and paytables are those in general use (the readings of
`rules.toml`), and every analysis says so. Hands are counted and rounds are dealt in `maths.raise_or_fold`.
"""

from fractions import Fraction
from functools import cache

import numpy as np

from games.maths.cards import ACE
from games.maths.published import compare_published
from games.maths.raise_or_fold.four_cards import (
    FLUSH,
    FOUR,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
)
from games.maths.raise_or_fold.four_game import (
    FourCardGame,
    SimplifiedRule,
    by_steps,
    least_value,
    strengths,
    value_counts,
)
from games.maths.raise_or_fold.four_hidden import EQUAL, HANDS, HIGHER, LOWER, SHORT
from games.maths.raise_or_fold.four_play import Ending, Endings, outcome_counts
from games.maths.raise_or_fold.paytable_rows import outcomes_of, paid_counts, paid_rows
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.wagers import counted, net_of
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

FOUR_ACES = FOUR + 1  # a group of its own: § 657a.12, the Super Bonus Wager
SUPER_BONUS = {
    STRAIGHT: "Straight",
    FLUSH: "Flush",
    THREE: "Three-of-a-kind",
    STRAIGHT_FLUSH: "Straight flush",
    FOUR: "Four-of-a-kind",
    FOUR_ACES: "Four aces",
}
QUEENS_UP = {
    HIGH_CARD: "",
    PAIR: "",
    TWO_PAIRS: "Two pairs",
    STRAIGHT: "Straight",
    FLUSH: "Flush",
    THREE: "Three-of-a-kind",
    STRAIGHT_FLUSH: "Straight flush",
    FOUR: "Four-of-a-kind",
}
QUEENS, QUEENS_OR_BETTER = (PAIR, 10), "Pair of queens or better"
RESULTS = {LOWER: "wins", EQUAL: "ties", HIGHER: "loses", SHORT: "the dealer does not qualify"}

KING_HIGH, PLAYABLE, ACES = (HIGH_CARD, 11), (HIGH_CARD, 11, 10, 6, 2), (PAIR, ACE)
GAME = FourCardGame(
    dealer_cards=5,
    shared=0,
    least=least_value(KING_HIGH),
    groups=np.array([FOUR_ACES if strength == (FOUR, ACE) else strength[0] for strength in strengths()]),
    most=by_steps(((HIGH_CARD,), 1), (ACES, 3)),
    initial=2,
    words=("Fold", "Play one Ante", "Play two Antes", "Play three Antes"),
    simplified=(
        SimplifiedRule("Goes by the best four cards alone"),
        SimplifiedRule("Folds without a pair", (((PAIR,), 1), (ACES, 3))),
        SimplifiedRule("Never plays more than one Ante", ((PLAYABLE, 1),)),
        SimplifiedRule("Never folds", (((HIGH_CARD,), 1), (ACES, 3))),
    ),
)

NOT_THE_REGULATION = (
    "Not in the source text: wagers, settlement and paytable are those in general use, not the regulation's. "
    "Compare §§ 657a.7, 657a.11 and 657a.12 in the Pennsylvania Code before relying on these figures."
)
SHORT_HANDS = (
    "Whether the Super Bonus Wager pushes or loses where neither side has king high changes nothing: no such hand "
    "of the player's is played."
)


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly."""
    analyses = [
        _queens_up(chapter.paytable(wager, name))
        if name
        else GAME.required(wager, "", _endings(chapter), (NOT_THE_REGULATION, SHORT_HANDS))
        for wager, name in in_play(chapter, answers)
    ]
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    endings = _endings(chapter)
    settled = GAME.deal(endings, (seed, block, rounds))
    tally: Tally = {"ante": outcome_counts(settled.met, endings)}
    for wager, name in paytables_in_play(chapter, answers).items():
        if name:
            tally[wager] = paid_counts(outcomes_of(chapter.paytable(wager, name)), settled.values, _queens_up_outcome)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """Both hands and the decision."""
    endings = _endings(chapter)
    settled = GAME.deal(endings, (seed, block, index + 1))
    decision = GAME.strategy(endings).of(settled.player)
    return (
        Step("Player", "is dealt five cards", "§ 657a.8", settled.player),
        Step("Dealer", "is dealt five cards, hidden until the player has decided", "§ 657a.8", settled.dealer),
        Step("Player", f"plays {decision}× the Ante" if decision else "folds", "§ 657a.11"),
    )


def _endings(chapter: Chapter) -> Endings:
    return _ends(chapter.tables_of("super_bonus")[0])


@cache
def _ends(table: Paytable) -> Endings:
    """How each decision ends: readings `settlement-in-general-use` and `super-bonus-not-in-the-source-text`."""
    bonus = {line.outcome: line.pays[0] for line in table.rows}

    def ending(decision: int, result: int, group: int) -> Ending:
        if decision == 0:
            return Ending("Folded", Fraction(-2), Fraction(2), "", "§ 657a.11")
        strong = SUPER_BONUS.get(group, "")
        main = {LOWER: 1 + decision, EQUAL: 0, HIGHER: -1 - decision, SHORT: decision}[result]
        extra = net_of(bonus[strong], table) if strong else Fraction(-1 if result == HIGHER else 0)
        return Ending(
            f"Played {decision}×, {RESULTS[result]}" + (f"; {strong.lower()}" if strong else ""),
            main + extra,
            Fraction(2 + decision),
            f"Super Bonus {bonus[strong].printed}" if strong else "",
            "§ 657a.11",
        )

    return ending


def _queens_up(table: Paytable) -> WagerAnalysis:
    rows = paid_rows(table, _exact(outcomes_of(table)), HANDS, "§ 657a.11")
    return counted(table.wager, table.name, rows, HANDS, notes=(NOT_THE_REGULATION,))


@cache
def _exact(outcomes: tuple[str, ...]) -> dict[str, int]:
    """Hands by outcome."""
    return paid_counts(outcomes, value_counts(), _queens_up_outcome)


def _queens_up_outcome(value: int) -> str:
    """The row for a hand whose best four cards have this value; "" where none pays."""
    strength = strengths()[value]
    return QUEENS_OR_BETTER if strength[0] == PAIR and strength >= QUEENS else QUEENS_UP[strength[0]]


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
