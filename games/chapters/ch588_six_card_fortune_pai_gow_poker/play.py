"""Six-Card Fortune Pai Gow Poker: six cards set in two by the house way of § 588.11(d), by the dealer and the player.

Exact figures and simulated rounds come as counts from `maths.two_hands` (`six_pairs`, `six_doubling`, `six_rounds`);
here is which end of which wager each count belongs to, and the subsection that settles it. The wagers on the
player's own six cards are in `six_wagers`.
"""

from fractions import Fraction
from typing import Final

import numpy as np

from games.maths.cards import RANK_NAMES
from games.maths.published import compare_published
from games.maths.results import Choice, OutcomeRow, Required, SimplifiedPlay, Step, StrategyTable, Tally, WagerAnalysis
from games.maths.two_hands import six_doubling, six_hands, six_pairs, six_rounds
from games.maths.two_hands.six_cards import LOWS, Ints
from games.maths.two_hands.six_replay import round_steps
from games.maths.two_hands.six_wagers import counts_by_row, hand_wager, metered, progressive_wager
from games.maths.wagers import counted, required, row
from games.play import Play
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import in_play, paytables_in_play

ENDS: Final = {
    "Both hands win": (1, "§ 588.11(f)(3)"),
    "High hand wins, low hand does not": (0, "§ 588.11(f)(2)(i)"),
    "Low hand wins, high hand does not": (0, "§ 588.11(f)(2)(ii)"),
    "Both hands lower": (-1, "§ 588.11(f)(1)(i)"),
    "High hand lower, low hand identical": (-1, "§ 588.11(f)(1)(ii)"),
    "High hand identical, low hand lower": (-1, "§ 588.11(f)(1)(iii)"),
    "Both hands identical": (-1, "§ 588.11(f)(1)(iv)"),
}
"""Outcome → net, subsection, in the order of `six_compare.WIN` …; the second and third: reading `identical-hands`."""
DOUBLE_ENDS: Final = {
    "Wins": (1, 1, "§ 588.11(g)(1)"),
    "Ties": (0, 1, "§ 588.11(g)(1)"),
    "Loses": (-1, 1, "§ 588.11(g)(1)"),
    "Returned: the dealer has less than a pair of 8s": (0, 1, "§ 588.11(g)(2)"),
    "Not placed": (0, 0, "§ 588.11(c)"),
}
"""Outcome → net, wagered, subsection, in the order of `six_rounds.DOUBLE_WIN` …"""
DEALT_BY: Final = {"manual_shoe": "§ 588.8(d)", "from_hand": "§ 588.9(c)", "automated_shoe": "§ 588.10(c)"}

PLAIN: Final = (
    (
        "Keeps the highest high hand",
        "Of the six settings, that with the highest high hand, whatever is left beside it.",
    ),
    ("Plays the highest low hand", "Of the six settings, that with the highest low hand that may be set beside it."),
)
"""In the order of `six_pairs.WAYS` from the second on."""


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly; the player sets by the house way and doubles where that wins."""
    analyses = (_analyze(chapter, wager, name, answers) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(chapter: Chapter, wager: str, name: str, answers: Answers | None) -> WagerAnalysis:
    if wager == "pai_gow":
        return _pai_gow(chapter)
    if wager == "double_down":
        return _double_down()
    table = chapter.paytable(wager, name)
    return progressive_wager(metered(chapter, table, answers)) if wager == "progressive" else hand_wager(table)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    offered = paytables_in_play(chapter, answers)
    dealt = _deal(seed, block, rounds)
    tally: Tally = {"pai_gow": _named(ENDS, dealt.ends)}
    if "double_down" in offered:
        tally["double_down"] = _named(DOUBLE_ENDS, dealt.doubled)
    for wager, name in offered.items():
        if name:
            tally[wager] = counts_by_row(chapter.paytable(wager, name), dealt.best.tolist())
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The cards and decisions of one round."""
    deck = _deal(seed, block, index + 1).deck
    dealt = next((section for option, section in DEALT_BY.items() if answers.get(option)), DEALT_BY["manual_shoe"])
    doubles = six_doubling.best_thresholds() if "double_down" in paytables_in_play(chapter, answers) else None
    return round_steps(deck[:6], deck[6:12], dealt, doubles, chapter.house_ways[0])


