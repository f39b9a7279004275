"""Ante, Bet and Options fees as one analysis, every round counted; the strategy, and plain rules compared with it.

Rounds without a draw in which the dealer is not forced are counted over all deals (`no_draw`), the others too, once
(`drawn`). For stakes or odds of which no counts are shipped the others are dealt from every start (`estimate`): the
error stated is that of this part, taken from the spread of rounds that began with the same combination and draw, which
is never less than that of rounds from the same cards.

In the tables the first line that fits a hand decides. A test compares every line to `strategy`.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import ceil, sqrt
from typing import Final

import numpy as np

from games.compiled import Ints
from games.maths.cards import RANK_NAMES, RANKS
from games.maths.enumerations import cached_arrays
from games.maths.exchange import rules as ways
from games.maths.exchange.drawn import DRAWS, cycle, rounds_from, shipped
from games.maths.exchange.estimate import TIMES, deal_on
from games.maths.exchange.no_draw import BEATEN, DEALS, HIDDEN, NOT_QUALIFIED, RESULTS, WON, NoDrawCounts, count_no_draw
from games.maths.exchange.payouts import (
    ACE_KING,
    AFTER_DRAW,
    COMBINATIONS,
    NOTHING,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT_FLUSH,
    WAYS,
    End,
    Terms,
    all_ends,
)
from games.maths.exchange.rules import Sections
from games.maths.exchange.strategy import BET, FOLD, HIGHEST_CARD, INSTANT, SIXTH
from games.maths.results import (
    NUMBER_WORDS,
    Choice,
    OutcomeRow,
    Required,
    SimplifiedPlay,
    StrategyTable,
    WagerAnalysis,
    analysis_of,
    required,
    times,
)
from games.streams import GENERATOR

CYCLE: Final = DEALS * HIDDEN
DEALT_CYCLE: Final = TIMES * DEALS  # every round dealt has the weight of the same number of deals


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """All rounds: parts `[way, combination, second]`, each with the number of rounds that a count of 1 is one of.

    `by_start[start, …]`, where the last part is dealt: its rounds by how they began, of `DEALT_CYCLE`.
    """

    no_draw: NoDrawCounts
    parts: tuple[tuple[Ints, int], ...]
    by_start: Ints | None = None

    def chance(self, count: Callable[[Ints], int]) -> Fraction:
        return sum((Fraction(count(ends), cycle) for ends, cycle in self.parts), Fraction(0))


@cache
def round_counts(terms: Terms) -> RoundCounts:
    """Return the rounds under the strategy: shipped or kept on disk.

    `ValueError` if the counts shipped are not of all rounds that `no_draw` says begin so: the strategy has changed
    since.
    """
    arrays = cached_arrays("exchange-no-draw", lambda: asdict(count_no_draw()))
    no_draw = NoDrawCounts(arrays["decisions"].astype(np.int64), arrays["bet"].astype(np.int64))
    counted = (_counted(no_draw, terms), CYCLE)
    known = shipped(terms)
    if known is None:
        name = "-".join(map(str, ("exchange-dealt", *terms.odds, *terms.stakes.forcing)))
        dealt = cached_arrays(name, lambda: {"ends": deal_on(terms)})["ends"].astype(np.int64)
        return RoundCounts(no_draw, (counted, (dealt.sum(axis=0), DEALT_CYCLE)), dealt)
    ends = np.sum(list(known.values()), axis=0)
    parts = tuple((ends[drawn], cycle(drawn)) for drawn in range(DRAWS))
    for drawn, begun in starts_by_draw(no_draw).items():
        if int(ends[drawn].sum()) != begun * rounds_from(drawn):
            raise ValueError(f"the counts shipped are not of all {begun} deals in which {drawn} cards are drawn")
    return RoundCounts(no_draw, (counted, *parts))


def starts_by_draw(no_draw: NoDrawCounts) -> dict[int, int]:
    """Return number of cards drawn → the deals, of `DEALS`, in which the strategy says so."""
    exchanged = {
        number: sum(int(no_draw.decisions[keep]) for keep in range(BET) if keep.bit_count() == 5 - number)
        for number in (2, 3, 4)
    }
    return {1: int(no_draw.decisions[SIXTH])} | exchanged


def _counted(no_draw: NoDrawCounts, terms: Terms) -> Ints:
    """Return the rounds folded, paid at once, or bet with a hand that never forces the dealer."""
    ends = np.zeros((WAYS, len(COMBINATIONS), len(COMBINATIONS)), dtype=np.int64)
    ends[ways.FOLDED, NOTHING, NOTHING] = no_draw.decisions[FOLD] * HIDDEN
    for first in (STRAIGHT_FLUSH, ROYAL_FLUSH):
        ends[ways.INSTANT, first, NOTHING] = no_draw.bet[:, first].sum()
    paid = np.array(terms.odds)
    never_forces = paid[:, None] + paid[None, :] < terms.stakes.least_forcing
    for result, way in zip(RESULTS, ways.SETTLED, strict=True):
        ends[way] = no_draw.bet[1, :, :, result] * never_forces
    return ends


def required_wager(
    paytable: str, terms: Terms, instant: dict[int, Fraction], sections: Sections, notes: tuple[str, ...]
) -> WagerAnalysis:
    """Return the Ante Wager with all that follows it; `instant` = what a royal and a straight flush pay on it."""
    totals = round_counts(terms)
    ends = all_ends(terms, instant, sections)
    rows = tuple(
        OutcomeRow(end.outcome, totals.chance(end.count), end.net, end.wagered, None, end.pays, end.section)
        for end in ends
    )
    per_round = required(rows, initial=1)
    return analysis_of(
        "ante",
        paytable,
        rows,
        method="exact" if totals.by_start is None else "estimate",
        standard_error=None if totals.by_start is None else _error(totals.by_start, ends, per_round),
        required=per_round,
        strategy=_choices(totals, terms),
        strategy_tables=strategy_tables(terms),
        simplified_plays=_simplified_plays(totals.no_draw, terms, instant),
        notes=(_method(totals), *notes),
    )


def _error(by_start: Ints, ends: tuple[End, ...], per_round: Required) -> float:
    """Return the standard error of the hold."""
    hold = float(per_round.loss_per_total_wagered)
    values = np.array([float(end.net) + hold * float(end.wagered) for end in ends])
    variance = 0.0
    for began in by_start:
        counts = np.array([end.count(began) for end in ends])
        if counts.any():
            variance += counts @ (values - values @ counts / counts.sum()) ** 2
    return sqrt(variance) / DEALT_CYCLE / float(per_round.average_wagered)


def _choices(totals: RoundCounts, terms: Terms) -> tuple[Choice, ...]:
    """Return each decision with its share."""
    starts, drawn = totals.no_draw.decisions, starts_by_draw(totals.no_draw)
    first = {
        INSTANT_CHOICE: int(starts[INSTANT]),
        BET_CHOICE: int(starts[BET]),
        SIXTH_CHOICE: drawn[1],
        "Exchange two": drawn[2],
        "Exchange three": drawn[3],
        "Exchange four": drawn[4],
        FOLD_CHOICE: int(starts[FOLD]),
    }
    after: dict[str, Callable[[Ints], int]] = {
        BET_AFTER_DRAW_CHOICE: lambda ends: int(ends[ways.NOT_QUALIFIED + AFTER_DRAW :].sum()),
        FOLD_AFTER_DRAW_CHOICE: lambda ends: int(ends[ways.FOLDED_AFTER_DRAW].sum()),
    }
    if terms.stakes.force_fee is not None:
        after[FORCE_CHOICE] = lambda ends: sum(int(ends[way].sum()) for way in _FORCED)
    sentences = choice_sentences(terms)
    return (
        *(Choice(decision, sentences[decision], Fraction(count, DEALS)) for decision, count in first.items()),
        *(Choice(decision, sentences[decision], totals.chance(count)) for decision, count in after.items()),
    )


_FORCED: Final = tuple(way + after for after in (0, AFTER_DRAW) for way in ways.FORCED)


def _simplified_plays(no_draw: NoDrawCounts, terms: Terms, instant: dict[int, Fraction]) -> tuple[SimplifiedPlay, ...]:
    """Return exactly a player who neither draws nor forces the dealer, and is paid at once for a straight flush."""
    rest = "; the player never draws, never forces the dealer, and declares a straight flush or a royal flush"
    rules = (
        ("Bets a pair or better", "Bets with a pair or better, folds all else", PAIR),
        ("Bets an ace-king or better", "Bets with an ace-king or better, folds all else", ACE_KING),
        ("Bets every hand", "Bets every hand", NOTHING),
    )
    return tuple(
        SimplifiedPlay(name, when + rest, _simplified(no_draw, terms, instant, least)) for name, when, least in rules
    )


def _simplified(no_draw: NoDrawCounts, terms: Terms, instant: dict[int, Fraction], least: int) -> Required:
    odds, bet = terms.odds, terms.stakes.bet
    loss = wagered = Fraction(0)
    bets = no_draw.bet.sum(axis=0)
    for first, second in np.ndindex(bets.shape[:2]):
        results = [int(count) for count in bets[first, second]]
        chance = Fraction(sum(results), CYCLE)
        if first in instant:
            loss -= chance * instant[first]
        elif first < least:
            loss += chance
        else:
            wins = bet * (odds[first] + odds[second]) * results[WON] + results[NOT_QUALIFIED]
            loss += Fraction((1 + bet) * results[BEATEN] - wins, CYCLE)
            wagered += bet * chance
    return Required(loss, loss, loss / (1 + wagered), 1 + wagered)


def _method(totals: RoundCounts) -> str:
    if totals.by_start is None:
        return (
            "All rounds are counted, with every draw, every hand of the dealer and every card for a forced dealer; "
            "nothing is estimated."
        )
    ends, cycle_counted = totals.parts[0]
    return (
        f"Exact for the {float(100 * Fraction(int(ends.sum()), cycle_counted)):.2f} % of rounds without a draw in "
        f"which the dealer is not forced. The others are estimated: {int(totals.by_start.sum()):,} rounds, {TIMES} "
        f"from every start, dealt from streams of {GENERATOR} that no simulation uses."
    )


FOLD_CHOICE, BET_CHOICE, SIXTH_CHOICE, EXCHANGE_CHOICE = "Fold", "Bet", "Buy a sixth card", "Exchange"
INSTANT_CHOICE, FORCE_CHOICE = "Declare the hand", "Force the dealer"
BET_AFTER_DRAW_CHOICE, FOLD_AFTER_DRAW_CHOICE = "Bet after a draw", "Fold after a draw"

FIRST_DECISIONS: Final = (
    ("Royal flush, straight flush", "any", INSTANT_CHOICE),
    ("Four-of-a-kind", "any", BET_CHOICE),
    ("Full house", "of a rank in the hand", BET_CHOICE),
    ("Full house", "any other", SIXTH_CHOICE),
    ("Flush, straight", "any", SIXTH_CHOICE),
    ("Three-of-a-kind", "of the same rank", BET_CHOICE),
    ("Three-of-a-kind with ace-king", "any other", SIXTH_CHOICE),
    ("Three-of-a-kind", "any other", "Exchange the other two"),
    ("Two pair", "any", BET_CHOICE),
    ("Four cards of one suit", "any", SIXTH_CHOICE),
    ("Two straights or more that lack one rank each", "any", SIXTH_CHOICE),
    ("A pair, and a straight that lacks one rank", "any", SIXTH_CHOICE),
    ("A pair", "of the pair's rank or lower", BET_CHOICE),
    ("A pair of jacks or better", "higher, of the rank of another card in the hand", BET_CHOICE),
    ("A pair of 8s to 10s", "queen or lower, of the rank of another card in the hand", BET_CHOICE),
    ("A pair with ace-king", "higher, of the rank of another card in the hand", BET_CHOICE),
    ("A pair of 4s or better with ace-king", "any other", BET_CHOICE),
    ("A pair of 2s or 3s with ace-king", "any other", "Exchange all but ace and king"),
    ("A pair of 10s or jacks with an ace or a king", "queen or lower, of a rank not in the hand", BET_CHOICE),
    ("Any other pair", "any other", "Exchange the other three"),
    ("Ace-king, and a straight that lacks one rank", "ace or king", SIXTH_CHOICE),
    ("Ace-king with a queen, jack or 10, exactly these three of one suit", "any other", "Exchange the other two"),
    ("Ace-king", "any other", "Exchange the other three"),
    ("Exactly three cards of a suit, all 10 or higher", "any", "Exchange the other two"),
    ("No ace; exactly three of a suit, in sequence", "any", "Exchange the other two"),
    ("No ace; exactly three of a suit, the king and two of 9 or higher", "any", "Exchange the other two"),
    ("No ace, no king; exactly three of a suit, the highest three ranks above the lowest", "2 to 7",
     "Exchange the other two"),
    ("The two highest cards of one suit, both 10 or higher", "2 to 10", "Exchange the other three"),
    ("Anything else", "by the table of highest cards", "Exchange all but the highest card, or fold"),
)  # fmt: skip
"""(hand, the dealer's up card, decision): the first that fits."""

SECOND_DECISIONS: Final = (
    ("Two pair or better, a pair of 3s or better", "any", "any number", "Bet"),
    ("A pair of 2s", "king or ace", "any number", "Bet"),
    ("A pair of 2s", "2 to queen", "one or more", "Bet"),
    ("A pair of 2s", "2 to queen", "none", "Fold"),
    ("Ace-king with a queen or a jack", "king or ace", "any number", "Bet"),
    ("Ace-king", "2 to queen", "one or more", "Bet"),
    ("Nothing", "2 to queen", "two or more", "Bet"),
    ("Any other", "any", "any number", "Fold"),
)
"""(hand, up card, cards of the up card's rank among all that one has held, decision): the first that fits."""

CHOICE_WORDS: Final[Mapping[str, str]] = {
    INSTANT_CHOICE: "A royal flush or a straight flush in the first five cards",
    BET_CHOICE: "Four-of-a-kind, two pair; a full house, three-of-a-kind or a pair of 8s or better that the up card "
    "matches; a pair against an up card of its rank or lower; most pairs beside an ace-king",
    SIXTH_CHOICE: "A flush, a straight, any other full house; four cards to a flush, or to a straight in two ways; a "
    "pair with four to any straight",
    "Exchange two": "Three-of-a-kind; three to a royal flush; three of a suit in sequence",
    "Exchange three": "Any other pair; ace-king; two high cards of a suit",
    "Exchange four": "Nothing but a high card, against the up cards of the table of highest cards",
    FOLD_CHOICE: "Anything else",
    BET_AFTER_DRAW_CHOICE: "A pair or better; an ace-king or nothing where cards of the up card's rank have been seen",
    FOLD_AFTER_DRAW_CHOICE: "Anything else",
}
"""Decision → when, in short; the tables say it in full."""


def choice_sentences(terms: Terms) -> dict[str, str]:
    """Return decision → when, in short, also when to force."""
    stakes = terms.stakes
    if stakes.force_fee is None:
        return dict(CHOICE_WORDS)
    bet, at_stake, gain = stakes.bet, stakes.bet + 1, stakes.force_fee + 1
    force = (
        f"Odds of {stakes.least_forcing} to 1 or more in all: {times(bet)}the odds for each unseen card with which "
        f"the dealer would qualify and lose, less {NUMBER_WORDS[at_stake]} for each with which the dealer would win, "
        f"make at least {times(gain)}the number of them all"
    )
    return {**CHOICE_WORDS, FORCE_CHOICE: force}


def strategy_tables(terms: Terms) -> tuple[StrategyTable, ...]:
    """Return the tables of all decisions."""
    highest = tuple((_up_cards(card).capitalize(), *map(_up_cards, columns)) for card, columns in HIGHEST_CARD.items())
    return (
        StrategyTable(
            "With the first five cards: the first line that fits", ("Hand", "Up card", "Decision"), FIRST_DECISIONS
        ),
        StrategyTable(
            "Highest card: kept, and four cards exchanged, against these up cards; else folded",
            ("Highest card", "Up card of a rank not in the hand", "Up card of a rank in the hand"),
            highest,
        ),
        StrategyTable(
            "After a draw: the first line that fits",
            ("Hand", "Up card", "Other cards of its rank seen", "Decision"),
            SECOND_DECISIONS,
        ),
        *_forcing(terms),
    )


def _forcing(terms: Terms) -> tuple[StrategyTable, ...]:
    """Return the table of the fewest cards with which the dealer is forced; () if that is not allowed."""
    stakes = terms.stakes
    if stakes.force_fee is None:
        return ()
    sums = {first + second for first in terms.odds for second in terms.odds if first}
    gain = Fraction(1 + stakes.force_fee, stakes.bet)
    rows = tuple(
        (f"{total} to 1", *(str(ceil(gain * unseen / total)) for unseen in (42, 37)))
        for total in sorted(sums)
        if total >= stakes.least_forcing
    )
    title = "Forcing, if no card lets the dealer win: cards that qualify the dealer and lose, at least"
    return (StrategyTable(title, ("Odds in all", "of 42 unseen", "of 37 unseen"), rows),)


def _up_cards(names: str) -> str:
    return ", ".join(RANK_NAMES[RANKS.index(name)] for name in names) or "none"
