"""Poker: players against each other. There is no wager against the house, hence nothing to analyze or to deal; what
the house takes is its rake, by the schedule filed (§ 637a.17, known from the preamble: `rake-not-in-the-source-text`).
"""

from fractions import Fraction

from games.maths.rake import POTS, POTS_PER_HOUR, PotTaken, Rake, by_share, by_steps, pot_taken
from games.maths.results import Step, Tally, WagerAnalysis
from games.play import Play
from games.rules.amounts import steps
from games.rules.model import Answers, Chapter

PLAYERS = range(2, 11)  # § 637a.2(a): up to ten
CONTRIBUTIONS = ("bad_beat_contribution", "high_hand_contribution")
SILENT = "Beside a pot of every size stands what one of exactly that size yields; pots per hour are assumed."
DEPENDS = "The schedule depends on players or limits, as filed in words; the table shows it without that."


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """No wager is made against the house."""
    return ()


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """No wager to be dealt."""
    return {}


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    return ()


def rake(chapter: Chapter, answers: Answers) -> Rake | None:
    """What the filed schedule takes; None as long as it is not answered."""
    notes = (SILENT, DEPENDS) if answers.get("rake_by_players") else (SILENT,)
    kind = answers.get("rake_kind")
    if kind == "incremental" and answers.get("rake_steps"):
        schedule = [(Fraction(size), Fraction(amount)) for size, amount in steps(str(answers["rake_steps"]))]
        sizes = sorted({*POTS, *(size for size, _ in schedule)})
        pots = tuple(_taken(answers, pot, by_steps(schedule, pot)) for pot in sizes)
        last, most = schedule[-1]
        return Rake("Fixed amounts at fixed sizes of the pot", POTS_PER_HOUR, pots, most, last, notes=notes)
    if kind == "percentage" and answers.get("rake_percentage"):
        return _of_share(answers, Fraction(str(answers["rake_percentage"])) / 100, notes)
    if kind == "time" and answers.get("time_charge"):
        charge = Fraction(str(answers["time_charge"]))
        hours = tuple((players, charge * players) for players in PLAYERS)
        per_player = "The charge is taken as that of each player."
        return Rake("A time charge", (), (), Fraction(0), None, hours, (per_player, *notes[1:]))
    return None


def _of_share(answers: Answers, share: Fraction, notes: tuple[str, ...]) -> Rake:
    most = Fraction(str(answers["rake_maximum"])) if answers.get("rake_maximum") else None
    last = most / share if most is not None and share else None
    sizes = sorted({*POTS, *([last] if last else [])})
    pots = tuple(_taken(answers, pot, by_share(share, most, pot)) for pot in sizes)
    whole = "Whether a share is rounded to whole chips is not said; it is shown to the cent."
    return Rake(f"{float(100 * share):g} % of the pot", POTS_PER_HOUR, pots, most, last, notes=(*notes, whole))


def _taken(answers: Answers, pot: Fraction, amount: Fraction) -> PotTaken:
    return pot_taken(pot, amount, sum((Fraction(str(answers.get(key) or 0)) for key in CONTRIBUTIONS), Fraction(0)))


PLAY = Play(
    block_rounds=1,
    filing_rounds=1,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
    rake=rake,
    deals_rounds=False,
)
