"""The decisions with turned cards in words: when each is taken, how often, and what is never better.

Not here: the decisions themselves (`best_play`), the sentences that a chapter gives (`sentences`).
"""

from collections.abc import Sequence
from fractions import Fraction

from games.maths.cards import FULL_DECK
from games.maths.results import Choice, StrategyTable
from games.maths.staged_raises.own_cards import OWN
from games.maths.staged_raises.turns.best_play import PASS, BestPlay, Decisions, Ends
from games.maths.staged_raises.turns.clauses import NUMBERS
from games.maths.staged_raises.turns.form import Form
from games.maths.staged_raises.turns.sentences import Sentences, computed_sentences
from games.maths.three_cards import FACES, faces, hands_in_order


def antes(count: int) -> str:
    """ "one Ante", "three Antes"."""
    return f"{NUMBERS[count] if count < len(NUMBERS) else count} Ante{'' if count == 1 else 's'}"


def cards_seen(form: Form, stage: int) -> str:
    """ "four cards": those that a player has seen who decides at the stage."""
    seen = form.own + stage
    return f"{NUMBERS[seen]} card{'' if seen == 1 else 's'}"


def choices(
    form: Form, best: BestPlay, raised: str, given: Sentences | None
) -> tuple[tuple[Choice, ...], tuple[StrategyTable, ...]]:
    """Each decision that is taken but a check, with its exact share; the tables that say when."""
    sentences = given or computed_sentences(form, best.decisions)
    folds = [stage for stage, options in enumerate(form.stages) if not options.may_check]
    listed = []
    for stage, chosen in enumerate(best.ends.chosen):
        seen = cards_seen(form, stage)
        for size in sorted(chosen, reverse=True):
            if not chosen[size] or (size == PASS and stage not in folds):
                continue
            name = f"{raised} of {antes(size)} on {seen}" if size else "Fold" if len(folds) == 1 else f"Fold on {seen}"
            listed.append(Choice(name, sentences.hands[stage, size], Fraction(chosen[size], form.cycle)))
    return tuple(listed), (*_suited_tables(form, best.decisions, raised), *sentences.tables)


def never_better_note(form: Form, ends: Ends, raised: str) -> str:
    """Raises that are allowed and never made, in a game of one raise; "" if there are none."""
    unused: list[str] = []
    for stage, chosen in enumerate(ends.chosen):
        sizes = [NUMBERS[size] for size, deals in chosen.items() if size and not deals]
        if sizes and not unused:
            unit = "Ante" if sizes[-1] == NUMBERS[1] else "Antes"
            unused.append(f"of {' or '.join(sizes)} {unit} on {cards_seen(form, stage)}")
        elif sizes:
            unused.append(f"of {' or '.join(sizes)} on {NUMBERS[form.own + stage]}")
    if not unused or not form.raises_once:
        return ""
    least = antes(form.stages[-1].raises[0])
    later = f"{least} can still be wagered on {cards_seen(form, len(form.stages) - 1)}"
    never = f"A {raised} {', or '.join(unused)}, is never better"
    return f"{never}: its worth grows in proportion to its size, and {later}."


def equal_note(form: Form, equal: Sequence[int], raised: str) -> str:
    """Where two decisions are of equal worth."""
    if not any(equal):
        return "No two decisions are of equal worth, with any cards."
    parts = [f"{count} {'sets of ' if at == 0 else 'of '}{NUMBERS[form.own + at]}" for at, count in enumerate(equal)]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]} cards" if len(parts) > 1 else f"{parts[0]} cards"
    return f"Of equal worth are both decisions with {listed}; there the {raised} is made."


def _suited_tables(form: Form, decisions: Decisions, raised: str) -> tuple[StrategyTable, ...]:
    """Three own cards of one suit: with which lowest cards the most is wagered, by the two higher cards."""
    if (form.own, form.deck) != (OWN, FULL_DECK):
        return ()
    most = form.stages[0].raises[-1]
    lowest_cards: dict[tuple[int, int], list[int]] = {}
    for (low, middle, high), size in zip(hands_in_order(), decisions[0][:, 0], strict=True):
        if low % 4 == middle % 4 == high % 4 == 0:  # one suit represents all
            lowest_cards.setdefault((high // 4, middle // 4), []).extend([low // 4] * bool(size == most))
    return (
        StrategyTable(
            f"Three cards of one suit: a {raised} of {antes(most)}",
            ("Highest card", "Second", "With a lowest card of"),
            tuple(
                (FACES[high], FACES[middle], faces(lows)) for (high, middle), lows in sorted(lowest_cards.items())[::-1]
            ),
        ),
    )
