"""One game of two own cards against the dealer's, with three chances to raise, as the rest of the portal meets it.

Here are the steps of a round, and the most that one round can win, for a payout limit.

What a round wins depends on three things: the class of the player's hand, whether it wins or loses against a pair or
better (a dealer who does not qualify only ever pays less), and the player's two cards. A wager on these pays a pair of
aces most, and two aces can make every class that any wager pays, winning or losing: so one deal for each class from
three-of-a-kind up that wins, and for each from a straight up that loses, is all that need be tried; with less only Ante
and Raise Wager win, as they do with three-of-a-kind. Every Raise Wager is the largest, that before the Flop.

Not here: the decisions (`solved`), their words (`wagers`), dealing (`rounds`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations

from games.maths.cards import cards
from games.maths.heads_up.best_play import CYCLE
from games.maths.heads_up.rounds import FLOP, RIVER, TURN, DealtRounds, deal_rounds, strategy_table
from games.maths.heads_up.rules import AFTER, BEFORE, LAST, LOSE, OWN_CARDS, WIN, BonusWager, Rules, Sections
from games.maths.heads_up.seven_cards import PAIR_GROUPS, pair_number
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
from games.maths.ranking import class_of, standard
from games.maths.results import LargestRound, PartWon, Step, Tally, WagerAnalysis, antes, counted, net_of, required
from games.rules.conditions import way_dealt
from games.rules.errors import ParameterError
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play


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
        """Return the best of the candidate deals (`largest`) under the paytables in use."""
        names = paytables_in_play(chapter, answers)
        tables = [(chapter.paytable(wager, names[wager]), self.bonuses[wager]) for wager in stakes if names[wager]]
        return largest(self.odds_tables(chapter), self.sections, tables, stakes, leaves_out)

    def odds_tables(self, chapter: Chapter) -> OddsTables:
        """Return the rules with the chapter's two paytables of the Odds Wager."""
        (won,), (lost,) = chapter.tables_of(self.odds), chapter.tables_of(self.bad_beat)
        return OddsTables(self.rules, won, lost)

    def _deal(self, chapter: Chapter, seed: int, block: int, rounds: int) -> DealtRounds:
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


def largest(
    odds: OddsTables,
    sections: Sections,
    tables: Sequence[tuple[Paytable, BonusWager]],
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> LargestRound:
    """Return the largest round; `tables`: those in use of the optional wagers among the `stakes`."""
    return max(_settled(odds, sections, tables, stakes, leaves_out), key=lambda candidate: candidate.amount)


def _settled(
    odds: OddsTables,
    sections: Sections,
    tables: Sequence[tuple[Paytable, BonusWager]],
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> Iterator[LargestRound]:
    """Yield each of the deals, but those with an outcome that is left out."""
    for board, hidden in ((cards(board), cards(hidden)) for board, hidden in DEALS):
        own, dealer = best_of((*ACES, *board)), best_of((*hidden, *board))
        rank = class_of(own)
        outcomes = {table.wager: _outcome(bonus, rank) for table, bonus in tables}
        if {PRINTED[rank], *outcomes.values()} & set(leaves_out):
            continue
        parts = []
        if "ante" in stakes:
            end = ending(odds, sections, BEFORE, WIN if own > dealer else LOSE, rank)
            parts.append(PartWon("ante", stakes["ante"], end.net, end.pays))
        for table, _ in tables:
            pay = next(line.pays[0] for line in table.rows if line.outcome == outcomes[table.wager])
            parts.append(PartWon(table.wager, stakes[table.wager], net_of(pay, table), pay.printed))
        yield LargestRound(round_steps(odds.rules, sections, {}, deck_of(ACES, hidden, board), BEFORE), tuple(parts))


def _outcome(bonus: BonusWager, rank: int) -> str:
    return pocket(int(PAIR_GROUPS[pair_number(*ACES)])) if bonus.by == OWN_CARDS else PRINTED[rank]


def best_of(seven: Sequence[int]) -> int:
    """Return the value of the best five, in `ranking.standard`."""
    return max(standard().value(five) for five in combinations(seven, 5))


BOARD = "Community cards"
UNSEEN = -1  # the burned cards of a deal that is replayed without them


def deck_of(own: Sequence[int], dealer: Sequence[int], board: Sequence[int]) -> list[int]:
    """Return the deal as the deck that `rounds` deals it from."""
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
