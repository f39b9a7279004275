"""The differences between two filings, line by line, with their effect; and the filings that are compared.

They are computed from two snapshots (`filings.snapshot`) and the exact figures of their simulations. Two
filings may group their tables differently, so each set of tables that shares a configuration both before and after is
compared as one. A hold is a percentage of all money wagered, as frozen with the filing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games.rules.evaluate import judge
from games.rules.export import finding_data
from games.rules.lists import format_tables, parse_tables
from games.rules.model import Chapter, Finding
from submissions.core.configurations import evidence_index
from submissions.core.digests import Content
from submissions.filings.evidence import computations
from submissions.filings.hold_findings import findings_by_place
from submissions.filings.snapshot import JsonObject, build_snapshot
from submissions.filings.versions import latest_version
from submissions.models import Person, Revision, Simulation, Submission

NOT_OFFERED, NOT_COMPUTED = "not offered", "not computed yet"
DIGITS = Decimal("0.0001")  # of a percentage
MINUS, SPACE = "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class HoldDiff:
    """One wager: its paytable and its hold as text; `change` in percentage points, "" where there is none."""

    wager: str
    paytable_before: str
    paytable_after: str
    before: str
    after: str
    change: str
    estimated: bool = False  # at least one of the two

    @property
    def differs(self) -> bool:
        if self.paytable_before != self.paytable_after:
            return True
        return self.before != self.after and NOT_COMPUTED not in (self.before, self.after)

    @property
    def paytable(self) -> str:
        """Return the names of the paytables: "Paytable A", "Paytable A → Paytable B"."""
        names = dict.fromkeys(filter(None, (self.paytable_before, self.paytable_after)))
        return " → ".join(names)


@dataclass(frozen=True, slots=True)
class PaytableDiff:
    """A wager's paytable that is another now; `rows`: (outcome, pays before, pays after, whether that differs)."""

    wager: str
    before: str
    after: str
    rows: tuple[tuple[str, str, str, bool], ...]


def holds(was: Content, now: Content, before: Content | None, after: Content | None) -> Iterator[HoldDiff]:
    """Yield every wager offered before or after, in the order of the later filing.

    `before` and `after` are the exact figures.
    """
    old, new = _figures(was, before), _figures(now, after)
    for key in dict.fromkeys([*new, *old]):
        name, *_ = new.get(key) or old[key]
        words = [_hold_of(rows.get(key)) for rows in (old, new)]
        yield HoldDiff(
            wager=name,
            paytable_before=old[key][1] if key in old else "",
            paytable_after=new[key][1] if key in new else "",
            before=words[0],
            after=words[1],
            change=_change(old.get(key), new.get(key)),
            estimated=any(key in rows and (rows[key][2] or {}).get("method") == "estimate" for rows in (old, new)),
        )


def paytables(was: Content, now: Content) -> Iterator[PaytableDiff]:
    """Yield the paytables in use on both sides that differ, row by row."""
    old, new = ({table["wager"]: table for table in row["paytables"]} for row in (was, now))
    for wager in (wager for wager in new if wager in old):
        rows_before, rows_after = _rows(old[wager]), _rows(new[wager])
        if rows_before != rows_after or old[wager]["name"] != new[wager]["name"]:
            pairs = [
                (outcome, rows_before.get(outcome, "–"), rows_after.get(outcome, "–"))
                for outcome in dict.fromkeys([*rows_after, *rows_before])
            ]
            rows = tuple((outcome, left, right, left != right) for outcome, left, right in pairs)
            yield PaytableDiff(new[wager]["wager_name"], old[wager]["name"], new[wager]["name"], rows)


_Figure = tuple[str, str, Content | None]  # the wager's name, its paytable, its row of the analysis


