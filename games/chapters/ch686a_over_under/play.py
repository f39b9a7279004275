"""Over/Under: the first cards of a six-deck shoe, a decision after the first card, settlement by total points."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import ACE, FULL_DECK, TEN
from games.maths.first_cards.exact import after_first, best_decisions, ways_to_total
from games.maths.first_cards.rounds import LOSES, OVER, SURRENDER, UNDER, WINS, deal_rounds
from games.maths.published import compare_published
from games.maths.results import Choice, OutcomeRow, SimplifiedPlay, Step, StrategyTable, Tally, WagerAnalysis
from games.maths.wagers import LOST_NET, counted, net_of, required, row
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

DECKS = 6  # § 686a.3(a)
SHOE = tuple(card for card in range(FULL_DECK) for _ in range(DECKS))
CYCLE = len(SHOE) * comb(len(SHOE) - 1, 2)  # a first card, then a set of two
TOTALS = range(6, 34)

DECISIONS = {  # § 686a.7(g); of equally good ones the larger wager, then the one named first
    "Over 23": OVER,
    "Under 18": UNDER,
    "Surrender": SURRENDER,
}
OUTCOMES = {
    "Over 23 wins": (OVER, WINS),
    "Over 23 loses": (OVER, LOSES),
    "Under 18 wins": (UNDER, WINS),
    "Under 18 loses": (UNDER, LOSES),
    "Surrendered": (SURRENDER, LOSES),
}
SETTLED = {WINS: "§ 686a.7(i)[2]", LOSES: "§ 686a.7(j)"}
SURRENDERED = "§ 686a.7(g)(3)"
SIMPLIFIED = {"Always Over 23": "Over 23", "Always Under 18": "Under 18"}
NO_BONUS = "13 to 26"  # § 686a.7(k)


def points(card: int) -> int:
    """What a card counts: § 686a.3(d)."""
    rank = card // 4
    return 11 if rank == ACE else min(rank + 2, 10) if rank < TEN else 10


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Both wagers, exactly, from the composition of a full shoe."""
    return tuple(
        compare_published(chapter, _bonus(chapter.paytable(wager, name)) if name else _ante())
        for wager, name in in_play(chapter, answers)
    )


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    ante, totals = deal_rounds(np.array(SHOE), _points(), _codes(), (seed, block, rounds))
    tally: Tally = {}
    for wager, name in paytables_in_play(chapter, answers).items():
        if wager == "ante":
            tally[wager] = {outcome: int(ante[place]) for outcome, place in OUTCOMES.items()}
        else:
            tally[wager] = _bonus_counts(chapter.paytable(wager, name), dict(enumerate(totals.tolist())))
    return tally


@cache
def _composition() -> Counter[int]:
    return Counter(points(card) for card in SHOE)


@cache
def _decisions() -> dict[int, str]:
    """First card's points → the decision under optimal play."""
    return best_decisions(after_first(_composition()), DECISIONS, _net)


def _net(decision: str, total: int) -> int:
    """In Antes: § 686a.7(i), (j), § 686a.8(a)."""
    if decision == "Surrender":
        return -1
    return 2 if (total >= 24 if decision == "Over 23" else total <= 17) else -2


def _outcome(decision: str, net: int) -> str:
    return "Surrendered" if decision == "Surrender" else f"{decision} {'wins' if net > 0 else 'loses'}"


def _ante() -> WagerAnalysis:
    """Ante with Over 23 or Under 18: a first card, then a set of two."""
    rows = _rows(_decisions())
    deals = after_first(_composition())
    taken: Counter[str] = Counter()
    for first, totals in deals.items():
        taken[_decisions()[first]] += totals.total()
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, initial=1),
        strategy=tuple(Choice(name, _when(name), Fraction(taken[name], CYCLE)) for name in DECISIONS),
        strategy_tables=(_worth(),),
        simplified_plays=tuple(_simplified(name, rule) for name, rule in SIMPLIFIED.items()),
    )


