"""The steps of a round: who is dealt what, and what the player decides, each with its subsection."""

from games.maths.in_words import antes
from games.maths.longest_flush.rules import Sections
from games.maths.results import Step
from games.rules.dealing import way_dealt
from games.rules.model import Answers


def round_steps(
    sections: Sections, answers: Answers, own: tuple[int, ...], dealer: tuple[int, ...], raised: int
) -> tuple[Step, ...]:
    """The round with these hands, raised by so many Antes."""
    dealt = way_dealt(sections.dealt, answers)
    decision = Step("Player", f"raises {antes(raised)}", sections.raised)
    return (
        Step("Player", "is dealt seven cards", dealt, own),
        Step("Dealer", "is dealt seven cards, face down under a cover card", dealt, dealer),
        decision if raised else Step("Player", "folds", sections.folded),
        Step("Dealer", "turns all seven cards face up", sections.shown, dealer),
    )
