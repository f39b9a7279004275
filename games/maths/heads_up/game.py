"""One game of two own cards against the dealer's, with three chances to raise, as the rest of the portal meets it.

Here are rounds dealt and settled card by card, the steps of a round, and the most that one round can win, for a payout
limit. The rounds are the independent test of `solved`: they share with it the encoding of cards, the ranking of hands
and the table of decisions only.

What a round wins depends on three things: the class of the player's hand, whether it wins or loses against a pair or
better (a dealer who does not qualify only ever pays less), and the player's two cards. A wager on these pays a pair of
aces most, and two aces can make every class that any wager pays, winning or losing: so one deal for each class from
three-of-a-kind up that wins, and for each from a straight up that loses, is all that need be tried; with less only Ante
and Raise Wager win, as they do with three-of-a-kind. Every Raise Wager is the largest, that before the Flop.

Not here: the decisions (`solved`), their words (`wagers`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths import hands
from games.maths.cards import cards
from games.maths.heads_up.best_play import CYCLE, PACK, STRENGTH_TABLES, Decisions, Ints, StrengthTables
from games.maths.heads_up.rules import (
    AFTER,
    BEFORE,
    BEST_FIVE,
    ENDS,
    FOLD,
    LAST,
    LOSE,
    OWN_CARDS,
    TIE,
    WIN,
    WIN_UNQUALIFIED,
    BonusWager,
    Rules,
    Sections,
)
from games.maths.heads_up.seven_cards import (
    BOARD_TABLES,
    CLASS_OF,
    GROUPS,
    PAIR_GROUPS,
    RENAMINGS,
    BoardTables,
    board_row,
    card_kind,
    flop_number,
    flops,
    kind_number,
    pair_number,
    suit_bit,
)
from games.maths.heads_up.solved import decisions, settled
from games.maths.heads_up.wagers import (
    INITIAL,
    PRINTED,
    OddsTables,
    bonus_counts,
    bonus_wager,
    choices,
    counts_by_ending,
    ending,
    outcome_rows,
    pocket,
    simplified_plays,
    strategy_tables,
)
from games.maths.published import compare_published
from games.maths.ranking import class_of, flush_part, high_part, low_part, standard
from games.maths.results import LargestRound, PartWon, Step, Tally, WagerAnalysis, antes, counted, parts_won, required
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play
from games.streams import advance, below, start


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # one of a kind: what is computed of it is kept
class HeadsUpGame:
    """The terms of one game: the raises and the dealer's qualifier, the wagers, the sections.

    `ante` is the required wager, decided with two others that have one paytable each: `odds`, what the Odds Wager of a
    winning hand pays, and `bad_beat`, what that of a losing one pays. Every optional wager is in `bonuses`.
    """

    rules: Rules
    odds: str  # wager
    bad_beat: str  # wager
    bonuses: Mapping[str, BonusWager]  # wager → what decides it
    notes: tuple[str, ...]  # on the required wager
    sections: Sections

    def __post_init__(self) -> None:
        if self.bad_beat == self.odds:
            raise ParameterError("bad_beat", f"is {self.bad_beat!r}, which is `odds`: each has a paytable of its own")
        if decided := {"ante", self.odds, self.bad_beat} & self.bonuses.keys():
            raise ParameterError("bonuses", f"has {min(decided)}, which is decided with the Ante Wager")

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered, exactly; the play is the one that is best for Ante, Odds and Raise Wager."""
        odds = self.odds_tables(chapter)
        analyses = (
            bonus_wager(chapter.paytable(wager, name), self.bonuses[wager]) if name else _required(self, odds)
            for wager, name in in_play(chapter, answers)
        )
        return tuple(compare_published(chapter, analysis) for analysis in analyses)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        odds, dealt = self.odds_tables(chapter), self._deal(chapter, seed, block, rounds)
        ends = counts_by_ending(odds, self.sections, dealt.required)
        tally: Tally = {"ante": {round_end.outcome: number for round_end, number in ends.items()}}
        for wager, name in paytables_in_play(chapter, answers).items():
            if name:
                bonus = self.bonuses[wager]
                counts = dealt.own if bonus.by == OWN_CARDS else dealt.made
                tally[wager] = bonus_counts(chapter.paytable(wager, name), bonus, counts.tolist(), rounds)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return both hands, the community cards and the decisions between them."""
        dealt = self._deal(chapter, seed, block, index + 1)
        return round_steps(self.rules, self.sections, answers, dealt.deck.tolist(), dealt.when)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the best of the candidate `DEALS` under the paytables in use."""
        names = paytables_in_play(chapter, answers)
        odds = self.odds_tables(chapter)
        tables = [chapter.paytable(wager, names[wager]) for wager in stakes if names[wager]]
        candidates: list[LargestRound] = []
        for board, hidden in ((cards(board), cards(hidden)) for board, hidden in DEALS):
            own, dealer = best_of((*ACES, *board)), best_of((*hidden, *board))
            rank = class_of(own)
            won_by = {OWN_CARDS: pocket(int(PAIR_GROUPS[pair_number(*ACES)])), BEST_FIVE: PRINTED[rank]}
            outcomes = [won_by[self.bonuses[table.wager].by] for table in tables]
            if {PRINTED[rank], *outcomes} & set(leaves_out):
                continue
            end = ending(odds, self.sections, BEFORE, WIN if own > dealer else LOSE, rank)
            parts = [PartWon("ante", stakes["ante"], end.net, end.pays)] if "ante" in stakes else []
            parts += parts_won(tables, outcomes, stakes)
            steps = round_steps(odds.rules, self.sections, {}, deck_of(ACES, hidden, board), BEFORE)
            candidates.append(LargestRound(steps, tuple(parts)))
        return max(candidates, key=lambda candidate: candidate.amount)

    def odds_tables(self, chapter: Chapter) -> OddsTables:
        """Return the rules with the chapter's two paytables of the Odds Wager."""
        (won,), (lost,) = chapter.tables_of(self.odds), chapter.tables_of(self.bad_beat)
        return OddsTables(self.rules, won, lost)

    def _deal(self, chapter: Chapter, seed: int, block: int, rounds: int) -> "DealtRounds":
        pays = self.odds_tables(chapter).pays()
        return deal_rounds(strategy_table(decisions(pays)), pays.lowest, seed, block, rounds)


