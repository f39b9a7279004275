"""The steps of a round: who is dealt what, and what the player decides, each with its subsection."""

from collections.abc import Sequence

from games.maths.heads_up.rounds import FLOP, RIVER, TURN
from games.maths.heads_up.rules import AFTER, BEFORE, LAST, Rules, Sections
from games.maths.in_words import antes
from games.maths.results import Step
from games.rules.dealing import way_dealt
from games.rules.model import Answers

BOARD = "Community cards"
UNSEEN = -1  # the burned cards of a deal that is replayed without them


def deck_of(own: Sequence[int], dealer: Sequence[int], board: Sequence[int]) -> list[int]:
    """The deal as the deck that `rounds` deals it from."""
    return [own[0], dealer[0], own[1], dealer[1], UNSEEN, *board[:3], UNSEEN, *board[3:]]


def round_steps(rules: Rules, sections: Sections, answers: Answers, deck: Sequence[int], when: int) -> tuple[Step, ...]:
    """The round dealt from this deck, raised then."""
    dealt = way_dealt(sections.dealt, answers)
    shown = bool(answers.get("community_cards_first"))  # no card is burned then
    act = "reveals {}" if shown else "burns a card and deals {}"
    before, after, last = sections.raised
    steps = [
        Step("Player", "is dealt two cards", dealt, (deck[0], deck[2])),
        Step("Dealer", "is dealt two cards, face down", dealt, (deck[1], deck[3])),
        Step("Player", f"raises {antes(rules.raises[BEFORE])}" if when == BEFORE else "checks", before),
        Step("Dealer", act.format("the Flop"), sections.flop, tuple(deck[FLOP : FLOP + 3]), BOARD),
    ]
    if when != BEFORE:
        steps.append(Step("Player", f"raises {antes(rules.raises[AFTER])}" if when == AFTER else "checks", after))
    turn_and_river = (deck[TURN], deck[RIVER])
    steps.append(Step("Dealer", act.format("Turn and River card"), sections.turn_and_river, turn_and_river, BOARD))
    if when not in (BEFORE, AFTER):
        steps.append(Step("Player", f"raises {antes(rules.raises[LAST])}" if when == LAST else "folds", last))
    return (*steps, Step("Dealer", "turns both cards face up", sections.shown, (deck[1], deck[3])))
