"""Cajun Stud: two own cards, three community cards, a raise or a fold before each; paid by a paytable.

Exact figures and simulated rounds come as counts from `maths.staged_raises`; here is which row of which paytable
each count belongs to.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from games.maths.cards import RANKS
from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.staged_raises import bonuses, street_words
from games.maths.staged_raises.bonus_wagers import CLASS_OF, by_row, rows_of, with_lost
from games.maths.staged_raises.ladder import pays_of
from games.maths.staged_raises.street_replay import ReplayWords, largest_street_round, round_steps
from games.maths.staged_raises.street_wagers import Sections, ante, best, best_played, outcome_counts
from games.maths.staged_raises.streets_rounds import DealtRounds, deal_rounds, new_deck
from games.maths.wagers import counted
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

ALL_SIX = 4  # cards dealt for the All-Six Bonus Wager: § 683a.8(c)
WORDS = {
    "Paytable A": street_words.PAYTABLE_A,
    "Paytable B": street_words.PAYTABLE_B,
    "Paytable C": street_words.PAYTABLE_C,
}
SECTIONS = Sections("§ 683a.11(h)(1)", "§ 683a.11(h)(2)", ("§ 683a.11(b)", "§ 683a.11(d)", "§ 683a.11(f)"))
RAISES = ("a first Raise Wager", "a second Raise Wager", "a third Raise Wager")
TURNED = ("§ 683a.11(c)", "§ 683a.11(e)", "§ 683a.11(g)")
MANUAL_SHOE, AUTOMATED_SHOE = "manual_shoe", "automated_shoe"
DEALT_BY = {
    MANUAL_SHOE: ("§ 683a.8(c)", "§ 683a.8(c)", "§ 683a.8(d)"),
    "from_hand": ("§ 683a.9(b)", "§ 683a.9(b)", "§ 683a.9(c)"),
    AUTOMATED_SHOE: ("§ 683a.10(c)(1)", "§ 683a.10(b)", "§ 683a.10(c)(2)"),
}
"""Way of dealing → where the All-Six Bonus cards, the player's and the community cards are dealt."""


SIX_CARD_ROWS = {
    bonuses.SIX_CLASSES[bonuses.SIX_ROYAL_DIAMONDS]: "Six-card royal flush—diamonds",
    bonuses.SIX_CLASSES[bonuses.SIX_ROYAL]: "Six-card royal flush—hearts, spades or clubs",
}
PAID_AS = CLASS_OF | {printed: name for name, printed in SIX_CARD_ROWS.items()}
"""Row of § 683a.12(e) → class of the six cards."""


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly. The best play for every paytable is found at once: a change waits for nothing."""
    for table in chapter.tables_of("ante"):
        best_played(pays_of(table))
    analyses = (_analyze(chapter.paytable(wager, name)) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(table: Paytable) -> WagerAnalysis:
    if table.wager == "ante":
        return ante(table, WORDS[table.name], SECTIONS)
    counts, cycle = _exact_counts(table)
    return counted(table.wager, table.name, rows_of(table, counts, cycle), cycle)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    tables = {wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items()}
    dealt = deal_rounds(best(pays_of(tables["ante"])), ALL_SIX, (seed, block, rounds))
    tally: Tally = {"ante": outcome_counts(dealt.ended, dealt.folded, tables["ante"])}
    for wager, table in tables.items():
        if wager != "ante":
            tally[wager] = _dealt_counts(table, dealt, rounds)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The cards and decisions of one round."""
    strategy, deck = best(pays_of(_ante_table(chapter, answers))), new_deck()
    deal_rounds(strategy, ALL_SIX, (seed, block, index + 1), deck)
    extra, own, community = (tuple(map(int, part)) for part in (deck[:4], deck[4:6], deck[6:9]))
    way = next((option for option in DEALT_BY if answers.get(option)), MANUAL_SHOE)
    all_six, *dealt = DEALT_BY[way]
    steps = list(round_steps(_replay_words(dealt), strategy, own, community))
    if answers.get("all_six_wager") is True:  # reading `all-six-after-players`
        step = Step("Dealer", "deals the four All-Six Bonus cards", all_six, extra)
        steps.insert(1 if way == AUTOMATED_SHOE else 0, step)
    return tuple(steps)


def largest_round(
    chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> LargestRound:
    """A royal flush on the Ante and three Raises of the same amount: reading `limit-required-wagers`."""
    words = _replay_words(DEALT_BY[MANUAL_SHOE][1:])
    return largest_street_round(chapter, _ante_table(chapter, answers), words, stakes, leaves_out)


def _replay_words(dealt: Sequence[str]) -> ReplayWords:
    return ReplayWords((dealt[0], dealt[1]), SECTIONS.folded, TURNED, RAISES)


def _ante_table(chapter: Chapter, answers: Answers) -> Paytable:
    return chapter.paytable("ante", paytables_in_play(chapter, answers)["ante"])


# ---- optional wagers


def _exact_counts(table: Paytable) -> tuple[dict[str, int], int]:
    if table.wager == "pocket_bonus":
        return by_row(table, bonuses.pockets()), bonuses.POCKETS
    if table.wager == "board_bonus":
        return by_row(table, bonuses.boards()), bonuses.BOARDS
    if table.wager == "lo_ball":
        return _by_high_card(bonuses.lows()), bonuses.FIVES
    return _by_class(table, bonuses.sixes()), bonuses.SIXES


def _dealt_counts(table: Paytable, dealt: DealtRounds, rounds: int) -> dict[str, int]:
    if table.wager == "pocket_bonus":
        counts = by_row(table, dealt.pocket.tolist())
    elif table.wager == "board_bonus":
        counts = by_row(table, dealt.board.tolist())
    elif table.wager == "lo_ball":
        counts = _by_high_card(dealt.low.tolist())
    else:
        counts = _by_class(table, dict(zip(bonuses.SIX_CLASSES, dealt.six.tolist(), strict=True)))
    return with_lost(counts, rounds)


def _by_high_card(by_rank: Mapping[int, int] | Sequence[int]) -> dict[str, int]:
    """§ 683a.12(d): reading `lo-ball-seven`."""
    names = {"T": "10", "J": "Jack", "Q": "Queen"}
    return {f"{names.get(RANKS[rank], RANKS[rank])} high": int(by_rank[rank]) for rank in range(5, 11)}


def _by_class(table: Paytable, by_class: Mapping[str, int]) -> dict[str, int]:
    """§ 683a.12(e); a six-card royal flush without a row of its own is paid as a royal flush: `six-card-royal-abc`."""
    counts = {line.outcome: by_class[PAID_AS[line.outcome]] for line in table.rows}
    counts["Royal flush"] += sum(by_class[name] for name, printed in SIX_CARD_ROWS.items() if printed not in counts)
    return counts


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
    largest_round=largest_round,
)
