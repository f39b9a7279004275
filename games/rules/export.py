"""A chapter and a judgment as plain data for programs, and the lines of a chapter as JSON Schema (2020-12).

Other programs rely on the shapes of the data; a form or a typed client can be made from the schema.

The schema has for each line alone the rules of `answers`, and which lines must be answered, given the others. It does
not have: how answers go together (`evaluate`), an answer to a line that is not asked, a text that names nothing
("pending"), a range of tables that runs backwards, rare invisible characters, and that a whole number is not sent as
1.0. There, judging decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from games.rules.answers import LARGEST
from games.rules.model import (
    Chapter,
    Condition,
    Finding,
    HouseWay,
    LayoutElement,
    Option,
    Paytable,
    Period,
    Published,
    Reading,
    Requirement,
    Test,
    Wager,
)


def chapter_data(chapter: Chapter) -> dict[str, Any]:
    """Return everything that `show --json` prints."""
    about = ("number", "title", "status", "complete", "missing", "source", "max_positions", "digest")
    return {
        **{key: getattr(chapter, key) for key in about},
        "begins": _day(chapter.begins),
        "ends": _day(chapter.ends),
        "options": [_option(chapter, option) for option in chapter.options],
        "wagers": [_dated(wager) | {"required": wager.required} for wager in chapter.wagers],
        "paytables": [_paytable(table) for table in chapter.paytables],
        "requirements": [_requirement(requirement) for requirement in chapter.requirements],
        "layout": [_dated(element) | {"condition": condition_data(element.condition)} for element in chapter.layout],
        "readings": [_dated(reading) for reading in chapter.readings],
        "published": [_dated(figure) for figure in chapter.published],
        "house_ways": [_dated(way) for way in chapter.house_ways],
    }


def finding_data(finding: Finding) -> dict[str, Any]:
    return asdict(finding)


def condition_data(condition: Condition) -> list[dict[str, Any]]:
    """Return alternatives, each {option: accepted values or range}; empty = always."""
    return [{key: _test(test) for key, test in alternative} for alternative in condition.alternatives]


def _test(test: Test) -> Any:
    if test.values:
        return list(test.values)
    return {"at_least": _text(test.at_least), "at_most": _text(test.at_most)}


def _option(chapter: Chapter, option: Option) -> dict[str, Any]:
    """Return the option's data; `choices` of a paytable option are the names of the wager's paytables."""
    names = [table.name for table in chapter.tables_of(option.wager)] if option.kind == "paytable" else []
    data = _dated(option) | {
        "choices": [asdict(choice) for choice in option.choices] + [{"value": name, "label": name} for name in names],
        "asked_if": condition_data(option.asked_if),
        "consistent_if": condition_data(option.consistent_if) if option.consistent_if else None,
        "limits": {key: _text(value) for key, value in asdict(option.limits).items()},
    }
    del data["changes_figures"], data["cited_as_printed"]
    return data


def _paytable(table: Paytable) -> dict[str, Any]:
    """Return the table's data, a line of `rows` per cell; of several columns, the outcome names its own."""
    return {
        "wager": table.wager,
        "name": table.name,
        "citation": table.citation,
        "rows": [
            [f"{outcome} ({column})" if column else outcome, pay.printed] for outcome, column, pay in table.lines()
        ],
        "envy": {row.outcome: _text(row.envy) for row in table.rows if row.envy is not None},
        "meta": {
            "columns": list(table.columns),
            "wager_amount": _text(table.wager_amount),
            "seed": _text(table.seed),
            "rate": _text(table.rate),
            "reserve": _text(table.reserve),
            "wager_returned": table.wager_returned,
            "fully_wild_joker": table.fully_wild_joker,
            **_period(table.period),
        },
    }


def _requirement(requirement: Requirement) -> dict[str, Any]:
    return _dated(requirement) | {
        "when": condition_data(requirement.when),
        "must": condition_data(requirement.must) if requirement.must else None,
    }