def _rows(decisions: Mapping[int, str]) -> list[OutcomeRow]:
    """How the Ante ends where each first card is played so."""
    counts: Counter[tuple[str, int, int]] = Counter()
    for first, totals in after_first(_composition()).items():
        decision = decisions[first]
        for total, ways in totals.items():
            net = _net(decision, total)
            counts[_outcome(decision, net), net, 1 if decision == "Surrender" else 2] += ways
    return [
        row(outcome, ways, CYCLE, net, wagered, "1 to 1" if net > 0 else "", _section(outcome))
        for (outcome, net, wagered), ways in sorted(counts.items(), key=lambda item: list(OUTCOMES).index(item[0][0]))
    ]


def _section(outcome: str) -> str:
    decision, result = OUTCOMES[outcome]
    return SURRENDERED if decision == SURRENDER else SETTLED[result]


def _worth() -> StrategyTable:
    """What each decision wins on average after each first card, in Antes."""
    rows = []
    for first, totals in sorted(after_first(_composition()).items()):
        worth = (sum(ways * _net(name, total) for total, ways in totals.items()) / totals.total() for name in DECISIONS)
        rows.append((str(first), *(f"{value:+.4f}" for value in worth), _decisions()[first]))
    header = ("First card counts", *DECISIONS, "Best")
    return StrategyTable("What each decision wins on average, in Antes", header, tuple(rows))


def _simplified(name: str, decision: str) -> SimplifiedPlay:
    rows = _rows(dict.fromkeys(_composition(), decision))
    return SimplifiedPlay(name, f"{decision} after every first card", required(rows, initial=1))


def _when(decision: str) -> str:
    firsts = [first for first in sorted(_decisions()) if _decisions()[first] == decision]
    return "First card counts " + ", ".join(map(str, firsts)) if firsts else "Never"


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The round's three cards, and the decision after the first."""
    shoe = np.array(SHOE)
    deal_rounds(shoe, _points(), _codes(), (seed, block, index + 1))
    first, *last_two = (int(card) for card in shoe[1:4])
    decision = _decisions()[points(first)]
    return (
        Step("Player", f"is dealt the first card, which counts {points(first)}", "§ 686a.7(e)", (first,)),
        Step("Player", f"decides: {decision}", "§ 686a.7(g)"),
        Step("Player", "is dealt two more cards", "§ 686a.7(h)", tuple(last_two)),
        Step("Dealer", f"counts {points(first) + sum(map(points, last_two))}", "§ 686a.7(i)"),
    )


def _points() -> NDArray[np.int64]:
    return np.array([points(card) for card in range(FULL_DECK)])


def _codes() -> NDArray[np.int64]:
    return np.array([DECISIONS.get(_decisions().get(first, ""), SURRENDER) for first in range(12)])


def _bonus_outcome(table: Paytable, total: int) -> str:
    return next((line.outcome for line in table.rows if str(total) in line.outcome.split(" or ")), NO_BONUS)


def _bonus_counts(table: Paytable, totals: Mapping[int, int]) -> dict[str, int]:
    """Outcome → count, from counts by total points."""
    counts = {line.outcome: 0 for line in table.rows} | {NO_BONUS: 0}
    for total in TOTALS:
        counts[_bonus_outcome(table, total)] += totals[total]
    return counts


def _bonus(table: Paytable) -> WagerAnalysis:
    cycle = comb(len(SHOE), 3)
    counts = _bonus_counts(table, ways_to_total(_composition(), 3))
    rows = [
        row(outcome, counts[outcome], cycle, net_of(pay, table), pays=pay.printed) for outcome, _, pay in table.lines()
    ]
    rows.append(row(NO_BONUS, counts[NO_BONUS], cycle, LOST_NET))
    return counted("bonus", table.name, rows, cycle)


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
