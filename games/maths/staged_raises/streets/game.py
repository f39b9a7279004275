"""One street game as the rest of the portal meets it, a round as its steps, and the largest round of a payout limit.

Two own cards, three community cards, a raise or a fold before each of these; a paytable pays, the dealer has no hand.
Not here: the wagers (`wagers`), dealing (`games.second.streets`).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.maths.cards import cards
from games.maths.hands import set_place
from games.maths.results import LargestRound, PartWon, Step, WagerAnalysis, net_of
from games.maths.staged_raises.streets.wagers import (
    FORM,
    ONCE,
    STAGES,
    THRICE,
    BonusWager,
    Dealing,
    Sections,
    Stages,
    analyze_bonus,
    ante,
    best,
)
from games.maths.staged_raises.turns.best_play import PASS, Decisions
from games.maths.staged_raises.turns.game import ORDINALS
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import part_paytable


@dataclass(frozen=True, slots=True)
class StreetGame:
    """The terms of one game: the raises' names, the optional wagers, the sections."""

    raises: Stages  # "a 3rd Street Wager"
    bonuses: Mapping[str, BonusWager]
    sections: Sections
    play_file: str = ""  # of a chapter whose `strategy.toml` says the best play in words of its own

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures.

        The best play is found for every paytable at once, so that a change waits for nothing.
        """
        table = chapter.paytable(wager, name)
        if wager != "ante":
            yield analyze_bonus(table, self.bonuses[wager], answers)
            return
        for each in chapter.tables_of(wager):
            best(each)
        yield ante(table, self.play_file, self.sections)

    def strategy(self, chapter: Chapter, answers: Answers) -> Decisions:
        """Return the decisions of the best play for the Ante's paytable, by stage."""
        return best(_required(chapter, answers)).decisions

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return cards and decisions; dealt are the extra cards, the player's two, the community cards."""
        extra, dealing = len(dealt) - FORM.cards, way_dealt(self.sections.dealt, answers)
        decided = self._decided(self.strategy(chapter, answers), dealt[extra:])
        steps = [*_dealt(dealing, dealt[extra : extra + 2]), *decided]
        for wager, bonus in self.bonuses.items():
            if bonus.extra_cards and answers.get(chapter.wager(wager).offered_by) is True:
                place = 0 if dealing.extra_first else 1
                steps.insert(place, Step("Dealer", bonus.extra_cards, dealing.extra, dealt[:extra]))
        return tuple(steps)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the highest row that the limit covers, on the Ante and on the Antes of raises that it counts.

        No other deal wins more: every unit is paid by the row of the same five cards, so the most is that of the
        highest row, and no unit can be added to those that the limit covers. The requirement says how many there are: a
        raise of the minimum at each stage, or of three times the minimum.
        """
        table = _required(chapter, answers)
        covered = (line for line in table.rows if line.outcome not in leaves_out)
        line = max(covered, key=lambda row: net_of(row.pays[0], table))
        units = len(next(requirement.covers for requirement in chapter.requirements if requirement.covers))
        raised = THRICE if units > len(self.raises) + 1 else ONCE
        hand = cards(EXAMPLES[len(table.rows) - table.rows.index(line)])
        deal = _dealt(way_dealt(self.sections.dealt, {}), hand[:2])
        for stage in STAGES:
            deal += [self._raise(stage, raised), self._turn(stage, hand[2 + stage])]
        pays = f"{line.outcome}: {line.pays[0].printed} on {units} Antes, the Ante and three raises {AMOUNTS[raised]}"
        return LargestRound(tuple(deal), (PartWon("ante", stakes["ante"], net_of(line.pays[0], table) * units, pays),))

    def _decided(self, decisions: Decisions, dealt: tuple[int, ...]) -> Iterator[Step]:
        """Yield decision and card in turn, to the end of the round or the fold.

        The community cards that a fold leaves are turned all the same: optional wagers are settled on them.
        """
        raised, columns, sections = 0, FORM.columns(), self.sections
        for stage, table in enumerate(decisions):
            decision = int(table[set_place(dealt[: 2 + stage]), columns[stage, raised]])
            if decision == PASS:
                yield Step("Player", "folds", sections.raised[stage])
                left = dealt[2 + stage :]
                yield Step("Community cards", "are turned over without the player", sections.turned[stage], left)
                return
            yield self._raise(stage, decision)
            yield self._turn(stage, dealt[2 + stage])
            raised += decision

    def _raise(self, stage: int, antes: int) -> Step:
        return Step("Player", f"makes {self.raises[stage]} {AMOUNTS[antes]}", self.sections.raised[stage])

    def _turn(self, stage: int, card: int) -> Step:
        what = f"the {ORDINALS[stage]} is turned over"
        return Step("Community cards", what, self.sections.turned[stage], (card,))


def _required(chapter: Chapter, answers: Answers) -> Paytable:
    """Return the Ante's paytable, even if those of other wagers are not answered yet."""
    return chapter.paytable("ante", part_paytable(chapter, answers, "ante"))


AMOUNTS = {ONCE: "equal to the Ante", THRICE: "of three times the Ante"}
EXAMPLES = (
    "2c 4d 7h 9s Jc", "6c 6d 2h 3s 4c", "Jc Jd 2h 3s 4c", "3c 3d 2h 2s 4c", "2c 2d 2h 3s 4c", "2c 3d 4h 5s 6c",
    "2c 3c 4c 5c 7c", "2c 2d 2h 3s 3c", "2c 2d 2h 2s 3c", "9s 8s 7s 6s 5s", "As Ks Qs Js Ts",
)  # fmt: skip
"""Five cards for each of `paid_hands.RESULTS`."""


def _dealt(dealing: Dealing, own: tuple[int, ...]) -> list[Step]:
    return [
        Step("Player", "is dealt two cards", dealing.own, own),
        Step("Community cards", "three are dealt face down", dealing.community),
    ]