def _dated(record: Option | Wager | Requirement | LayoutElement | Reading | Published | HouseWay) -> dict[str, Any]:
    data = asdict(record)
    del data["period"]
    return data | _period(record.period)


def _period(period: Period) -> dict[str, str | None]:
    return {"effective": _day(period.effective), "expires": _day(period.expires)}


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _text(value: Any) -> Any:
    """Return exact numbers as text: "7.50", "7/25"."""
    return str(value) if isinstance(value, (Decimal, Fraction)) else value


Schema = dict[str, Any]
DIALECT = "https://json-schema.org/draft/2020-12/schema"
INVISIBLE = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
PLACES = {"money": (12, 2), "percent": (3, 6)}  # digits before the point, and after it
ANSWER_KINDS: Mapping[str, Schema] = {
    "yes_no": {"type": "boolean", "description": "true or false", "examples": [True]},
    "choice": {"type": "string", "description": "one of the choices", "examples": ["layout"]},
    "count": {"type": "integer", "description": "a whole number", "examples": [3]},
    "money": {
        "type": "string", "pattern": r"^[0-9]{1,12}(\.[0-9]{1,2})?$", "examples": ["50000.00"],
        "description": "dollars and cents as text",
    },
    "percent": {
        "type": "string", "pattern": r"^[0-9]{1,3}(\.[0-9]{1,6})?$", "examples": ["2.5"],
        "description": "a percentage as text",
    },
    "paytable": {"type": "string", "description": "the name of a paytable", "examples": ["DJWT-05"]},
    "text": {"type": "string", "description": "a text", "examples": ["Executive Director, May 4, 2026"]},
    "attachment": {
        "type": "object", "description": "the file that was uploaded: its SHA-256, name and size in bytes",
        "properties": {
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "name": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": rf"^[^/\\\n\r\t{INVISIBLE}]+$"},
            "size": {"type": "integer", "minimum": 1},
        },
        "required": ["sha256", "name", "size"],
        "additionalProperties": False,
        "examples": [{"sha256": "5f" * 32, "name": "house way.pdf", "size": 48213}],
    },
}  # fmt: skip


def answers_schema(chapter: Chapter) -> Schema:
    """Return the answers of one configuration, ready to be filed. A draft may lack what `required` and `allOf` name."""
    rules = _required_if_asked(chapter)
    return {
        "$schema": DIALECT,
        "title": f"Answers to chapter {chapter.number}, {chapter.title}",
        "type": "object",
        "properties": {option.key: line_schema(chapter, option) for option in chapter.options},
        "required": [option.key for option in chapter.options if option.required and not option.asked_if.alternatives],
        **({"allOf": rules} if rules else {}),
        "additionalProperties": False,
        "examples": [example_answers(chapter)],
    }


def line_schema(chapter: Chapter, option: Option) -> Schema:
    """Return the schema of one line: the question is its title, its section and its help are the description."""
    kind = {name: value for name, value in ANSWER_KINDS[option.kind].items() if name not in ("description", "examples")}
    about = {"title": option.question, "description": f"{option.help} ({option.citation})".strip()}
    return {**about, **kind, **_limits(chapter, option)}


def example_answers(chapter: Chapter) -> dict[str, Any]:
    """Return answers of the right kinds to the lines that they ask, which may not be ready to be filed."""
    answers: dict[str, Any] = {}
    for option in chapter.options:
        ways = option.asked_if.alternatives
        if not ways or any(all(answers.get(key) in test.values for key, test in way) for way in ways):
            answers[option.key] = _example(chapter, option)
    return answers


