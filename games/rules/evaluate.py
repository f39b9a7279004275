"""Judging a configuration: the lines asked, the faults of the answers, the records that they offer and call for.

Here are also the findings of requirements and those on the tables that answers name, compared with the tables that the
answers are for.

Fail closed: a requirement that crashes is a blocking finding. Not here: findings on single lines (`findings`), how a
list of tables is written (`lists`), two lists of one configuration that overlap (`checks`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from games.rules.answers import fault, is_blank
from games.rules.checks import CHECKS
from games.rules.conditions import holds
from games.rules.findings import on_lines, on_sources
from games.rules.lists import format_tables, parse_tables, tables_with_noun
from games.rules.model import Answer, Answers, Chapter, Finding, Judgment, Requirement, Severity
from games.rules.phrases import Filled


def sound_answers(chapter: Chapter, answers: Answers) -> dict[str, Answer]:
    """Return the answers that are given and right in themselves; only these decide what else is asked."""
    given = [option for option in chapter.options if not is_blank(answers.get(option.key))]
    return {option.key: answers[option.key] for option in given if fault(chapter, option, answers[option.key]) is None}


def asked_lines(chapter: Chapter, sound: Answers) -> tuple[str, ...]:
    """Return the keys of the lines asked, in the form's order. A line depends on lines above it, if those are asked."""
    used: dict[str, Answer] = {}
    asked_keys: list[str] = []
    for option in chapter.options:
        if holds(option.asked_if, used):
            asked_keys.append(option.key)
            if option.key in sound:
                used[option.key] = sound[option.key]
    return tuple(asked_keys)


DEALING_TABLES = "dealing-tables-overlap"  # its options list, for each way of dealing, the tables that deal so


@dataclass(frozen=True, slots=True)
class GroupTables:
    """The tables of one configuration: those `named`; if none is named, all but those `elsewhere`."""

    named: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()


ALL_TABLES = GroupTables()


def on_group_tables(
    chapter: Chapter, used: Answers, asked_keys: tuple[str, ...], tables: GroupTables
) -> Iterator[Finding]:
    """Yield the findings on the tables that answers name; `used`: answers right in themselves, to lines asked."""
    lists = {
        option.key: parse_tables(str(used[option.key]))
        for option in chapter.options
        if option.limits.format == "tables" and option.key in used
    }
    for key, named in lists.items():
        outside = named - tables.named if tables.named else named & tables.elsewhere
        if outside:
            yield _outside(chapter, key, outside, tables)
    for requirement in chapter.requirements:
        if requirement.id.endswith(DEALING_TABLES):
            yield from _without_method(chapter, requirement, lists, asked_keys, tables)


def _outside(chapter: Chapter, key: str, outside: frozenset[str], tables: GroupTables) -> Finding:
    option = chapter.option(key)
    whose = f"this group is for {tables_with_noun(tables.named)}" if tables.named else "another group is for it"
    if not tables.named and len(outside) > 1:
        whose = "other groups are for them"
    return Finding(
        rule=f"{chapter.number}.tables-outside-group",
        severity="blocking",
        options=(key,),
        message=f"“{option.question}” names {tables_with_noun(outside)}, but {whose}.",
        fix="Name only tables that these answers are for, or change the tables of the group.",
        citation=option.citation,
    )


def _without_method(
    chapter: Chapter,
    requirement: Requirement,
    lists: Mapping[str, frozenset[str]],
    asked_keys: tuple[str, ...],
    tables: GroupTables,
) -> Iterator[Finding]:
    """Yield a finding if, where lists are asked, a table of the group is on none; not ripe while one is unanswered."""
    asked_lists = tuple(key for key in requirement.options if key in asked_keys)
    if not asked_lists or not all(key in lists for key in asked_lists):
        return
    if missing := tables.named.difference(*(lists[key] for key in asked_lists)):
        yield Finding(
            rule=f"{chapter.number}.tables-without-dealing-method",
            severity="blocking",
            options=asked_lists,
            message=f"No answer says how cards are dealt at {tables_with_noun(missing)} of this group.",
            fix=f"Add {format_tables(missing)} to the tables of one way of dealing, or take it out of the group.",
            citation=requirement.citation,
        )


_GRAVITY: dict[Severity, int] = {"blocking": 0, "warning": 1, "note": 2}


