"""A chapter and a judgment as plain data for programs: the shapes that other programs rely on."""

from dataclasses import asdict
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

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
    """Everything `show --json` prints."""
    return {
        "number": chapter.number,
        "title": chapter.title,
        "status": chapter.status,
        "complete": chapter.complete,
        "missing": chapter.missing,
        "source": chapter.source,
        "max_positions": chapter.max_positions,
        "digest": chapter.digest,
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
    """Alternatives, each {option: accepted values or range}; empty = always."""
    return [{key: _test(test) for key, test in alternative} for alternative in condition.alternatives]


def _test(test: Test) -> Any:
    if test.values:
        return list(test.values)
    return {"at_least": _text(test.at_least), "at_most": _text(test.at_most)}


def _option(chapter: Chapter, option: Option) -> dict[str, Any]:
    """`choices` of a paytable option are the names of the wager's paytables."""
    names = [table.name for table in chapter.tables_of(option.wager)] if option.kind == "paytable" else []
    return {
        "key": option.key,
        "citation": option.citation,
        "question": option.question,
        "kind": option.kind,
        "choices": [asdict(choice) for choice in option.choices] + [{"value": name, "label": name} for name in names],
        "asked_if": condition_data(option.asked_if),
        "consistent_if": condition_data(option.consistent_if) if option.consistent_if else None,
        "basis": option.basis,
        "group": option.group,
        "limits": {key: _text(value) for key, value in asdict(option.limits).items()},
        "wager": option.wager,
        "required": option.required,
        "help": option.help,
        "as_printed": option.as_printed,
        **_period(option.period),
    }


def _paytable(table: Paytable) -> dict[str, Any]:
    """`rows` has one line per cell; in a table of several columns the outcome names its column."""
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
    return {
        "id": requirement.id,
        "citation": requirement.citation,
        "severity": requirement.severity,
        "message": requirement.message,
        "fix": requirement.fix,
        "options": list(requirement.options),
        "when": condition_data(requirement.when),
        "must": condition_data(requirement.must) if requirement.must else None,
        "check": requirement.check,
        "covers": list(requirement.covers),
        "leaves_out": list(requirement.leaves_out),
        **_period(requirement.period),
    }


def _dated(record: Wager | LayoutElement | Reading | Published | HouseWay) -> dict[str, Any]:
    data = asdict(record)
    del data["period"]
    return data | _period(record.period)


def _period(period: Period) -> dict[str, str | None]:
    return {"effective": _day(period.effective), "expires": _day(period.expires)}


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _text(value: Any) -> Any:
    """Exact numbers as text: "7.50", "7/25"."""
    return str(value) if isinstance(value, (Decimal, Fraction)) else value
