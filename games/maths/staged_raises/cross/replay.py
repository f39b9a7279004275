"""A round of a cross as its steps. Not here: dealing it (`rounds`), what it wins (`runs.replay`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.maths.results import Step
from games.maths.staged_raises.cross.rounds import BOTTOM, LEFT, MIDDLE, OWN, RIGHT, TOP
from games.maths.staged_raises.cross.wagers import Bets
from games.maths.staged_raises.streets.best_play import FOLD
from games.rules.dealing import way_dealt
from games.rules.model import Answers

TURNED = (
    ("the row's outer two are turned up", (LEFT, RIGHT)),
    ("the column's outer two are turned up", (TOP, BOTTOM)),
    ("the middle one is turned up", (MIDDLE,)),
)
"""What turns up after each bet, and where it lies in the deck."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Which subsection says what; `bets` (a fold too) and `turned` by stage."""

    bets: tuple[str, str, str]
    turned: tuple[str, str, str]
    settled: str
    dealt: Mapping[str, str]  # by the line that asks whether cards are so dealt


def round_steps(
    sections: Sections, names: Bets, answers: Answers, deck: Sequence[int], bets: Sequence[int]
) -> tuple[Step, ...]:
    """The deal, then bet and cards in turn; after a fold the cards turn up all the same. `bets` up to a fold."""
    way = way_dealt(sections.dealt, answers)
    steps = [
        Step("Community cards", "five are dealt face down, in a cross", way),
        Step("Player", "is dealt two cards", way, (int(deck[OWN]), int(deck[OWN + 1]))),
    ]
    staying = True
    for stage, (bet, (words, places)) in enumerate(zip(bets, TURNED, strict=True)):
        if staying:
            what = f"makes no {names[stage]}" if bet == FOLD else f"makes the {names[stage]}, {_times(bet)}"
            steps.append(Step("Player", what, sections.bets[stage]))
        staying = staying and bet != FOLD
        steps.append(
            Step("Community cards", words, sections.turned[stage], tuple(int(deck[place]) for place in places))
        )
    return tuple(steps)


def _times(bet: int) -> str:
    return "equal to one Ante" if bet == 1 else f"of {bet} times an Ante"
