"""Mississippi Stud: two own cards, three community cards, a Street Wager or a fold before each; paid by a paytable.

Most of the chapter's text is not in the sources. What is computed here rests on what is known of it: the odds of
§ 655a.12(a) and (c)(1), the Street Wagers of § 655a.1; the readings say what is inferred.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from games.maths.published import compare_published
from games.maths.results import LargestRound, Step, Tally, WagerAnalysis
from games.maths.staged_raises import bonuses, street_words
from games.maths.staged_raises.bonus_wagers import CLASS_OF, by_row, rows_of, with_lost
from games.maths.staged_raises.ladder import RESULTS, pays_of
from games.maths.staged_raises.street_replay import ReplayWords, largest_street_round, round_steps
from games.maths.staged_raises.street_wagers import Sections, ante, best, outcome_counts
from games.maths.staged_raises.streets_rounds import DealtRounds, deal_rounds, new_deck
from games.maths.wagers import counted, progressive
from games.play import Play
from games.rules.model import Answers, Chapter, Pay, Paytable, Row
from games.rules.wagers_in_play import in_play, paytables_in_play

NO_EXTRA_CARDS = 0
RAISES = ("a 3rd Street Wager", "a 4th Street Wager", "a 5th Street Wager")
KNOWN_SECTION = "§ 655a.1"  # the sections on dealing and on the completion of a round are not in the sources
SECTIONS = Sections("§ 655a.12(a)", "§ 655a.12(a)", (KNOWN_SECTION,) * 3)
REPLAY_WORDS = ReplayWords((KNOWN_SECTION,) * 2, SECTIONS.folded, (KNOWN_SECTION,) * 3, RAISES)
METERS = {
    "": "progressive_reset",
    "mega jackpot": "progressive_reset",
    "major jackpot": "progressive_reset_major",
    "minor jackpot": "progressive_reset_minor",
}
"""Jackpot of § 655a.12(c)(1) → the line that says its reset amount."""


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered, exactly."""
    analyses = (_analyze(chapter.paytable(wager, name), answers or {}) for wager, name in in_play(chapter, answers))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def _analyze(table: Paytable, answers: Answers) -> WagerAnalysis:
    if table.wager == "ante":
        return ante(table, street_words.PAYTABLE_A, SECTIONS)
    if table.wager == "progressive":
        return _progressive(table, answers)
    rows = rows_of(table, by_row(table, bonuses.boards()), bonuses.BOARDS)
    return counted(table.wager, table.name, rows, bonuses.BOARDS)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block."""
    tables = {wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items()}
    dealt = deal_rounds(best(pays_of(tables["ante"])), NO_EXTRA_CARDS, (seed, block, rounds))
    tally: Tally = {"ante": outcome_counts(dealt.ended, dealt.folded, tables["ante"])}
    if "three_card" in tables:
        tally["three_card"] = with_lost(by_row(tables["three_card"], dealt.board.tolist()), rounds)
    if "progressive" in tables:
        tally["progressive"] = with_lost(_made(tables["progressive"], dealt), rounds)
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The cards and decisions of one round."""
    strategy, deck = best(pays_of(_ante_table(chapter))), new_deck()
    deal_rounds(strategy, NO_EXTRA_CARDS, (seed, block, index + 1), deck)
    own, community = (tuple(map(int, part)) for part in (deck[:2], deck[2:5]))
    return round_steps(REPLAY_WORDS, strategy, own, community)


def largest_round(
    chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> LargestRound:
    """A royal flush on the Ante and three Street Wagers of three times as much: reading `ceiling-covers`."""
    return largest_street_round(chapter, _ante_table(chapter), REPLAY_WORDS, stakes, leaves_out)


def _ante_table(chapter: Chapter) -> Paytable:
    return chapter.tables_of("ante")[0]


# ---- the Progressive Payout Wager


def _made(table: Paytable, dealt: DealtRounds) -> dict[str, int]:
    return {line.outcome: int(dealt.made[RESULTS.index(line.outcome)]) for line in table.rows}


def _progressive(table: Paytable, answers: Answers) -> WagerAnalysis:
    """For a wager of one dollar: reading `progressive-of-one-dollar`. The Envy Bonus has no known amounts."""
    metered = _with_meters(table, answers)
    by_class = bonuses.fives()
    rows = rows_of(metered, {line.outcome: by_class[CLASS_OF[line.outcome]] for line in table.rows}, bonuses.FIVES)
    chances = {row.outcome: row.probability or Fraction(0) for row in rows}
    known = progressive(metered, ((line.pays[0], chances[line.outcome]) for line in metered.rows))
    return counted(table.wager, table.name, rows, bonuses.FIVES, progressive=known, notes=_notes(table, answers))


def _with_meters(table: Paytable, answers: Answers) -> Paytable:
    """The table with the rate and the reset amounts answered. Its meter is that of the royal flush; the other
    jackpots count as their reset amounts."""
    rate = answers.get("progressive_rate")
    return replace(
        table,
        rows=tuple(replace(line, pays=(_at_reset(line, table.rows[0], answers),)) for line in table.rows),
        seed=_reset(table.rows[0].pays[0].jackpot, answers),
        rate=None if rate is None else Fraction(str(rate)) / 100,
    )


def _at_reset(line: Row, first: Row, answers: Answers) -> Pay:
    pay = line.pays[0]
    if pay.meter is None or pay.jackpot == first.pays[0].jackpot:
        return pay
    return replace(
        pay, meter=None, amount=Decimal(pay.meter.numerator) / pay.meter.denominator * _reset(pay.jackpot, answers)
    )


def _reset(jackpot: str, answers: Answers) -> Decimal:
    """Dollars; an amount that is not answered counts as nothing."""
    return Decimal(str(answers.get(METERS[jackpot]) or 0))


def _notes(table: Paytable, answers: Answers) -> tuple[str, ...]:
    jackpots = list(dict.fromkeys(line.pays[0].jackpot for line in table.rows if line.pays[0].meter is not None))
    open_lines = [METERS[jackpot] for jackpot in jackpots if answers.get(METERS[jackpot]) is None]
    notes = ["Computed for a wager of $1: the amount is not in the source text, nor are those of the Envy Bonus."]
    if open_lines:
        notes.append("No reset amount is answered: each meter without one counts as empty.")
    if len(jackpots) > 1:
        other_jackpots = ", ".join(jackpots[1:])
        notes.append(f"The meter is that of the {jackpots[0]}. Taken at the reset amount: {other_jackpots}.")
    return tuple(notes)


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
    largest_round=largest_round,
)
