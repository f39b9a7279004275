"""The content of the gaming guide and the payout sign, as their templates print it, each sentence with its section.

The guide has the object of the game, a round step by step, the wagers with their payouts and the options that matter
to a player, but no theoretical hold. Not here: the sentences (`guide.toml`), the wagers and payouts
(`paytable_display`), the PDF (`paper_pdf`).
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

from games.rules.conditions import holds
from games.rules.model import Answers, Chapter
from games.rules.words import TableSentence, named_options
from submissions.layouts.paytable_display import Offer, WagerDisplay, offer

HEADING_LINES = 3  # that the name of a paytable takes, with the space above it


class GuideMissing(LookupError):
    """The chapter has no text for players; the message says why."""


def guide_content(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """The template's context of the guide; `GuideMissing` if the chapter's text is not available."""
    table = offer(chapter, answers)
    text = table.guide_text
    if text.object is None:
        raise GuideMissing(text.missing)
    paytables = sorted((wager for wager in table.wagers if wager.table), key=lambda wager: -wager.lines)
    return {
        "object": (table.fill_in(text.object), text.object.at),
        "steps": [(table.fill_in(step), step.at) for step in text.steps if holds(step.condition, table.used)],
        "wagers": table.wagers,
        "pairs": beside_each_other(paytables),
        "limit": table.limit,
        "notices": table.notices(),
        "at_this_table": at_this_table(table),
        "not_cleared_for_play": table.not_cleared_for_play,
    }


def beside_each_other(paytables: Sequence[WagerDisplay]) -> list[list[list[WagerDisplay]]]:
    """The paytables, the highest first, in pairs of similar height: each side of a pair has one, and the right side of
    the last pair also a single one that is left over, where it makes the pair no higher."""
    pairs = [[[paytable] for paytable in paytables[place : place + 2]] for place in range(0, len(paytables), 2)]
    if len(pairs) > 1 and len(pairs[-1]) == 1:
        left_over = pairs[-1][0][0]
        (highest,), (beside,) = pairs[-2]
        if beside.lines + left_over.lines + HEADING_LINES <= highest.lines:
            pairs[-2][1].append(left_over)
            pairs.pop()
    return pairs


def at_this_table(table: Offer) -> list[tuple[str, str]]:
    """(sentence, citation) of the answers that matter to a player."""
    lines = {option.key: option.citation for option in table.chapter.options}
    applicable: dict[str, TableSentence] = {}
    for sentence in table.guide_text.at_this_table:
        if _applies(sentence, table.used):
            applicable.setdefault(sentence.option, sentence)
    return [(sentence.words.format_map(table.used), lines[key]) for key, sentence in applicable.items()]


def _applies(sentence: TableSentence, used: Answers) -> bool:
    """Whether all its options are answered, its own as it says, and none Yes that rules it out."""
    if any(used.get(key) is None for key in {sentence.option} | named_options(sentence.words)):
        return False
    if any(used.get(key) is True for key in sentence.unless):
        return False
    return sentence.answer is None or used[sentence.option] is sentence.answer


def payout_sign_content(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """The template's context of the sign."""
    table = offer(chapter, answers)
    return {
        "fixed": [wager for wager in table.wagers if wager.fixed],
        "columns": in_columns([wager for wager in table.wagers if wager.table]),
        "limit": table.limit,
        "notices": table.notices(),
        "not_cleared_for_play": table.not_cleared_for_play,
    }


def in_columns(wagers: Sequence[WagerDisplay]) -> list[list[WagerDisplay]]:
    """The paytables in two columns of about the same height, each in the order of the wagers; one column for one."""
    heights = [2.5 + wager.lines for wager in wagers]
    whole = sum(heights)

    def uneven(sides: tuple[int, ...]) -> float:
        return abs(whole - 2 * sum(height for height, side in zip(heights, sides, strict=True) if side == 0))

    best = min(product((0, 1), repeat=len(wagers)), key=uneven, default=())
    columns = [[wager for wager, side in zip(wagers, best, strict=True) if side == column] for column in (0, 1)]
    if columns[1] and wagers[0] in columns[1]:
        columns.reverse()
    return [column for column in columns if column]