@cache
def _required(game: HeadsUpGame, odds: OddsTables) -> WagerAnalysis:
    rows = outcome_rows(odds, game.sections, settled(odds.pays()).best)
    return counted(
        "ante",
        "",
        rows,
        CYCLE,
        required=required(rows, INITIAL),
        strategy=choices(odds),
        strategy_tables=strategy_tables(odds),
        simplified_plays=simplified_plays(odds, game.sections),
        notes=(*game.notes, _equal_decisions(odds)),
    )


def _equal_decisions(odds: OddsTables) -> str:
    before, after, last = (int(number) for number in decisions(odds.pays()).equal)
    return (
        f"Raising and not raising are worth the same in {before} cases before the Flop, {after} after it and {last:,} "
        "after the River card (suits that are alike counted once): there the larger wager is made."
    )


FLOP, TURN, RIVER = 5, 9, 10  # places in the deck; a card is burned before the Flop and before the Turn
CARDS_DEALT = 11
Bytes = NDArray[np.uint8]
Strategy = tuple[NDArray[np.bool_], Bytes, Bytes, NDArray[np.int16], NDArray[np.int8], Ints]
"""Decisions before the Flop, after it and at last, the latter two as bits; each flop's standard form, the renaming
of suits that leads there, and the renamings."""


@dataclass(frozen=True, slots=True)
class DealtRounds:
    """Numbers of rounds, and the last round dealt.

    `required[when raised, end, player's class]`, `own[group of the two cards]` and `made[player's class]`, folded or
    not; `deck` and `when` of the last round.
    """

    required: Ints
    own: Ints
    made: Ints
    deck: Ints
    when: int


def strategy_table(decisions: Decisions) -> Strategy:
    """Return the decisions as the rounds look them up."""
    all_flops = flops()
    return decisions.before, decisions.after, decisions.last, all_flops.number, all_flops.renaming, RENAMINGS


def deal_rounds(strategy: Strategy, lowest: int, seed: int, block: int, rounds: int) -> DealtRounds:
    """Return the rounds of stream (seed, block), where the dealer qualifies from the strength `lowest` on."""
    size = len(hands.STANDARD)
    required, own, made = (np.zeros(shape, np.int64) for shape in ((FOLD + 1, len(ENDS), size), GROUPS, size))
    deck, tables = np.arange(PACK), (STRENGTH_TABLES, BOARD_TABLES, CLASS_OF, PAIR_GROUPS)
    when = _deal(seed, block, rounds, deck, tables, strategy, lowest, (required, own, made))
    return DealtRounds(required, own, made, deck, when)


