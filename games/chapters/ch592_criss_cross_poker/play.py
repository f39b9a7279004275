"""Criss-Cross Poker: two own cards with the row and the column of a cross, a bet or a fold before each pair of cards.

Exact figures and simulated rounds come as counts from `maths.staged_raises`; here are the odds, the sections and the
Five Card Bonus Wager. The Ante Wagers and the three Bets are one wager, `ante`; its unit is one Ante.
"""

from functools import cache

from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.staged_raises import bonuses
from games.maths.staged_raises.bonus_wagers import CLASS_OF, rows_of, with_lost
from games.maths.staged_raises.cross import ANTES, DEALS
from games.maths.staged_raises.cross_rounds import (
    BOTTOM,
    LEFT,
    MIDDLE,
    OWN,
    RIGHT,
    TOP,
    DealtRounds,
    deal_rounds,
    new_deck,
)
from games.maths.staged_raises.cross_tables import tables
from games.maths.staged_raises.cross_wagers import (
    BETS,
    Odds,
    best,
    choices,
    equal_share,
    folded,
    names,
    rows,
    simplified_plays,
)
from games.maths.staged_raises.ladder import HIGH_PAIR, PUSHING, RESULTS, pays_of
from games.maths.staged_raises.streets import FOLD
from games.maths.wagers import LOST_NET, counted, net_of, required
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

SECTIONS = ("§ 592.11(b)", "§ 592.11(d)", "§ 592.11(f)", "§ 592.11(h)")
TURNED = ("§ 592.11(c)", "§ 592.11(e)", "§ 592.11(g)")
DEALT_BY = {"manual_shoe": "§ 592.8(d)", "from_hand": "§ 592.9(b)", "automated_shoe": "§ 592.10(b)"}
LEAST_BONUS = "Pair of 6s or better"  # the last row of § 592.12(c)
NOTES = (
    "Per Ante means per one of the two equal Antes; both stand before the deal.",
    "A bet of two Antes is never better than both one and three.",
)


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly."""
    analyses = (_ante(chapter) if wager == "ante" else _bonus(chapter) for wager, _ in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    odds = _odds(chapter)
    dealt = deal_rounds(best(odds), *odds.arrays(), (seed, block, rounds))
    tally: Tally = {"ante": _required_counts(odds, dealt)}
    if "five_card_bonus" in paytables_in_play(chapter, answers):
        tally["five_card_bonus"] = with_lost(_bonus_counts(_bonus_table(chapter), dealt), rounds)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The cards and bets of one round."""
    odds, deck = _odds(chapter), new_deck()
    dealt = deal_rounds(best(odds), *odds.arrays(), (seed, block, index + 1), deck)
    way = next((section for option, section in DEALT_BY.items() if answers.get(option)), DEALT_BY["manual_shoe"])
    turned = [tuple(int(deck[place]) for place in places) for places in ((LEFT, RIGHT), (TOP, BOTTOM), (MIDDLE,))]
    words = ("the row's outer two are turned up", "the column's outer two are turned up", "the middle one is turned up")
    steps = [
        Step("Community cards", "five are dealt face down, in a cross", way),
        Step("Player", "is dealt two cards", way, (int(deck[OWN]), int(deck[OWN + 1]))),
    ]
    staying = True
    for stage, bet in enumerate(dealt.bets.tolist()):
        if staying:
            what = f"makes no {BETS[stage]}" if bet == FOLD else f"makes the {BETS[stage]}, {_times(bet)}"
            steps.append(Step("Player", what, SECTIONS[stage]))
        staying = staying and bet != FOLD
        steps.append(Step("Community cards", words[stage], TURNED[stage], turned[stage]))
    return tuple(steps)


def _times(bet: int) -> str:
    return "equal to one Ante" if bet == 1 else f"of {bet} times an Ante"


# ---- Antes and Bets


@cache
def _whole(ante: Paytable, bet: Paytable) -> Odds:
    """§ 592.12(a) pays every hand above the pairs that push alike; (b) pays by the hand. A pair of 10s pushes in both:
    reading `pair-of-tens`."""
    paid, pushed = (net_of(line.pays[0], ante) for line in ante.rows)
    antes, bets = (LOST_NET, pushed, *[paid] * (len(RESULTS) - HIGH_PAIR)), pays_of(bet)
    if any(pay.denominator != 1 for pay in (*antes, *bets)):
        raise ValueError(f"{bet.citation}: odds that are no whole numbers")
    return Odds(tuple(map(int, antes)), tuple(map(int, bets)))


def _odds(chapter: Chapter) -> Odds:
    return _whole(chapter.tables_of("ante")[0], chapter.tables_of("bet")[0])


@cache
def _ante_analysis(odds: Odds, name: str) -> WagerAnalysis:
    lines = rows(odds, SECTIONS)
    equal = (
        f"Equal decisions, all on the Middle Bet, resolve to the larger wager: {equal_share(odds):.4f} % of all rounds."
    )
    return counted(
        "ante",
        name,
        lines,
        DEALS,
        required=required(lines, ANTES),
        strategy=choices(odds),
        strategy_tables=tables(best(odds)),
        simplified_plays=simplified_plays(odds),
        notes=(*NOTES, equal),
    )


def _ante(chapter: Chapter) -> WagerAnalysis:
    return _ante_analysis(_odds(chapter), chapter.tables_of("ante")[0].name)


def _required_counts(odds: Odds, dealt: DealtRounds) -> dict[str, int]:
    """Outcome → rounds; an end that the analysis does not know is a `KeyError`."""
    known = names(odds)
    ended = {
        known[place - dealt.least, wagered]: int(dealt.ended[place, wagered])
        for place, wagered in zip(*(part.tolist() for part in dealt.ended.nonzero()), strict=True)
    }
    folds = zip(*(part.tolist() for part in dealt.folded.nonzero()), strict=True)
    return ended | {folded(stage, wagered): int(dealt.folded[stage, wagered]) for stage, wagered in folds}


# ---- the Five Card Bonus Wager


def _bonus_table(chapter: Chapter) -> Paytable:
    return chapter.tables_of("five_card_bonus")[0]


def _bonus(chapter: Chapter) -> WagerAnalysis:
    """On the five community cards alone: reading `five-card-bonus-loses`."""
    table, by_class = _bonus_table(chapter), bonuses.fives()
    paid = {line.outcome: by_class[CLASS_OF[line.outcome]] for line in table.rows if line.outcome != LEAST_BONUS}
    paid[LEAST_BONUS] = bonuses.pairs_from_six()
    return counted(table.wager, table.name, rows_of(table, paid, bonuses.FIVES), bonuses.FIVES)


def _bonus_counts(table: Paytable, dealt: DealtRounds) -> dict[str, int]:
    places = {line.outcome: RESULTS.index(line.outcome) for line in table.rows if line.outcome != LEAST_BONUS}
    paid = {outcome: int(dealt.five[place]) for outcome, place in places.items()}
    return paid | {LEAST_BONUS: int(dealt.five[PUSHING] + dealt.five[HIGH_PAIR])}


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
