"""The conditions that a director writes into the form of an approval: rows of fields, of which any may be empty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from submissions.models import Submission
from submissions.orders.approval_conditions import ConditionText
from submissions.search.field_parsing import day_of

ROWS = 4  # of the form; several conditions can also be one text
FIELDS = ("text", "citation", "tables", "last_day")


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """One row of the form: its number, and what was entered into it."""

    number: int
    text: str = ""
    citation: str = ""
    tables: str = ""
    last_day: str = ""


def condition_rows(submission: Submission, entered: Mapping[str, str]) -> list[ConditionRow]:
    """The rows of the form, with what was entered; an empty one begins with the section of the chapter."""
    citation = f"§ {submission.chapter}.1"
    return [ConditionRow(number, **{"citation": citation, **_values(entered, number)}) for number in range(1, ROWS + 1)]


def entered_conditions(entered: Mapping[str, str]) -> tuple[ConditionText, ...]:
    """Those with a text."""
    return tuple(_conditions(entered))


def _conditions(entered: Mapping[str, str]) -> Iterator[ConditionText]:
    for number in range(1, ROWS + 1):
        values = {name: entered.get(_name(name, number), "").strip() for name in FIELDS}
        last_day = day_of(values["last_day"]) if values["last_day"] else None
        if values["text"]:
            yield ConditionText(values["text"], values["citation"], values["tables"], last_day)


def _values(entered: Mapping[str, str], number: int) -> dict[str, str]:
    names = {name: _name(name, number) for name in FIELDS}
    return {name: entered[sent] for name, sent in names.items() if sent in entered}


def _name(field: str, number: int) -> str:
    return f"condition-{number}-{field}"