@kernel
def _deal(
    seed: int,
    block: int,
    rounds: int,
    deck: Ints,
    tables: tuple[StrengthTables, BoardTables, Ints, Ints],
    strategy: Strategy,
    lowest: int,
    tallies: tuple[Ints, Ints, Ints],
) -> int:
    (keys, low, high, by_ranks, by_suit), board_tables, classes, groups = tables
    before, after, last, number, renaming, renamings = strategy
    required, own, made = tallies
    board, strengths = np.empty(5, np.int64), np.empty(2, np.int64)
    state = start(seed, block)
    when = FOLD
    for _ in range(rounds):
        for place in range(CARDS_DEALT):  # the shuffle, as far as cards are dealt
            state = advance(state)
            second = place + below(state, PACK - place)
            deck[place], deck[second] = deck[second], deck[place]
        for place in range(3):
            board[place] = deck[FLOP + place]
        board[3], board[4] = deck[TURN], deck[RIVER]

        # the best five of seven cards, the player's (side 0) and the dealer's; found before the decisions, so that the
        # processor does not wait for them
        board_key, board_bits = 0, 0
        for place in range(5):
            board_key += keys[board[place]]
            board_bits |= suit_bit(board[place])
        for side in range(2):
            first, second = deck[side], deck[2 + side]
            key = board_key + keys[first] + keys[second]
            strengths[side] = by_ranks[low[low_part(key)] + high[high_part(key)]]
            if flush_part(key):
                bits = board_bits | suit_bit(first) | suit_bit(second)
                for suit in range(4):
                    strengths[side] = max(strengths[side], by_suit[bits >> 13 * suit & 0x1FFF])
        mine, dealer = strengths[0], strengths[1]

        # raise before the Flop, after it, at last, or fold
        pair = pair_number(deck[0], deck[2])
        when = BEFORE
        if not before[pair]:
            flop = flop_number(board[0], board[1], board[2])
            form, to = number[flop], renaming[flop]
            here = pair_number((deck[0] & ~3) + renamings[to, deck[0] & 3], (deck[2] & ~3) + renamings[to, deck[2] & 3])
            when = AFTER if after[form, here >> 3] >> (here & 7) & 1 else LAST
        if when == LAST:
            row, suit = board_row(board, board_tables)
            kind = kind_number(card_kind(deck[0], suit), card_kind(deck[2], suit))
            when = LAST if last[row, kind >> 3] >> (kind & 7) & 1 else FOLD

        # the ends follow one another in pairs: a sum branches on nothing
        end = WIN + (TIE if mine <= dealer else 0) + (LOSE - TIE if mine < dealer else 0)
        end += WIN_UNQUALIFIED - WIN if dealer < lowest else 0
        required[when, end, classes[mine]] += 1
        own[groups[pair]] += 1
        made[classes[mine]] += 1
    return when


ACES = cards("As Ah")
DEALS = (  # the community cards and the dealer's two
    ("Ks Qs Js Ts 2d", "2h 3c"),
    ("2s 3s 4s 5s Kd", "Kh 9c"),
    ("Ad Ac 7h 2d 9s", "7c 3d"),
    ("Ad 7h 7c 2d 9s", "Kh Kc"),
    ("Ks 9s 7s 2s 3d", "Kh 4c"),
    ("2d 3c 4h 5s Kd", "Kh 9c"),
    ("Ad 7h 2c 9d 4s", "7c Kc"),
    ("2s 3s 4s 5s Kd", "6s 7s"),
    ("Ad Ac Kd Qd Jd", "Td 9d"),
    ("Ad Kh Kd 7c 2s", "Kc Ks"),
    ("Ks 9s 9d 7s 2s", "9h 9c"),
    ("2d 3d 4d 5c Kh", "6s 7s"),
)


def best_of(seven: Sequence[int]) -> int:
    """Return the value of the best five, in `ranking.standard`."""
    return max(standard().value(five) for five in combinations(seven, 5))


BOARD = "Community cards"
UNSEEN = -1  # the burned cards of a deal that is replayed without them


def deck_of(own: Sequence[int], dealer: Sequence[int], board: Sequence[int]) -> list[int]:
    """Return the deal as the deck that `deal_rounds` deals it from."""
    return [own[0], dealer[0], own[1], dealer[1], UNSEEN, *board[:3], UNSEEN, *board[3:]]


def round_steps(rules: Rules, sections: Sections, answers: Answers, deck: Sequence[int], when: int) -> tuple[Step, ...]:
    """Return the round dealt from this deck, raised then."""
    dealt = way_dealt(sections.dealt, answers)
    shown = bool(answers.get("community_cards_first"))  # no card is burned then
    act = "reveals {}" if shown else "burns a card and deals {}"
    before, after, last = sections.raised
    steps = [
        Step("Player", "is dealt two cards", dealt, (deck[0], deck[2])),
        Step("Dealer", "is dealt two cards, face down", dealt, (deck[1], deck[3])),
        Step("Player", f"raises {antes(rules.raises[BEFORE])}" if when == BEFORE else "checks", before),
        Step("Dealer", act.format("the Flop"), sections.flop, tuple(deck[FLOP : FLOP + 3]), BOARD),
    ]
    if when != BEFORE:
        steps.append(Step("Player", f"raises {antes(rules.raises[AFTER])}" if when == AFTER else "checks", after))
    turn_and_river = (deck[TURN], deck[RIVER])
    steps.append(Step("Dealer", act.format("Turn and River card"), sections.turn_and_river, turn_and_river, BOARD))
    if when not in (BEFORE, AFTER):
        steps.append(Step("Player", f"raises {antes(rules.raises[LAST])}" if when == LAST else "folds", last))
    return (*steps, Step("Dealer", "turns both cards face up", sections.shown, (deck[1], deck[3])))
