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
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from games.rules.errors import ParameterError, RuleError
from games.rules.model import ALWAYS, Citation, Citations, Condition, FullId, Period, Test
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
    return parse_toml(read_file(path), label(path))


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the tables of the text; `RuleError` names the file if it is not TOML."""
    try:
        return _parsed(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(file, "syntax", str(error)) from None


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


def meant(name: str, known: Collection[str], otherwise: str = "") -> str:
    """Return the question that ends a refusal of the name: whether the nearest of those known is meant."""
    near = get_close_matches(name, known, 1)
    return f"; did you mean `{near[0]}`?" if near else otherwise


def ensure_known(file: str, where: str, what: str, names: Iterable[str], known: Collection[str]) -> None:
    """Refuse a name of something, “the wager”, that is not known; an empty one names nothing."""
    for name in names:
        if name and name not in known:
            hint = meant(name, known, f"; known are {', '.join(known) or 'none'}")
            raise RuleError(file, where, f"{what} `{name}` is unknown{hint}")


def read_file(path: Path) -> str:
    """Return the file as text; `RuleError` if it is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RuleError(label(path), "file", "is missing") from None


# What chapters share, and a rulemaking, is read in full once, not each time; no code changes what is kept here.
_parsed = lru_cache(maxsize=64)(tomllib.loads)
_sections = lru_cache(maxsize=2)(read_sections)

TOP = "top of the file"
_Record = TypeVar("_Record")


@cache
def _types(record: type) -> dict[str, Any]:
    return get_type_hints(record, include_extras=True)


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

    def names(self, what: str, names: Iterable[str], known: Collection[str]) -> None:
        """Refuse what the table names if it is not known."""
        ensure_known(self.file, self.where, what, sorted(names), known)

    def has(self, key: str) -> bool:
        return key in self.table

    def take(self, key: str, kind: type, default: Any = ...) -> Any:
        """Return the value of `key`, which must be of `kind`; without a default the key must be there."""
        self.read_keys.add(key)
        if key not in self.table:
            if default is ...:
                self.refuse(f"`{key}` is missing")
            return default
        value = self.table[key]
        if type(value) is not kind:
            self.refuse(f"`{key}` is {value!r}; {_NAMES[kind]} is allowed here")
        return value

    def text(self, key: str, default: Any = ...) -> str:
        value = self.take(key, str, default)
        if default is ... and not value.strip():
            self.refuse(f"`{key}` is empty; it must say something")
        return str(value)

    def flag(self, key: str, default: bool | None = False) -> Any:
        return self.take(key, bool, default)

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
        short = self.text(key, default)
        return self._cited(short, key) if short else ""

    def full_id(self, key: str = "id") -> str:
        """Return the id with the chapter's number, "683a.mini-royal-40"; the general provisions have none."""
        short = self.text(key)
        return f"{self.number}.{short}" if self.number else short

    def citations(self, key: str) -> tuple[str, ...]:
        """Return one or several citations in full."""
        citations = tuple(self._cited(short, key) for short in self.texts(key))
        if not citations:
            self.refuse(f"`{key}` is empty; it must name a section")
        return citations

    def _cited(self, short: str, key: str) -> str:
        full = cite(short, self.number)
        if full not in self.sections:
            self.refuse(f"`{key}` is {short!r}, but there is no {full}{meant(full, self.sections)}")
        return full

    def decimal(self, key: str) -> Decimal | None:
        """Return an exact number: an integer, or a decimal in quotes. TOML's floats are refused."""
        self.read_keys.add(key)
        return None if key not in self.table else self.exact(self.table[key], f"`{key}`")

    def positive(self, key: str) -> Decimal | None:
        """Return an amount of dollars."""
        amount = self.decimal(key)
        if amount is not None and amount <= 0:
            self.refuse(f"`{key}` is {amount}; more than 0 dollars is allowed here")
        return amount

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
        days = Period(self.take("effective", date, None), self.take("expires", date, None))
        if days.effective and days.expires and days.effective > days.expires:
            self.refuse(f"`expires` is {days.expires}, before `effective` {days.effective}")
        return days

    def inner(self, key: str, default: Any = ...) -> "Fields":
        """Return the table under `key`."""
        return replace(self, where=self._below(key), table=self.take(key, dict, default), read_keys=set())

    def tables(self, key: str) -> list[dict[str, Any]]:
        """Return the `[[key]]` tables as they are written."""
        tables: list[dict[str, Any]] = self.take(key, list, [])
        if not all(isinstance(table, dict) for table in tables):
            self.refuse(f"`{key}` is not a list of tables; tables headed [[{key}]] are allowed here")
        return tables

    def each(self, key: str, read: Callable[["Fields"], _Record]) -> tuple[_Record, ...]:
        """Return every `[[key]]` table, read in full."""
        records = []
        for count, table in enumerate(self.tables(key), start=1):
            row = replace(self, where=self._below(_row_name(key, table, count)), table=table, read_keys=set())
            records.append(read(row))
            row.refuse_unknown()
        return tuple(records)

    def _below(self, place: str) -> str:
        return place if self.where == TOP else f"{self.where}, {place}"

    def record(self, shape: type[_Record], **given: Any) -> _Record:
        """Return the dataclass with each field read from the key of its name by its type, but for those `given`."""
        types = _types(shape)  # type: ignore[arg-type]
        for part in fields(shape):  # type: ignore[arg-type]
            if part.name not in given:
                default = ... if part.default is MISSING else part.default
                given[part.name] = self._value_of(part.name, types[part.name], default)
        return shape(**given)

    def _value_of(self, key: str, kind: Any, default: Any) -> Any:
        if kind == Citation:
            return self.citation(key, default)
        if kind == Citations:
            return self.citations(key)
        if kind == FullId:
            return self.full_id(key)
        if kind is str:
            return self.text(key, default)
        if kind is Period:
            return self.period()
        if kind in (Condition, Condition | None):
            return read_condition(self, key, default)
        if kind == Decimal | None:
            return self.decimal(key)
        if get_origin(kind) is Literal:
            return self.one_of(key, tuple(filter(None, get_args(kind))), default)
        if get_origin(kind) is tuple:
            return self.texts(key)
        return self.take(key, get_args(kind)[0] if get_args(kind) else kind, default)

    def refuse_unknown(self) -> None:
        """Refuse the keys that were not read."""
        for key in self.table:
            if key not in self.read_keys:
                allowed = f"; allowed here: {', '.join(sorted(self.read_keys))}"
                self.refuse(f"unknown key `{key}`{meant(key, self.read_keys, allowed)}")


def _row_name(key: str, table: Mapping[str, Any], count: int) -> str:
    match table:
        case {"wager": wager, "name": name}:
            return f"{key} `{wager}/{name}`"
        case {"key": name} | {"id": name} | {"name": name}:
            return f"{key} `{name}`"
    return f"{key} {count}"


_NAMES = {
    str: "a text",
    int: "an integer",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    date: "a date (2026-01-31)",
}


def read_condition(owner: Fields, key: str, default: Any = ALWAYS) -> Any:
    """Return the condition under `key` of a data table."""
    owner.read_keys.add(key)
    if not owner.has(key):
        return default
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
