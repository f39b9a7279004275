"""The wagers: the Odds Wager, the ends of a round as outcome rows, the optional wagers, and the decisions in words.

The Odds Wager is by class of hand. An outcome row has Ante, Odds and Raise Wagers, each with the subsection that
settles it; decisions are in sentences and cell by cell.

The sentences are computed: hands that are always raised, hands that are but for some deals, the number of all others.
Simplified strategies are reported with what they lose more. Not here: how often each end occurs (`solved`),
how the decisions are found (`best_play`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, lcm

import numpy as np

from games.compiled import Ints
from games.maths.cards import ACE, RANK_NAMES, with_article
from games.maths.hands import PRINTED
from games.maths.heads_up.best_play import CYCLE, FOLDED, MOST_UNITS, Pays
from games.maths.heads_up.rules import (
    AFTER,
    BEFORE,
    FOLD,
    LAST,
    LOSE,
    LOSE_UNQUALIFIED,
    OWN_CARDS,
    TIE,
    TIE_UNQUALIFIED,
    WIN,
    WIN_UNQUALIFIED,
    BonusWager,
    Rules,
    Sections,
)
from games.maths.heads_up.seven_cards import GROUPS, PAIR_GROUPS, RANKS, class_place, count_hands, lowest_strength
from games.maths.heads_up.solved import HOLDINGS, after_flop, decisions, settled
from games.maths.results import (
    LOST_NET,
    Choice,
    Ending,
    OutcomeRow,
    SimplifiedPlay,
    StrategyTable,
    WagerAnalysis,
    antes,
    counted_by_table,
    net_of,
    paid_counts,
    report_plays,
)
from games.rules.model import Paytable

IN_WORDS = (
    "a high card", "a pair", "two pairs", "three-of-a-kind", "a straight", "a flush", "a full house", "four-of-a-kind",
    "a straight flush", "a royal flush",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OddsTables:
    """The rules, with the two paytables of the Odds Wager: for a winning hand, and for a losing one."""

    rules: Rules
    won: Paytable
    lost: Paytable

    def win(self, rank: int) -> Fraction:
        """Return the net of a winning hand; without a row it is returned."""
        return self._net(self.won, rank, Fraction(0))

    def loss(self, rank: int) -> Fraction:
        """Return the net of a losing hand; without a row it is lost."""
        return self._net(self.lost, rank, LOST_NET)

    def least_paid(self) -> int:
        """Return the lowest class with which a winning hand wins the Odds Wager."""
        return next((rank for rank in range(len(PRINTED)) if self.win(rank)), len(PRINTED) - 1)

    def pays(self) -> Pays:
        """Return the pays in whole parts of an Ante, for the enumeration; `ValueError` for odds of too fine parts."""
        won, lost = ([net(rank) for rank in range(len(PRINTED))] for net in (self.win, self.loss))
        unit = lcm(*(net.denominator for net in won + lost))
        if unit > MOST_UNITS:
            raise ValueError(f"the odds are in parts of 1/{unit}; the enumeration has room for 1/{MOST_UNITS}")
        return Pays(
            unit,
            tuple(int(net * unit) for net in won),
            tuple(int(net * unit) for net in lost),
            self.rules.raises,
            lowest_strength(self.rules.qualifier),
        )

    def _net(self, table: Paytable, rank: int, otherwise: Fraction) -> Fraction:
        return next((net_of(line.pays[0], table) for line in table.rows if line.outcome == PRINTED[rank]), otherwise)


INITIAL = 2  # Ante and Odds Wager


def ending(odds: OddsTables, sections: Sections, when: int, end: int, rank: int) -> Ending:
    """Return the ending by when the player raises, the end against the dealer, and the player's class."""
    if when == FOLD:
        return Ending("Folded", Fraction(FOLDED), Fraction(INITIAL), "", sections.raised[LAST])
    raised, section = odds.rules.raises[when], sections.ends[end]
    wagered, name, hand = Fraction(INITIAL + raised), f"Raised {raised}×", PRINTED[rank].lower()
    unqualified = f"; dealer without {IN_WORDS[class_place(odds.rules.qualifier)]}"
    if end in (WIN, WIN_UNQUALIFIED):
        won = odds.win(rank)
        won_with = f"wins with a {hand}" if won else f"wins with less than {IN_WORDS[odds.least_paid()]}"
        pays = "Ante and Raise 1 to 1" if end == WIN else "Ante returned, Raise 1 to 1"
        pays += f", Odds {_odds(won)}" if won else ", Odds returned"
        if end == WIN:
            return Ending(f"{name}, {won_with}", 1 + raised + won, wagered, pays, section)
        return Ending(f"{name}, {won_with}{unqualified}", raised + won, wagered, pays, section)
    if end in (TIE, TIE_UNQUALIFIED):
        return Ending(f"{name}, ties{unqualified * (end != TIE)}", Fraction(0), wagered, "", section)
    if end == LOSE_UNQUALIFIED:
        return Ending(f"{name}, loses{unqualified}", Fraction(-raised - 1), wagered, "Ante returned", section)
    lost = odds.loss(rank)
    if lost == LOST_NET:
        return Ending(f"{name}, loses", -wagered, wagered, "", section)
    pays = f"Bad Beat: Odds {_odds(lost)}"
    return Ending(f"{name}, loses with a {hand}", lost - raised - 1, wagered, pays, sections.bad_beat)


