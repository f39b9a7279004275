"""One game of two own cards against the dealer's, with three chances to raise, as the rest of the portal meets it.

Here are the decisions as data, the steps of a round, and the most that one round can win, for a payout limit.

What a round wins depends on three things: the class of the player's hand, whether it wins or loses against a pair or
better (a dealer who does not qualify only ever pays less), and the player's two cards. A wager on these pays a pair of
aces most, and two aces can make every class that any wager pays, winning or losing: so one deal for each class from
three-of-a-kind up that wins, and for each from a straight up that loses, is all that need be tried; with less only Ante
and Raise Wager win, as they do with three-of-a-kind. Every Raise Wager is the largest, that before the Flop.

Not here: the decisions (`solved`), their words (`wagers`), dealing (`games.second.heads_up`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from games.maths.cards import cards
from games.maths.hands import PRINTED
from games.maths.heads_up.best_play import CYCLE, Decisions
from games.maths.heads_up.rules import (
    AFTER,
    BEFORE,
    BEST_FIVE,
    FOLD,
    LAST,
    LOSE,
    OWN_CARDS,
    WIN,
    BonusWager,
    Rules,
    Sections,
)
from games.maths.heads_up.seven_cards import (
    BOARD_TABLES,
    PAIR_GROUPS,
    RENAMINGS,
    board_row,
    card_kind,
    flop_number,
    flops,
    kind_number,
    pair_number,
    rows_by_ranks,
)
from games.maths.heads_up.solved import decisions, settled
from games.maths.heads_up.wagers import (
    INITIAL,
    OddsTables,
    bonus_wager,
    choices,
    ending,
    outcome_rows,
    pocket,
    simplified_plays,
    strategy_tables,
)
from games.maths.ranking import class_of, standard
from games.maths.results import LargestRound, PartWon, Step, WagerAnalysis, antes, counted, parts_won, required
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import paytables_in_play

Strategy = tuple[NDArray[np.bool_], NDArray[np.int16], NDArray[np.uint8], NDArray[np.uint8]]
"""Decisions before the Flop, the standard form of each Flop, decisions after it and at last, the latter two as bits."""


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

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; the play is the one that is best for Ante, Odds and Raise Wager."""
        if name:
            yield bonus_wager(chapter.paytable(wager, name), self.bonuses[wager])
        else:
            yield _required(self, self.odds_tables(chapter))

    def strategy(self, chapter: Chapter, answers: Answers) -> Strategy:
        """Return when to raise, numbered as `games.second.heads_up` reads it."""
        best = decisions(self.odds_tables(chapter).pays())
        return best.before, flops().number, best.after, best.last[rows_by_ranks()]

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return both hands, the community cards and the decisions between them."""
        when = when_raised(decisions(self.odds_tables(chapter).pays()), dealt)
        return round_steps(self.rules, self.sections, answers, dealt, when)

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


def when_raised(decisions: Decisions, deck: Sequence[int]) -> int:
    """Return when the player raises in the round dealt from this deck."""
    own, flop = (deck[0], deck[2]), deck[FLOP : FLOP + 3]
    if decisions.before[pair_number(*own)]:
        return BEFORE
    at = flop_number(*flop)
    new = RENAMINGS[flops().renaming[at]]
    pair = pair_number(*(card // 4 * 4 + int(new[card % 4]) for card in own))
    if decisions.after[flops().number[at], pair >> 3] >> (pair & 7) & 1:
        return AFTER
    row, suit = board_row(np.array([*flop, deck[TURN], deck[RIVER]]), BOARD_TABLES)
    kind = kind_number(card_kind(own[0], suit), card_kind(own[1], suit))
    return LAST if decisions.last[row, kind >> 3] >> (kind & 7) & 1 else FOLD


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
    """Return the deal as the deck that it is dealt from."""
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
