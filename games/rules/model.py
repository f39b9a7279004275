"""The words of the rule model: what a chapter leaves open, and what it demands.

Here live the frozen records that every other part reads. Not here: reading TOML (`loader`),
the list of chapters (`registry`), judging answers (`evaluate`).

Money and odds are exact: `Decimal` dollars, `Fraction` odds. A citation is kept in full
(`§ 687a.12(d)`); the data files may write it short (`.12(d)`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal, Protocol

Kind = Literal["yes_no", "choice", "count", "money", "percent", "paytable", "text", "attachment"]
Basis = Literal["form", "explicit", "discretion"]  # official form · "specified in its Rules Submission" · "may"
Severity = Literal["blocking", "warning", "note"]
Status = Literal["temporary", "proposed", "final", "lapsed"]
Answer = bool | str | int | None | Mapping[str, str | int]
Answers = Mapping[str, Answer]
"""Option key → answer, as in JSON: yes_no a bool; choice, paytable and text a str; count an int;
money and percent a decimal str (`"50000.00"`); attachment `{sha256, name, size}`; None = not answered."""


# What the fields of a record say beyond their type, as data files are read (`files.Fields.record`).
Citation = Annotated[str, "in full, of a section that exists"]
Citations = Annotated[tuple[str, ...], "one or several"]
FullId = Annotated[str, "with the chapter's number, 683a.mini-royal-40"]
ElementKind = Literal["area", "card_area", "inscription", "sign", "device", "box", "position"]


@dataclass(frozen=True, slots=True)
class Period:
    """The first and last day on which something is in effect (both included); None = always."""

    effective: date | None = None
    expires: date | None = None

    def covers(self, day: date) -> bool:
        return (self.effective is None or self.effective <= day) and (self.expires is None or day <= self.expires)


@dataclass(frozen=True, slots=True)
class Condition:
    """A test on answers, in disjunctive form: any of `alternatives`, each a tuple of (option, test).

    A test is the tuple of accepted values (`(True,)`, `("shoe", "hand")`) or an inclusive range.
    An empty `alternatives` is always true.
    """

    alternatives: tuple[tuple[tuple[str, Test], ...], ...] = ()

    def options(self) -> frozenset[str]:
        return frozenset(key for alternative in self.alternatives for key, _ in alternative)


@dataclass(frozen=True, slots=True)
class Test:
    """A test of an answer: one of `values`, or a number from `at_least` to `at_most`."""

    __test__ = False  # not a pytest class

    values: tuple[bool | str | int, ...] = ()
    at_least: Decimal | None = None
    at_most: Decimal | None = None


ALWAYS = Condition()


@dataclass(frozen=True, slots=True)
class Choice:
    """One allowed answer of a `choice` option: the value stored and the words shown."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The smallest and largest number, the longest text, the format (`tables`) that an answer may have.

    `subject` names the number in a message ("Number of adjacent boxes"), `because` says what bounds it.
    """

    at_least: Decimal | None = None
    at_most: Decimal | None = None
    longest: int = 2000
    format: Literal["", "tables"] = ""
    citation: Citation = ""
    subject: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a checklist."""

    key: str
    citation: Citation
    question: str
    kind: Kind
    group: str  # heading of the line; consecutive lines share it
    basis: Basis
    choices: tuple[Choice, ...] = ()
    asked_if: Condition = ALWAYS
    consistent_if: Condition | None = None  # an answer that is not asked contradicts nothing while this is true
    limits: Limits = Limits()
    wager: str = ""  # kind paytable: whose paytable this line chooses
    required: bool = True  # must be answered when asked
    help: str = ""
    as_printed: str = ""  # the form's own words where they differ
    changes_figures: bool = False  # the answer changes figures of wagers; of paytables and house ways it always may
    cited_as_printed: Citation = ""  # the form's own citation where it differs
    period: Period = Period()


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager that a player may or must make. `offered_by` is the yes/no option that offers it ("" = required)."""

    key: str
    name: str
    citation: Citation
    size: str  # the rule of its amount, in words
    offered_by: str = ""
    paytable_option: str = ""  # the option that chooses its paytable ("" = the chapter leaves no choice)
    progressive: bool = False
    settled: str = ""  # citation of the settlement
    part_of: str = ""  # key of the wager that it is decided, analyzed and reported with (Blind and Raise: the Ante)
    minimum: str = ""  # the option that asks for its smallest amount ("" = the table's minimum wager)
    period: Period = Period()

    @property
    def required(self) -> bool:
        return not self.offered_by


@dataclass(frozen=True, slots=True)
class Pay:
    """The pay of one cell of a paytable.

    `odds` with `per`: `to` returns the wager also, `for` includes it. `amount`: dollars.
    `meter`: share of the progressive meter (`jackpot` names which, if there are several).
    `push`: the wager is returned. `loss`: it is lost; the row is printed all the same. `na`: this cell cannot occur.
    Amount and meter may both be set.
    """

    odds: Fraction | None = None
    per: Literal["to", "for", ""] = ""
    amount: Decimal | None = None
    meter: Fraction | None = None
    jackpot: str = ""
    push: bool = False
    na: bool = False
    loss: bool = False
    printed: str = ""  # as the regulation prints it: "1,000 to 1", "$5,000/100% of meter"

    def __str__(self) -> str:
        return self.printed


@dataclass(frozen=True, slots=True)
class Row:
    """One outcome of a paytable, in its printed order. `pays` has one cell per column of the paytable."""

    outcome: str
    pays: tuple[Pay, ...]
    envy: Decimal | None = None  # dollars per other player's qualifying hand


@dataclass(frozen=True, slots=True)
class Paytable:
    """A printed table of odds. `columns` is empty for one column, else e.g. ("Natural", "With Wild")."""

    wager: str
    name: str
    citation: Citation
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    wager_amount: Decimal | None = None  # the bet that the table is for ($1 or $5 progressives)
    seed: Decimal | None = None  # reset amount of the meter, dollars
    rate: Fraction | None = None  # rate of progression, share of the wager
    reserve: Fraction | None = None
    wager_returned: bool | None = None  # "Original wager returned to player"
    fully_wild_joker: bool = False
    period: Period = Period()

    @property
    def key(self) -> str:
        return f"{self.wager}/{self.name}"

    def lines(self) -> list[tuple[str, str, Pay]]:
        """Return every cell as (outcome, column, pay), row by row; column is "" where there is one."""
        columns = self.columns or ("",)
        return [(row.outcome, column, pay) for row in self.rows for column, pay in zip(columns, row.pays, strict=True)]


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something the answers must satisfy: `must` as data, or `check`, the name of a function in `checks`.

    For a payout limit, `covers` names the wagers over which it runs, one that may be of n times the minimum n times,
    and `leaves_out` the outcomes of their paytables that it does not cover.
    """

    id: FullId
    citation: Citation
    message: str
    fix: str
    options: tuple[str, ...]
    when: Condition = ALWAYS
    must: Condition | None = None
    check: str = ""
    covers: tuple[str, ...] = ()
    leaves_out: tuple[str, ...] = ()
    severity: Severity = "blocking"
    period: Period = Period()


