"""A game of turned cards as the rest of the portal meets it.

Own cards and community cards that turn up one by one; before each of these the player raises, checks or folds. The best
five of all cards are paid. Not here: the form (`form`), the wagers (`wagers`), which wagers a limit covers (the
chapter's requirement says so).
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

import numpy as np

from games.maths.hands import set_place
from games.maths.results import LargestRound, PartWon, Step, WagerAnalysis, antes, number_of
from games.maths.staged_raises.turns.best_play import CHOOSE, PASS, Decisions, best_result, last_cards
from games.maths.staged_raises.turns.form import PaidHands
from games.maths.staged_raises.turns.wagers import ForfeitedProgressive, OptionalWager, RequiredWagers
from games.rules.conditions import way_dealt
from games.rules.model import Answers, Chapter
from games.rules.wagers_in_play import part_paytable


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedCardsGame:
    """The terms of one game: the required wagers and the optional ones."""

    required: RequiredWagers
    optional: Mapping[str, OptionalWager] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `ParameterError` for optional wagers that the form of the game does not have."""
        for wager in self.optional.values():
            wager.check(self.required.form)

    def analyze_wager(self, chapter: Chapter, wager: str, name: str, answers: Answers) -> Iterator[WagerAnalysis]:
        """Yield the wager's exact figures; the play is the one that is best for the required wagers."""
        optional, form = self.optional.get(wager), self.required.form
        if optional is None:
            yield self.required.analysis(chapter, name)
        elif isinstance(optional, ForfeitedProgressive):
            decisions = self.strategy(chapter, answers)
            yield optional.analysis(chapter.paytable(wager, name), form, decisions, chapter, answers)
        else:
            yield optional.analysis(chapter.paytable(wager, name), form)

    def strategy(self, chapter: Chapter, answers: Answers) -> Decisions:
        """Return the decisions of the best play, by stage."""
        return self.required.best(chapter, _paytable(chapter, answers)).decisions

    def describe_round(self, chapter: Chapter, answers: Answers, dealt: tuple[int, ...]) -> tuple[Step, ...]:
        """Return the round of one player at the table; dealt are the player's cards, then the community cards."""
        return round_steps(self.required, self.strategy(chapter, answers), answers, dealt)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the highest row that the limit covers, on the wagers before the deal and the raises that it counts.

        No other deal wins more: all wagers are paid by the same hand, and a higher hand never pays less.
        """
        wagers, form, sections = self.required, self.required.form, self.required.sections
        pays = wagers.pays(chapter, _paytable(chapter, answers))
        covers = next(requirement.covers for requirement in chapter.requirements if requirement.covers)
        raised = len(covers) - len(wagers.before_deal)  # Antes
        nets = {
            place: sum(pays.initial_nets(place), Fraction(0)) + raised * pays.raised_net(place)
            for place, line in enumerate(pays.raised.rows)
            if line.outcome not in leaves_out
        }
        best = max(nets, key=lambda place: nets[place])
        cards = example(form.hands, form.cards, len(pays.raised.rows) - best)
        deal = [dealt_step(wagers, {}, cards)]
        for stage, size in enumerate(_shared(raised, wagers)):
            what = f"makes a {wagers.raised} of {antes(size)}" if size else "checks"
            deal.append(Step("Player", what, sections.decided[stage]))
            deal.append(turned_step(wagers, stage, cards))
        line = pays.raised.rows[best]
        initial = ", ".join(f"{name} {pay}" for name, pay in zip(wagers.before_deal, pays.printed(best), strict=True))
        words = f"{line.outcome}: {initial}, {line.pays[0].printed} on {antes(raised)} raised"
        return LargestRound(tuple(deal), (PartWon("ante", stakes["ante"], nets[best], words),))


def _paytable(chapter: Chapter, answers: Answers) -> str:
    """Return the Ante's paytable, "" if it has none of its own; `NoPaytable` where the answers leave several."""
    return part_paytable(chapter, answers, "ante") if chapter.tables_of("ante") else ""


def example(hands: PaidHands, size: int, result: int) -> tuple[int, ...]:
    """Return `size` cards whose best five are paid as the result: the lowest by place."""
    place = int(np.flatnonzero(last_cards(hands, size)[result])[0])
    known: list[int] = []
    for number in range(size - 1, 0, -1):
        known.insert(0, int(np.searchsorted(CHOOSE[:, number], place, side="right")) - 1)
        place -= int(CHOOSE[known[0], number])
    left = (card for card in range(hands.deck) if card not in known)
    return (*known, next(card for card in left if best_result(hands, (*known, card)) == result))


def _shared(raised: int, wagers: RequiredWagers) -> list[int]:
    """Return the raises by stage: as large as the stage allows, so that all are made."""
    shared, left = [], raised
    stages = wagers.form.stages
    for stage, options in enumerate(stages):
        later = 0 if wagers.form.raises_once else sum(after.raises[0] for after in stages[stage + 1 :])
        size = max((size for size in options.raises if size <= left - later), default=0)
        shared.append(size)
        left -= size
    return shared


ORDINALS = ("first", "second", "third", "fourth", "fifth")


def round_steps(
    wagers: RequiredWagers, decisions: Decisions, answers: Answers, dealt: tuple[int, ...]
) -> tuple[Step, ...]:
    """Return decision and card in turn; the cards turn up all the same once nothing is left to decide."""
    form, sections = wagers.form, wagers.sections
    steps = [dealt_step(wagers, answers, dealt)]
    raised, decides, columns = 0, True, form.columns()
    for stage, options in enumerate(form.stages):
        seen = form.own + stage
        if decides:
            size = int(decisions[stage][set_place(dealt[:seen]), columns[stage, raised]])
            what = f"makes a {wagers.raised} of {antes(size)}" if size else "checks" if options.may_check else "folds"
            steps.append(Step("Player", what, sections.decided[stage]))
            raised += size
            decides = options.may_check if size == PASS else not form.raises_once
        steps.append(turned_step(wagers, stage, dealt))
    ranking = form.hands.ranking()
    best = max(combinations(dealt, 5), key=ranking.value)
    return (*steps, Step("Player", f"holds as best five cards: {ranking.class_name(best)}", sections.made, best))


def dealt_step(wagers: RequiredWagers, answers: Answers, dealt: tuple[int, ...]) -> Step:
    """Return the step in which the player's own cards are dealt."""
    own = wagers.form.own
    return Step("Player", f"is dealt {number_of(own, 'card')}", way_dealt(wagers.sections.dealt, answers), dealt[:own])


def turned_step(wagers: RequiredWagers, stage: int, dealt: tuple[int, ...]) -> Step:
    """Return the step in which the stage's community card turns up."""
    turned = f"the {ORDINALS[stage]} is turned up"
    return Step("Community cards", turned, wagers.sections.turned[stage], (dealt[wagers.form.own + stage],))
