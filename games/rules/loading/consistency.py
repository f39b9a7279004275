"""Whether the records of a chapter agree with each other: names that are used exist, and none is used twice.

Every function here looks at one thing and raises `RuleError` with the file and the record at fault.
"""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from games.rules.checks import CHECKS
from games.rules.errors import RuleError
from games.rules.loading.files import LAYOUT, PAYTABLES, RULES
from games.rules.model import ALWAYS, Chapter, Condition, Limits, Option, Period, Requirement

_NUMBERS = ("count", "money", "percent")
TECHNICAL_LIMIT = "technical-limit"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def check_consistency(chapter: Chapter, file: Callable[[str], str], missing_paytables: Iterable[str] = ()) -> None:
    """Raise `RuleError` where two parts of the chapter disagree; `file` gives a data file's name for messages."""
    for look in (_unique, _limits, _unlimited, _wagers, _paytable_options, _requirements, _layout):
        look(chapter, file)
    _conditions(chapter, file)
    _readings(chapter, file(RULES))
    _published(chapter, file(RULES), frozenset(missing_paytables))


def _known(file: str, where: str, what: str, name: str, allowed: Iterable[str]) -> None:
    names = list(allowed)
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(names) or 'none'}"
        raise RuleError(file, where, f"{what} `{name}` is unknown; {hint}")


def _overlap(first: Period, second: Period) -> bool:
    starts_late = first.effective and second.expires and first.effective > second.expires
    ends_early = first.expires and second.effective and first.expires < second.effective
    return not (starts_late or ends_early)


def _unique(chapter: Chapter, file: Callable[[str], str]) -> None:
    for name, kind, named in (
        (RULES, "option", [(option.key, option.period) for option in chapter.options]),
        (RULES, "wager", [(wager.key, wager.period) for wager in chapter.wagers]),
        (RULES, "requirement", [(requirement.id, requirement.period) for requirement in chapter.requirements]),
        (RULES, "reading", [(reading.id, reading.period) for reading in chapter.readings]),
        (RULES, "published", [(figure.id, figure.period) for figure in chapter.published]),
        (PAYTABLES, "paytable", [(f"{table.wager}/{table.name}", table.period) for table in chapter.paytables]),
        (LAYOUT, "element", [(element.key, element.period) for element in chapter.layout]),
    ):
        for index, (key, period) in enumerate(named):
            if any(key == earlier and _overlap(period, when) for earlier, when in named[:index]):
                raise RuleError(file(name), f"{kind} `{key}`", "occurs twice, for periods that overlap")


def _limits(chapter: Chapter, file: Callable[[str], str]) -> None:
    for option in chapter.options:
        limits, default = option.limits, Limits()
        numeric = limits.at_least is not None or limits.at_most is not None
        textual = limits.format or limits.longest != default.longest
        if (numeric and option.kind not in _NUMBERS) or (textual and option.kind != "text"):
            raise RuleError(file(RULES), f"option `{option.key}`", f"`limits` do not fit a {option.kind} option")


def _unlimited(chapter: Chapter, file: Callable[[str], str]) -> None:
    """A number has a largest value of the text, or an interpretation note says that the portal's own limit is one."""
    said = {key for reading in chapter.readings if reading.id.endswith(TECHNICAL_LIMIT) for key in reading.touches}
    for option in chapter.options:
        if option.kind in _NUMBERS and option.limits.at_most is None and option.key not in said:
            where = f"option `{option.key}`"
            problem = f"`at_most` is missing from `limits`: give it, or name the option in reading `{TECHNICAL_LIMIT}`"
            raise RuleError(file(RULES), where, problem)


def _wagers(chapter: Chapter, file: Callable[[str], str]) -> None:
    options = {option.key: option for option in chapter.options}
    for wager in chapter.wagers:
        where = f"wager `{wager.key}`"
        for key, kind in (
            (wager.offered_by, "yes_no"),
            (wager.paytable_option, "paytable"),
            (wager.minimum, "money"),
        ):
            if key:
                _known(file(RULES), where, "the option", key, options)
                if options[key].kind != kind:
                    raise RuleError(file(RULES), where, f"`{key}` is a {options[key].kind} option; {kind} is allowed")
        if wager.part_of:
            _known(file(RULES), where, "the wager", wager.part_of, [declared.key for declared in chapter.wagers])
        if len({table.name for table in chapter.tables_of(wager.key)}) > 1 and not wager.paytable_option:
            raise RuleError(file(RULES), where, "has several paytables, but no `paytable_option` to choose one")
    for table in chapter.paytables:
        where = f"paytable `{table.wager}/{table.name}`"
        _known(file(PAYTABLES), where, "the wager", table.wager, [wager.key for wager in chapter.wagers])


def _paytable_options(chapter: Chapter, file: Callable[[str], str]) -> None:
    chosen_by = {wager.key: wager.paytable_option for wager in chapter.wagers}
    for option in chapter.options:
        where = f"option `{option.key}`"
        if option.kind == "paytable":
            _known(file(RULES), where, "the wager", option.wager, chosen_by)
            if chosen_by[option.wager] != option.key:
                raise RuleError(file(RULES), where, f"the wager `{option.wager}` does not name it as `paytable_option`")
            if not chapter.tables_of(option.wager):
                raise RuleError(file(PAYTABLES), where, f"there is no paytable of the wager `{option.wager}`")


