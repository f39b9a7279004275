"""DJ Wild Stud Poker: 53 cards, deuces and joker wild, raise or fold against the dealer's hidden five cards.

Exact figures and simulated rounds come as counts by class from `maths.raise_or_fold`; here is which row of which
paytable each count belongs to.
"""

from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import ACE, DEUCE, JOKER, cards
from games.maths.published import compare_published
from games.maths.raise_or_fold.ante_and_blind import (
    ALL,
    ANTE_AND_RAISE,
    INITIAL,
    blind_pays,
    required_counts,
    required_rows,
)
from games.maths.raise_or_fold.equal_decisions import on_equal_decisions
from games.maths.raise_or_fold.exact import FOLD, LOSE, PAIRS, BestPlay, best_play
from games.maths.raise_or_fold.hand_counts import HANDS, REPLACED_HANDS, HandCounts, count_hands
from games.maths.raise_or_fold.natural_or_wild import better_of, cell_counts, cell_rows, pays_by_class
from games.maths.raise_or_fold.pair_strategy import pair_table
from games.maths.raise_or_fold.paytable_rows import LOST_OUTCOME, paid_rows
from games.maths.raise_or_fold.rounds import Settled, deal_rounds
from games.maths.ranking import CLASS_BITS, Ranking, standard, wild_deuces
from games.maths.results import Choice, SimplifiedPlay, Step, Tally, WagerAnalysis
from games.maths.wagers import counted, progressive, required
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

CLASSES = (*hands.STANDARD[:-1], hands.FIVE_OF_A_KIND, hands.ROYAL_FLUSH, hands.FIVE_WILDS)
"""§ 687a.6(c), with five-of-a-kind where § 687a.12(b) pays it: reading `five-of-a-kind-unranked`."""
LEAST = CLASSES.index(hands.THREE)  # the lowest class that an optional wager pays: § 687a.6(d), (e), (f)
LOST_BY = {"progressive": "§ 687a.11(f)(1)(i)", "trips": "§ 687a.11(f)(2)(i)", "bad_beat": "§ 687a.11(f)(3)(i)"}
DEALT_BY = {
    "manual_shoe": ("§ 687a.8(d)", "§ 687a.8(e)", "§ 687a.8(f)"),
    "from_hand": ("§ 687a.9(c)", "§ 687a.9(d)", "§ 687a.9(e)"),
    "automated_shoe": ("§ 687a.10(b)", "§ 687a.10(c)", "§ 687a.10(c)"),
}
"""Player's cards, dealer's cards, the card that may replace the joker."""

STRATEGY = {
    "Raise": "A pair of 4s without a 3, a pair of 5s or better; so every hand with a wild card",
    "Fold": "No pair, a pair of 3s, or a pair of 4s with a 3",
}
"""What the enumeration finds, in words; a test compares them."""

PLAIN = (
    ("Always raises", "Raises with every hand", ""),
    ("Raises any pair", "Raises with a pair of 3s or better, which every wild card makes", "3c 3d 4h 5s 7c"),
    ("Raises a pair of 5s", "Raises with a pair of 5s or better", "5c 5d 3h 4s 6c"),
)
"""Name, rule, and the lowest hand that is raised; "" = any."""
NOT_WILD = range(DEUCE + 1, ACE + 1)