def _figures(row: Content, analysis: Content | None) -> dict[tuple[str, str], _Figure]:
    """Return (wager, spot) → its figure; without an analysis every wager offered, not computed."""
    names = {wager["key"]: wager["name"] for wager in row["wagers"]}
    chosen = {table["wager"]: table["name"] for table in row["paytables"]}
    if analysis is None:
        return {(key, ""): (name, chosen.get(key, ""), None) for key, name in names.items()}
    figures: dict[tuple[str, str], _Figure] = {}
    for figure in analysis["wagers"]:
        spot, name = figure.get("spot") or "", names.get(figure["wager"], str(figure["wager"]))
        figures[figure["wager"], spot] = (f"{name}: {spot}" if spot else name, figure["paytable"] or "", figure)
    return figures


def _hold_of(figure: _Figure | None) -> str:
    if figure is None:
        return NOT_OFFERED
    return f"{_exact(figure[2])}{SPACE}%".replace("-", MINUS) if figure[2] else NOT_COMPUTED


def _change(old: _Figure | None, new: _Figure | None) -> str:
    if not (old and new and old[2] and new[2]):
        return ""
    change = _exact(new[2]) - _exact(old[2])
    return f"{change:+}".replace("-", MINUS) if change else ""


def _exact(row: Content) -> Decimal:
    """Return the hold with the four decimals that are shown; `change` is the difference of the shown values."""
    return Decimal(str(row["hold_pct"])).quantize(DIGITS)


def _rows(table: Content) -> dict[str, str]:
    """Outcome → what it pays, all columns and the envy bonus in one cell."""
    return {
        cells[0]: ", ".join([" / ".join(cells[1:]), *([f"envy bonus {envy}"] if envy else [])])
        for cells, envy in zip(table["rows"], table["envy"], strict=True)
    }


Analyses = Mapping[int, Content]
"""Place of a configuration that was simulated → the exact figures of its run."""

NOT_ASKED, NOT_ANSWERED = "not asked", "not answered"


@dataclass(frozen=True, slots=True)
class FilingSide:
    """One side: what was frozen, and the figures that there are."""

    content: Content
    analyses: Analyses
    on_holds: Sequence[Sequence[Finding]] = ()  # for each configuration

    def findings(self, place: int, *, with_holds: bool) -> list[Content]:
        """Return what was frozen, and what the figures say: a side without figures says nothing of its holds."""
        on_holds = self.on_holds[place] if with_holds and self.on_holds else ()
        return [*self.content["configurations"][place]["findings"], *map(finding_data, on_holds)]

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
    """A difference for the same tables: `tables` names them, `before` and `after` are the names of their groups."""

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
        """The number of lines that are answered differently, counted once for each set of tables."""
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
    """Yield each set of tables that shares a configuration before and after, with both indexes.

    As (index before, index after, tables); None = all other tables.
    """
    olds, news = _named(before), _named(after)
    named = frozenset[str]().union(*olds, *news)
    # The first configuration of a side has the tables that its others do not name.
    olds[0], news[0] = named.difference(*olds), named.difference(*news)
    yield 0, 0, None
    for new, old in product(range(len(news)), range(len(olds))):
        if shared := olds[old] & news[new]:
            yield old, new, shared


def _named(filing: FilingSide) -> list[frozenset[str]]:
    """Return the tables that each configuration names; a group without numbers is represented by its pit or name."""
    rows = filing.content["configurations"]
    named = (parse_tables(row["tables"]) or {_pit(row) or row["name"]} for row in rows[1:])
    return [frozenset(), *map(frozenset, named)]


def _groups(before: FilingSide, after: FilingSide) -> Iterator[tuple[str, str, str]]:
    """Yield the named groups whose tables are not what they were."""
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
    both = bool(before.analysis(old) and after.analysis(new))
    findings_before, findings_now = before.findings(old, with_holds=both), after.findings(new, with_holds=both)
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
        new_findings=_only(findings_now, findings_before, "rule", "message"),
        settled=_only(findings_before, findings_now, "rule", "message"),
        places=(old, new),
    )


def _in_words(shared: frozenset[str] | None, before: FilingSide, after: FilingSide) -> str:
    if shared is None:
        several = any(len(side.content["configurations"]) > 1 for side in (before, after))
        return "All other tables" if several else "All tables"
    numbers = frozenset(table for table in shared if " " not in table and table == table.upper())
    places = sorted(shared - numbers)
    word = "Table" if len(numbers) == 1 else "Tables"
    return ", ".join(filter(None, (f"{word} {format_tables(numbers)}" if numbers else "", *places)))


