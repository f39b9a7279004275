"""The most that one patron can win in a round with turned cards: a payout limit's bound, and a deal that attains it.

Not here: which wagers a limit covers (the chapter's requirement says so).
"""

from collections.abc import Collection, Mapping
from fractions import Fraction

import numpy as np

from games.maths.results import LargestRound, PartWon, Step
from games.maths.staged_raises.turns.form import PaidHands
from games.maths.staged_raises.turns.replay import ORDINALS, dealt_step
from games.maths.staged_raises.turns.required import Pays, RequiredWagers
from games.maths.staged_raises.turns.sets import CHOOSE, best_result, last_cards
from games.maths.staged_raises.turns.words import antes
from games.rules.model import Chapter


def largest_turned_round(
    chapter: Chapter, wagers: RequiredWagers, pays: Pays, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
) -> LargestRound:
    """The highest row that the limit covers, on the wagers before the deal and the raises that the limit counts.

    No other deal wins more: all wagers are paid by the same hand, and a higher hand never pays less.
    """
    rows = range(len(pays.raised.rows))
    raised = _raises_counted(chapter, wagers)
    nets = {
        place: sum(pays.initial_nets(place), Fraction(0)) + raised * pays.raised_net(place)
        for place in rows
        if pays.raised.rows[place].outcome not in leaves_out
    }
    best = max(nets, key=lambda place: nets[place])
    form, sections = wagers.form, wagers.sections
    cards = example(form.hands, form.cards, len(rows) - best)
    deal = [dealt_step(wagers, {}, cards)]
    for stage, size in enumerate(_shared(raised, wagers)):
        what = f"makes a {wagers.raised} of {antes(size)}" if size else "checks"
        deal.append(Step("Player", what, sections.decided[stage]))
        turned = f"the {ORDINALS[stage]} is turned up"
        deal.append(Step("Community cards", turned, sections.turned[stage], (cards[form.own + stage],)))
    line = pays.raised.rows[best]
    initial = ", ".join(f"{name} {pay}" for name, pay in zip(wagers.before_deal, pays.printed(best), strict=True))
    words = f"{line.outcome}: {initial}, {line.pays[0].printed} on {antes(raised)} raised"
    return LargestRound(tuple(deal), (PartWon("ante", stakes["ante"], nets[best], words),))


def example(hands: PaidHands, size: int, result: int) -> tuple[int, ...]:
    """So many cards whose best five are paid as the result: the lowest by place."""
    place = int(np.flatnonzero(last_cards(hands, size)[result])[0])
    known: list[int] = []
    for number in range(size - 1, 0, -1):
        known.insert(0, int(np.searchsorted(CHOOSE[:, number], place, side="right")) - 1)
        place -= int(CHOOSE[known[0], number])
    left = (card for card in range(hands.deck) if card not in known)
    return (*known, next(card for card in left if best_result(hands, (*known, card)) == result))


def _raises_counted(chapter: Chapter, wagers: RequiredWagers) -> int:
    """How many Antes of raises the limit is held against: the wagers that it covers beside those before the deal."""
    covers = next(requirement.covers for requirement in chapter.requirements if requirement.covers)
    return len(covers) - len(wagers.before_deal)


def _shared(raised: int, wagers: RequiredWagers) -> list[int]:
    """The raises by stage: as large as the stage allows, so that all are made."""
    shared, left = [], raised
    stages = wagers.form.stages
    for stage, options in enumerate(stages):
        later = 0 if wagers.form.raises_once else sum(after.raises[0] for after in stages[stage + 1 :])
        size = max((size for size in options.raises if size <= left - later), default=0)
        shared.append(size)
        left -= size
    return shared
