"""Raise It Up Stud Poker: three own and three community cards against a paytable, and one Play Wager of one to three
Antes, the smaller the later it is made.

Exact figures and simulated rounds come as counts by class from `maths.staged_raises`; here is which row of which
paytable each count belongs to.
"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from games.maths import hands
from games.maths.cards import FULL_DECK
from games.maths.published import compare_published
from games.maths.ranking import standard
from games.maths.results import OutcomeRow, Step, Tally, WagerAnalysis
from games.maths.staged_raises.raise_it_up import CYCLE, ROYAL_OF_SPADES, BestPlay, best_play
from games.maths.staged_raises.raise_it_up_rounds import CARDS_DEALT, OWN, deal_rounds
from games.maths.staged_raises.raise_it_up_wagers import LEAST, analyze_required, odds_of, required_counts
from games.maths.three_cards import CLASSES, HANDS, ROYAL, place
from games.maths.wagers import LOST_NET, counted, net_of, progressive, row
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

SIX_CARD_HANDS = comb(FULL_DECK, CARDS_DEALT)
LOST_OUTCOME, FORFEITED = "Lost", "Forfeited: a winning hand is folded"
PAIR_PLUS = (hands.STRAIGHT_FLUSH, hands.THREE, hands.STRAIGHT, hands.FLUSH, hands.PAIR)  # § 587.12(a)
SIX_CARDS = tuple(reversed(hands.STANDARD[hands.STANDARD.index(hands.THREE) :]))  # § 587.12(f)
OWN_CLASSES = (*CLASSES, "Royal of spades")
PROGRESSIVE = (OWN_CLASSES[ROYAL_OF_SPADES], ROYAL, hands.STRAIGHT_FLUSH, hands.THREE, hands.STRAIGHT)  # § 587.12(e)(1)
DEALING = (("manual_shoe", "§ 587.8(d)"), ("from_hand", "§ 587.9(b)"), ("automated_shoe", "§ 587.10(b)"))

Counts = NDArray[np.int64]


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the play is the one that is best for Ante, Blind and Play Wager."""
    analyses = (_analyze(chapter, wager, name, answers or {}) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(chapter: Chapter, wager: str, paytable: str, answers: Answers) -> WagerAnalysis:
    play, blind = _tables(chapter)
    if wager == "ante":
        return analyze_required(play, blind)
    table, best = chapter.paytable(wager, paytable), _best(chapter)
    if wager == "pair_plus":
        return _dealt(table, _own_counts(best.own.sum(axis=0), PAIR_PLUS, table), HANDS)
    if wager == "six_card_bonus":
        return _dealt(table, _six_card_counts(best.required, table), SIX_CARD_HANDS)
    return _progressive(_with_meter(chapter, table, answers), best)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    tables = {
        wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items() if name
    }
    settled = deal_rounds(_best(chapter).decisions, LEAST, (seed, block, rounds))
    tally: Tally = {"ante": required_counts(settled.required, _tables(chapter)[0])}
    tally["pair_plus"] = _own_counts(settled.own.sum(axis=0), PAIR_PLUS, tables["pair_plus"])
    if "progressive" in tables:
        tally["progressive"] = _progressive_counts(settled.own, tables["progressive"])
    if "six_card_bonus" in tables:
        tally["six_card_bonus"] = _six_card_counts(settled.required, tables["six_card_bonus"])
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The round as dealt, one player at the table."""
    decisions = _best(chapter).decisions
    dealt = deal_rounds(decisions, LEAST, (seed, block, index + 1)).last
    best = max(combinations(dealt, 5), key=standard().value)
    steps = [
        Step("Player", "is dealt three cards", next(where for key, where in DEALING if answers.get(key)), dealt[:OWN])
    ]
    stages = (
        (decisions.three_times, "makes a Play Wager of three Antes", "checks", "b", "c", "first"),
        (decisions.twice, "makes a Play Wager of two Antes", "checks", "d", "e", "second"),
        (decisions.once, "makes a Play Wager of one Ante", "folds", "f", "h", "third"),
    )
    decided = False
    for seen, (raises, yes, no, paragraph, turned, which) in enumerate(stages, start=OWN):
        if not decided:
            decided = bool(raises[place(dealt[:seen])])
            steps.append(Step("Player", yes if decided else no, f"§ 587.11({paragraph})"))
        steps.append(
            Step("Community cards", f"the {which} is turned up", f"§ 587.11({turned})", dealt[seen : seen + 1])
        )
    made = f"holds as best five cards: {standard().class_name(best)}"
    return (*steps, Step("Player", made, "§ 587.11(i)(2)", best))


def _tables(chapter: Chapter) -> tuple[Paytable, Paytable]:
    """Of the Play and the Blind Wager."""
    return chapter.tables_of("play")[0], chapter.tables_of("blind")[0]


def _best(chapter: Chapter) -> BestPlay:
    return best_play(odds_of(*_tables(chapter))[0])


# ---- Pair Plus and Six Card Bonus Wagers


def _own_counts(class_counts: Counts, paid: tuple[str, ...], table: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by class of the own cards; a royal without a row of its own is a straight flush."""
    by_class = dict(zip(OWN_CLASSES, (int(count) for count in class_counts), strict=True))
    for royal in OWN_CLASSES[OWN_CLASSES.index(ROYAL) :]:
        if royal not in paid:
            by_class[hands.STRAIGHT_FLUSH] += by_class.pop(royal)
    counts = {line.outcome: by_class[name] for line, name in zip(table.rows, paid, strict=True)}
    return counts | {LOST_OUTCOME: sum(by_class.values()) - sum(counts.values())}


def _six_card_counts(ends: Counts, table: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [end, class]: a fold forfeits nothing (§ 587.11(g))."""
    class_counts = ends.sum(axis=0)
    paid = zip(table.rows, SIX_CARDS, strict=True)
    counts = {line.outcome: int(class_counts[hands.STANDARD.index(name)]) for line, name in paid}
    return counts | {LOST_OUTCOME: int(class_counts.sum()) - sum(counts.values())}


def _rows(table: Paytable, counts: dict[str, int], cycle: int, lost: str) -> list[OutcomeRow]:
    """The paytable's rows, then the lost ones; the counts are brought down to the cycle."""
    share = sum(counts.values()) // cycle
    pays = {line.outcome: line.pays[0] for line in table.rows}
    return [
        row(outcome, count // share, cycle, net_of(pays[outcome], table), pays=pays[outcome].printed)
        if outcome in pays
        else row(outcome, count // share, cycle, LOST_NET, section=lost if outcome == LOST_OUTCOME else "§ 587.11(g)")
        for outcome, count in counts.items()
    ]


def _dealt(table: Paytable, counts: dict[str, int], cycle: int) -> WagerAnalysis:
    """A wager that no decision touches."""
    lost = "§ 587.11(i)(1)" if table.wager == "pair_plus" else "§ 587.11(i)(3)(ii)"
    return counted(table.wager, table.name, _rows(table, counts, cycle, lost), cycle)


# ---- Progressive Payout Wager


def _with_meter(chapter: Chapter, table: Paytable, answers: Answers) -> Paytable:
    """The table with the rate and reset amount answered, else with the smallest allowed: § 587.12(e)(3)."""
    rate, reset = (
        Decimal(str(answers[key])) if answers.get(key) is not None else _smallest(chapter, key)
        for key in ("progressive_rate", "progressive_reset")
    )
    return replace(table, rate=Fraction(rate) / 100, seed=reset)


def _smallest(chapter: Chapter, option: str) -> Decimal:
    """What the chapter's requirements let the answer be at least."""
    conditions = (demand.must for demand in chapter.requirements if demand.must)
    tests = (
        test for must in conditions for alternative in must.alternatives for key, test in alternative if key == option
    )
    return max(test.at_least for test in tests if test.at_least is not None)


def _progressive_counts(own: Counts, table: Paytable) -> dict[str, int]:
    """Outcome → count, from counts by [folded, class of the own cards]: reading `progressive-after-a-fold`."""
    played, folded = (_own_counts(class_counts, PROGRESSIVE, table) for class_counts in own)
    forfeited = sum(folded.values()) - folded[LOST_OUTCOME]
    return played | {FORFEITED: forfeited, LOST_OUTCOME: played[LOST_OUTCOME] + folded[LOST_OUTCOME]}


def _progressive(table: Paytable, best: BestPlay) -> WagerAnalysis:
    rows = _rows(table, _progressive_counts(best.own, table), CYCLE, "§ 587.11(i)(3)(i)")
    chances = {outcome_row.outcome: outcome_row.probability or Fraction(0) for outcome_row in rows}
    dealt = {
        outcome: Fraction(count, CYCLE)
        for outcome, count in _own_counts(best.own.sum(axis=0), PROGRESSIVE, table).items()
    }
    never_folds = progressive(table, ((line.pays[0], dealt[line.outcome]) for line in table.rows))
    return counted(
        "progressive",
        table.name,
        rows,
        CYCLE,
        progressive=progressive(table, ((line.pays[0], chances[line.outcome]) for line in table.rows)),
        envy_per_other_player=sum((dealt[line.outcome] * Fraction(line.envy or 0) for line in table.rows), Fraction(0)),
        notes=(
            f"The hold is that of a meter at its reset amount of ${table.seed:,}, and of the play that is best for the "
            f"required wagers: in {float(100 * chances[FORFEITED]):.4f} % of all rounds it folds a straight or better, "
            f"and this wager is forfeited (§ 587.11(g)).",
            f"A player who never folds such a hand is returned {float(100 * never_folds.return_at_reset):.6f} %, of it "
            f"{float(100 * never_folds.fixed_return):.6f} % by odds.",
        ),
    )


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=50_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
