"""Judging a configuration: which lines are asked, what is wrong with the answers, what they offer and call for.

Here the parts are brought together. Not here: which lines are asked (`asked_lines`), findings on lines (`lines`)
and of requirements (`requirements`).
"""

from games.rules.answers import is_blank
from games.rules.asked_lines import asked_lines, sound_answers
from games.rules.conditions import holds
from games.rules.group_tables import ALL_TABLES, GroupTables, on_group_tables
from games.rules.lines import on_lines
from games.rules.model import Answers, Chapter, Judgment, Reading, Severity
from games.rules.requirements import on_requirements
from games.rules.sources import on_sources

_GRAVITY: dict[Severity, int] = {"blocking": 0, "warning": 1, "note": 2}


def judge(chapter: Chapter, answers: Answers, tables: GroupTables = ALL_TABLES) -> Judgment:
    """The verdict on the answers for these tables by the chapter, which is the one of the day that counts."""
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
        findings=tuple(sorted(findings, key=lambda finding: _GRAVITY[finding.severity])),
        asked_keys=asked_keys,
        offered=offered,
        paytables=paytables,
        layout=layout,
        readings=_touching(chapter, touched),
    )


def effective(chapter: Chapter, answers: Answers) -> Answers:
    """The answers that count: those given to lines that are asked. This is what is filed."""
    asked_keys = asked_lines(chapter, sound_answers(chapter, answers))
    return {key: answers[key] for key in asked_keys if not is_blank(answers.get(key))}


def unused(chapter: Chapter, answers: Answers) -> tuple[str, ...]:
    """The lines that are answered, but not asked: their answers are kept, shown and not filed."""
    filed = effective(chapter, answers)
    lines = (option.key for option in chapter.options)
    return tuple(key for key in lines if key not in filed and not is_blank(answers.get(key)))


def _offered(chapter: Chapter, used: Answers) -> tuple[str, ...]:
    """The wagers that the answers offer, required ones first; a part is offered with the wager it belongs to."""
    whole = [wager for wager in chapter.wagers if not wager.part_of]
    required = [wager.key for wager in whole if wager.required]
    return (*required, *(wager.key for wager in whole if not wager.required and used.get(wager.offered_by) is True))


def _paytables(chapter: Chapter, used: Answers, offered: tuple[str, ...]) -> dict[str, str]:
    """Wager → the paytable in use: the one chosen, or the only one printed; parts of offered wagers among them."""
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


def _touching(chapter: Chapter, touched: set[str]) -> tuple[Reading, ...]:
    """The readings of what is answered, offered, in use or called for."""
    return tuple(reading for reading in chapter.readings if touched & set(reading.touches))