def _odds(net: Fraction) -> str:
    return f"{net.numerator} to {net.denominator}"


def outcome_rows(odds: OddsTables, sections: Sections, counts: Ints) -> list[OutcomeRow]:
    """Return the ends of `CYCLE` deals that occur, from counts by [when raised, end, class]; the best hands first."""
    by_ending: Counter[Ending] = Counter()
    ends = (WIN, WIN_UNQUALIFIED, TIE, TIE_UNQUALIFIED, LOSE_UNQUALIFIED, LOSE)
    for when, end, rank in product(range(FOLD + 1), ends, reversed(range(len(PRINTED)))):
        if number := int(counts[when, end, rank]):
            by_ending[ending(odds, sections, when, end, rank)] += number
    return [end.row(number, CYCLE) for end, number in by_ending.items()]


def bonus_wager(table: Paytable, bonus: BonusWager) -> WagerAnalysis:
    """Return the analysis over every two cards, or every seven."""
    if bonus.by == OWN_CARDS:
        cycle, numbers = comb(52, 2), np.bincount(PAIR_GROUPS, minlength=GROUPS).tolist()
    else:
        cycle, numbers = comb(52, 7), count_hands()
    counts = bonus_counts(table, bonus, numbers, cycle)
    return counted_by_table(table, counts, cycle, bonus.lost, notes=bonus.notes)


def bonus_counts(table: Paytable, bonus: BonusWager, numbers: Sequence[int], total: int) -> dict[str, int]:
    """Return outcome → count, from counts by group of two cards or class of hand; `ValueError` for another row."""
    names = [pocket(group) for group in range(GROUPS)] if bonus.by == OWN_CARDS else PRINTED
    if unknown := {line.outcome for line in table.rows} - set(names):
        allowed = ", ".join(dict.fromkeys(name for name in names if name))
        raise ValueError(f"{table.wager} {table.name} pays {min(unknown)!r}; allowed are {allowed}")
    return paid_counts(table, names, numbers, total, {})


def pocket(group: int) -> str:
    """Return the row for two cards, by their group (`seven_cards`); "" where there is none."""
    first, second = divmod(group, RANKS)
    if first == second:
        return "Pair of aces" if first == ACE else "Pair of 2s—kings"
    if max(first, second) == ACE and min(first, second) >= ACE - 3:
        return f"Ace and a king, queen or jack of {'the same suit' if first > second else 'different suits'}"
    return ""


STAGES = ("before the Flop", "after the Flop", "after the River card")