def gravest_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings that block, then warnings, then notes; those of a kind in the order given."""
    return tuple(sorted(findings, key=lambda finding: _GRAVITY[finding.severity]))


def judge(chapter: Chapter, answers: Answers, tables: GroupTables = ALL_TABLES) -> Judgment:
    """Return the verdict on the answers for these tables by the chapter, which is the one of the day that counts."""
    sound = sound_answers(chapter, answers)
    asked_keys = asked_lines(chapter, sound)
    used = {key: answer for key, answer in sound.items() if key in asked_keys}
    offered = _offered(chapter, used)
    paytables = _paytables(chapter, used, offered)
    findings = [
        *on_lines(chapter, answers, asked_keys, sound),
        *on_requirements(chapter, used, asked_keys),
        *on_group_tables(chapter, used, asked_keys, tables),
        *on_sources(chapter, paytables),
    ]
    layout = tuple(element for element in chapter.layout if holds(element.condition, used))
    parts = [wager.key for wager in chapter.wagers if wager.part_of in offered]
    chosen = [f"{wager}/{name}" for wager, name in paytables.items()]
    touched = {*used, *offered, *parts, *chosen, *(element.key for element in layout)}
    return Judgment(
        findings=gravest_first(findings),
        asked_keys=asked_keys,
        offered=offered,
        paytables=paytables,
        layout=layout,
        readings=tuple(reading for reading in chapter.readings if touched & set(reading.touches)),
    )


def effective(chapter: Chapter, answers: Answers) -> Answers:
    """Return the answers that count: those given to lines that are asked. This is what is filed."""
    asked_keys = asked_lines(chapter, sound_answers(chapter, answers))
    return {key: answers[key] for key in asked_keys if not is_blank(answers.get(key))}


def unused(chapter: Chapter, answers: Answers) -> tuple[str, ...]:
    """Return the lines that are answered, but not asked: their answers are kept, shown and not filed."""
    filed = effective(chapter, answers)
    lines = (option.key for option in chapter.options)
    return tuple(key for key in lines if key not in filed and not is_blank(answers.get(key)))


def _offered(chapter: Chapter, used: Answers) -> tuple[str, ...]:
    """Return the wagers that the answers offer, required ones first; a part is offered with the wager it belongs to."""
    whole = [wager for wager in chapter.wagers if not wager.part_of]
    required = [wager.key for wager in whole if wager.required]
    return (*required, *(wager.key for wager in whole if not wager.required and used.get(wager.offered_by) is True))


def _paytables(chapter: Chapter, used: Answers, offered: tuple[str, ...]) -> dict[str, str]:
    """Return wager → the paytable in use, chosen or the only one printed; parts of offered wagers among them."""
    paytables = {}
    for wager in chapter.wagers:
        if wager.key not in offered and wager.part_of not in offered:
            continue
        name = used.get(wager.paytable_option) if wager.paytable_option else None
        tables = chapter.tables_of(wager.key)
        if isinstance(name, str):
            paytables[wager.key] = name
        elif not wager.paytable_option and len(tables) == 1:
            paytables[wager.key] = tables[0].name
    return paytables


def on_requirements(chapter: Chapter, used: Answers, asked_keys: tuple[str, ...]) -> Iterator[Finding]:
    """Yield the findings of requirements; `used`: answers right in themselves, to lines that are asked."""
    for requirement in chapter.requirements:
        try:
            finding = _finding(chapter, requirement, used, asked_keys)
        except Exception as error:  # no error may let a filing through
            finding = _crashed(chapter, requirement, error)
        if finding:
            yield finding


def _finding(chapter: Chapter, requirement: Requirement, used: Answers, asked_keys: tuple[str, ...]) -> Finding | None:
    filling = _unmet(chapter, requirement, used, asked_keys)
    if filling is None:
        return None
    return Finding(
        rule=requirement.id,
        severity=requirement.severity,
        options=requirement.options,
        message=requirement.message.format_map(filling),
        fix=requirement.fix.format_map(filling),
        citation=requirement.citation,
    )


def _unmet(chapter: Chapter, requirement: Requirement, used: Answers, asked_keys: tuple[str, ...]) -> Filled | None:
    """Return the fillers of the requirement's words; None if it is met or not yet ripe."""
    if not holds(requirement.when, used):
        return None
    if requirement.must is None:
        words = CHECKS[requirement.check](chapter, requirement, used)
        return None if words is None else Filled(chapter, used, words)
    unripe = any(
        key in asked_keys and key not in used and chapter.option(key).required for key in requirement.must.options()
    )
    if unripe or holds(requirement.must, used):
        return None  # unripe: a line that it hangs on is unanswered or wrong, which blocks already
    return Filled(chapter, used)


def _crashed(chapter: Chapter, requirement: Requirement, error: Exception) -> Finding:
    return Finding(
        rule=f"{chapter.number}.check-failed",
        severity="blocking",
        options=requirement.options,
        message=f"The requirement {requirement.id} could not be judged ({type(error).__name__}).",
        fix="Look at the answers that it concerns; if they are right, report this message to the portal's operator.",
        citation=requirement.citation,
    )
