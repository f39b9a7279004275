"""Judging a configuration: which lines are asked, what is wrong with the answers, what they offer and call for.

Here the parts are brought together. Not here: single answers (`answers`), conditions (`conditions`),
requirements that are functions (`checks`). Fail closed: what cannot be judged is a blocking finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from games.rules.answers import fault, is_blank, shown
from games.rules.checks import CHECKS
from games.rules.conditions import holds
from games.rules.model import (
    Answer,
    Answers,
    Chapter,
    Finding,
    Judgement,
    LayoutElement,
    Option,
    Reading,
    Requirement,
    Severity,
)
from games.rules.periods import in_force
from games.rules.phrases import Filled

_GRAVITY: dict[Severity, int] = {"blocking": 0, "warning": 1, "note": 2}


def judge(chapter: Chapter, answers: Answers, on: date | None = None) -> Judgement:
    """The verdict on the answers under the rules in force on that day (None: the latest)."""
    chapter = in_force(chapter, on)
    sound = _sound(chapter, answers)
    asked = _asked(chapter, sound)
    used = {key: answer for key, answer in sound.items() if key in asked}
    findings = [*_on_lines(chapter, answers, asked, sound), *_on_requirements(chapter, used, asked)]
    offered = _offered(chapter, used)
    paytables = _paytables(chapter, used, offered)
    layout = tuple(element for element in chapter.layout if holds(element.condition, used))
    return Judgement(
        findings=tuple(sorted(findings, key=lambda finding: _GRAVITY[finding.severity])),
        asked=asked,
        offered=offered,
        paytables=paytables,
        layout=layout,
        readings=_touching(chapter, used, offered, paytables, layout),
    )


def effective(chapter: Chapter, answers: Answers, on: date | None = None) -> Answers:
    """The answers that count: those to lines that are asked. This is what is filed."""
    chapter = in_force(chapter, on)
    asked = _asked(chapter, _sound(chapter, answers))
    return {key: answers[key] for key in asked if not is_blank(answers.get(key))}


def _sound(chapter: Chapter, answers: Answers) -> dict[str, Answer]:
    """The answers that are given and right in themselves; only these decide what else is asked."""
    given = {option.key: option for option in chapter.options if not is_blank(answers.get(option.key))}
    return {key: answers[key] for key, option in given.items() if fault(chapter, option, answers[key]) is None}


def _asked(chapter: Chapter, sound: Answers) -> tuple[str, ...]:
    """The lines asked, in the form's order. A line depends only on lines above it, and on those only if asked."""
    used: dict[str, Answer] = {}
    asked: list[str] = []
    for option in chapter.options:
        if holds(option.asked_if, used):
            asked.append(option.key)
            if option.key in sound:
                used[option.key] = sound[option.key]
    return tuple(asked)


def _on_lines(chapter: Chapter, answers: Answers, asked: tuple[str, ...], sound: Answers) -> Iterator[Finding]:
    """Findings on single lines, in the form's order, and on answers to lines that do not exist."""
    for option in chapter.options:
        given = not is_blank(answers.get(option.key))
        if option.key not in asked:
            if given:
                yield _not_asked(chapter, option, answers)
        elif not given and option.required:
            yield _finding(
                chapter, "not-answered", "blocking", option, f"“{option.question}” is not answered.", "Answer it."
            )
        elif given and option.key not in sound and (wrong := fault(chapter, option, answers[option.key])):
            yield _finding(chapter, wrong.rule, "blocking", option, wrong.message, wrong.fix)
    known = {option.key for option in chapter.options}
    for key in answers:
        if key not in known:
            yield _unknown(chapter, str(key))


def _not_asked(chapter: Chapter, option: Option, answers: Answers) -> Finding:
    """An answer that is kept for later; a paytable of a wager that is expressly not offered is a contradiction."""
    if option.kind == "paytable":
        wager = chapter.wager(option.wager)
        if answers.get(wager.offered_by) is False:
            return _finding(
                chapter,
                "paytable-without-wager",
                "blocking",
                option,
                f"A paytable ({shown(answers[option.key])}) is chosen for the {wager.name}, "
                f"which is not offered ({wager.citation}).",
                f"Remove the paytable, or answer Yes to “{chapter.option(wager.offered_by).question}”",
            )
    message = f"“{option.question}” is answered, but not asked under the present answers; the answer is kept, not used."
    return _finding(chapter, "not-asked", "note", option, message, "Nothing needs to be done.")


