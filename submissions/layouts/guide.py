"""The gaming guide of a game: its rules in plain words for players, as the table offers it.

What the player tries to do, a round step by step, the wagers and what they pay, the options of the table that matter
to a player; each with its section. What the house keeps is no part of it. Not here: the words (`told`), what is
offered and paid (`pays`), the renderer (`paper`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.rules.model import Answers, Chapter
from submissions.layouts.pays import Offer, offer
from submissions.layouts.told import GuideMissing

if TYPE_CHECKING:
    from submissions.documents.printing import Rendered
    from submissions.layouts.paper import Stated

SIZES = (11, 10.5, 10, 9.5, 9)  # points

# Option, the answer for which it is said, what a player is told. Only for lines that are asked.
AT_THIS_TABLE: tuple[tuple[str, bool | None, str], ...] = (
    ("number_of_decks", None, "The number of decks of cards in use: {number_of_decks}."),
    ("automated_shuffler", True, "The cards are shuffled by an automated card shuffling device."),
    ("automated_shuffler", False, "The cards are shuffled by the dealer."),
    ("continuous_shuffler", True, "A continuous shuffler is in use."),
    ("adjacent_boxes_allowed", True, "A player may wager on adjacent boxes in one round of play{adjacent}."),
    ("adjacent_boxes_allowed", False, "A player may wager on one box only in one round of play."),
    ("bars_midshoe_entry", True, "Who sits out a round may be kept from wagering until the cards are reshuffled."),
    ("abandoned_wagers", True, "The wagers of a player who leaves during a round are treated as losing wagers."),
    ("verbal_wagers", True, "Wagers may be made verbally with cash, if the dealer confirms them."),
    ("folded_hands_qualify", True, "A hand that was folded can still win the Progressive Bonus Wager."),
    ("folded_hands_qualify", False, "A hand that was folded cannot win the Progressive Bonus Wager."),
    ("linked_progressive", True, "The progressive meter is linked with other tables."),
)  # fmt: skip


def guide(chapter: Chapter, answers: Answers, stated: Stated) -> Rendered:
    """The guide as a PDF: Letter, one page if it fits in legible letters, else a leaf with two sides, else more."""
    from submissions.layouts import paper  # its libraries take two seconds to load: who prints waits, nobody else

    sheet = paper.Sheet("guide", chapter, answers, stated)
    return paper.as_large_as_fits(sheet, [content(chapter, answers)], (1, SIZES[:-1]), (2, SIZES))


def content(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """What the template prints; `GuideMissing` where the chapter's text is not at hand."""
    found = offer(chapter, answers)
    if found.told.object is None:
        raise GuideMissing(found.told.missing)
    boards = sorted((paid for paid in found.paid if paid.table), key=lambda paid: -paid.lines)  # pairs of like height
    return {
        "object": (found.says(found.told.object), found.told.object.at),
        "steps": [(found.says(step), step.at) for step in found.steps()],
        "wagers": found.paid,
        "pairs": [boards[place : place + 2] for place in range(0, len(boards), 2)],
        "limit": found.limit,
        "notices": found.notices(),
        "at_this_table": at_this_table(found),
    }


def at_this_table(found: Offer) -> list[tuple[str, str]]:
    """(words, citation) of the answers that matter to a player."""
    boxes = found.used.get("adjacent_boxes")
    lines = {option.key: option.citation for option in found.chapter.options}
    said = []
    for key, answer, words in AT_THIS_TABLE:
        given = found.used.get(key)
        if given is not None and (answer is None or given is answer):
            adjacent = f", {boxes} of them" if boxes is not None else ""
            said.append((words.format(number_of_decks=given, adjacent=adjacent), lines[key]))
    return said
