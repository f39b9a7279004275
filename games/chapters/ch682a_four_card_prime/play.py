"""Four Card Prime: the best four of the player's five cards against the best four of the dealer's hidden six; fold, or
raise one to three Antes.

Hands are counted and rounds are dealt in `maths.raise_or_fold`; here is what each decision, result and hand wins.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from games.maths.cards import ACE
from games.maths.published import compare_published
from games.maths.raise_or_fold import six_cards as six
from games.maths.raise_or_fold.four_cards import (
    FLUSH,
    FOUR,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIRS,
)
from games.maths.raise_or_fold.four_game import FourCardGame, SimplifiedRule, by_steps, strengths, value_counts
from games.maths.raise_or_fold.four_hidden import HANDS, HIGHER, OWN
from games.maths.raise_or_fold.four_play import Ending, Endings, Ints, outcome_counts
from games.maths.raise_or_fold.paytable_rows import outcomes_of, paid_counts, paid_rows
from games.maths.raise_or_fold.sixth_card import deals
from games.maths.results import LargestRound, PartWon, Step, Tally, WagerAnalysis
from games.maths.wagers import counted, net_of
from games.play import Play
from games.rules.model import Answers, Chapter, Pay, Paytable
from games.rules.wagers_in_play import in_play, part_in_play, part_paytable, paytables_in_play

STRONG = {THREE: "Three-of-a-kind", STRAIGHT_FLUSH: "Straight flush", FOUR: "Four-of-a-kind"}  # § 682a.12(b), (c)
ACES_BONUS = {
    FOUR: ("Four aces", "Four-of-a-kind"),
    STRAIGHT_FLUSH: ("Royal flush", "Straight flush"),
    THREE: ("Three aces", "Three-of-a-kind"),
    FLUSH: ("Flush", "Flush"),
    STRAIGHT: ("Straight", "Straight"),
    TWO_PAIRS: ("Two pair", "Two pair"),
    PAIR: ("Two Aces", ""),
    HIGH_CARD: ("", ""),
}
"""§ 682a.6(d), of the best four cards: what they are with an ace in the first place, and without."""
ALL_SIX = {
    six.NOTHING: "",
    six.THREE: "Three-of-a-kind",
    six.STRAIGHT: "Straight",
    six.FLUSH: "Flush",
    six.FULL_HOUSE: "Full house",
    six.FOUR: "Four-of-a-kind",
    six.STRAIGHT_FLUSH: "Straight flush",
    six.ROYAL_FLUSH: "Royal flush",
    six.SIX_CARD_ROYAL: "Six-card royal flush—hearts, spades or clubs",
    six.DIAMOND_ROYAL: "Six-card royal flush—diamonds",
}
ALL_ALIKE, FOUR_ALIKE = "All five the same color", "Four of the same color"
PRIME = (ALL_ALIKE, FOUR_ALIKE, "", "", FOUR_ALIKE, ALL_ALIKE)  # § 682a.12(d), by how many of the five cards are red
COLOR = 26  # cards of each
LOSES = Pay(odds=Fraction(-1), per="to", printed="lost")
PLACES = {"aces_bonus": 0, "all_six": 1}  # of what each looks at, in `sixth_card.deals`
LOST_BY = {"prime": "§ 682a.11(e)(1)(i)", "aces_bonus": "§ 682a.11(e)(2)(i)", "all_six": "§ 682a.11(e)(3)(i)"}

DEALT_BY = {"manual_shoe": "§ 682a.8(c)", "from_hand": "§ 682a.9(b)", "automated_shoe": "§ 682a.10(b)"}

TENS, THREES = (PAIR, 8), (PAIR, 1)
GAME = FourCardGame(
    dealer_cards=6,  # § 682a.8(c)
    shared=1,  # the All-Six Bonus card
    least=0,  # any hand of the dealer's plays
    groups=np.array([strength[0] for strength in strengths()]),
    most=by_steps(((HIGH_CARD,), 3)),  # § 682a.7(d)(1)
    initial=1,
    words=("Fold", "Raise one Ante", "Raise two Antes", "Raise three Antes"),
    simplified=(
        SimplifiedRule("Goes by the pair alone", ((THREES, 1), (TENS, 3))),
        SimplifiedRule("Always raises one Ante", (((HIGH_CARD,), 1),)),
        SimplifiedRule("Always raises three Antes", (((HIGH_CARD,), 3),)),
    ),
)


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the Ante once for every Bad Beat Bonus paytable in play."""
    analyses = []
    for wager, name in in_play(chapter, answers):
        if wager == "ante":
            names = part_in_play(chapter, answers, "bad_beat")
            analyses += [GAME.required("ante", bad_beat, _endings(chapter, bad_beat)) for bad_beat in names]
        else:
            analyses.append(_optional(chapter.paytable(wager, name)))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    endings = _endings(chapter, part_paytable(chapter, answers, "bad_beat"))
    settled = GAME.deal(endings, (seed, block, rounds))
    counts = {"prime": settled.reds, "aces_bonus": settled.values, "all_six": settled.sixes}
    tally = {
        wager: _counts(wager, outcomes_of(chapter.paytable(wager, name)), counts[wager])
        for wager, name in paytables_in_play(chapter, answers).items()
        if name
    }
    return {"ante": outcome_counts(settled.met, endings), **tally}


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The All-Six Bonus card where that wager is offered, both hands, the decision."""
    endings = _endings(chapter, part_paytable(chapter, answers, "bad_beat"))
    settled, dealt = GAME.deal(endings, (seed, block, index + 1)), _dealt_by(answers)
    decision = GAME.strategy(endings).of(settled.player)
    steps = (
        Step("Player", "is dealt five cards", dealt, settled.player),
        Step("Dealer", "is dealt six cards, hidden until the player has decided", dealt, settled.dealer),
        Step("Player", f"raises {decision}× the Ante" if decision else "folds", "§ 682a.11(b)"),
    )
    shared = Step("All-Six Bonus card", "is dealt face down", dealt, settled.shared)
    return (shared, *steps) if "all_six" in paytables_in_play(chapter, answers) else steps


def largest_round(
    chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> LargestRound:
    """The most that the Aces Bonus and All-Six Bonus Wagers win on the same six cards; no decision changes it."""
    in_use = paytables_in_play(chapter, answers)
    tables = [chapter.paytable(wager, in_use[wager]) for wager in stakes if wager in in_use]
    dealt = {
        tuple(_outcome(table.wager, outcomes_of(table), pair[PLACES[table.wager]]) for table in tables): cards
        for pair, cards in deals().items()
    }
    candidates = (
        LargestRound(
            _six_dealt(cards, answers),
            tuple(_part(table, stakes[table.wager], outcome) for table, outcome in zip(tables, outcomes, strict=True)),
        )
        for outcomes, cards in dealt.items()
        if not set(outcomes) & set(leaves_out)
    )
    return max(candidates, key=lambda candidate: candidate.amount)


# ---- required wagers


def _endings(chapter: Chapter, bad_beat: str) -> Endings:
    return _ends(chapter.tables_of("win_bonus")[0], chapter.paytable("bad_beat", bad_beat))


@cache
def _ends(win_bonus: Paytable, bad_beat: Paytable) -> Endings:
    """How each decision ends: § 682a.11(b), (d). Ties win: reading `ties-win`."""
    bonus, beaten = ({line.outcome: line.pays[0] for line in table.rows} for table in (win_bonus, bad_beat))

    def ending(decision: int, result: int, group: int) -> Ending:
        if decision == 0:
            return Ending("Folded", Fraction(-1), Fraction(1), "", "§ 682a.11(b)")
        wagered, raised, strong = Fraction(1 + decision), f"Raised {decision}×", STRONG.get(group, "")
        if result == HIGHER:
            if not strong:
                return Ending(f"{raised}, loses", -wagered, wagered, "", "§ 682a.11(d)(2)(ii)(A)")
            net, pays = net_of(beaten[strong], bad_beat) - decision, f"Bad Beat Bonus {beaten[strong].printed}"
            return Ending(f"{raised}, loses with {strong.lower()}", net, wagered, pays, "§ 682a.11(d)(2)(ii)(B)")
        if not strong:
            return Ending(f"{raised}, wins or ties", wagered, wagered, "1 to 1", "§ 682a.11(d)(2)(i)")
        net, pays = wagered + net_of(bonus[strong], win_bonus), f"1 to 1, Win Bonus {bonus[strong].printed}"
        return Ending(f"{raised}, wins or ties with {strong.lower()}", net, wagered, pays, "§ 682a.11(d)(2)(i)")

    return ending


# ---- optional wagers


def _optional(table: Paytable) -> WagerAnalysis:
    cycle = six.HANDS if table.wager == "all_six" else HANDS
    rows = paid_rows(table, _exact(table.wager, outcomes_of(table)), cycle, LOST_BY[table.wager])
    return counted(table.wager, table.name, rows, cycle)


@cache
def _exact(wager: str, outcomes: tuple[str, ...]) -> dict[str, int]:
    """Hands by outcome."""
    count: dict[str, Callable[[], Ints]] = {"prime": _prime, "aces_bonus": value_counts, "all_six": six.six_card_counts}
    return _counts(wager, outcomes, count[wager]())


def _prime() -> Ints:
    """Hands by how many of the five cards are red."""
    return np.array([comb(COLOR, red) * comb(COLOR, OWN - red) for red in range(OWN + 1)])


def _counts(wager: str, outcomes: tuple[str, ...], counts: Ints) -> dict[str, int]:
    return paid_counts(outcomes, counts, lambda number: _outcome(wager, outcomes, number))


def _outcome(wager: str, outcomes: tuple[str, ...], number: int) -> str:
    """Of so many red cards, this value of the best four or this class of the six cards; "" where none pays."""
    if wager == "prime":
        return PRIME[number]
    if wager == "aces_bonus":
        kind, first, *_ = strengths()[number]
        return ACES_BONUS[kind][0 if first == ACE else 1]
    if number >= six.SIX_CARD_ROYAL and ALL_SIX[number] not in outcomes:
        return ALL_SIX[six.ROYAL_FLUSH]  # readings `six-card-royal-d` and `six-card-royal-abc`
    return ALL_SIX[number]


def _part(table: Paytable, stake: Fraction, outcome: str) -> PartWon:
    pay = next((line.pays[0] for line in table.rows if line.outcome == outcome), LOSES)
    return PartWon(table.wager, stake, net_of(pay, table), pay.printed)


def _six_dealt(cards: Sequence[int], answers: Answers) -> tuple[Step, ...]:
    dealt = _dealt_by(answers)
    return (
        Step("All-Six Bonus card", "is dealt", dealt, tuple(cards[OWN:])),
        Step("Player", "is dealt five cards", dealt, tuple(cards[:OWN])),
    )


def _dealt_by(answers: Answers) -> str:
    """The section by which the cards are dealt; a manual dealing shoe where the answers leave it open."""
    return next((section for way, section in DEALT_BY.items() if answers.get(way)), DEALT_BY["manual_shoe"])


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
    largest_round=largest_round,
)
