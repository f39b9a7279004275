"""The wagers that a filing offers: for each table group their paytables and theoretical holds.

From the frozen filing and its frozen figures alone. Not here: which filing is in effect (`filings.versions`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from submissions.core.configurations import evidence_index
from submissions.core.digests import Content
from submissions.models import Simulation
from submissions.rules import filed_chapter_or_none

Analyses = Mapping[tuple[int, int], Content]
"""(primary key of a revision, place of a configuration) → its analysis, as `games` writes it."""


@dataclass(frozen=True, slots=True)
class WagerHold:
    """The theoretical hold of a wager in percent of all money wagered on it; for one spot, where it has several."""

    spot: str
    pct: float
    estimated: bool


@dataclass(frozen=True, slots=True)
class OfferedWager:
    """One wager: its paytable's name ("" where it has none), and its holds as far as they are computed."""

    wager: str
    name: str
    paytable: str
    holds: tuple[WagerHold, ...]

    @property
    def hold(self) -> str:
        """Return "5.605 %", for several spots "1.486 % to 19.418 %"; "" where nothing is computed."""
        if not self.holds:
            return ""
        ordered = sorted(hold.pct for hold in self.holds)
        about = "about " if any(hold.estimated for hold in self.holds) else ""
        ends = [ordered[0]] if len(ordered) == 1 else [ordered[0], ordered[-1]]
        return about + " to ".join(f"{pct:.3f} %".replace("-", "−") for pct in ends)


@dataclass(frozen=True, slots=True)
class OfferedGroup:
    """One configuration of a filing, for all tables or for some."""

    name: str
    tables: str
    pit: str
    offers: tuple[OfferedWager, ...]
    answers: Mapping[str, tuple[str, str, str]]  # key of a line → citation, question, answer as text


def analyses_of(revisions: Iterable[int]) -> dict[tuple[int, int], Content]:
    """Return the analyses of these revisions, in one query and without what was simulated."""
    rows = Simulation.objects.filter(revision__in=list(revisions))
    analyses = rows.values_list("revision_id", "configuration", "analysis")
    return {(revision, place): analysis for revision, place, analysis in analyses if analysis}


def offered_groups(revision: int, content: Content, analyses: Analyses) -> list[OfferedGroup]:
    """Return the configurations of the filing with this primary key and snapshot, in order."""
    configurations = content["configurations"]
    return [
        OfferedGroup(
            name=row["name"],
            tables=row["tables"],
            pit=row.get("pit", ""),
            offers=tuple(_offers(content, row, analyses.get((revision, evidence_index(configurations, place))))),
            answers={line["key"]: (line["citation"], line["question"], line["answer"]) for line in row["lines"]},
        )
        for place, row in enumerate(configurations)
    ]


def _offers(content: Content, row: Content, analysis: Content | None) -> Iterable[OfferedWager]:
    rows = analysis["wagers"] if analysis else []
    names = {wager["key"]: wager["name"] for wager in row["wagers"]}
    for key in dict.fromkeys([*names, *(wager["wager"] for wager in rows)]):
        yield OfferedWager(key, names.get(key, key), _paytable(content, row, key), _holds(rows, key))


def _holds(rows: Iterable[Content], wager: str) -> tuple[WagerHold, ...]:
    return tuple(
        WagerHold(row.get("spot") or "", float(row["hold_pct"]), row["method"] != "exact")
        for row in rows
        if row["wager"] == wager
    )


def _paytable(content: Content, row: Content, wager: str) -> str:
    """Return the wager's paytable and those of its parts, each with its name where there are several."""
    chapter = filed_chapter_or_none(content)
    parts = [part.key for part in chapter.wagers if part.part_of == wager] if chapter else []
    tables = [table for table in row["paytables"] if table["wager"] in (wager, *parts)]
    if len(tables) == 1:
        return str(tables[0]["name"])
    return ", ".join(f"{table['wager_name'].removesuffix(' Wager')}: {table['name']}" for table in tables)