def _requirements(chapter: Chapter, file: Callable[[str], str]) -> None:
    options = [option.key for option in chapter.options]
    for requirement in chapter.requirements:
        where = f"requirement `{requirement.id}`"
        if not requirement.options:
            raise RuleError(file(RULES), where, "`options` is empty; it names the lines that the finding stands on")
        for key in requirement.options:
            _known(file(RULES), where, "the option", key, options)
        if requirement.check:
            _known(file(RULES), where, "the check", requirement.check, CHECKS)
        else:
            for key in _PLACEHOLDER.findall(requirement.message + requirement.fix):
                _known(file(RULES), where, "the option in braces", key, options)
        _covers(chapter, requirement, file(RULES))


def _covers(chapter: Chapter, requirement: Requirement, file: str) -> None:
    """A payout limit covers wagers that there are, and leaves out rows of their paytables only."""
    where = f"requirement `{requirement.id}`"
    limits_payouts = requirement.check.startswith("payout_limit")
    if limits_payouts != bool(requirement.covers) or (limits_payouts and len(requirement.options) < 2):
        raise RuleError(
            file, where, "`covers` goes with a check of a payout limit, whose `options` begin with limit and minimum"
        )
    for key in requirement.covers:
        _known(file, where, "the covered wager", key, [wager.key for wager in chapter.wagers])
    rows = {row.outcome for key in requirement.covers for table in chapter.tables_of(key) for row in table.rows}
    for outcome in requirement.leaves_out:
        _known(file, where, "the outcome left out", outcome, sorted(rows))


def _layout(chapter: Chapter, file: Callable[[str], str]) -> None:
    wagers = [wager.key for wager in chapter.wagers]
    for element in chapter.layout:
        where = f"element `{element.key}`"
        if element.wager:
            _known(file(LAYOUT), where, "the wager", element.wager, wagers)
        if element.wording and element.kind not in ("inscription", "sign"):
            raise RuleError(file(LAYOUT), where, f"`wording` is for an inscription or a sign, not for a {element.kind}")


def _conditions(chapter: Chapter, file: Callable[[str], str]) -> None:
    above: dict[str, Option] = {}
    for option in chapter.options:
        _tests(chapter, file(RULES), f"option `{option.key}`, `asked_if`", option.asked_if, above)
        above[option.key] = option
    for option in chapter.options:
        _tests(chapter, file(RULES), f"option `{option.key}`, `consistent_if`", option.consistent_if or ALWAYS, above)
    for requirement in chapter.requirements:
        where = f"requirement `{requirement.id}`"
        _tests(chapter, file(RULES), f"{where}, `when`", requirement.when, above)
        _tests(chapter, file(RULES), f"{where}, `must`", requirement.must or Condition(), above)
    for element in chapter.layout:
        _tests(chapter, file(LAYOUT), f"element `{element.key}`, `condition`", element.condition, above)


def _tests(chapter: Chapter, file: str, where: str, condition: Condition, options: dict[str, Option]) -> None:
    """Every test is on an option that is known (for `asked_if`: one above it), with a fitting value."""
    for alternative in condition.alternatives:
        for key, test in alternative:
            _known(file, where, "the option", key, options)
            option = options[key]
            if not test.values and option.kind not in _NUMBERS:
                raise RuleError(file, where, f"`{key}` is a {option.kind} option; a range is for {', '.join(_NUMBERS)}")
            for value in test.values:
                if not _can_be(chapter, option, value):
                    raise RuleError(file, where, f"`{key}` is tested for {value!r}, which no {option.kind} answer is")


def _can_be(chapter: Chapter, option: Option, value: bool | str | int) -> bool:
    """Whether the option can be answered so. (`True == 1` in Python, hence the types.)"""
    if option.kind == "yes_no":
        return isinstance(value, bool)
    if option.kind == "count":
        return isinstance(value, int) and not isinstance(value, bool)
    allowed = [choice.value for choice in option.choices]
    if option.kind == "paytable":
        allowed = [table.name for table in chapter.tables_of(option.wager)]
    return isinstance(value, str) and value in allowed


def _readings(chapter: Chapter, file: str) -> None:
    touchable = [option.key for option in chapter.options]
    touchable += [wager.key for wager in chapter.wagers]
    touchable += [f"{table.wager}/{table.name}" for table in chapter.paytables]
    touchable += [element.key for element in chapter.layout]
    for reading in chapter.readings:
        for name in reading.touches:
            _known(file, f"reading `{reading.id}`, `touches`", "the name", name, touchable)


def _published(chapter: Chapter, file: str, missing: frozenset[str]) -> None:
    whole = {wager.key: wager.part_of for wager in chapter.wagers if wager.part_of}
    tables = {f"{table.wager}/{table.name}" for table in chapter.paytables} | missing
    tables |= {f"{whole[table.wager]}/{table.name}" for table in chapter.paytables if table.wager in whole}
    for figure in chapter.published:
        where = f"published `{figure.id}`"
        _known(file, where, "the wager", figure.wager, [wager.key for wager in chapter.wagers])
        if figure.paytable:
            _known(file, where, "the paytable", f"{figure.wager}/{figure.paytable}", sorted(tables))
