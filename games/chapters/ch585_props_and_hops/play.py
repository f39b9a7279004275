"""Props & Hops: wagers on one throw of two dice, settled by what is shown."""

from collections.abc import Callable

from games.maths.dice.exact import throws
from games.maths.dice.rounds import (
    ANY_CRAPS,
    ANY_DOUBLES,
    ANY_NUMBER,
    ANY_SEVEN,
    DOUBLE,
    FIELD,
    LOST,
    PAIRS,
    WON,
    WON_MORE,
    props,
)
from games.maths.published import compare_published
from games.maths.results import OutcomeRow, Step, Tally, WagerAnalysis
from games.maths.wagers import LOST_NET as LOSS
from games.maths.wagers import counted, net_of, row
from games.play import Play
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, paytables_in_play

DICE = 2  # § 585.3(a)
CYCLE = 6**DICE
LOSES = "Loses"
Throw = tuple[int, int]  # the faces, the lower first

WINS: dict[str, Callable[[Throw], int]] = {
    # The row of the paytable that a throw wins by, from 1; 0 = the wager is lost. Of the Double and the Any Number
    # Wagers, which differ only in the faces they name, one represents all: reading `one-result-one-prize`.
    "double": lambda faces: faces == (1, 1),
    "any_number": lambda faces: faces == (1, 2),
    "field": lambda faces: 1 if sum(faces) in (2, 12) else 2 if sum(faces) in (3, 4, 9, 10, 11) else 0,
    "any_craps": lambda faces: sum(faces) in (2, 3, 12),
    "any_seven": lambda faces: sum(faces) == 7,
    "any_doubles": lambda faces: faces[0] == faces[1],
}
TALLY_RESULTS = {  # wager → its place in the tally of rounds, and the results by the paytable's rows
    "double": (DOUBLE, (WON,)),
    "any_number": (ANY_NUMBER, (WON,)),
    "field": (FIELD, (WON_MORE, WON)),
    "any_craps": (ANY_CRAPS, (WON,)),
    "any_seven": (ANY_SEVEN, (WON,)),
    "any_doubles": (ANY_DOUBLES, (WON,)),
}


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager, exactly, from the 36 throws."""
    return tuple(
        compare_published(chapter, counted(wager, name, _rows(chapter.paytable(wager, name)), CYCLE))
        for wager, name in in_play(chapter, answers)
    )


def _rows(table: Paytable) -> list[OutcomeRow]:
    counts = [0] * (1 + len(table.rows))
    for shown, ways in throws(DICE):
        low, high = sorted(shown.elements())
        counts[WINS[table.wager]((low, high))] += ways
    wins = [
        row(line.outcome, ways, CYCLE, net_of(line.pays[0], table), pays=line.pays[0].printed)
        for line, ways in zip(table.rows, counts[1:], strict=True)
    ]
    return [*wins, row(LOSES, counts[0], CYCLE, LOSS, section="§ 585.3(h)")]


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Throw and settle the rounds of one block."""
    won, _ = props(seed, block, rounds)
    tally: Tally = {}
    for wager, name in paytables_in_play(chapter, answers).items():
        place, results = TALLY_RESULTS[wager]
        names = [line.outcome for line in chapter.paytable(wager, name).rows]
        counts = {outcome: int(won[place, result]) for outcome, result in zip(names, results, strict=True)}
        tally[wager] = counts | {LOSES: int(won[place, LOST])}
    return tally


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The round's wagers that name faces, and its throw."""
    _, (first, second) = props(seed, block, index + 1)
    double, (low, high) = index % 6 + 1, PAIRS[index % 15]
    return (
        Step("Player", f"places the Double Wager on two {double}s", f"§ 585.2(d)({double})"),
        Step("Player", f"places the Any Number Wager on {low} and {high}", f"§ 585.2(e)({index % 15 + 1})"),
        Step("Player", "places every other wager", "§ 585.2(f)"),
        Step("Player", f"shakes the dice: {first} and {second}", "§ 585.3(e), (g)"),
    )


PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=50_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
