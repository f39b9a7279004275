"""Flop Poker: three own cards, two of three community cards, and an Ante against a paytable: a Flop Wager or a fold.

Exact figures and simulated rounds come as counts by class from `maths.staged_raises`; here is which row of which
paytable each count belongs to. The Pot Wager is between the players: the house wins or loses nothing by it.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import lcm

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import cards
from games.maths.published import compare_published
from games.maths.ranking import standard
from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay, Step, StrategyTable, Tally, WagerAnalysis
from games.maths.staged_raises.flop_poker import FLOPS, made_by_flop
from games.maths.staged_raises.flop_poker_rounds import OWN, deal_rounds
from games.maths.three_cards import CLASSES, FACES, HANDS, classes, faces, hands_in_order, place
from games.maths.wagers import LOST_NET, counted, net_of, required, row
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

CYCLE = HANDS * FLOPS
WINNING = tuple(reversed(hands.STANDARD[1:]))  # the classes of the rows of § 583.12(b), where the last is …
LEAST = standard().value(cards("Jc Jd 2h 3s 4c"))  # … a pair of jacks or better
BONUS = tuple(reversed(CLASSES[1:]))  # those of § 583.12(c)
JACK = 9

# In Antes: the Ante wins 1 to 1 (§ 583.12(a)), the Flop Wager is equal to it (§ 583.7(d)(2)).
INITIAL, ALL = 1, 2
FOLDED, BEATEN, LOST_BONUS, POT_PAID = "Folded", "Flop Wager lost", "Lost", "Paid whole to the players"
DEALING = (("manual_shoe", "§ 583.8(c)"), ("from_hand", "§ 583.9(c)"), ("automated_shoe", "§ 583.10(b)"))

STRATEGY = {
    "Flop Wager": "A pair or better, three cards of one suit, a jack or higher, or three cards that fit into one "
    "straight (from the lowest to the highest four ranks at most)",
    "Fold": "All else: 10 high or lower, of more than one suit, without a pair, too far apart for one straight",
}
"""What the enumeration finds, in words; a test compares them."""

NOTES = (
    "The Pot Wager is not counted: it goes whole to the players (§ 583.11(e)), is equal to the table minimum and bears "
    "no relation to the Ante. A player who folds stays in for the Pot and keeps his Three Card Bonus Wager, so this "
    "play costs him nothing in either.",
)
POT_NOTES = (
    "The house holds nothing of it: the player or players with the highest hand are paid the entire Pot. All "
    "players are dealt alike and wager alike, so among them it is worth nothing on average.",
)

Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the play is the one that is best for Ante and Flop Wager."""
    analyses = (_analyze(chapter, wager, name) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(chapter: Chapter, wager: str, paytable: str) -> WagerAnalysis:
    if wager == "ante":
        return _required(chapter.tables_of("flop")[0])
    if wager == "pot":
        return counted("pot", "", [row(POT_PAID, 1, 1, 0, section="§ 583.11(e)")], 1, notes=POT_NOTES)
    return _bonus(chapter.paytable(wager, paytable))


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    flop = chapter.tables_of("flop")[0]
    offered = paytables_in_play(chapter, answers)
    settled = deal_rounds(_plays(_nets(flop)), LEAST, (seed, block, rounds))
    tally: Tally = {"ante": _required_counts(settled.required, flop), "pot": {POT_PAID: rounds}}
    if "three_card_bonus" in offered:
        table = chapter.paytable("three_card_bonus", offered["three_card_bonus"])
        tally["three_card_bonus"] = _bonus_counts(settled.bonus, table)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The round as dealt, one player at the table."""
    plays = _plays(_nets(chapter.tables_of("flop")[0]))
    dealt = deal_rounds(plays, LEAST, (seed, block, index + 1)).last
    own, community = dealt[:OWN], dealt[OWN:]
    fives = (own + two for two in combinations(community, 2))
    best = max(fives, key=standard().value)
    decision = "places a Flop Wager equal to the Ante" if plays[place(own)] else "folds"
    return (
        Step("Player", "is dealt three cards", next(where for key, where in DEALING if answers.get(key)), own),
        Step("Player", decision, "§ 583.11(b)"),
        Step("Community cards", "are turned up", "§ 583.11(c)", community),
        Step("Player", f"holds as best five cards: {standard().class_name(best)}", "§ 583.11(d)(2)", best),
    )


# ---- Ante and Flop Wager


def _nets(flop: Paytable) -> tuple[Fraction, ...]:
    """What Ante and Flop Wager win together, by class: the lowest represents all that is less than jacks."""
    return (Fraction(-ALL), *(1 + net_of(line.pays[0], flop) for line in reversed(flop.rows)))


@cache
def _advantage(nets: tuple[Fraction, ...]) -> Counts:
    """By how much the Flop Wager is worth more than folding, by hand: over all flops, in parts of an Ante."""
    unit = lcm(*(net.denominator for net in nets))
    return np.asarray(made_by_flop(LEAST) @ np.array([int((net + INITIAL) * unit) for net in nets]))


def _plays(nets: tuple[Fraction, ...]) -> Bools:
    """The best decision by hand; where both are equal, the larger wager."""
    return _advantage(nets) >= 0


def _ends(plays: Bools) -> Counts:
    """`counts[folded, class]`, of `CYCLE`."""
    made = made_by_flop(LEAST)
    return np.array([made[plays].sum(axis=0), made[~plays].sum(axis=0)])


def _required_counts(ends: Counts, flop: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [folded, class]."""
    wins = zip(flop.rows, WINNING, strict=True)
    counts = {f"Wins with {line.outcome}": int(ends[0, hands.STANDARD.index(name)]) for line, name in wins}
    return counts | {BEATEN: int(ends[0, 0]), FOLDED: int(ends[1].sum())}


def _required_rows(plays: Bools, flop: Paytable) -> list[OutcomeRow]:
    counts = _required_counts(_ends(plays), flop)
    nets = dict(zip(counts, [*reversed(_nets(flop)), Fraction(-INITIAL)], strict=True))
    pays = dict(zip(counts, (f"Ante 1 to 1, Flop {line.pays[0].printed}" for line in flop.rows), strict=False))
    return [
        row(
            outcome,
            count,
            CYCLE,
            nets[outcome],
            INITIAL if outcome == FOLDED else ALL,
            pays.get(outcome, ""),
            "§ 583.11(b)" if outcome == FOLDED else "§ 583.11(d)(2)",
        )
        for outcome, count in counts.items()
    ]


@cache
def _required(flop: Paytable) -> WagerAnalysis:
    nets = _nets(flop)
    plays = _plays(nets)
    rows = _required_rows(plays, flop)
    shares = (Fraction(int(plays.sum()), HANDS), Fraction(int((~plays).sum()), HANDS))
    equal = int((_advantage(nets) == 0).sum())
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=tuple(
            Choice(decision, when, share) for (decision, when), share in zip(STRATEGY.items(), shares, strict=True)
        ),
        strategy_tables=(_fold_table(plays),),
        simplified_plays=_simplified_plays(flop),
        notes=(*NOTES, f"Hands with which both decisions are of equal worth: {equal or 'none'}."),
    )


