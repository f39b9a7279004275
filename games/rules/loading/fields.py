"""One TOML table, read strictly: every key is asked for by its type, and none may be left over.

Here lives `Fields`, through which all data is read. Not here: what the keys mean (`records`, `cells`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from typing import Any, NoReturn

from games.rules.citations import cite
from games.rules.errors import RuleError
from games.rules.model import Period


@dataclass
class Fields:
    """A table of a data file. `where` names it in messages, `sections` has the citations that exist."""

    file: str
    where: str
    table: Mapping[str, Any]
    number: str = ""
    sections: Mapping[str, str] = field(default_factory=dict, repr=False)
    read_keys: set[str] = field(default_factory=set)

    def refuse(self, problem: str) -> NoReturn:
        raise RuleError(self.file, self.where, problem)

    def has(self, key: str) -> bool:
        return key in self.table

    def take(self, key: str, kind: type, default: Any = ..., allowed: str = "") -> Any:
        """The value of `key`, which must be of `kind`; without a default the key must be there."""
        self.read_keys.add(key)
        if key not in self.table:
            if default is ...:
                self.refuse(f"`{key}` is missing")
            return default
        value = self.table[key]
        if type(value) is not kind:
            self.refuse(f"`{key}` is {value!r}; {allowed or _NAMES[kind]} is allowed here")
        return value

    def text(self, key: str, default: Any = ...) -> str:
        value = self.take(key, str, default)
        if default is ... and not value.strip():
            self.refuse(f"`{key}` is empty; it must say something")
        return str(value)

    def flag(self, key: str, default: bool | None = False) -> Any:
        return self.take(key, bool, default)

    def number_of(self, key: str, default: Any = ...) -> Any:
        return self.take(key, int, default)

    def one_of(self, key: str, allowed: Sequence[str], default: Any = ...) -> Any:
        value = self.text(key, default)
        if value not in allowed and value != default:
            self.refuse(f"`{key}` is {value!r}; allowed are {', '.join(allowed)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        values = self.take(key, list, [])
        if not all(type(value) is str for value in values):
            self.refuse(f"`{key}` is {values!r}; a list of texts is allowed here")
        return tuple(values)

    def citation(self, key: str = "citation", default: Any = ...) -> str:
        """A citation in full, which the chapter's text or the general provisions must have."""
        value = self.text(key, default)
        if not value:
            return ""
        full = cite(value, self.number)
        if full not in self.sections:
            near = get_close_matches(full, self.sections, 1)
            self.refuse(f"`{key}` is {value!r}, but there is no {full}" + (f"; near is {near[0]}" if near else ""))
        return full

    def decimal(self, key: str) -> Decimal | None:
        """An exact number: an integer, or a decimal in quotes. TOML's floats are refused."""
        self.read_keys.add(key)
        return None if key not in self.table else self.exact(self.table[key], f"`{key}`")

    def exact(self, value: Any, name: str) -> Decimal:
        if type(value) in (int, str):
            try:
                number = Decimal(value)
            except InvalidOperation:
                number = Decimal("NaN")
            if number.is_finite():
                return number
        return self.refuse(f'{name} is {value!r}; an integer or a decimal in quotes ("7.50") is allowed here')

    def period(self) -> Period:
        days = {key: self.take(key, date, None) for key in ("effective", "expires")}
        if days["effective"] and days["expires"] and days["effective"] > days["expires"]:
            self.refuse(f"`expires` is {days['expires']}, before `effective` {days['effective']}")
        return Period(**days)

    def refuse_unknown(self) -> None:
        """Refuse the keys that were not read."""
        for key in self.table:
            if key not in self.read_keys:
                near = get_close_matches(key, self.read_keys, 1)
                hint = f"did you mean `{near[0]}`?" if near else f"allowed are {', '.join(sorted(self.read_keys))}"
                self.refuse(f"unknown key `{key}`; {hint}")


_NAMES = {
    str: "a text",
    int: "an integer",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    date: "a date (2026-01-31)",
}
