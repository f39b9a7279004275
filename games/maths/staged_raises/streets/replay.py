"""A round of a street game as its steps, and the largest round of a payout limit.

Not here: dealing it (`rounds`), what it wins (`runs.replay`).
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from games.maths.cards import cards
from games.maths.results import LargestRound, PartWon, Step
from games.maths.staged_raises.places import place_2, with_fourth, with_third
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD, ONCE, THRICE, Strategy
from games.maths.staged_raises.streets.sections import Dealing, Sections, Stages
from games.maths.wagers import net_of
from games.rules.model import Chapter, Paytable

Cards = tuple[int, ...]
ORDINALS = ("first", "second", "third")
AMOUNTS = {ONCE: "equal to the Ante", THRICE: "of three times the Ante"}
EXAMPLES = (
    "2c 4d 7h 9s Jc", "6c 6d 2h 3s 4c", "Jc Jd 2h 3s 4c", "3c 3d 2h 2s 4c", "2c 2d 2h 3s 4c", "2c 3d 4h 5s 6c",
    "2c 3c 4c 5c 7c", "2c 2d 2h 3s 3c", "2c 2d 2h 2s 3c", "9s 8s 7s 6s 5s", "As Ks Qs Js Ts",
)  # fmt: skip
"""Five cards for each of `ladder.RESULTS`."""


def round_steps(sections: Sections, dealing: Dealing, raises: Stages, strategy: Strategy, dealt: Cards) -> list[Step]:
    """The player's two cards, then decision and card in turn, to the end of the round or the fold.

    The community cards that a fold leaves are turned all the same: optional wagers are settled on them.
    """
    own, community = dealt[:2], dealt[2:]
    steps = _dealt(dealing, own)
    for stage, decision in enumerate(_decisions(strategy, own, community)):
        what = "folds" if decision == FOLD else f"makes {raises[stage]} {AMOUNTS[decision]}"
        steps.append(Step("Player", what, sections.raised[stage]))
        if decision == FOLD:
            steps.append(
                Step("Community cards", "are turned over without the player", sections.turned[stage], community[stage:])
            )
            break
        turned = (community[stage],)
        steps.append(Step("Community cards", f"the {ORDINALS[stage]} is turned over", sections.turned[stage], turned))
    return steps


def _dealt(dealing: Dealing, own: Cards) -> list[Step]:
    return [
        Step("Player", "is dealt two cards", dealing.own, own),
        Step("Community cards", "three are dealt face down", dealing.community),
    ]


def _decisions(strategy: Strategy, own: Sequence[int], community: Sequence[int]) -> list[int]:
    """Those taken, up to a fold."""
    a, b, c = sorted((*own, community[0]), reverse=True)
    places = (
        place_2(max(own), min(own)),
        with_third(max(own), min(own), community[0]),
        with_fourth(a, b, c, community[1]),
    )
    taken, thrice = [int(strategy.first[places[0]]) % EQUAL], 0
    for table, place in zip((strategy.second, strategy.third), places[1:], strict=True):
        if taken[-1] != FOLD:
            thrice += taken[-1] // 2
            taken.append(int(table[place, thrice]) % EQUAL)
    return taken


def largest_street_round(
    chapter: Chapter,
    table: Paytable,
    sections: Sections,
    raises: Stages,
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> LargestRound:
    """The highest row that the limit covers, on the Ante and on as many Antes of raises as the limit counts.

    No other deal wins more: every unit is paid by the row of the same five cards, so the most is that of the highest
    row, and no unit can be added to those that the limit covers. The requirement says how many there are: a raise of
    the minimum at each stage, or of three times the minimum.
    """
    line = max(
        (line for line in table.rows if line.outcome not in leaves_out), key=lambda row: net_of(row.pays[0], table)
    )
    units = len(next(requirement.covers for requirement in chapter.requirements if requirement.covers))
    raised = THRICE if units > len(ORDINALS) + 1 else ONCE
    result = len(table.rows) - table.rows.index(line)
    hand = cards(EXAMPLES[result])
    deal = _dealt(sections.dealing({}), hand[:2])
    for stage, card in enumerate(hand[2:]):
        deal.append(Step("Player", f"makes {raises[stage]} {AMOUNTS[raised]}", sections.raised[stage]))
        deal.append(Step("Community cards", f"the {ORDINALS[stage]} is turned over", sections.turned[stage], (card,)))
    pays = f"{line.outcome}: {line.pays[0].printed} on {units} Antes, the Ante and three raises {AMOUNTS[raised]}"
    return LargestRound(tuple(deal), (PartWon("ante", stakes["ante"], net_of(line.pays[0], table) * units, pays),))
