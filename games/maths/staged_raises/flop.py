"""A game of one flop as the rest of the portal meets it.

Three own cards, a raise equal to the Ante or a fold, then three community cards at once: the own cards and the best two
of these are paid. The sentences say two thresholds: the highest card, and how far apart the cards may be. They are
those by which the fewest hands are played otherwise; such hands are counted in the sentences.

Not here: dealing (`games.second.flop`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from games.compiled import Ints, kernel
from games.maths import hands
from games.maths.cards import FULL_DECK, RANK_NAMES, RANKS, with_article
from games.maths.hands import FACES, THREE_CARD_HANDS, faces, set_place, three_card_classes, three_card_hands
from games.maths.ranking import HIGH, LOW, class_of, flush_part, high_part, low_part, standard
from games.maths.results import (
    Choice,
    OutcomeRow,
    SimplifiedPlay,
    Step,
    StrategyTable,
    WagerAnalysis,
    counted,
    net_of,
    report_plays,
    required,
    row,
)
from games.maths.staged_raises.paid_hands import OWN, check_rows, own_cards_analysis
from games.maths.staged_raises.turns.form import lowest_pair
from games.maths.staged_raises.turns.words import exceptions
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable

REST = FULL_DECK - 3
FLOPS = comb(REST, 3)


@cache
def made_by_flop(least: int) -> Ints:
    """Return `counts[hand, class]`: of the `FLOPS` flops after each three own cards, those that make the class.

    Hands are in the order of `three_card_hands`. Those of a value below `least` count as the lowest class.
    """
    hands = np.array(three_card_hands())
    first, alike = np.unique(_suits_exchanged(hands), return_inverse=True)
    ranking = standard()
    counts = np.zeros((len(first), len(ranking.classes)), np.int64)
    _count(hands[first], ranking.keys, ranking.values, LOW, HIGH, least, counts)
    return np.asarray(counts[alike])


def _suits_exchanged(hands: Ints) -> Ints:
    """Return for every hand the first in order that differs from it by an exchange of suits only."""
    first = np.arange(len(hands))
    for suits in permutations(range(4)):
        cards = np.sort(hands // 4 * 4 + np.array(suits)[hands % 4], axis=1)
        a, b, c = cards.T
        first = np.minimum(first, a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6)
    return first


@kernel
def _count(
    hands: Ints,
    keys: Ints,
    values: NDArray[np.int32],
    low: NDArray[np.int16],
    high: NDArray[np.int16],
    least: int,
    counts: Ints,
) -> None:
    rest = np.zeros(REST, np.int64)
    made = np.zeros((REST, REST), np.int64)  # with two of the community cards
    for hand in range(len(hands)):
        a, b, c = hands[hand]
        own, left = keys[a] + keys[b] + keys[c], 0
        for card in range(FULL_DECK):
            if card != a and card != b and card != c:
                rest[left] = card
                left += 1
        for i in range(REST):
            for j in range(i):
                key = own + keys[rest[i]] + keys[rest[j]]
                value = values[low[low_part(key)] + high[high_part(key)] + flush_part(key)]
                made[i, j] = class_of(value) if value >= least else 0
        for i in range(REST):
            for j in range(i):
                for k in range(j):
                    counts[hand, max(made[i, j], made[i, k], made[j, k])] += 1


Plays = NDArray[np.bool_]
"""`[place of three cards]`: whether the player raises, in the order of `three_card_hands`."""

NO_RANK = len(RANK_NAMES)
SPREADS = {2: "", 3: "three", 4: "four"}  # ranks from the lowest card to the highest
COLUMNS = ("Highest card", "Second", "Fold with a lowest card of")


@dataclass(frozen=True, slots=True)
class Rule:
    """Raise on what is made, with a card of `rank` or higher, or with three cards at most `spread` ranks apart."""

    rank: int
    spread: int
    folded: int  # hands that the rule raises and the decisions fold
    raised: int  # and the other way


def rule_of(plays: Plays) -> Rule:
    """Return the rule that the decisions differ from with the fewest hands."""
    ranks = np.array(three_card_hands()) // 4
    made, high, distance = three_card_classes() > 0, ranks[:, 2], ranks[:, 2] - ranks[:, 0]
    rules = []
    for rank, spread in product(range(NO_RANK, -1, -1), SPREADS):
        raises = made | (high >= rank) | (distance <= spread)
        rules.append(Rule(rank, spread, int((raises & ~plays).sum()), int((plays & ~raises).sum())))
    return min(rules, key=lambda rule: rule.folded + rule.raised)


def choices(plays: Plays, raise_wager: str) -> tuple[Choice, ...]:
    """Return both decisions, each with its exact share."""
    rule, raised = rule_of(plays), int(plays.sum())
    return (
        Choice(raise_wager, _raised(rule), Fraction(raised, THREE_CARD_HANDS)),
        Choice("Fold", _folded(rule), Fraction(THREE_CARD_HANDS - raised, THREE_CARD_HANDS)),
    )


def _raised(rule: Rule) -> str:
    parts = ["A pair or better", "three cards of one suit"]
    if rule.rank < NO_RANK:
        parts.append(f"{with_article(rule.rank)} or higher")
    if SPREADS[rule.spread]:
        spread = f"(from the lowest to the highest {SPREADS[rule.spread]} ranks at most)"
        parts.append(f"three cards that fit into one straight {spread}")
    return f"{', '.join(parts[:-1])}, or {parts[-1]}" + _but(rule.folded, rule.raised)


def _folded(rule: Rule) -> str:
    parts = [f"{RANK_NAMES[rule.rank - 1]} high or lower"] if 0 < rule.rank < NO_RANK else []
    parts += ["of more than one suit", "without a pair"]
    parts += ["too far apart for one straight"] if SPREADS[rule.spread] else []
    return f"All else: {', '.join(parts)}" + _but(rule.raised, rule.folded)


def _but(wrong: int, elsewhere: int) -> str:
    return exceptions(wrong, elsewhere, "hands") + (" (see the table)" if wrong or elsewhere else "")


def fold_table(plays: Plays, raise_wager: str) -> StrategyTable:
    """Return the lowest cards folded beside the two higher ones, in hands of several suits without a pair."""
    lowest_cards: dict[tuple[int, int], dict[bool, set[int]]] = {}
    for hand, raises in zip(three_card_hands(), plays, strict=True):
        low, middle, high = (card // 4 for card in hand)
        if low < middle < high and len({card % 4 for card in hand}) > 1:
            lowest_cards.setdefault((high, middle), {True: set(), False: set()})[bool(raises)].add(low)
    lines = sorted(lowest_cards.items(), reverse=True)
    return StrategyTable(
        f"Hands of more than one suit, without a pair, that are folded (with all other hands: a {raise_wager})",
        (*COLUMNS, f"{raise_wager} with a lowest card of"),
        tuple(
            (FACES[high], FACES[middle], faces(lows[False]), faces(lows[True]))
            for (high, middle), lows in lines
            if lows[False]
        ),
    )


CYCLE = THREE_CARD_HANDS * FLOPS
WINNING = tuple(reversed(hands.STANDARD[1:]))  # the classes of a paytable's rows; the last is a pair of `least` or more
INITIAL, ALL = 1, 2  # Antes: the Ante wins 1 to 1, the raise is equal to it
FOLDED = "Folded"

Advantage = NDArray[np.int64]
"""`[place of three cards]`: by how much the raise is worth more than the fold, over all flops, in parts of an Ante."""


@dataclass(frozen=True, slots=True)
class RequiredWagers:
    """The Ante and the raise: what the raise is called, the rank of the least pair that wins, who settles what."""

    raised: str  # "Flop Wager"
    least: str  # "J"
    decided: str  # the subsection on the raise or the fold
    settled: str

    def __post_init__(self) -> None:
        """Raise `ParameterError` for a rank that no card has."""
        if self.least not in RANKS:
            raise ParameterError("least", f"{self.least!r} is not a rank; allowed are those of {RANKS}")

    def least_value(self) -> int:
        """Return the lowest value of a winning hand."""
        return standard().value(lowest_pair(self.least))

    def plays(self, table: Paytable) -> Plays:
        """Return the best decision by hand; where both are equal, the larger wager."""
        return _advantage(self.least_value(), _nets(table)) >= 0

    def rows(self, plays: Plays, table: Paytable) -> list[OutcomeRow]:
        """Return the outcome rows under the decisions."""
        made, rows = made_by_flop(self.least_value()), []
        played, folded = made[plays].sum(axis=0), int(made[~plays].sum())
        for line, name, net in zip(table.rows, WINNING, reversed(_nets(table)[1:]), strict=True):
            count = int(played[hands.STANDARD.index(name)])
            pays = f"Ante 1 to 1, {self.raised.removesuffix(' Wager')} {line.pays[0].printed}"
            rows.append(row(f"Wins with {line.outcome}", count, CYCLE, net, ALL, pays, self.settled))
        lost = row(f"{self.raised} lost", int(played[0]), CYCLE, -ALL, ALL, section=self.settled)
        return [*rows, lost, row(FOLDED, folded, CYCLE, -INITIAL, INITIAL, section=self.decided)]

    def analysis(self, table: Paytable, notes: tuple[str, ...]) -> WagerAnalysis:
        """Return the required wagers under the best play."""
        plays = self.plays(table)
        rows = self.rows(plays, table)
        equal = int((_advantage(self.least_value(), _nets(table)) == 0).sum())
        return counted(
            "ante",
            "",
            rows,
            CYCLE,
            required=required(rows, INITIAL),
            strategy=choices(plays, self.raised),
            strategy_tables=(fold_table(plays, self.raised),),
            simplified_plays=self._simplified_plays(table),
            notes=(*notes, f"Hands with which both decisions are of equal worth: {equal or 'none'}."),
        )

    def _simplified_plays(self, table: Paytable) -> tuple[SimplifiedPlay, ...]:
        least = RANKS.index(self.least)
        high_or_made = (three_card_classes() > 0) | np.array([hand[-1] // 4 >= least for hand in three_card_hands()])
        card = with_article(least)
        needs_card = f"Folds without {card} or higher, a pair, a straight or a flush."
        needs_pair = "Folds without a pair, a straight, a flush or better of three cards."
        plain = (
            (f"Always places the {self.raised}", "Never folds.", np.ones(THREE_CARD_HANDS, np.bool_)),
            (f"Needs {card} or a made hand", needs_card, high_or_made),
            ("Needs a pair", needs_pair, three_card_classes() > 0),
        )
        return report_plays(((name, when, self.rows(plays, table)) for name, when, plays in plain), INITIAL)


def _nets(table: Paytable) -> tuple[Fraction, ...]:
    """Return the net of Ante and raise together, by class: the lowest represents all that loses."""
    return (Fraction(-ALL), *(1 + net_of(line.pays[0], table) for line in reversed(table.rows)))


@cache
def _advantage(least: int, nets: tuple[Fraction, ...]) -> Advantage:
    unit = lcm(*(net.denominator for net in nets))
    return np.asarray(made_by_flop(least) @ np.array([int((net + INITIAL) * unit) for net in nets]))


@dataclass(frozen=True, slots=True)
class OwnCardsWager:
    """An optional wager on the three own cards: the class of each row, and the subsection by which it loses."""

    rows: tuple[str, ...]
    lost: str

    def __post_init__(self) -> None:
        """Raise `ParameterError` for a row of a class that three cards cannot be."""
        check_rows("own_cards.rows", self.rows)


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of the players' wagers among each other: the house wins or loses nothing by it."""

    section: str
    notes: tuple[str, ...]
    outcome: str = "Paid whole to the players"

    def analysis(self, wager: str) -> WagerAnalysis:
        return counted(wager, "", [row(self.outcome, 1, 1, 0, section=self.section)], 1, notes=self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlopGame:
    """The terms of one game: the raise and its paytable, the other wagers by their keys, the sections."""

    required: RequiredWagers
    paid_by: str  # the wager whose only paytable pays the raise
    own_cards: Mapping[str, OwnCardsWager]
    pools: Mapping[str, Pool]
    dealt: Mapping[str, str]  # by the line that asks whether cards are so dealt, the subsection on it
    turned: str
    notes: tuple[str, ...] = ()  # on the required wagers

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; the play is the one that is best for the Ante and the raise."""
        if wager in self.pools:
            yield self.pools[wager].analysis(wager)
        elif wager in self.own_cards:
            own = self.own_cards[wager]
            yield own_cards_analysis(chapter.paytable(wager, name), own.rows, own.lost)
        else:
            yield self.required.analysis(self._table(chapter), self.notes)

    def strategy(self, chapter: Chapter, answers: Answers) -> Plays:
        """Return the best decision by three own cards."""
        return self.required.plays(self._table(chapter))

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the round of one player at the table; dealt are the player's cards, then the community cards."""
        required, own, community = self.required, dealt[:OWN], dealt[OWN:]
        raises = self.strategy(chapter, answers)[set_place(own)]
        best = max((own + two for two in combinations(community, 2)), key=standard().value)
        decision = f"places a {required.raised} equal to the Ante" if raises else "folds"
        return (
            Step("Player", "is dealt three cards", way_dealt(self.dealt, answers), own),
            Step("Player", decision, required.decided),
            Step("Community cards", "are turned up", self.turned, community),
            Step("Player", f"holds as best five cards: {standard().class_name(best)}", required.settled, best),
        )

    def _table(self, chapter: Chapter) -> Paytable:
        return chapter.tables_of(self.paid_by)[0]
