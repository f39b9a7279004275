"""DJ Wild Stud Poker: 53 cards, deuces and joker wild, raise or fold against the dealer's hidden five cards.

Exact figures and simulated rounds come as counts by class from `maths.raise_or_fold`; here is which row of which
paytable each count belongs to.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.published import compare_published
from games.maths.raise_or_fold.dealt import DEUCES, HANDS, NO_WILD, REPLACED_HANDS, WITH_JOKER, Dealt, count_dealt
from games.maths.raise_or_fold.exact import FOLD, LOSE, PAIRS, TIE, WIN, BestPlay, best_play
from games.maths.raise_or_fold.rounds import deal_rounds
from games.maths.ranking import Ranking, standard, wild_deuces
from games.maths.results import Choice, OutcomeRow, Tally, WagerAnalysis
from games.maths.wagers import LOST, counted, net_of, progressive, required, row
from games.play import in_play, paytables_in_play
from games.rules.model import Answers, Chapter, Paytable, Row

BLOCK_ROUNDS = 5_000_000
FILING_ROUNDS = 100_000_000

CLASSES = (*hands.STANDARD[:-1], hands.FIVE_OF_A_KIND, hands.ROYAL_FLUSH, hands.FIVE_WILDS)
"""§ 687a.6(c), with five-of-a-kind where § 687a.12(b) pays it: reading `five-of-a-kind-unranked`."""
LEAST = CLASSES.index(hands.THREE)  # the lowest class that an optional wager pays: § 687a.6(d), (e), (f)
NATURAL, WITH_WILD = range(2)
COLUMNS = ("Natural", "With Wild")  # § 687a.12(d)
LOST_OUTCOME = "Lost"

# In Antes, § 687a.7(d)(1) and § 687a.11(b), (e): Ante and Blind are one each, the Raise is two.
INITIAL, ALL = 2, 4
ANTE_AND_RAISE = 3
TIED, BEATEN, FOLDED = "Tie", "Beaten by the dealer", "Folded"

STRATEGY = {
    "Raise": "A pair of 4s without a 3, a pair of 5s or better; so every hand with a wild card",
    "Fold": "No pair, a pair of 3s, or a pair of 4s with a 3",
}
"""What the enumeration finds, in words; a test holds them against it."""

Counts = NDArray[np.int64]


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the play is the one that is best for Ante, Blind and Raise."""
    found = (_analyze(chapter, wager, name, _qualify(answers)) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in found)


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
    blind = chapter.tables_of("blind")[0]
    tables = {
        wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items() if name
    }
    pays = _trips_pays(tables.get("trips", chapter.tables_of("trips")[0]))  # dealt alike where it is not offered
    settled = deal_rounds(ranking(), standard(), _best(_blind_pays(blind)).folds, pays, LEAST, (seed, block, rounds))
    tally: Tally = {"ante": _required_counts(settled.required, blind)}
    if "trips" in tables:
        tally["trips"] = _trips_counts(settled.trips, tables["trips"])
    if "bad_beat" in tables:
        tally["bad_beat"] = _class_counts(settled.bad_beat, CLASSES, tables["bad_beat"], rounds)
    if "progressive" in tables:
        held = settled.progressive.sum(axis=0) if _qualify(answers) else settled.progressive[0]
        tally["progressive"] = _class_counts(held, hands.STANDARD, tables["progressive"], rounds)
    return tally


def ranking() -> Ranking:
    return wild_deuces(CLASSES)


def _qualify(answers: Answers | None) -> bool:
    """Whether folded hands qualify for the Progressive Bonus Wager: § 687a.11(b)(3)."""
    return answers is None or answers.get("folded_hands_qualify") is not False


# ---- required wagers


def _blind_row(blind: Paytable, name: str) -> Row:
    """The row of § 687a.12(b) for a winning hand of this class; the last is "Three-of-a-Kind or less"."""
    return next((line for line in blind.rows if line.outcome == name), blind.rows[-1])


def _blind_pays(blind: Paytable) -> tuple[int, ...]:
    """What a winning Blind Wager wins, by class."""
    return tuple(int(net_of(_blind_row(blind, name).pays[0], blind)) for name in CLASSES)


@cache
def _best(blind_pays: tuple[int, ...]) -> BestPlay:
    return best_play(ranking(), ANTE_AND_RAISE + np.array(blind_pays), lose=-ALL, fold=-INITIAL)


