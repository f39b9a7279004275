"""Lunar Poker: five cards each, a draw for a fee, the dealer qualifies with an ace-king and may be forced to try again.

The family is `maths.exchange`; here: what its paytables pay, and the replay of a round by §§ 589.8 to 589.11.
"""

from fractions import Fraction

from games.maths.exchange.combinations import COMBINATIONS, ROYAL_FLUSH, STRAIGHT_FLUSH
from games.maths.exchange.ends import all_ends
from games.maths.exchange.replay import round_steps
from games.maths.exchange.required import required_wager
from games.maths.exchange.rounds import deal_rounds, new_deck
from games.maths.exchange.super_wager import LOST_OUTCOME, ROWS, super_wager
from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.wagers import net_of
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

DEALT_BY = {"manual_shoe": "§ 589.8(c)", "from_hand": "§ 589.9(b)", "automated_shoe": "§ 589.10(b)"}
"""How the cards are dealt → the subsection that deals them and turns one of the dealer's face up."""


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """The Super Wager exactly; Ante, Bet and Options fees under the strategy stated, in part by estimate."""
    analyses = []
    for wager, name in in_play(chapter, answers):
        table = chapter.paytable(wager, name)
        analyses.append(
            super_wager(table) if wager == "super" else required_wager(name, odds(chapter), instant_payout(table))
        )
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block; the Super Wager is dealt alike where it is not offered."""
    tables = paytables_in_play(chapter, answers)
    settled = deal_rounds(odds(chapter), (seed, block, rounds), new_deck())
    ends = all_ends(odds(chapter), instant_payout(chapter.paytable("ante", tables["ante"])))
    tally: Tally = {"ante": {end.outcome: end.count(settled.ends) for end in ends}}
    if "super" in tables:
        rows = zip((*ROWS, LOST_OUTCOME), settled.super_rows, strict=True)
        tally["super"] = {outcome: int(count) for outcome, count in rows}
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The cards and decisions of one round."""
    deck = new_deck()
    deal_rounds(odds(chapter), (seed, block, index + 1), deck)
    dealt = next((section for option, section in DEALT_BY.items() if answers.get(option)), DEALT_BY["manual_shoe"])
    return tuple(round_steps(deck, odds(chapter), dealt))


def odds(chapter: Chapter) -> tuple[int, ...]:
    """What each combination pays on the Bet Wager, to 1; nothing pays nothing: § 589.12(c)."""
    (table,) = chapter.tables_of("bet")
    pays = {line.outcome: int(net_of(line.pays[0], table)) for line in table.rows}
    return tuple(pays.get(name, 0) for name in COMBINATIONS)


def instant_payout(table: Paytable) -> dict[int, Fraction]:
    """What a royal and a straight flush in the first five cards pay on the Ante Wager: § 589.12(a)."""
    pays = {line.outcome: net_of(line.pays[0], table) for line in table.rows}
    return {place: pays[COMBINATIONS[place]] for place in (STRAIGHT_FLUSH, ROYAL_FLUSH)}


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=50_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
