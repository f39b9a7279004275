"""The effect of a change of the rules on one configuration: the differences in what it uses, and its holds.

    effect = rule_effect(chapter_before, chapter_after, answers, tables)

Pure but for the exact figures, which are computed by jobs. Not here: which versions there are and on which day
(`layouts.affected_versions`), what blocks (`compliance`), the papers to update (`layouts.required_facts`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from games.maths.results import WagerAnalysis
from games.rules.differences import Record, RuleDifference, chapter_differences, record_key
from games.rules.evaluate import ALL_TABLES, GroupTables, effective, judge, sound_answers
from games.rules.model import Answers, Chapter, Judgment
from games.runs.used_figures import FigureTable, in_use
from submissions.filings.evidence import computations
from submissions.filings.evidence.computations import figures_of_paytable

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class HoldChange:
    """The theoretical hold of one wager before and after, exact; None: not offered, or not computed yet."""

    wager: str
    name: str
    paytable: str
    before: Fraction | None
    after: Fraction | None
    is_computing: bool

    @property
    def change(self) -> Fraction | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class RuleEffect:
    """The differences that concern the configuration, and the holds that they move or may move."""

    differences: tuple[RuleDifference, ...]
    holds: tuple[HoldChange, ...]

    def __bool__(self) -> bool:
        return bool(self.differences)


@dataclass(frozen=True, slots=True)
class UsedRules:
    """The parts of a chapter that a configuration uses, by kind of record → keys; and the sections that it cites."""

    keys: dict[str, frozenset[str]]
    citations: frozenset[str]

    def has(self, difference: RuleDifference) -> bool:
        if difference.kind == "chapter":
            return True
        if difference.kind == "section":
            return any(_same_place(difference.key, citation) for citation in self.citations)
        return difference.key in self.keys.get(difference.kind, frozenset())


def rule_effect(before: Chapter, after: Chapter, answers: Answers, tables: GroupTables = ALL_TABLES) -> RuleEffect:
    """Return the effect of the change on the configuration; false if it uses nothing that changes."""
    judged = tuple(judge(chapter, answers, tables) for chapter in (before, after))
    used = [used_rules(chapter, judgment) for chapter, judgment in zip((before, after), judged, strict=True)]
    differences = tuple(
        difference for difference in chapter_differences(before, after) if any(rules.has(difference) for rules in used)
    )
    moved = {difference.key.partition("/")[0] for difference in differences if difference.kind == "paytable"}
    return RuleEffect(differences, tuple(_holds(before, after, answers, judged, moved)) if moved else ())


def planned_effect(before: Chapter, after: Chapter) -> RuleEffect:
    """Return all changes of a chapter, and the holds of paytables that change, with no other line answered."""
    differences = chapter_differences(before, after)
    keys = {difference.key for difference in differences if difference.kind == "paytable"}
    return RuleEffect(differences, tuple(_chapter_holds(before, after, keys)) if keys else ())


def used_rules(chapter: Chapter, judgment: Judgment) -> UsedRules:
    """Return the records of the chapter that a configuration with this judgment uses, and the cited sections."""
    asked_keys, offered = set(judgment.asked_keys), set(judgment.offered)
    options = [option for option in chapter.options if option.key in asked_keys]
    wagers = [wager for wager in chapter.wagers if offered & {wager.key, wager.part_of}]
    tables = [
        chapter.paytable(wager, name)
        for wager, name in judgment.paytables.items()
        if any(table.name == name for table in chapter.tables_of(wager))  # else it is none of the chapter's on this day
    ]
    requirements = [rule for rule in chapter.requirements if asked_keys & set(rule.options) or not rule.options]
    cited: list[Record] = [*options, *wagers, *tables, *requirements, *judgment.layout]
    records: dict[str, Sequence[Record]] = {
        "option": options,
        "wager": wagers,
        "paytable": tables,
        "requirement": requirements,
        "element": judgment.layout,
        "reading": judgment.readings,
        "house_way": chapter.house_ways,
    }
    keys = {kind: frozenset(map(record_key, rows)) for kind, rows in records.items()}
    return UsedRules(keys, frozenset(getattr(record, "citation", "") for record in cited))


def _same_place(section: str, citation: str) -> bool:
    """Return whether one is the other, or contains it."""
    return section == citation or section.startswith(f"{citation}(") or citation.startswith(f"{section}(")


def _holds(
    before: Chapter, after: Chapter, answers: Answers, judged: tuple[Judgment, ...], moved: set[str]
) -> Iterator[HoldChange]:
    """Yield the holds of the wagers whose paytable in use changed, and of those reported with them."""
    sides = [
        _figures(chapter, answers, judgment, moved) for chapter, judgment in zip((before, after), judged, strict=True)
    ]
    names = {wager.key: wager.name for wager in (*before.wagers, *after.wagers)}
    if None in sides:
        yield from (HoldChange(key, names[key], "", None, None, is_computing=True) for key in sorted(moved))
        return
    was, now = (side or {} for side in sides)
    yield from _changes(was, now, names)


def _figures(
    chapter: Chapter, answers: Answers, judgment: Judgment, moved: set[str]
) -> dict[str, WagerAnalysis] | None:
    """Return the analyses by key; None until a job, which the first call enqueues, has computed them."""
    counted = effective(chapter, answers)
    figures = computations.figures_of(chapter, counted)
    if figures is None:
        return None
    parts = {wager.key: wager.part_of or wager.key for wager in chapter.wagers}
    wholes = {parts.get(wager, wager) for wager in moved}
    rows = in_use(chapter, judgment, sound_answers(chapter, counted), figures)
    return {row.key: row for row in rows if parts[row.wager] in wholes}


def _chapter_holds(before: Chapter, after: Chapter, keys: set[str]) -> Iterator[HoldChange]:
    """Yield the holds of the paytables with these keys (`wager/name`), each for itself."""
    figures = [computations.figures_of(chapter, {}) for chapter in (before, after)]
    names = {wager.key: wager.name for wager in (*before.wagers, *after.wagers)}
    if None in figures:
        for wager, _, table in sorted(key.partition("/") for key in keys):
            yield HoldChange(wager, names[wager], table, None, None, is_computing=True)
        return
    was, now = (_of_tables(chapter, rows or {}, keys) for chapter, rows in zip((before, after), figures, strict=True))
    yield from _changes(was, now, names)


def _changes(
    was: Mapping[Key, WagerAnalysis], now: Mapping[Key, WagerAnalysis], names: Mapping[str, str]
) -> Iterator[HoldChange]:
    """Yield the computed holds of both sides, in the order of the later one."""
    for key in dict.fromkeys((*now, *was)):
        old, new = was.get(key), now.get(key)
        holds = old.hold if old else None, new.hold if new else None
        if row := new or old:
            yield HoldChange(row.wager, names.get(row.wager, row.wager), row.paytable, *holds, is_computing=False)


def _of_tables(chapter: Chapter, figures: FigureTable, keys: set[str]) -> FigureTable:
    """Return the analyses that these paytables decide, in the order of the figures."""
    tables = [table for table in chapter.paytables if record_key(table) in keys]
    decided = {key for table in tables for key in figures_of_paytable(chapter, table, figures)}
    return {key: row for key, row in figures.items() if key in decided}