Counts = NDArray[np.int64]


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the play is the one that is best for Ante, Blind and Raise."""
    analyses = (_analyze(chapter, wager, name, _qualify(answers)) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(chapter: Chapter, wager: str, paytable: str, folded_qualify: bool) -> WagerAnalysis:
    blind = chapter.tables_of("blind")[0]
    if wager == "ante":
        return _required(blind)
    table = chapter.paytable(wager, paytable)
    if wager == "trips":
        return _trips(table, blind)
    if wager == "bad_beat":
        return _bad_beat(table, blind)
    return _progressive(table, blind, folded_qualify)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    tables = _tables(chapter, answers)
    settled = _deal(chapter, answers, (seed, block, rounds))
    tally: Tally = {"ante": required_counts(settled.required, chapter.tables_of("blind")[0], CLASSES)}
    if "trips" in tables:
        tally["trips"] = cell_counts(settled.trips, tables["trips"], CLASSES)
    if "bad_beat" in tables:
        tally["bad_beat"] = _class_counts(settled.bad_beat, CLASSES, tables["bad_beat"], rounds)
    if "progressive" in tables:
        by_class = settled.progressive.sum(axis=0) if _qualify(answers) else settled.progressive[0]
        tally["progressive"] = _class_counts(by_class, hands.STANDARD, tables["progressive"], rounds)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """Both hands, the decision; for the Progressive Bonus Wager the card that replaces the joker."""
    settled = _deal(chapter, answers, (seed, block, index + 1))
    to_player, to_dealer, to_area = next(
        (at for way, at in DEALT_BY.items() if answers.get(way)), DEALT_BY["manual_shoe"]
    )
    folds = _best(chapter.tables_of("blind")[0]).folds[ranking().value(settled.player)]
    steps = [
        Step("Player", "is dealt five cards", to_player, settled.player),
        Step("Dealer", "is dealt five cards, hidden until the player has decided", to_dealer, settled.dealer),
        Step("Player", "folds" if folds else "raises two times the Ante", "§ 687a.11(b)"),
    ]
    if "progressive" in _tables(chapter, answers):
        steps.insert(2, Step("Replacement card", "is placed face down", to_area, (settled.replacement,)))
        if JOKER in settled.player:
            plain = (*(card for card in settled.player if card != JOKER), settled.replacement)
            steps.append(Step("Player", "has the joker replaced for the Progressive", "§ 687a.11(f)(1)", plain))
    return tuple(steps)


def _tables(chapter: Chapter, answers: Answers) -> dict[str, Paytable]:
    """Wager → paytable, of the optional wagers offered."""
    in_use = paytables_in_play(chapter, answers).items()
    return {wager: chapter.paytable(wager, name) for wager, name in in_use if name}


def _deal(chapter: Chapter, answers: Answers, stream: tuple[int, int, int]) -> Settled:
    """Rounds of stream (seed, block, rounds), settled by class."""
    trips = _tables(chapter, answers).get("trips", chapter.tables_of("trips")[0])  # dealt alike where not offered
    folds = _best(chapter.tables_of("blind")[0]).folds
    return deal_rounds(ranking(), standard(), folds, pays_by_class(trips, CLASSES), LEAST, stream)


def ranking() -> Ranking:
    return wild_deuces(CLASSES)


def _qualify(answers: Answers | None) -> bool:
    """Whether folded hands qualify for the Progressive Bonus Wager: § 687a.11(b)(3)."""
    return answers is None or answers.get("folded_hands_qualify") is not False


# ---- required wagers


@cache
def _best(blind: Paytable) -> BestPlay:
    pays = np.array(blind_pays(blind, CLASSES))
    return best_play(ranking(), ANTE_AND_RAISE + pays, lose=-ALL, fold=-INITIAL)


@cache
def _required(blind: Paytable) -> WagerAnalysis:
    best = _best(blind)
    pairs = best.pairs(best.folds)
    rows = required_rows(pairs, blind, CLASSES)
    folded = rows[-1].probability or Fraction(0)
    choices = tuple(
        Choice(decision, when, folded if decision == "Fold" else 1 - folded) for decision, when in STRATEGY.items()
    )
    return counted(
        "ante",
        "",
        rows,
        PAIRS,
        required=required(rows, INITIAL),
        notes=(on_equal_decisions(best.equal_hands),),
        strategy=choices,
        strategy_tables=(pair_table(ranking(), best.folds, NOT_WILD),),
        simplified_plays=tuple(
            SimplifiedPlay(name, when, required(required_rows(best.pairs(_below(hand)), blind, CLASSES), INITIAL))
            for name, when, hand in PLAIN
        ),
    )


def _below(hand: str) -> NDArray[np.bool_]:
    """The decision of a player who folds every hand lower than this one; "" = none."""
    values = np.arange(len(CLASSES) << CLASS_BITS)
    return values < (ranking().value(cards(hand)) if hand else 0)


# ---- optional wagers


@cache
def _dealt(blind: Paytable) -> HandCounts:
    return count_hands(ranking(), standard(), _best(blind).folds)


def _trips(table: Paytable, blind: Paytable) -> WagerAnalysis:
    by_class = better_of(_dealt(blind).hands, *pays_by_class(table, CLASSES))
    counts = cell_counts(by_class, table, CLASSES)
    return counted("trips", table.name, cell_rows(counts, table, HANDS, LOST_BY["trips"]), HANDS)


def _class_counts(by_class: Counts, classes: tuple[str, ...], table: Paytable, total: int) -> dict[str, int]:
    """Outcome → count, from counts by class. "Or less" in a last row adds nothing: reading `djwbb-04-or-less`."""
    counts = {line.outcome: int(by_class[classes.index(line.outcome.removesuffix(" or less"))]) for line in table.rows}
    return counts | {LOST_OUTCOME: total - sum(counts.values())}


def _bad_beat(table: Paytable, blind: Paytable) -> WagerAnalysis:
    """Either side is beaten holding three-of-a-kind or better: reading `bad-beat-two-way`.

    Player's and dealer's cards are dealt alike, so the dealer is beaten as often as the player, class by class,
    as long as the player raises every hand that takes part; folding would forfeit the wager (§ 687a.11(b)(2)).
    """
    best = _best(blind)
    pairs = best.pairs(best.folds)
    if pairs[FOLD, LEAST:].any():
        raise ValueError("hands of three-of-a-kind or better are folded: the two ways are not alike")
    counts = _class_counts(2 * pairs[LOSE], CLASSES, table, PAIRS)
    return counted("bad_beat", table.name, paid_rows(table, counts, PAIRS, LOST_BY["bad_beat"]), PAIRS)


def _progressive(table: Paytable, blind: Paytable, folded_qualify: bool) -> WagerAnalysis:
    """Plain cards, the joker replaced: readings `progressive-joker-replaced`, `progressive-folded-silent`."""
    replaced = _dealt(blind).replaced
    by_class = replaced.sum(axis=0) if folded_qualify else replaced[0]
    counts = _class_counts(by_class, hands.STANDARD, table, REPLACED_HANDS)
    rows = paid_rows(table, counts, REPLACED_HANDS, LOST_BY["progressive"])
    chances = {row.outcome: row.probability or Fraction(0) for row in rows}
    return counted(
        "progressive",
        table.name,
        rows,
        REPLACED_HANDS,
        notes=_progressive_notes(bool(replaced[1, LEAST:].any()), folded_qualify),
        progressive=progressive(table, ((line.pays[0], chances[line.outcome]) for line in table.rows)),
        envy_per_other_player=sum(
            (chances[line.outcome] * Fraction(line.envy or 0) for line in table.rows), Fraction(0)
        ),
    )


def _progressive_notes(folded_wins: bool, folded_qualify: bool) -> tuple[str, ...]:
    meter = "The chapter prints no rate of progression: the hold is that of a meter at its reset amount."
    if not folded_wins:
        return meter, "No hand that is best folded can win this wager: whether folded hands qualify changes nothing."
    qualify = "qualify" if folded_qualify else "do not qualify"
    return meter, f"Hands that the player folds {qualify} (§ 687a.11(b)(3))."


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