def _required_counts(results: Counts, blind: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [result, player's class]."""
    counts = {_win(line): 0 for line in blind.rows}
    for place, name in enumerate(CLASSES):
        counts[_win(_blind_row(blind, name))] += int(results[WIN, place])
    ends = ((TIED, TIE), (BEATEN, LOSE), (FOLDED, FOLD))
    return counts | {outcome: int(results[result].sum()) for outcome, result in ends}


def _win(line: Row) -> str:
    return f"Wins with {line.outcome}"


def _required(blind: Paytable) -> WagerAnalysis:
    best = _best(_blind_pays(blind))
    counts = _required_counts(best.pairs, blind)
    nets = {_win(line): ANTE_AND_RAISE + net_of(line.pays[0], blind) for line in blind.rows}
    rows = [
        row(_win(line), counts[_win(line)], PAIRS, nets[_win(line)], ALL, f"1 to 1; Blind {line.pays[0].printed}")
        for line in blind.rows
    ]
    rows += [row(TIED, counts[TIED], PAIRS, 0, ALL), row(BEATEN, counts[BEATEN], PAIRS, -ALL, ALL)]
    rows.append(row(FOLDED, counts[FOLDED], PAIRS, -INITIAL, INITIAL))
    folded = rows[-1].probability or Fraction(0)
    choices = tuple(
        Choice(decision, when, folded if decision == "Fold" else 1 - folded) for decision, when in STRATEGY.items()
    )
    return counted("ante", "", rows, PAIRS, required=required(rows, INITIAL), strategy=choices)


# ---- optional wagers


@cache
def _dealt(blind_pays: tuple[int, ...]) -> Dealt:
    return count_dealt(ranking(), standard(), _best(blind_pays).folds)


def _trips_pays(table: Paytable) -> tuple[Counts, Counts]:
    """What the Trips Bonus Wager wins by class of the natural hand, and of the hand with wilds; −1 = it loses."""
    pays = np.full((2, len(CLASSES)), -1, dtype=np.int64)
    for outcome, column, pay in table.lines():
        if not pay.na:
            place = (hands.STANDARD, CLASSES)[COLUMNS.index(column)].index(outcome)
            pays[COLUMNS.index(column), place] = int(net_of(pay, table))
    return pays[NATURAL], pays[WITH_WILD]


def _trips_counts(held: Counts, table: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [column, class]; n/a cells have no outcome."""
    counts = {_cell(outcome, column): 0 for outcome, column, pay in table.lines() if not pay.na} | {LOST_OUTCOME: 0}
    for column, classes in enumerate((hands.STANDARD, CLASSES)):
        for place, name in enumerate(classes):
            outcome = _cell(name, COLUMNS[column])
            counts[outcome if outcome in counts else LOST_OUTCOME] += int(held[column, place])
    return counts


def _cell(outcome: str, column: str) -> str:
    return f"{outcome}, {column.lower()}"


def _trips(table: Paytable, blind: Paytable) -> WagerAnalysis:
    """A hand without the joker may count its 2s as plain cards, and takes the better: reading `natural-or-wild`."""
    dealt = _dealt(_blind_pays(blind)).hands
    natural, wild = _trips_pays(table)
    held = np.zeros((2, len(CLASSES)), dtype=np.int64)
    for place in range(len(CLASSES)):
        held[WITH_WILD, place] += dealt[WITH_JOKER, place].sum()
        for plain in range(len(hands.STANDARD)):
            better = WITH_WILD if wild[place] > natural[plain] else NATURAL
            held[NATURAL, plain] += dealt[NO_WILD, place, plain]
            held[better, place if better == WITH_WILD else plain] += dealt[DEUCES, place, plain]
    counts = _trips_counts(held, table)
    rows = [
        row(_cell(outcome, column), counts[_cell(outcome, column)], HANDS, net_of(pay, table), pays=pay.printed)
        for outcome, column, pay in table.lines()
        if not pay.na
    ]
    return counted("trips", table.name, [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], HANDS, LOST)], HANDS)


def _class_counts(held: Counts, classes: tuple[str, ...], table: Paytable, total: int) -> dict[str, int]:
    """Outcome → count, from counts by class. "Or less" in a last row adds nothing: reading `djwbb-04-or-less`."""
    counts = {line.outcome: int(held[classes.index(line.outcome.removesuffix(" or less"))]) for line in table.rows}
    return counts | {LOST_OUTCOME: total - sum(counts.values())}


def _class_rows(counts: dict[str, int], table: Paytable, cycle: int) -> list[OutcomeRow]:
    rows = [
        row(line.outcome, counts[line.outcome], cycle, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    return [*rows, row(LOST_OUTCOME, counts[LOST_OUTCOME], cycle, LOST)]


def _bad_beat(table: Paytable, blind: Paytable) -> WagerAnalysis:
    """Either side is beaten holding three-of-a-kind or better: reading `bad-beat-two-way`.

    Player's and dealer's cards are dealt alike, so the dealer is beaten as often as the player, class by class,
    as long as the player raises every hand that takes part; folding would forfeit the wager (§ 687a.11(b)(2)).
    """
    pairs = _best(_blind_pays(blind)).pairs
    if pairs[FOLD, LEAST:].any():
        raise ValueError("hands of three-of-a-kind or better are folded: the two ways are not alike")
    counts = _class_counts(2 * pairs[LOSE], CLASSES, table, PAIRS)
    return counted("bad_beat", table.name, _class_rows(counts, table, PAIRS), PAIRS)


def _progressive(table: Paytable, blind: Paytable, folded_qualify: bool) -> WagerAnalysis:
    """Plain cards, the joker replaced: readings `progressive-joker-replaced`, `progressive-folded-silent`."""
    replaced = _dealt(_blind_pays(blind)).replaced
    held = replaced.sum(axis=0) if folded_qualify else replaced[0]
    counts = _class_counts(held, hands.STANDARD, table, REPLACED_HANDS)
    rows = _class_rows(counts, table, REPLACED_HANDS)
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