def _deal(seed: int, block: int, rounds: int) -> six_rounds.Counts:
    doubles = np.array(six_doubling.best_thresholds(), dtype=np.int64)
    return six_rounds.play(seed, block, rounds, doubles, six_pairs.least_qualified())


def _named(outcomes: dict[str, tuple[int, str]] | dict[str, tuple[int, int, str]], counts: Ints) -> dict[str, int]:
    return dict(zip(outcomes, counts.tolist(), strict=True))


# ---- against the dealer


def _pai_gow(chapter: Chapter) -> WagerAnalysis:
    rows, *plain = (_ends(ends) for ends in six_pairs.count().ends.tolist())
    return counted(
        "pai_gow",
        "",
        rows,
        six_pairs.DEALS,
        required=required(rows, 1),
        strategy=(Choice("Sets as § 588.11(d) has the dealer set", "Every hand; see the table", Fraction(1)),),
        strategy_tables=(_house_way(chapter),),
        simplified_plays=tuple(
            SimplifiedPlay(*words, required(ends, 1)) for words, ends in zip(PLAIN, plain, strict=True)
        ),
        notes=(
            "The player sets his cards by the house way, which the dealer tells him on request (§ 588.11(a)(1)). "
            "Where it leaves him an ace or the joker for the low hand, he takes the joker (§ 588.6(c)).",
            "All deals of six cards to the player and six to the dealer are counted; nothing is estimated.",
        ),
    )


def _ends(counts: list[int]) -> list[OutcomeRow]:
    return [
        row(name, count, six_pairs.DEALS, net, pays="1 to 1" if net == 1 else "", section=section)
        for (name, (net, section)), count in zip(ENDS.items(), counts, strict=True)
    ]


def _house_way(chapter: Chapter) -> StrategyTable:
    lines = zip(chapter.house_ways[0].rules, six_hands.count().lines.tolist(), strict=True)
    rows = tuple((when, words, f"{100 * count / six_hands.HANDS:.4f} %") for (when, words), count in lines)
    return StrategyTable("The house way, § 588.11(d)", ("Six cards", "Set", "Dealt"), rows)


def _double_down() -> WagerAnalysis:
    thresholds = six_doubling.best_thresholds()
    rows = _doubled(thresholds)
    placed = sum((row.probability or Fraction(0) for row in rows[:-1]), Fraction(0))
    gain = sum(((row.probability or Fraction(0)) * row.net for row in rows), Fraction(0))
    return counted(
        "double_down",
        "",
        rows,
        six_pairs.DEALS,
        strategy=(
            Choice("Double", "The high hand is at least that of the table", placed),
            Choice("Do not double", "Any lower high hand", 1 - placed),
        ),
        strategy_tables=(_doubling(thresholds),),
        simplified_plays=(SimplifiedPlay("Doubles every hand", "Always.", _always_doubled()),),
        notes=(
            "The hold is per unit placed on the Double Down Wager; it is placed after the cards are seen "
            f"(§ 588.11(c)), and gains {float(100 * gain):.4f} % of the Six-Card Fortune Pai Gow Poker Wager a round.",
            "The player looks at his two hands as set, and doubles where that wins more than it loses.",
        ),
    )


def _doubled(thresholds: tuple[int, ...]) -> list[OutcomeRow]:
    counts = six_doubling.doubled(thresholds)
    return [
        row(name, count, six_pairs.DEALS, net, wagered, "1 to 1" if net == 1 else "", section)
        for (name, (net, wagered, section)), count in zip(DOUBLE_ENDS.items(), counts, strict=True)
    ]


def _always_doubled() -> Required:
    return required(_doubled((0,) * LOWS), 1)


def _doubling(thresholds: tuple[int, ...]) -> StrategyTable:
    names = (*(name.capitalize() for name in RANK_NAMES), "Joker")
    rows = tuple((name, six_doubling.words(place)) for name, place in zip(names, thresholds, strict=True))
    return StrategyTable("When to double", ("Low hand", "Least high hand"), rows)


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
