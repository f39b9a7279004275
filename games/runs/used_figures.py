"""The figures that one configuration uses, among those of every paytable of its chapter."""

from collections.abc import Mapping
from typing import Any

from games.maths.results import WagerAnalysis
from games.rules.evaluate import asked_lines, sound_answers
from games.rules.model import Answers, Chapter, Judgment
from games.runs.engine import analyze
from games.runs.shipped_figures import shipped_wagers

FigureTable = Mapping[tuple[str, str], WagerAnalysis]
"""(key of a wager's analysis, paytable) → it."""


def relevant_answers(chapter: Chapter, answers: Answers) -> dict[str, Any]:
    """Return the sound answers to asked lines that change figures; a line without one counts as not answered."""
    sound = sound_answers(chapter, answers)
    asked_keys = set(asked_lines(chapter, sound))
    keys = (option.key for option in chapter.options if option.changes_figures)
    return {key: sound[key] for key in keys if key in asked_keys and key in sound}


def in_use(chapter: Chapter, judgment: Judgment, answers: Answers, figures: FigureTable) -> tuple[WagerAnalysis, ...]:
    """Return the analyses of the wagers that the answers offer, each with its paytable in use."""
    way = answers.get("house_way")
    parts = {wager.key: wager.part_of or wager.key for wager in chapter.wagers}
    rows = []
    for row in figures.values():
        whole = parts[row.wager]
        own = judgment.paytables.get(row.wager)
        of_parts = {name for wager, name in judgment.paytables.items() if parts[wager] == whole}
        if whole in judgment.offered and row.paytable in (("", own) if own else ("", way, *of_parts)):
            rows.append(row)
    return tuple(rows)


def used_wagers(chapter: Chapter, judgment: Judgment, answers: Answers) -> tuple[WagerAnalysis, ...]:
    """Return those analyses; where none are shipped they are computed, once nothing blocks the configuration."""
    shipped = None if relevant_answers(chapter, answers) else shipped_wagers(chapter, None)
    if shipped is not None:
        return in_use(chapter, judgment, answers, {(row.key, row.paytable): row for row in shipped})
    return () if judgment.blocking else analyze(chapter, answers).wagers
