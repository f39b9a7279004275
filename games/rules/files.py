"""The data files of a chapter's folder: their names, the digest of their content, and strict reading of their tables.

`Fields` reads one TOML table: every key is read by its type, and none may be left over. Data files write a condition on
answers like this:

    { bonus_wager = true }                              this answer
    { adjacent_boxes = { at_least = 2 } }               a range, with `at_least`, `at_most` or both
    { progressive_paytable = ["Paytable 4"] }           one of several answers
    { manual_shoe = true, from_hand = true }            all of these
    [{ manual_shoe = true }, { from_hand = true }]      any of these

A chapter may say the best play in words of its own, in `strategy.toml` beside its `play.py`. Such words are those of
certain odds, which the file states. Under other odds they are not used: the family computes its sentences then.

Not here: the meaning of the keys (`records`, `words`), whether a condition is true (`conditions`).
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from games.rules.errors import ParameterError, RuleError
from games.rules.model import ALWAYS, Condition, Period, Test
from games.rules.sections import cite, read_sections

RULES, PAYTABLES, LAYOUT, HOUSE_WAYS = "rules.toml", "paytables.toml", "layout.toml", "house_ways.toml"
LABELS, GUIDE, TEXT, ERRATA = "labels.toml", "guide.toml", "text.md", "errata.toml"
DRAWING = "drawing.toml"  # in some folders, and beside them
MISSING_TEXT = "missing_text.toml"  # where the text at hand lacks something
CHANGES = "changes"  # folder of later rulemakings, a file each
CHAPTERS = Path(__file__).parents[1] / "chapters"
COMMON, GENERAL, GENERAL_NOTES, GENERAL_ERRATA = (
    "common.toml", "general.md", "general.toml", "general_errata.toml",
)  # beside the folders  # fmt: skip
COMMON_WORDS = ("names", "progressive", "at_this_table")
"""The tables of `common.toml` on papers, not on rules: `words` reads them."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of the file; `RuleError` if it is missing or is not TOML."""
    try:
        return _parsed(read_file(path))
    except tomllib.TOMLDecodeError as error:
        raise RuleError(label(path), "syntax", str(error)) from None


def read_text(path: Path) -> Mapping[str, str]:
    """Return citation → the text of its section."""
    return _sections(read_file(path), label(path))


def shared_file(folder: Path, name: str) -> Path:
    """Return the file beside the folder; for a chapter from elsewhere, that of the portal's own chapters."""
    beside = folder.parent / name
    return beside if beside.exists() else CHAPTERS / name


def label(path: Path) -> str:
    """Return a file's name in messages: `ch687a_dj_wild_stud_poker/rules.toml`."""
    return f"{path.parent.name}/{path.name}"


def data_digest(data: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the SHA-256 over the content of the files, independent of their layout and comments."""
    canonical = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_file(path: Path) -> str:
    """Return the file as text; `RuleError` if it is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuleError(label(path), "file", "is missing") from None


# What the chapters share is read in full once, not once per chapter; no code changes what is kept here.
_parsed = lru_cache(maxsize=8)(tomllib.loads)
_sections = lru_cache(maxsize=2)(read_sections)


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
        """Return the value of `key`, which must be of `kind`; without a default the key must be there."""
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
        """Return a citation in full, which the chapter's text or the general provisions must have."""
        value = self.text(key, default)
        if not value:
            return ""
        full = cite(value, self.number)
        if full not in self.sections:
            near = get_close_matches(full, self.sections, 1)
            self.refuse(f"`{key}` is {value!r}, but there is no {full}" + (f"; near is {near[0]}" if near else ""))
        return full

    def decimal(self, key: str) -> Decimal | None:
        """Return an exact number: an integer, or a decimal in quotes. TOML's floats are refused."""
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


def read_condition(owner: Fields, key: str) -> Condition:
    """Return the condition under `key` of a data table; ALWAYS where there is none."""
    owner.read_keys.add(key)
    if not owner.has(key):
        return ALWAYS
    value = owner.table[key]
    tables = value if isinstance(value, list) else [value]
    if not tables or not all(isinstance(table, dict) and table for table in tables):
        owner.refuse(f"`{key}` is {value!r}; a table of tests, {{ option = answer }}, or a list of such is allowed")
    return Condition(
        tuple(tuple((option, _test(owner, option, table[option])) for option in table) for table in tables)
    )


def _test(owner: Fields, option: str, value: Any) -> Test:
    if isinstance(value, dict):
        limits = Fields(owner.file, f"{owner.where}, test of `{option}`", value)
        at_least, at_most = limits.decimal("at_least"), limits.decimal("at_most")
        limits.refuse_unknown()
        if not value or (at_least is not None and at_most is not None and at_least > at_most):
            owner.refuse(f"the range of `{option}` is empty: {value!r}")
        return Test(at_least=at_least, at_most=at_most)
    values = value if isinstance(value, list) else [value]
    if not values or not all(type(entry) in (bool, str, int) for entry in values):
        owner.refuse(f"the test of `{option}` is {value!r}; an answer, a list of answers or a range is allowed")
    return Test(values=tuple(values))


STRATEGY = "strategy.toml"


def read_strategy(play_file: str, odds: Mapping[str, Sequence[Fraction]]) -> Mapping[str, Any] | None:
    """Return the content of the file if it is for these odds (name → nets, the highest row first), else None.

    `play_file`: the chapter's, "" without such a file. `ParameterError` where it is not TOML or has no odds.
    """
    if not play_file:
        return None
    try:
        data = tomllib.loads(Path(play_file).with_name(STRATEGY).read_text("utf-8"))
        stated = {name: [Fraction(net) for net in nets] for name, nets in data["odds"].items()}
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ParameterError(STRATEGY, f"{type(error).__name__}: {error}") from error
    return data if all(stated.get(name) == list(nets) for name, nets in odds.items()) else None
