"""The Antes and bets on a cross as one wager: outcome rows, decisions in words and tables, plain players.

The ranks in the sentences are computed. The first bet's exceptions are named or counted. The second bet depends on the
two own cards and on the outer cards of the row: most hands bet alike for any cards there; for each of the others a
square shows it for one outer card against the other, cards that never differ put together. The third bet is counted
again in every round, so its sentences say how. Not here: the counts (`best_play`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import RANK_NAMES, RANKS, SUITS
from games.maths.results import (
    LOST_NET,
    Choice,
    OutcomeRow,
    Required,
    SimplifiedPlay,
    StrategyTable,
    WagerAnalysis,
    counted,
    net_of,
    required,
    row,
)
from games.maths.staged_raises.cross.best_play import ANTES, DEALS, FOLD, ONCE, THRICE, Play, Start, best_play, starts
from games.maths.staged_raises.paid_hands import HIGH_PAIR, RESULTS, pays_of
from games.maths.staged_raises.turns.words import raise_or_fold, two_card_table
from games.rules.model import Paytable

Bets = tuple[str, str, str]
"""The names of the three bets."""

BETS = 3
FOLDED = ("Folded with two cards", "Folded after the row's outer cards", "Folded after the column's outer cards")
DECISIONS = {THRICE: "of three Antes", ONCE: "of one Ante", FOLD: ": none, and the round is forfeited"}

NOTES = (
    "Per Ante means per one of the two equal Antes; both stand before the deal.",
    "A bet of two Antes is never better than both one and three.",
)


@dataclass(frozen=True, slots=True)
class Odds:
    """The nets of an Ante and of a Bet of one Ante by result, in whole Antes."""

    ante: tuple[int, ...]
    bet: tuple[int, ...]

    @classmethod
    def of(cls, ante: Paytable, bet: Paytable) -> "Odds":
        """Return the odds of the paytables.

        An Ante pays every hand above the pairs that push alike, a bet pays by the hand. `ValueError` for odds that are
        no whole numbers: the kernels count whole Antes.
        """
        paid, pushed = (net_of(line.pays[0], ante) for line in ante.rows)
        antes, bets = (LOST_NET, pushed, *[paid] * (len(RESULTS) - HIGH_PAIR)), pays_of(bet)
        if any(pay.denominator != 1 for pay in (*antes, *bets)):
            raise ValueError(f"{bet.citation}: odds must be whole numbers")
        return cls(tuple(map(int, antes)), tuple(map(int, bets)))

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.array(self.ante), np.array(self.bet)


@cache
def best(odds: Odds) -> Play:
    return best_play(*odds.arrays())


@cache
def analysis(odds: Odds, paytable: str, bets: Bets, sections: tuple[str, str, str, str]) -> WagerAnalysis:
    """Return the analysis of Antes and bets under the best play."""
    lines = rows(odds, sections)
    share = float(100 * best(odds).equal.sum() / DEALS)
    return counted(
        "ante",
        paytable,
        lines,
        DEALS,
        required=required(lines, ANTES),
        strategy=choices(odds, bets),
        strategy_tables=decision_tables(best(odds), *bets[:2]),
        simplified_plays=simplified_plays(odds),
        notes=(*NOTES, f"{_equal(odds, bets)} resolve to the larger wager: {share:.4f} % of all rounds."),
    )


def _equal(odds: Odds, bets: Bets) -> str:
    where = [f"the {bet}" for bet, count in zip(bets, best(odds).equal, strict=True) if count]
    return f"Equal decisions, all on {' or '.join(where)}," if where else "Equal decisions would"


def rows(odds: Odds, sections: tuple[str, str, str, str]) -> list[OutcomeRow]:
    """Return the outcome rows, the best first; `sections` settle a fold by stage, and a round played to its end."""
    lines = [
        row(f"{_hands(*made)}: {_won(net, wagered)}", count, DEALS, net, wagered, section=sections[-1])
        for (net, wagered, *made), count in sorted(_ended(odds).items(), reverse=True)
    ]
    for stage, thrice in np.argwhere(best(odds).folded).tolist():
        wagered, count = ANTES + stage + 2 * thrice, int(best(odds).folded[stage, thrice])
        lines.append(row(folded(stage, wagered), count, DEALS, -wagered, wagered, section=sections[stage]))
    return lines


def folded(stage: int, wagered: int) -> str:
    return f"{FOLDED[stage]}, {wagered} Antes wagered"


def choices(odds: Odds, bets: Bets) -> tuple[Choice, ...]:
    """Return each decision with its exact share."""
    chosen = best(odds).chosen
    return tuple(
        Choice(
            f"{bet}{'' if decision == FOLD else ' '}{name}",
            words[decision],
            Fraction(int(chosen[stage, decision]), DEALS),
        )
        for stage, (bet, words) in enumerate(zip(bets, sentences(best(odds)), strict=True))
        for decision, name in DECISIONS.items()
    )


def simplified_plays(odds: Odds) -> tuple[SimplifiedPlay, ...]:
    """Return two plays that never fold, and one that folds as the best play does, but never bets three Antes."""
    ante, line, middle = (Fraction(int(part), DEALS) for part in best(odds).worth)
    never = [
        SimplifiedPlay(
            f"Always bets {word}",
            f"Never folds; every bet is of {word}.",
            _never_folds(2 * ante, 2 * line + middle, times),
        )
        for times, word in ((ONCE, "one Ante"), (THRICE, "three Antes"))
    ]
    cautious = "Folds as the best play does; every bet is of one Ante."
    return (*never, SimplifiedPlay("Never bets more than one Ante", cautious, required(list(_one_ante(odds)), ANTES)))


def _never_folds(antes: Fraction, bets: Fraction, times: int) -> Required:
    loss, wagered = -antes - times * bets, Fraction(ANTES + BETS * times)
    return Required(loss, loss / ANTES, loss / wagered, wagered)


def _one_ante(odds: Odds) -> Iterator[OutcomeRow]:
    play = best(odds)
    for across, down in np.argwhere(play.ended.sum(axis=(0, 1, 2))).tolist():
        count = int(play.ended[:, :, :, across, down].sum())
        yield row("", count, DEALS, _settled(odds, 0, 0, 0, across, down)[0], ANTES + BETS)
    for stage in range(BETS):
        yield row("", int(play.folded[stage].sum()), DEALS, -(ANTES + stage), ANTES + stage)


def _ended(odds: Odds) -> Counter[tuple[int, int, int, int]]:
    """Return (net, wagered, better line, lesser line) → deals, of the rounds played to their end."""
    deals: Counter[tuple[int, int, int, int]] = Counter()
    for x, y, z, across, down in np.argwhere(best(odds).ended).tolist():
        end = _settled(odds, x, y, z, across, down)
        deals[*end, max(across, down), min(across, down)] += int(best(odds).ended[x, y, z, across, down])
    return deals


def _settled(odds: Odds, x: int, y: int, z: int, across: int, down: int) -> tuple[int, int]:
    """Return net and wagered, for bets of one Ante (0) or three (1)."""
    net = odds.ante[across] + odds.ante[down] + (1 + 2 * x) * odds.bet[across] + (1 + 2 * y) * odds.bet[down]
    return net + (1 + 2 * z) * odds.bet[max(across, down)], ANTES + BETS + 2 * (x + y + z)


def _hands(better: int, lesser: int) -> str:
    return f"{RESULTS[better]} twice" if better == lesser else f"{RESULTS[better]} and {RESULTS[lesser].lower()}"


def _won(net: int, wagered: int) -> str:
    result = f"wins {net}" if net > 0 else f"loses {-net}" if net else "even"
    return f"{result}, {wagered} Antes wagered"


Sentences = dict[int, str]
"""Decision → the hands."""

MOST_NAMED = 6  # hands beyond a rule that a sentence names one by one
MAKES_NOTHING = "that form nothing with the cards of the row: the tables show which"
THIRD: Sentences = {
    THRICE: "Count the 46 cards unseen: the odds of the better line for each that makes one, nothing for a pair of "
    "6s to 10s, less one for each other card: not below nothing. So with a pair of 6s or better in either line",
    ONCE: "The count is below nothing",
    FOLD: "It is, and all wagers together, counted so, lose more than the 46 times what is placed already",
}


def sentences(play: Play) -> tuple[Sentences, Sentences, Sentences]:
    """Return the sentences by bet."""
    return _first(play), _second(play), THIRD


def _first(play: Play) -> Sentences:
    decided = [(start, int(play.first[start.place])) for start in starts()]
    low = _fewest(lambda rank: sum(_is_low(start, rank) != (at == FOLD) for start, at in decided))
    stayed = [start for start, at in decided if _is_low(start, low) and at != FOLD]
    folded = [start for start, at in decided if not _is_low(start, low) and at == FOLD]
    pairs = _fewest(lambda rank: sum(_is_pair(start, rank) != (at == THRICE) for start, at in decided))
    raised = [start for start, at in decided if not _is_pair(start, pairs) and at == THRICE]
    smaller = [start for start, at in decided if _is_pair(start, pairs) and at != THRICE]
    pair = "A pair" if pairs == 0 else f"A pair of {RANK_NAMES[pairs]}s or better"
    return {
        THRICE: pair + _but(smaller) + _or(raised),
        ONCE: "Any other hand",
        FOLD: f"Two different cards from 2 to {RANK_NAMES[low]}, of two suits{_but(stayed)}{_or(folded)}",
    }


def _second(play: Play) -> Sentences:
    """Return the second bet in sentences; the lowest suited cards are those with the fewest exceptions."""
    not_folded = [start for start in starts() if play.first[start.place] != FOLD and not start.paired]
    decided = [(start, play.second[start.place, start.pairs[:, 0]]) for start in not_folded]
    low = _fewest(
        lambda rank: sum(
            start.orbit_size * int(((decisions == THRICE) != (start.suited and start.ranks[1] >= rank)).sum())
            for start, decisions in decided
        )
    )
    folding = [start.ranks[1] for start, decisions in decided if (decisions == FOLD).any()]
    return {
        THRICE: f"A pair, or two of one suit from {RANK_NAMES[low]} up, but where the tables say otherwise",
        ONCE: "Any other hand, but where the tables say otherwise",
        FOLD: f"Some hands with a card from 2 to {RANK_NAMES[max(folding)]} {MAKES_NOTHING}" if folding else "No hand",
    }


def _fewest(exceptions: Callable[[int], int]) -> int:
    """Return the rank with the fewest exceptions, the lowest of several."""
    return min(range(len(RANK_NAMES)), key=exceptions)


def _but(hands: list[Start]) -> str:
    return f", but not {', '.join(_named(hands))}" if hands else ""


def _or(hands: list[Start]) -> str:
    named = list(_named(hands))
    return f", {', '.join([*named[:-1], f'or {named[-1]}'])}" if named else ""


def _named(hands: list[Start]) -> Iterator[str]:
    """Yield the hands, the highest first: "queen and jack of one suit"; beyond `MOST_NAMED` the number of others."""
    ordered = sorted(hands, key=lambda start: (*start.ranks, start.suited), reverse=True)
    for start in ordered[:MOST_NAMED]:
        high, low = (RANK_NAMES[rank] for rank in start.ranks)
        yield f"{high} and {low} of {'one suit' if start.suited else 'two suits'}"
    if len(ordered) > MOST_NAMED:
        yield f"{len(ordered) - MOST_NAMED} more hands of the table"


def _is_pair(start: Start, least: int) -> bool:
    return start.paired and start.ranks[0] >= least


def _is_low(start: Start, highest: int) -> bool:
    """Return True for two different cards up to the rank, of two suits."""
    return not start.paired and not start.suited and start.ranks[0] <= highest


Label = tuple[int, bool]  # rank; whether of a suit that the own cards have
Square = Mapping[tuple[Label, Label], int]
LABELS: tuple[Label, ...] = tuple((rank, own) for own in (False, True) for rank in reversed(range(len(RANKS))))
MIXED = "table"


def decision_tables(play: Play, first_bet: str, second_bet: str) -> tuple[StrategyTable, ...]:
    """Return both bets by starting hand, then the squares of the hands whose second bet depends on the row."""
    across: dict[int, str] = {}
    down: dict[int, str] = {}
    squares: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for start in starts():
        first, second = int(play.first[start.place]), np.unique(play.second[start.place, start.pairs[:, 0]]).tolist()
        across[start.place] = raise_or_fold(first)
        down[start.place] = "–" if first == FOLD else MIXED if len(second) > 1 else raise_or_fold(second[0])
        if down[start.place] == MIXED:
            squares.setdefault(_grouped(square(play, start)), []).append(_name(start))
    grids = (_grid(first_bet, across), _grid(f"{second_bet} ({MIXED}: see the tables by hand)", down))
    return (*grids, *(_table(second_bet, names, lines) for lines, names in squares.items()))


def square(play: Play, start: Start) -> Square:
    """Return the second bet by the labels of the row's outer cards; `ValueError` where these do not decide."""
    decisions: dict[tuple[Label, Label], int] = {}
    suits = {card % len(SUITS) for card in start.own}
    for place, high, low in start.pairs.tolist():
        first, second = ((card // 4, card % 4 in suits) for card in (high, low))
        decision = int(play.second[start.place, place])
        for key in ((first, second), (second, first)):
            if decisions.setdefault(key, decision) != decision:
                raise ValueError(f"the second bet with {_name(start)} depends on more than {key}")
    return decisions


def _grouped(decisions: Square) -> tuple[tuple[str, ...], ...]:
    """Return header and lines of the square, labels put together that decide alike with every other."""
    groups: list[list[Label]] = []
    for label in (label for label in LABELS if any(label in pair for pair in decisions)):
        home = next((group for group in groups if all(_alike(decisions, label, member) for member in group)), None)
        if home is None:
            groups.append(home := [])
        home.append(label)
    known = {}
    for (left, first), (right, second) in combinations_with_replacement(enumerate(groups), 2):
        said = {raise_or_fold(decisions[a, b]) for a in first for b in second if (a, b) in decisions}
        known[left, right] = known[right, left] = "/".join(sorted(said)) or "–"
    names = tuple(_labels(group) for group in groups)
    return (
        ("", *names),
        *((name, *(known[left, right] for right in range(len(groups)))) for left, name in enumerate(names)),
    )


def _alike(decisions: Square, first: Label, second: Label) -> bool:
    """Return True if no third card distinguishes them, nor the two from a pair of either."""
    said = {decisions[pair] for pair in ((first, first), (first, second), (second, second)) if pair in decisions}
    return len(said) < 2 and all(
        decisions.get((first, third), decision) == decision
        for third in LABELS
        if third not in (first, second) and (decision := decisions.get((second, third))) is not None
    )


def _labels(group: list[Label]) -> str:
    """Return the labels, those of an own suit with a star: "K Q 9"."""
    return " ".join(RANKS[rank] + "*" * own for rank, own in group)


def _name(start: Start) -> str:
    ranks = "".join(RANKS[rank] for rank in start.ranks)
    return ranks if start.paired else ranks + ("s" if start.suited else "o")


def _grid(title: str, cells: Mapping[int, str]) -> StrategyTable:
    title = f"{title}: two cards of one suit above the diagonal, of two below"
    return two_card_table(title, lambda row, column: cells[row * len(RANKS) + column])


def _table(bet: str, names: list[str], lines: tuple[tuple[str, ...], ...]) -> StrategyTable:
    title = f"{bet} with {', '.join(names)}: one outer card of the row against the other (* of an own suit)"
    return StrategyTable(title, lines[0], lines[1:])