def _fold_table(plays: Bools) -> StrategyTable:
    """Which lowest cards are folded beside the two higher ones, among hands without a pair and of several suits."""
    lowest_cards: dict[tuple[int, int], dict[bool, set[int]]] = {}
    for hand, wagers in zip(hands_in_order(), plays, strict=True):
        low, middle, high = (card // 4 for card in hand)
        if low < middle < high and len({card % 4 for card in hand}) > 1:
            lowest_cards.setdefault((high, middle), {True: set(), False: set()})[bool(wagers)].add(low)
    lines = sorted(lowest_cards.items(), reverse=True)
    return StrategyTable(
        "Hands of more than one suit, without a pair, that are folded (with all other hands: a Flop Wager)",
        ("Highest card", "Second", "Fold with a lowest card of", "Flop Wager with a lowest card of"),
        tuple(
            (FACES[high], FACES[middle], faces(lows[False]), faces(lows[True]))
            for (high, middle), lows in lines
            if lows[False]
        ),
    )


def _simplified_plays(flop: Paytable) -> tuple[SimplifiedPlay, ...]:
    high_or_pair = (classes() > 0) | np.array([hand[-1] // 4 >= JACK for hand in hands_in_order()])
    plain = {
        "Always places the Flop Wager": ("Never folds.", np.ones(HANDS, np.bool_)),
        "Needs a jack or a made hand": ("Folds without a jack or higher, a pair, a straight or a flush.", high_or_pair),
        "Needs a pair": ("Folds without a pair, a straight, a flush or better of three cards.", classes() > 0),
    }
    return tuple(SimplifiedPlay(name, when, _under(plays, flop)) for name, (when, plays) in plain.items())


def _under(plays: Bools, flop: Paytable) -> Required:
    return required(_required_rows(plays, flop), INITIAL)


# ---- Three Card Bonus Wager


def _bonus_counts(by_class: Counts, table: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by class of three cards."""
    rows = zip(table.rows, BONUS, strict=True)
    counts = {line.outcome: int(by_class[CLASSES.index(name)]) for line, name in rows}
    return counts | {LOST_BONUS: int(by_class.sum()) - sum(counts.values())}


def _bonus(table: Paytable) -> WagerAnalysis:
    counts = _bonus_counts(np.bincount(classes(), minlength=len(CLASSES)), table)
    rows = [
        row(line.outcome, counts[line.outcome], HANDS, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line in table.rows
    ]
    lost = row(LOST_BONUS, counts[LOST_BONUS], HANDS, LOST_NET, section="§ 583.11(d)(1)")
    return counted("three_card_bonus", table.name, [*rows, lost], HANDS)


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=50_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