def _unknown(chapter: Chapter, key: str) -> Finding:
    return Finding(
        rule=f"{chapter.number}.unknown-option",
        severity="blocking",
        options=(),
        message=f"The answers name an option {shown(key)} that chapter {chapter.number} does not have.",
        fix="Remove it, or correct its name.",
        citation="§ 601a.2",
    )


def _finding(chapter: Chapter, rule: str, severity: Severity, option: Option, message: str, fix: str) -> Finding:
    """A finding on one line; its limits may rest on another section than the line."""
    citation = option.limits.citation if rule == "outside-limits" and option.limits.citation else option.citation
    return Finding(f"{chapter.number}.{rule}", severity, (option.key,), message, fix, citation)


def _on_requirements(chapter: Chapter, used: Answers, asked: tuple[str, ...]) -> Iterator[Finding]:
    for requirement in chapter.requirements:
        try:
            filling = _unmet(chapter, requirement, used, asked)
            if filling is not None:
                yield Finding(
                    rule=requirement.id,
                    severity=requirement.severity,
                    options=requirement.options,
                    message=requirement.message.format_map(filling),
                    fix=requirement.fix.format_map(filling),
                    citation=requirement.citation,
                )
        except Exception as error:  # a requirement that crashes must not let a filing through
            yield _crashed(chapter, requirement, error)


def _unmet(chapter: Chapter, requirement: Requirement, used: Answers, asked: tuple[str, ...]) -> Filled | None:
    """None where the requirement is met or not yet ripe, else what fills the braces of its words."""
    if not holds(requirement.when, used):
        return None
    if requirement.check:
        filling = CHECKS[requirement.check](chapter, requirement, used)
        return None if filling is None else Filled(chapter, used, filling)
    needed = requirement.must.options() if requirement.must else frozenset()
    if any(key in asked and key not in used and chapter.option(key).required for key in needed):
        return None  # a line that it hangs on is found unanswered already, which blocks
    if requirement.must and holds(requirement.must, used):
        return None
    return Filled(chapter, used)


def _crashed(chapter: Chapter, requirement: Requirement, error: Exception) -> Finding:
    return Finding(
        rule=f"{chapter.number}.check-failed",
        severity="blocking",
        options=requirement.options,
        message=f"The requirement {requirement.id} could not be judged ({type(error).__name__}).",
        fix="Check the answers that it concerns; if they are right, report this message to the portal's operator.",
        citation=requirement.citation,
    )


def _offered(chapter: Chapter, used: Answers) -> tuple[str, ...]:
    """The wagers that the answers offer, required ones first; a part is offered with the wager it belongs to."""
    whole = [wager for wager in chapter.wagers if not wager.part_of]
    required = [wager.key for wager in whole if wager.required]
    return (*required, *(wager.key for wager in whole if not wager.required and used.get(wager.offered_by) is True))


def _paytables(chapter: Chapter, used: Answers, offered: tuple[str, ...]) -> dict[str, str]:
    """Wager → the paytable in use: the one chosen, or the only one that is printed."""
    found = {}
    for key in offered:
        wager = chapter.wager(key)
        name = used.get(wager.paytable_option) if wager.paytable_option else None
        tables = chapter.tables_of(key)
        if isinstance(name, str):
            found[key] = name
        elif not wager.paytable_option and len(tables) == 1:
            found[key] = tables[0].name
    return found


def _touching(
    chapter: Chapter,
    used: Answers,
    offered: tuple[str, ...],
    paytables: Mapping[str, str],
    layout: tuple[LayoutElement, ...],
) -> tuple[Reading, ...]:
    """The readings of what is answered, offered (with its parts), in use or called for."""
    parts = [wager.key for wager in chapter.wagers if wager.part_of in offered]
    tables = [f"{table.wager}/{table.name}" for part in parts for table in chapter.tables_of(part)]
    tables += [f"{wager}/{name}" for wager, name in paytables.items()]
    touched = {*used, *offered, *parts, *tables, *(element.key for element in layout)}
    return tuple(reading for reading in chapter.readings if touched & set(reading.touches))
