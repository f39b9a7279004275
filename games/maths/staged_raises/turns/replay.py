"""A round with turned cards as its steps. Not here: dealing it (`rounds`), what it wins (`runs.replay`)."""

from itertools import combinations

from games.maths.results import Step
from games.maths.staged_raises.turns.best_play import PASS, Decisions
from games.maths.staged_raises.turns.clauses import NUMBERS
from games.maths.staged_raises.turns.required import RequiredWagers
from games.maths.staged_raises.turns.words import antes
from games.maths.three_cards import place
from games.rules.dealing import way_dealt
from games.rules.model import Answers

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def round_steps(
    wagers: RequiredWagers, decisions: Decisions, answers: Answers, dealt: tuple[int, ...]
) -> tuple[Step, ...]:
    """Decision and card in turn; the cards turn up all the same once nothing is left to decide."""
    form, sections = wagers.form, wagers.sections
    steps = [dealt_step(wagers, answers, dealt)]
    raised, decides, columns = 0, True, form.columns()
    for stage, options in enumerate(form.stages):
        seen = form.own + stage
        if decides:
            size = int(decisions[stage][place(dealt[:seen]), columns[stage, raised]])
            what = f"makes a {wagers.raised} of {antes(size)}" if size else "checks" if options.may_check else "folds"
            steps.append(Step("Player", what, sections.decided[stage]))
            raised += size
            decides = options.may_check if size == PASS else not form.raises_once
        turned = f"the {ORDINALS[stage]} is turned up"
        steps.append(Step("Community cards", turned, sections.turned[stage], dealt[seen : seen + 1]))
    ranking = form.hands.ranking()
    best = max(combinations(dealt, 5), key=ranking.value)
    return (*steps, Step("Player", f"holds as best five cards: {ranking.class_name(best)}", sections.made, best))


def dealt_step(wagers: RequiredWagers, answers: Answers, dealt: tuple[int, ...]) -> Step:
    """The player's own cards."""
    own = wagers.form.own
    cards = f"is dealt {NUMBERS[own]} card{'' if own == 1 else 's'}"
    return Step("Player", cards, way_dealt(wagers.sections.dealt, answers), dealt[:own])