def _example(chapter: Chapter, option: Option) -> Any:
    """Return an answer of the right kind; yes where a wager is offered, so that its lines are shown, too."""
    if option.kind == "yes_no":
        return any(wager.offered_by == option.key for wager in chapter.wagers)
    if option.kind == "choice":
        return option.choices[0].value
    if option.kind == "paytable":
        return chapter.tables_of(option.wager)[0].name
    if option.kind == "count":
        return int(option.limits.at_most or option.limits.at_least or 1)
    if option.limits.format == "tables":
        return "3, 7-9"
    return ANSWER_KINDS[option.kind]["examples"][0]


def _limits(chapter: Chapter, option: Option) -> Schema:
    limits = option.limits
    if option.kind == "choice":
        return {"oneOf": [{"const": choice.value, "title": choice.label} for choice in option.choices]}
    if option.kind == "paytable":
        return {"enum": [table.name for table in chapter.tables_of(option.wager)]}
    if option.kind == "count":
        return {"minimum": int(limits.at_least or 0), "maximum": int(limits.at_most or LARGEST)}
    if option.kind in PLACES:
        return {"pattern": _decimal(option)}
    if option.kind == "text":
        return {"minLength": 1, "maxLength": limits.longest, "pattern": _text_schema(option)}
    return {}


def _decimal(option: Option) -> str:
    """Return the pattern of a decimal within the limits, as far as it can say them: powers of ten, or 0."""
    digits, places = PLACES[option.kind]
    least, most = option.limits.at_least or Decimal(0), option.limits.at_most or LARGEST
    whole = rf"[0-9]{{1,{digits}}}(\.[0-9]{{1,{places}}})?"
    if most.adjusted() < digits and _is_power_of_ten(most):
        below = rf"[0-9]{{1,{most.adjusted()}}}(\.[0-9]{{1,{places}}})?"
        whole = rf"0*({below}|{most:.0f}(\.0{{1,{places}}})?)"
    zeros = -least.adjusted()
    too_small = ""
    if least and zeros >= 0 and _is_power_of_ten(least):
        too_small = rf"(?!0+(\.(0{{0,{zeros}}}|0{{{zeros}}}[0-9]*))?$)"
    return rf"^(?=[0-9]{{1,{digits}}}(\.|$)){too_small}{whole}$"


def _is_power_of_ten(number: Decimal) -> bool:
    return number == Decimal(1).scaleb(number.adjusted())


def _text_schema(option: Option) -> str:
    if option.limits.format == "tables":
        return r"^[0-9A-Za-z\s,;–-]*[0-9A-Za-z][0-9A-Za-z\s,;–-]*$"
    return rf"^(?=[\s\S]*\S)[^{INVISIBLE}]*$"


def _required_if_asked(chapter: Chapter) -> list[Schema]:
    """Return a rule for each condition: the lines that must be answered while it is true."""
    rules: list[tuple[Schema, list[str]]] = []
    for option in chapter.options:
        if not (option.required and option.asked_if.alternatives):
            continue
        condition = _condition(chapter, option.asked_if)
        keys = next((keys for known, keys in rules if known == condition), None)
        if keys is None:
            rules.append((condition, [option.key]))
        else:
            keys.append(option.key)
    return [{"if": condition, "then": {"required": keys}} for condition, keys in rules]


def _condition(chapter: Chapter, condition: Condition) -> Schema:
    """Return the schema of a condition: one of its ways is true, by answers to lines that are asked themselves."""
    ways = [_way(chapter, way) for way in condition.alternatives]
    return ways[0] if len(ways) == 1 else {"anyOf": ways}


def _way(chapter: Chapter, tests: tuple[tuple[str, Test], ...]) -> Schema:
    above = [chapter.option(key).asked_if for key, _ in tests]
    deeper = [_condition(chapter, condition) for condition in above if condition.alternatives]
    return {
        "properties": {key: _accepted(test) for key, test in tests},
        "required": [key for key, _ in tests],
        **({"allOf": deeper} if deeper else {}),
    }


def _accepted(test: Test) -> Schema:
    return {"const": test.values[0]} if len(test.values) == 1 else {"enum": list(test.values)}