def choices(odds: OddsTables) -> tuple[Choice, ...]:
    """Return each decision: the hands in words, those outside of them counted, and its exact share."""
    taken = settled(odds.pays()).best.sum(axis=(1, 2))
    sentences = {
        BEFORE: _before(raised_groups(odds)),
        AFTER: _after(*after_flop(odds.pays())),
        LAST: _last(*settled(odds.pays()).last),
        FOLD: "Else",
    }
    return tuple(
        Choice(decision_name(odds, when), sentence, Fraction(int(taken[when]), CYCLE))
        for when, sentence in sentences.items()
    )


def decision_name(odds: OddsTables, when: int) -> str:
    """Return the decision in words: "Raise 2× after the Flop"."""
    return f"Raise {odds.rules.raises[when]}× {STAGES[when]}" if when != FOLD else f"Fold {STAGES[LAST]}"


def raised_groups(odds: OddsTables) -> Ints:
    """Return `[rank, rank]`, 1 where two cards are raised before the Flop: of one suit if the higher rank is first."""
    raised = np.zeros(GROUPS, np.int64)
    raised[PAIR_GROUPS] = decisions(odds.pays()).before
    return raised.reshape(RANKS, RANKS)


def _before(raised: Ints) -> str:
    """Return the ranks from which on two cards are raised; pairs of ranks below them that are raised are named."""
    least = _least(raised.diagonal())
    parts = [f"a pair of {RANK_NAMES[least]}s or better"] if least < RANKS else []
    below = [f"a pair of {RANK_NAMES[rank]}s" for rank in range(least) if raised[rank, rank]]
    for high in range(ACE, 0, -1):
        of_two, of_one = raised[:high, high], raised[high, :high]
        parts += _beside(high, _least(of_two), _least(of_one))
        for cards, suits in ((of_two, "two suits"), (of_one, "one suit")):
            lows = [low for low in range(_least(cards)) if cards[low]]
            below += [f"{with_article(high)} and {with_article(low)} of {suits}" for low in lows]
    return _sentence([*parts, *below])


def _beside(high: int, of_two: int, of_one: int) -> Iterator[str]:
    """Yield the hands raised with this rank and a lower one: from `of_two` on of two suits, from `of_one` on of one."""
    name, most = with_article(high), high - 1
    if of_two == of_one == 0:
        yield f"any {RANK_NAMES[high]}"
        return
    if of_two <= most:
        suited = f", of one suit with {_or_better(of_one, most)}" if of_one < of_two else ""
        yield f"{name} with {_or_better(of_two, most)}{suited}"
    elif of_one == most:
        yield f"{name} and {with_article(most)} of one suit"
    elif of_one < most:
        yield f"{name} with {_or_better(of_one, most)} of one suit"


def _or_better(rank: int, most: int) -> str:
    return with_article(rank) + (" or better" if rank < most else "")


def _least(raised: Ints) -> int:
    """Return the lowest place from which on all are raised; its length if the last is not."""
    checked = np.flatnonzero(raised == 0)
    return int(checked[-1]) + 1 if len(checked) else 0


def _after(checked: Ints, raised: Ints) -> str:
    """Return the sentence on the decision after the Flop, from deals of two cards and a Flop by holding."""
    names = [f"with {holding[0].lower()}{holding[1:]}" for holding in HOLDINGS]
    return _else(list(zip(names, raised.tolist(), checked.tolist(), strict=True)))


def _last(folded: Ints, raised: Ints) -> str:
    """Return the sentence on the last decision, from deals by the player's class and the board's."""
    always = next((rank for rank in range(len(IN_WORDS)) if not folded[rank:].any()), len(IN_WORDS))
    parts = [(f"with {IN_WORDS[always]} or better", int(raised[always:].sum()), 0)] if always < len(IN_WORDS) else []
    for rank in range(always - 1, -1, -1):
        better = np.arange(len(IN_WORDS)) < rank  # than the board alone
        name = f"with {IN_WORDS[rank]} that the board alone does not make"
        parts.append((name, int(raised[rank, better].sum()), int(folded[rank, better].sum())))
        parts.append(("", int(raised[rank, ~better].sum()), int(folded[rank, ~better].sum())))
    return _else(parts)