@dataclass(frozen=True, slots=True)
class LayoutElement:
    """Something that layout or table must have."""

    key: str
    citation: Citation
    element: str
    kind: ElementKind
    condition: Condition = ALWAYS
    wording: str = ""  # of an inscription
    per_position: bool = False
    wager: str = ""
    devised: bool = False  # needs approval under § 461a.4 or § 601a.10
    period: Period = Period()


@dataclass(frozen=True, slots=True)
class Reading:
    """A place where the printed text is wrong, incomplete or ambiguous, and how it is read."""

    id: FullId
    citation: Citation
    printed: str
    reading: str
    evidence: str
    touches: tuple[str, ...] = ()  # option keys, wager keys, `wager/paytable`, layout keys
    period: Period = Period()


@dataclass(frozen=True, slots=True)
class MissingText:
    """An option (“Omaha Poker”) that cannot be filed while the text of these sections is incomplete."""

    what: str
    lacks: str
    sections: tuple[str, ...]
    when: Condition = ALWAYS


@dataclass(frozen=True, slots=True)
class Published:
    """A hold or payback that the Board printed. `value` in percent, as printed (its digits are its precision)."""

    id: FullId
    wager: str
    paytable: str  # "" for a required wager
    measure: Literal["payback", "hold"]
    value: str
    source: str
    denominator: str = ""
    note: str = ""
    period: Period = Period()


