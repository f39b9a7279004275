"""The holds of a configuration before and after a change: of the wagers whose rules changed, and of no others.

Exact, by the chapter's mathematics on both days. Equal configurations are computed once (`figure_key`). Not here: which
versions there are (`trial`).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from games import registry
from games.maths.results import WagerAnalysis
from games.rules.model import Answers, Chapter, Period, Wager
from games.rules.wagers_in_play import with_wagers
from submissions.core.canonical_json import canonical_json
from submissions.evidence.analysis_cache import relevant_answers
from submissions.rulemakings.trial_result import PER_TOTAL, PER_WAGER, WagerTrial


def changed_wagers(before: Chapter, after: Chapter) -> tuple[str, ...]:
    """The wagers whose figures may differ, in the order of the chapter; all of them where what the play or the required
    wager depends on changed."""
    keys = tuple(dict.fromkeys(_whole(wager) for chapter in (after, before) for wager in chapter.wagers))
    if _shared(before) != _shared(after):
        return keys
    changed = [key for key in keys if _rules_of(before, key) != _rules_of(after, key)]
    required = {_whole(wager) for wager in (*before.wagers, *after.wagers) if wager.required}
    return keys if required & set(changed) else tuple(changed)


def figure_key(chapter: Chapter, answers: Answers) -> str:
    """Everything in the answers that a figure depends on: equal keys have equal figures."""
    chosen = {wager.paytable_option for wager in chapter.wagers} | {wager.offered_by for wager in chapter.wagers}
    keys = (chosen | {"house_way"}) & answers.keys()
    return canonical_json({**relevant_answers(chapter, answers), **{key: answers[key] for key in keys}})


def hold_changes(
    before: Chapter, after: Chapter, wagers: tuple[str, ...], answers: Answers
) -> tuple[tuple[WagerTrial, ...], str]:
    """The wagers of these that the answers offer and whose outcomes or holds differ; and why the new ones cannot be
    computed, "" if they can. The mathematics refuses rules that it does not know: then no hold after is given."""
    was = _figures(before, wagers, answers)
    try:
        now, problem = _figures(after, wagers, answers), ""
    except Exception as error:
        now, problem = {}, f"The portal's mathematics cannot compute the changed wagers: {error}."
    rows = []
    for key in dict.fromkeys((*now, *was)):
        old, new = was.get(key), now.get(key)
        if not (old and new and _same(old, new)):
            rows.append(_change(after if new else before, new or old, old, new))
    return tuple(rows), problem


def without_mathematics(before: Chapter, after: Chapter) -> str:
    """Why the figures of a wager that the change adds cannot be computed; "" if there is none such."""
    added = {wager.key for wager in after.wagers} - {wager.key for wager in before.wagers}
    for wager in (wager for wager in after.wagers if wager.key in added and not wager.part_of):
        try:
            registry.play(after.number).analyze(with_wagers(after, {wager.key}), None)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return f"The portal's mathematics of chapter {after.number} does not have the {wager.name} ({reason})."
    return ""


def _figures(chapter: Chapter, wagers: tuple[str, ...], answers: Answers) -> dict[tuple[str, str], WagerAnalysis]:
    rows = registry.play(chapter.number).analyze(with_wagers(chapter, wagers), answers)
    return {(row.key, row.paytable): row for row in rows}


def _same(old: WagerAnalysis, new: WagerAnalysis) -> bool:
    """Whether a simulation of one shows the other: the same outcomes with the same nets and chances."""
    return old.hold == new.hold and [_outcome(row) for row in old.outcomes] == [_outcome(row) for row in new.outcomes]


def _outcome(row: Any) -> tuple[Any, ...]:
    return (row.outcome, row.probability, row.net, row.wagered)


def _change(chapter: Chapter, row: Any, old: WagerAnalysis | None, new: WagerAnalysis | None) -> WagerTrial:
    """`row`: one of the two that there is."""
    return WagerTrial(
        wager=row.wager,
        name=chapter.wager(row.wager).name,
        paytable=row.paytable,
        spot=row.spot,
        before=old.hold if old else None,
        after=new.hold if new else None,
        estimated=any(side is not None and side.method != "exact" for side in (old, new)),
        per=PER_TOTAL if row.required else PER_WAGER,
    )


def _shared(chapter: Chapter) -> tuple[object, ...]:
    """What every wager's figures may depend on."""
    lines = [replace(option, citation="", question="", help="") for option in chapter.options if option.changes_figures]
    return (chapter.max_positions, [replace(line, period=Period()) for line in lines], chapter.house_ways)


def _rules_of(chapter: Chapter, key: str) -> list[object]:
    """A wager with its parts and their paytables, without what cannot change a figure."""
    return list(_records(chapter, key))


def _records(chapter: Chapter, key: str) -> Iterator[object]:
    for wager in (wager for wager in chapter.wagers if _whole(wager) == key):
        yield replace(wager, citation="", size="", settled="", period=Period())
        for table in chapter.tables_of(wager.key):
            yield replace(table, citation="", period=Period())


def _whole(wager: Wager) -> str:
    return wager.part_of or wager.key
