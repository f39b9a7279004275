"""The steps of a round: who is dealt what, and what the player decides, each with its subsection."""

from games.maths.results import Step
from games.rules.model import Answers

DEALT_BY = {"manual_shoe": "§ 678a.8(d)", "from_hand": "§ 678a.9(b)", "automated_shoe": "§ 678a.10(b)"}
RAISES = ("folds", "raises one Ante", "raises two Antes", "raises three Antes")


def round_steps(answers: Answers, own: tuple[int, ...], dealer: tuple[int, ...], raised: int) -> tuple[Step, ...]:
    """The round with these hands, raised by so many Antes."""
    dealt = next((section for way, section in DEALT_BY.items() if answers.get(way)), DEALT_BY["manual_shoe"])
    return (
        Step("Player", "is dealt seven cards", dealt, own),
        Step("Dealer", "is dealt seven cards, face down under a cover card", dealt, dealer),
        Step("Player", RAISES[raised], "§ 678a.11(b)" if raised else "§ 678a.11(c)(2)"),
        Step("Dealer", "turns his seven cards face up", "§ 678a.11(d)", dealer),
    )
