"""The steps of a round: who is dealt what, and what the player decides, each with its subsection."""

from collections.abc import Sequence

from games.maths.heads_up.rounds import FLOP, RIVER, TURN
from games.maths.heads_up.settled import AFTER, BEFORE, LAST
from games.maths.results import Step
from games.rules.model import Answers

DEALT_BY = {"manual_shoe": "§ 677a.8(c)", "from_hand": "§ 677a.9(b)", "automated_shoe": "§ 677a.10(b)"}
UNSEEN = -1  # the burned cards of a deal that is replayed without them


def deck_of(own: Sequence[int], dealer: Sequence[int], board: Sequence[int]) -> list[int]:
    """The deal as the deck that `rounds` deals it from."""
    return [own[0], dealer[0], own[1], dealer[1], UNSEEN, *board[:3], UNSEEN, *board[3:]]


def round_steps(answers: Answers, deck: Sequence[int], when: int) -> tuple[Step, ...]:
    """The round dealt from this deck, raised then."""
    dealt = next((section for way, section in DEALT_BY.items() if answers.get(way)), DEALT_BY["manual_shoe"])
    shown = bool(answers.get("community_cards_first"))  # § 677a.10(g); no card is burned: `burn-card-and-shoe`
    act = "reveals {}" if shown else "burns a card and deals {}"
    steps = [
        Step("Player", "is dealt two cards", dealt, (deck[0], deck[2])),
        Step("Dealer", "is dealt two cards, face down", dealt, (deck[1], deck[3])),
        Step("Player", "raises three Antes" if when == BEFORE else "checks", "§ 677a.11(b)"),
        Step("Dealer", act.format("the Flop"), "§ 677a.11(c)", tuple(deck[FLOP : FLOP + 3])),
    ]
    if when != BEFORE:
        steps.append(Step("Player", "raises two Antes" if when == AFTER else "checks", "§ 677a.11(d)"))
    steps.append(Step("Dealer", act.format("Turn and River card"), "§ 677a.11(e)", (deck[TURN], deck[RIVER])))
    if when not in (BEFORE, AFTER):
        steps.append(Step("Player", "raises one Ante" if when == LAST else "folds", "§ 677a.11(f)"))
    return (*steps, Step("Dealer", "turns his two cards face up", "§ 677a.11(g)", (deck[1], deck[3])))