@dataclass(frozen=True, slots=True)
class HouseWay:
    """A complete way of setting the dealer's hand, written out so that a dealer can follow it."""

    key: str
    name: str
    rules: tuple[tuple[str, str], ...]  # (when the seven cards make, set them so)
    period: Period = Period()


class RoundWin(Protocol):
    """The win of the deal that wins most; as text, the deal and each wager's win by it."""

    @property
    def amount(self) -> Fraction:
        """Dollars."""


LargestRoundOf = Callable[["Chapter", "Answers", Mapping[str, Fraction], Collection[str]], RoundWin]
"""(chapter, answers, stakes, leaves_out): the most that one patron can win in a round with these stakes (wager →
dollars per unit, for the wagers that a payout limit covers), for any decisions; the outcomes in `leaves_out` are paid
outside of the limit."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One game's chapter as it is on one day: everything the portal knows of it.

    It is the same from `begins` to `ends` (both included; None: from the beginning, until further notice).
    """

    number: str  # "687a"
    title: str
    status: Status
    complete: bool
    missing: str  # what the sources lack, in words
    source: str
    max_positions: int
    options: tuple[Option, ...]
    wagers: tuple[Wager, ...]
    paytables: tuple[Paytable, ...]
    requirements: tuple[Requirement, ...]
    layout: tuple[LayoutElement, ...]
    readings: tuple[Reading, ...]
    published: tuple[Published, ...]
    sections: Mapping[str, str] = field(repr=False)  # citation → its text; "§ 687a.12(d)"
    digest: str = ""  # SHA-256 of what the chapter's data files say on the day
    begins: date | None = None
    ends: date | None = None
    house_ways: tuple[HouseWay, ...] = ()
    missing_text: tuple[MissingText, ...] = ()
    largest_round: LargestRoundOf | None = field(default=None, repr=False, compare=False)  # set by the registry
    words_from: object = field(default=None, repr=False, compare=False)  # `words.WordFiles`, read when asked for

    @property
    def option_keys(self) -> tuple[str, ...]:
        return tuple(option.key for option in self.options)

    @property
    def wager_keys(self) -> tuple[str, ...]:
        return tuple(wager.key for wager in self.wagers)

    def option(self, key: str) -> Option:
        return next(option for option in self.options if option.key == key)

    def wager(self, key: str) -> Wager:
        return next(wager for wager in self.wagers if wager.key == key)

    def tables_of(self, wager: str) -> tuple[Paytable, ...]:
        return tuple(table for table in self.paytables if table.wager == wager)

    def paytable(self, wager: str, name: str) -> Paytable:
        """Return the wager's paytable of that name; `LookupError` if two have it, for neither has the right odds."""
        tables = [table for table in self.tables_of(wager) if table.name == name]
        if len(tables) > 1:
            raise LookupError(f"chapter {self.number} has {len(tables)} paytables {wager}/{name}")
        return next(iter(tables))


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of judging: which rule, how grave, on which lines, in words, and the remedy."""

    rule: str  # stable code, "687a.hand-needs-shuffler"
    severity: Severity
    options: tuple[str, ...]
    message: str
    fix: str
    citation: str

    @property
    def unanswered(self) -> bool:
        """True if it only says that a line is not answered."""
        return self.rule.endswith(".not-answered")

    def line_among(self, shown: Container[str]) -> str:
        """Return the first option that it names and that is `shown`, else the first that it names, "" without any."""
        return next((option for option in self.options if option in shown), next(iter(self.options), ""))


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict on a configuration: findings, gravest first; which lines are asked; what is offered."""

    findings: tuple[Finding, ...]
    asked_keys: tuple[str, ...]  # of the lines asked, in the form's order
    offered: tuple[str, ...]  # wager keys, required ones first
    paytables: Mapping[str, str]  # wager → name of the paytable in use
    layout: tuple[LayoutElement, ...]  # what the choices call for
    readings: tuple[Reading, ...]  # those that touch the answers

    @property
    def blocking(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "blocking")

    def of(self, option: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if option in finding.options)