def _lines(was: Content, now: Content) -> Iterator[LineDiff]:
    """Yield the changed lines in the order of the later filing, then those it no longer asks."""
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
    """Return the rows of `these` whose words no row of `those` has."""
    these_by_words, those_by_words = ({itemgetter(*words)(row): row for row in rows} for rows in (these, those))
    return tuple(row for key, row in these_by_words.items() if key not in those_by_words)


def base_revision(revision: Revision) -> Revision | None:
    """Return the filing to compare with: the version amended or in force at filing, else the filing before."""
    version, submission = getattr(revision, "version", None), revision.submission  # no version before its approval
    versions = _versions(submission).order_by("-version__from_day", "-version__pk")
    if version:
        versions = versions.filter(version__pk__lt=version.pk)
    return versions.first() or _earlier(revision).first()


def comparable_revisions(revision: Revision) -> list[Revision]:
    """Return the filings to compare with: all versions of the licensee's game, and the submission's earlier filings."""
    versions = _versions(revision.submission).exclude(pk=revision.pk).order_by("-version__pk")
    return list({version.pk: version for version in (*versions, *_earlier(revision))}.values())


def compare_revisions(before: Revision, after: Revision) -> FilingDiff:
    """Return the differences with the exact figures of both, as far as they are computed."""
    figures = _analyses(before, after)
    return diff_filings(*(_side(filing.content, figures.get(filing.pk, {})) for filing in (before, after)))


def _side(content: Content, analyses: Analyses) -> FilingSide:
    return FilingSide(content, analyses, findings_by_place(content, analyses))


def compare_draft(before: Revision, chapter: Chapter, content: JsonObject) -> FilingDiff:
    """Compare with the content of a draft, and the figures of its answers as far as they are computed."""
    return diff_filings(
        _side(before.content, _analyses(before).get(before.pk, {})),
        _side(content, draft_figures(chapter, content)),
    )


def draft_content(draft: Submission, chapter: Chapter, by: Person) -> JsonObject:
    """Return what would be frozen now."""
    return build_snapshot(draft, chapter, number=0, by=by, at=timezone.now(), attestation="", engine="")


def base_revision_of_draft(submission: Submission) -> Revision | None:
    """Return the revision that a draft amends or would replace; else the submission's own last filing."""
    last = latest_version(submission.organization, submission.chapter)
    return (last.revision if last else None) or submission.revisions.first()


def _versions(submission: Submission) -> QuerySet[Revision]:
    """Return the filings of the versions of the licensee's game."""
    game = {"version__organization": submission.organization_id, "version__chapter": submission.chapter}
    return Revision.objects.filter(**game).select_related("submission", "version")


def _earlier(revision: Revision) -> QuerySet[Revision]:
    """Return the earlier filings of the same submission."""
    return Revision.objects.filter(submission_id=revision.submission_id, number__lt=revision.number)


def draft_figures(chapter: Chapter, content: JsonObject) -> dict[int, JsonObject]:
    """Place → figures, in the form in which a filing's are stored; a job computes those that are missing."""
    places: dict[int, JsonObject] = {}
    for place, row in enumerate(content["configurations"]):
        answers = row["answers"]
        figures = computations.figures_of(chapter, answers)
        if figures or not chapter.paytables:  # without paytables no wager is made against the house: there are none
            judgment = judge(chapter, answers)
            places[place] = computations.analysis_in_use(chapter, judgment, answers, figures or {})
    return places


def _analyses(*revisions: Revision) -> dict[int, dict[int, JsonObject]]:
    """Revision → place → figures, in one query, without the tallies beside them."""
    analyses: dict[int, dict[int, JsonObject]] = {}
    rows = Simulation.objects.filter(revision__in=revisions, analysis__isnull=False)
    for revision, place, analysis in rows.values_list("revision_id", "configuration", "analysis"):
        analyses.setdefault(revision, {})[place] = analysis or {}
    return analyses
