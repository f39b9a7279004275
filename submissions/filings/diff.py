"""The differences between two filings: table by table, line by line, with their effect on holds and layout. Pure:
computed from two snapshots (`filings.snapshot`) and the exact figures of their simulations. Two filings may group their
tables differently, so each set of tables that shares a configuration both before and after is compared as one. Not
here: which two filings to compare (`filings.diff_base`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from submissions.core import table_ranges
from submissions.core.canonical_json import Content
from submissions.core.configuration_index import evidence_index
from submissions.filings.diff_wagers import HoldDiff, PaytableDiff, holds, paytables

Analyses = Mapping[int, Content]
"""Place of a configuration that was simulated → the exact figures of its run."""

NOT_ASKED, NOT_ANSWERED = "not asked", "not answered"


@dataclass(frozen=True, slots=True)
class FilingSide:
    """One side: what was frozen, and the figures that there are."""

    content: Content
    analyses: Analyses

    def analysis(self, place: int) -> Content | None:
        return self.analyses.get(evidence_index(self.content["configurations"], place))


@dataclass(frozen=True, slots=True)
class LineDiff:
    """A line whose answer differs, or that only one of the two filings asks."""

    key: str
    citation: str
    question: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class GroupDiff:
    """What differs for the same tables: `tables` names them, `before` and `after` are the names of their groups."""

    tables: str
    number: int  # of tables; 0 = all, or all others
    before: str
    after: str
    lines: tuple[LineDiff, ...]
    holds: tuple[HoldDiff, ...]  # of every wager offered before or after
    paytables: tuple[PaytableDiff, ...]  # only those that differ
    appear: tuple[Content, ...]  # elements of the layout, as frozen
    go: tuple[Content, ...]
    new_findings: tuple[Content, ...]  # that there were not before
    settled: tuple[Content, ...]
    places: tuple[int, int]  # of the configuration before and after

    @property
    def differs(self) -> bool:
        layout, findings = self.appear or self.go, self.new_findings or self.settled
        return bool(self.lines or self.paytables or layout or findings or self.changed_holds)

    @property
    def changed_holds(self) -> tuple[HoldDiff, ...]:
        return tuple(hold for hold in self.holds if hold.differs)


@dataclass(frozen=True, slots=True)
class FilingDiff:
    """The parts that differ, and the groups that were made, given up or moved; empty = the same rules everywhere."""

    parts: tuple[GroupDiff, ...]
    groups: tuple[tuple[str, str, str], ...]  # (name, tables before, tables after)
    same_rules: bool  # judged by the same rules

    @property
    def count(self) -> int:
        """How many lines are answered differently, counted once for each set of tables."""
        return sum(len(part.lines) for part in self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts or self.groups)


def diff_filings(before: FilingSide, after: FilingSide) -> FilingDiff:
    parts = (_part(before, after, *where) for where in _together(before, after))
    return FilingDiff(
        parts=tuple(part for part in parts if part.differs),
        groups=tuple(_groups(before, after)),
        same_rules=before.content["rules_digest"] == after.content["rules_digest"],
    )


def _together(before: FilingSide, after: FilingSide) -> Iterator[tuple[int, int, frozenset[str] | None]]:
    """(index before, index after, tables) of each set of tables that shares a configuration before and after; None =
    all other tables.
    """
    olds, news = _named(before), _named(after)
    yield 0, 0, None
    for new in range(len(news)):
        for old in range(len(olds)):
            shared = _shared(olds, news, old, new)
            if shared:
                yield old, new, shared


def _shared(olds: Sequence[frozenset[str]], news: Sequence[frozenset[str]], old: int, new: int) -> frozenset[str]:
    """The tables named by at least one side that are in both; the first of a side has what its others do not name."""
    if old == new == 0:
        return frozenset()
    if new == 0:
        return olds[old].difference(*news)
    if old == 0:
        return news[new].difference(*olds)
    return olds[old] & news[new]


def _named(filing: FilingSide) -> list[frozenset[str]]:
    """The tables that each configuration names; a group without table numbers is represented by its pit or name."""
    rows = filing.content["configurations"]
    named = (table_ranges.parse_tables(row["tables"]) or {_pit(row) or row["name"]} for row in rows[1:])
    return [frozenset(), *map(frozenset, named)]


def _groups(before: FilingSide, after: FilingSide) -> Iterator[tuple[str, str, str]]:
    """The named groups whose tables are not what they were."""
    old, new = ({row["name"]: row for row in side.content["configurations"][1:]} for side in (before, after))
    for name in dict.fromkeys([*new, *old]):
        was, now = (_tables(rows[name]) if name in rows else "" for rows in (old, new))
        if was != now:
            yield name, was or "no such group", now or "no such group"


def _tables(row: Content) -> str:
    return ", ".join(filter(None, (f"tables {row['tables']}" if row["tables"] else "", _pit(row))))


def _pit(row: Content) -> str:
    return f"pit {row['pit']}" if row.get("pit") else ""


def _part(before: FilingSide, after: FilingSide, old: int, new: int, shared: frozenset[str] | None) -> GroupDiff:
    was, now = before.content["configurations"][old], after.content["configurations"][new]
    return GroupDiff(
        tables=_in_words(shared, before, after),
        number=len(shared or ()),
        before=was["name"],
        after=now["name"],
        lines=tuple(_lines(was, now)),
        holds=tuple(holds(was, now, before.analysis(old), after.analysis(new))),
        paytables=tuple(paytables(was, now)),
        appear=_only(now["layout"], was["layout"], "element", "wording"),
        go=_only(was["layout"], now["layout"], "element", "wording"),
        new_findings=_only(now["findings"], was["findings"], "rule", "message"),
        settled=_only(was["findings"], now["findings"], "rule", "message"),
        places=(old, new),
    )


def _in_words(shared: frozenset[str] | None, before: FilingSide, after: FilingSide) -> str:
    if shared is None:
        several = any(len(side.content["configurations"]) > 1 for side in (before, after))
        return "All other tables" if several else "All tables"
    numbers = frozenset(table for table in shared if " " not in table and table == table.upper())
    places = sorted(shared - numbers)
    word = "Table" if len(numbers) == 1 else "Tables"
    return ", ".join(filter(None, (f"{word} {table_ranges.format_tables(numbers)}" if numbers else "", *places)))


def _lines(was: Content, now: Content) -> Iterator[LineDiff]:
    """In the order of the later filing, then what it no longer asks."""
    old, new = ({line["key"]: line for line in row["lines"]} for row in (was, now))
    for key in dict.fromkeys([*new, *old]):
        answers = was["answers"].get(key), now["answers"].get(key)
        if answers[0] == answers[1] and (key in old) == (key in new):
            continue
        line, words = new.get(key) or old[key], [_answer(rows.get(key)) for rows in (old, new)]
        if words[0] == words[1]:  # another file of the same name and size
            words = [f"{word} {_digest(answer)}" for word, answer in zip(words, answers, strict=True)]
        yield LineDiff(key, line["citation"], line["question"], words[0], words[1])


def _answer(line: Content | None) -> str:
    return NOT_ASKED if line is None else str(line["answer"] or NOT_ANSWERED)


def _digest(answer: Any) -> str:
    return f"[{answer['sha256'][:12]}]" if isinstance(answer, Mapping) else ""


def _only(these: Sequence[Content], those: Sequence[Content], *words: str) -> tuple[Content, ...]:
    """These rows without those that have the same words."""
    these_by_words, those_by_words = ({itemgetter(*words)(row): row for row in rows} for rows in (these, those))
    return tuple(row for key, row in these_by_words.items() if key not in those_by_words)