def _else(parts: list[tuple[str, int, int]]) -> str:
    """Return a sentence on `parts`, (hands, deals raised, not raised): those mostly raised, and all the others."""
    mostly = [part for part in parts if part[0] and part[1] > part[2]]
    rest = [part for part in parts if part not in mostly]
    said = [
        name + (f" (but for {not_raised:,} of {yes + not_raised:,} deals)" if not_raised else "")
        for name, yes, not_raised in mostly
    ]
    raised, not_raised = sum(yes for _, yes, _ in rest), sum(no for *_, no in rest)
    if raised:
        said.append(f"with {raised:,} of {raised + not_raised:,} {'other ' if said else ''}deals (table)")
    return f"Else, {'; '.join(said)}" if said else "Never"


def _sentence(parts: list[str]) -> str:
    words = "; ".join(parts) or "never"
    return words[0].upper() + words[1:]


ALWAYS, NEVER, LATE = "Always raises before the Flop", "Always raises at last", "Checks until the River card"
CHECKS = "Checks before the Flop and after it, then raises"


def strategy_tables(odds: OddsTables) -> tuple[StrategyTable, ...]:
    return _table_before(odds), _table_after(odds), _table_last(odds)


def _table_before(odds: OddsTables) -> StrategyTable:
    """Return the table of all 169 pairs of ranks, of one suit and not."""
    raised, early = raised_groups(odds), f"{odds.rules.raises[BEFORE]}×"
    names = [name if len(name) < 3 else name[0].upper() for name in RANK_NAMES]
    rows = [
        (names[row], *(early if raised[row, column] else "check" for column in reversed(range(RANKS))))
        for row in reversed(range(RANKS))
    ]
    title = "Before the Flop: above the diagonal cards of one suit, below it of two"
    return StrategyTable(title, ("", *reversed(names)), tuple(rows))


def _table_after(odds: OddsTables) -> StrategyTable:
    """Return the table of own cards and Flops that come to the decision."""
    checked, raised = after_flop(odds.pays())
    rows = [
        (holding, f"{checked[place] + raised[place]:,}", f"{raised[place]:,}", _share(raised[place], checked[place]))
        for place, holding in enumerate(HOLDINGS)
    ]
    header = ("Two cards and the Flop", "Deals that come to it", f"Raised {odds.rules.raises[AFTER]}×", "Share raised")
    return StrategyTable("After the Flop", header, tuple(rows))


def _table_last(odds: OddsTables) -> StrategyTable:
    """Return the table of own cards and boards that come to the decision, by the board's own hand."""
    folded, raised = settled(odds.pays()).last
    met = [board for board in range(len(PRINTED)) if (folded + raised)[:, board].any()]
    rows = [
        (PRINTED[rank], *(_share(raised[rank, board], folded[rank, board]) for board in met))
        for rank in range(len(PRINTED))
    ]
    header = ("Best five of seven", *(f"Board alone: {PRINTED[board].lower()}" for board in met))
    return StrategyTable(f"After the River card: share raised {odds.rules.raises[LAST]}×", header, tuple(rows))


def _share(raised: int, checked: int) -> str:
    return f"{100 * raised / (raised + checked):.2f}%" if raised + checked else "–"


def simplified_plays(odds: OddsTables, sections: Sections) -> tuple[SimplifiedPlay, ...]:
    """Return three simplified strategies, exactly."""
    all_deals, rules = settled(odds.pays()), odds.rules
    always, never = np.zeros_like(all_deals.best), np.zeros_like(all_deals.best)
    always[BEFORE] = never[LAST] = all_deals.best.sum(axis=0)
    first = antes(rules.raises[BEFORE])
    plays = (
        (ALWAYS, f"{first[0].upper()}{first[1:]} with every two cards", always),
        (NEVER, f"{CHECKS} {antes(rules.raises[LAST])} with every hand", never),
        (LATE, f"{CHECKS} or folds as is best", all_deals.late),
    )
    return report_plays(((name, when, outcome_rows(odds, sections, counts)) for name, when, counts in plays), INITIAL)
