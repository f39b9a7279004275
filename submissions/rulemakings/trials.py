"""A rulemaking tried on every approved version in the state before anyone is bound by it.

Holds are fractions of the money wagered, of the wagers whose rules changed and of no others; equal configurations of
several licensees are computed once (`figure_key`). Reads versions, changes nothing. The result is stored as exact JSON
(`games.maths.export`) under a key that names everything that it depends on, so it is never out of date; after a change
there is none until the rulemaking is tried again.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from fractions import Fraction
from threading import Lock
from typing import Any, cast

from games import registry
from games.maths.export import exact_data, exact_reader
from games.maths.results import WagerAnalysis
from games.rules.changes import RuleChange
from games.rules.differences import RuleDifference
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter, Period, Wager
from games.rules.wagers_in_play import with_wagers
from games.runs.engine import ENGINE
from games.runs.used_figures import relevant_answers
from submissions import permissions
from submissions.core.configurations import tables_of
from submissions.core.digests import canonical_json, digest
from submissions.core.errors import Refusal
from submissions.filings.evidence.computations import run_computation, stored_result
from submissions.filings.versions import EffectivePeriod, VersionState, effective_periods
from submissions.jobs import leases
from submissions.layouts.required_facts import updates_by_rules
from submissions.models import Computation, Job, Organization, Person, Revision, Rulemaking, Version
from submissions.rulemakings.rule_changes import before_and_after, differences
from submissions.rules import rule_change

PER_TOTAL, PER_WAGER = "total wagered", "wager"


@dataclass(frozen=True, slots=True)
class WagerTrial:
    """A wager's theoretical hold before and after; None on the side where it is not offered or cannot be computed."""

    wager: str
    name: str
    paytable: str
    spot: str
    before: Fraction | None
    after: Fraction | None
    estimated: bool
    per: str  # what the hold is a share of

    @property
    def change(self) -> Fraction | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class PaperChange:
    """Paper that must be updated, with the reasons. `if_odds_repeated`: a layout that prints no odds need not."""

    part: str
    why: tuple[str, ...]
    if_odds_repeated: bool


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One table group of one approved version: what the change means for it."""

    version: int  # primary key
    receipt: str
    submission: str
    licensee: str
    slug: str
    group: str
    tables: str
    holds: tuple[WagerTrial, ...]
    findings: tuple[str, ...]  # that would block
    questions: tuple[str, ...]  # lines that are not answered yet
    papers: tuple[PaperChange, ...]

    @property
    def needs_simulation(self) -> bool:
        """Return whether the simulation of the version no longer shows what its wagers pay."""
        return bool(self.holds)

    @property
    def effects(self) -> tuple[str, ...]:
        """Return the kinds of effect; none if nothing changes for these tables."""
        kinds = [("hold", self.holds), ("findings", self.findings), ("questions", self.questions)]
        return (
            *(kind for kind, rows in kinds if rows),
            *(paper.part for paper in self.papers if not paper.if_odds_repeated),
        )

    @property
    def largest_change(self) -> Fraction:
        """Return the largest change of the hold of any wager, for sorting."""
        return max((abs(hold.change) for hold in self.holds if hold.change is not None), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A difference of the chapter, as `games.rules.differences` says it."""

    kind: str
    citation: str
    subject: str
    part: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangeTrial:
    """One change. `computed`: distinct configurations whose figures were computed; `problem`: why some were not."""

    chapter: str
    title: str
    effective: str  # ISO
    differences: tuple[DifferenceRow, ...]
    rows: tuple[TrialRow, ...]
    computed: int
    problem: str

    @property
    def affected(self) -> tuple[TrialRow, ...]:
        return tuple(row for row in self.rows if row.effects)

    @property
    def licensees(self) -> int:
        return len({row.slug for row in self.rows})

    @property
    def affected_licensees(self) -> int:
        return len({row.slug for row in self.affected})


@dataclass(frozen=True, slots=True)
class Trial:
    """The whole rulemaking."""

    rulemaking: str
    changes: tuple[ChangeTrial, ...]

    @property
    def rows(self) -> tuple[tuple[ChangeTrial, TrialRow], ...]:
        return tuple((change, row) for change in self.changes for row in change.rows)


to_trial: Callable[[Any], Trial] = exact_reader(Trial)


def changed_wagers(before: Chapter, after: Chapter) -> tuple[str, ...]:
    """Return the wagers whose figures may differ, in the chapter's order; all after a change of their shared basis."""
    keys = tuple(dict.fromkeys(_whole(wager) for chapter in (after, before) for wager in chapter.wagers))
    if _shared(before) != _shared(after):
        return keys
    changed = [key for key in keys if _rules_of(before, key) != _rules_of(after, key)]
    required = {_whole(wager) for wager in (*before.wagers, *after.wagers) if wager.required}
    return keys if required & set(changed) else tuple(changed)


def figure_key(chapter: Chapter, answers: Answers) -> str:
    """Return everything in the answers that a figure depends on: equal keys have equal figures."""
    chosen = {wager.paytable_option for wager in chapter.wagers} | {wager.offered_by for wager in chapter.wagers}
    keys = (chosen | {"house_way"}) & answers.keys()
    return canonical_json({**relevant_answers(chapter, answers), **{key: answers[key] for key in keys}})


def hold_changes(
    before: Chapter, after: Chapter, wagers: tuple[str, ...], answers: Answers
) -> tuple[tuple[WagerTrial, ...], str]:
    """Return the wagers offered whose outcomes or holds differ; and why no new hold is given, "" if it is."""
    was = _figures(before, wagers, answers)
    try:
        now, problem = _figures(after, wagers, answers), ""
    except Exception as error:
        now, problem = {}, f"The portal's mathematics cannot compute the changed wagers: {error}."
    rows = []
    for key in dict.fromkeys((*now, *was)):
        old, new = was.get(key), now.get(key)
        if not (old and new and _same(old, new)):
            rows.append(_change(after if new else before, new or old, old, new))
    return tuple(rows), problem


def without_mathematics(before: Chapter, after: Chapter) -> str:
    """Return why the figures of a wager that the change adds cannot be computed; "" without such a wager."""
    added = {wager.key for wager in after.wagers} - {wager.key for wager in before.wagers}
    for wager in (wager for wager in after.wagers if wager.key in added and not wager.part_of):
        try:
            registry.play(after.number).analyze(with_wagers(after, {wager.key}), None)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return f"The portal's mathematics of chapter {after.number} does not have the {wager.name} ({reason})."
    return ""


def _figures(chapter: Chapter, wagers: tuple[str, ...], answers: Answers) -> dict[tuple[str, str], WagerAnalysis]:
    rows = registry.play(chapter.number).analyze(with_wagers(chapter, wagers), answers)
    return {(row.key, row.paytable): row for row in rows}


def _same(old: WagerAnalysis, new: WagerAnalysis) -> bool:
    """Return whether a simulation of one shows the other: equal outcomes with equal nets and chances."""
    was, now = ([(row.outcome, row.probability, row.net, row.wagered) for row in side.outcomes] for side in (old, new))
    return old.hold == new.hold and was == now


def _change(chapter: Chapter, row: Any, old: WagerAnalysis | None, new: WagerAnalysis | None) -> WagerTrial:
    """Return the change of a wager; `row`: one of the two that there is."""
    return WagerTrial(
        wager=row.wager,
        name=chapter.wager(row.wager).name,
        paytable=row.paytable,
        spot=row.spot,
        before=old.hold if old else None,
        after=new.hold if new else None,
        estimated=any(side is not None and side.method != "exact" for side in (old, new)),
        per=PER_TOTAL if row.required else PER_WAGER,
    )


def _shared(chapter: Chapter) -> tuple[object, ...]:
    """Return what every wager's figures may depend on."""
    lines = [option for option in chapter.options if option.changes_figures]
    plain = [replace(line, citation="", question="", help="", period=Period()) for line in lines]
    return (chapter.max_positions, plain, chapter.house_ways)


def _rules_of(chapter: Chapter, key: str) -> list[object]:
    """Return a wager with its parts and their paytables, without what cannot change a figure."""
    records: list[object] = []
    for wager in (wager for wager in chapter.wagers if _whole(wager) == key):
        records.append(replace(wager, citation="", size="", settled="", period=Period()))
        records += [replace(table, citation="", period=Period()) for table in chapter.tables_of(wager.key)]
    return records


def _whole(wager: Wager) -> str:
    return wager.part_of or wager.key


CORES = 2  # changes of different chapters at a time: the kernels let go of the interpreter


@dataclass(slots=True)
class ChapterTrial:
    """One change on its way: the chapter without and with it, its versions, and what was computed already."""

    change: RuleChange
    before: Chapter
    after: Chapter
    rule_differences: tuple[RuleDifference, ...]
    versions: Sequence[EffectivePeriod]
    wagers: tuple[str, ...] = ()
    figures: dict[str, tuple[WagerTrial, ...]] = field(default_factory=dict)
    papers: dict[str, tuple[PaperChange, ...]] = field(default_factory=dict)
    problem: str = ""  # the first of the figures

    def run(self, done: Callable[[], None]) -> ChangeTrial:
        self.wagers = changed_wagers(self.before, self.after)
        rows = [row for period in self.versions for row in self._rows(period, done)]
        return ChangeTrial(
            chapter=self.after.number,
            title=self.after.title,
            effective=self.change.effective.isoformat(),
            differences=tuple(
                DifferenceRow(row.kind_name, row.citation, row.subject, row.part, row.before, row.after)
                for row in self.rule_differences
            ),
            rows=tuple(rows),
            computed=len(self.figures),
            problem=self.problem or without_mathematics(self.before, self.after),
        )

    def _rows(self, period: EffectivePeriod, done: Callable[[], None]) -> list[TrialRow]:
        rows = []
        for place in range(len(_content(period)["configurations"])):
            rows.append(self._row(period.version, _content(period), place))
            done()
        return rows

    def _row(self, version: Version, content: dict[str, Any], place: int) -> TrialRow:
        configuration, revision = content["configurations"][place], cast(Revision, version.revision)
        answers = configuration["answers"]
        findings, questions = self._findings(content, place)
        return TrialRow(
            version=version.pk,
            receipt=revision.receipt,
            submission=revision.submission.number,
            licensee=version.organization.name,
            slug=version.organization.slug,
            group=configuration["name"],
            tables=configuration["tables"],
            holds=self._holds(answers),
            findings=findings,
            questions=questions,
            papers=self._papers(answers),
        )

    def _findings(self, content: dict[str, Any], place: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what blocks under the change and did not before: findings, and lines that are not answered."""
        rows = content["configurations"]
        answers, tables = rows[place]["answers"], tables_of(place, [row["tables"] for row in rows])
        was = {finding.rule for finding in judge(self.before, answers, tables=tables).blocking}
        now = [finding for finding in judge(self.after, answers, tables=tables).blocking if finding.rule not in was]
        findings, questions = (
            tuple(f"{finding.message} {finding.citation}" for finding in now if finding.unanswered == unanswered)
            for unanswered in (False, True)
        )
        return findings, questions

    def _holds(self, answers: Answers) -> tuple[WagerTrial, ...]:
        if not self.wagers:
            return ()
        key = figure_key(self.before, answers) + figure_key(self.after, answers)
        if key not in self.figures:
            self.figures[key], problem = hold_changes(self.before, self.after, self.wagers, answers)
            self.problem = self.problem or problem
        return self.figures[key]

    def _papers(self, answers: Answers) -> tuple[PaperChange, ...]:
        key = canonical_json(answers)
        if key not in self.papers:
            self.papers[key] = paper_changes(self.before, self.after, answers)
        return self.papers[key]


def run_trial(number: str, changes: Sequence[RuleChange], beat: Callable[[int, int], None]) -> Trial:
    """Return the trial of the changes; about once a second `beat` gets the table groups that are done, and all."""
    trials = []
    for change in changes:
        before, after = before_and_after(change, changes)
        trials.append(ChapterTrial(change, before, after, differences(change, changes), versions_on_trial(change)))
    total = sum(len(_content(period)["configurations"]) for trial in trials for period in trial.versions)
    counter, lock = [0], Lock()

    def done() -> None:
        with lock:
            counter[0] += 1

    with ThreadPoolExecutor(CORES) as pool:
        running = [pool.submit(trial.run, done) for trial in trials]
        while wait(running, timeout=1).not_done:
            beat(counter[0], total)
        results = tuple(future.result() for future in running)
    beat(total, total)
    return Trial(number, results)


def versions_on_trial(change: RuleChange) -> list[EffectivePeriod]:
    """Return the versions of the chapter in effect or scheduled on the change's first day, by licensee."""
    licensees = {"organization__kind": Organization.Kind.LICENSEE, "organization__sandbox_of": None}
    rows = Version.objects.filter(chapter=change.number, revision__isnull=False, **licensees)
    rows = rows.select_related("organization", "revision__submission").order_by("organization__name", "from_day", "pk")
    counted = (VersionState.IN_FORCE, VersionState.SCHEDULED)
    return [period for period in effective_periods(rows) if period.state(change.effective) in counted]


def paper_changes(before: Chapter, after: Chapter, answers: Answers) -> tuple[PaperChange, ...]:
    """Return the papers of these answers that show something else; a layout may repeat the odds of the sign."""
    silent, repeated = updates_by_rules(before, after, answers)
    certain = {update.part for update in silent}
    return tuple(PaperChange(str(update.part.value), update.why, update.part not in certain) for update in repeated)


def _content(period: EffectivePeriod) -> dict[str, Any]:
    return cast(Revision, period.version.revision).content


def changes_of(rulemaking: Rulemaking) -> tuple[RuleChange, ...]:
    """Return the changes of the rulemaking, by chapter and day."""
    return tuple(rule_change(rulemaking.number, row.text) for row in rulemaking.changes.all())


def try_rulemaking(actor: Person, rulemaking: Rulemaking) -> None:
    """Have the rulemaking tried as it is now, unless it was."""
    permissions.require_allowed(permissions.may_write(actor))
    if not rulemaking.is_draft:
        raise Refusal("trial-of-draft", number=rulemaking.number)
    if not rulemaking.changes.exists():
        raise Refusal("rulemaking-empty", number=rulemaking.number)
    key = _key(rulemaking, trial_digest(rulemaking))
    stored_result(Job.Kind.TRIAL, key, {"rulemaking": rulemaking.pk})


def trial_of(rulemaking: Rulemaking) -> Trial | None:
    """Return the result for the rulemaking as it is now, or of a published one as confirmed; None without one."""
    row = Computation.objects.filter(key=_current_key(rulemaking), result__isnull=False).first()
    return to_trial(row.result) if row else None


def trial_job_of(rulemaking: Rulemaking) -> Job | None:
    """Return the job of the trial as it is now, if it was started."""
    row = Computation.objects.filter(key=_current_key(rulemaking)).values_list("pk", flat=True).first()
    return Job.objects.filter(kind=Job.Kind.TRIAL, subject=row).first() if row else None


def trial_digest(rulemaking: Rulemaking) -> str:
    """Return the SHA-256 of everything that the trial depends on."""
    changes = changes_of(rulemaking)
    return digest({"engine": ENGINE, "changes": [_depends_on(change, changes) for change in changes]})


def result_digest(rulemaking: Rulemaking, sha256: str) -> str:
    """Return the SHA-256 of the stored result itself, for the history; "" without one."""
    result = Computation.objects.filter(key=_key(rulemaking, sha256)).values_list("result", flat=True).first()
    return digest(result) if result is not None else ""


def run_trial_job(lease: leases.Lease) -> None:
    """Run the job."""

    def compute(row: Computation) -> Any:
        rulemaking = Rulemaking.objects.get(pk=row.arguments["rulemaking"])
        if row.key != _key(rulemaking, trial_digest(rulemaking)):
            raise Refusal("trial-outdated", number=rulemaking.number)
        return exact_data(run_trial(rulemaking.number, changes_of(rulemaking), lease.beat))

    run_computation(lease, compute)


def _depends_on(change: RuleChange, changes: tuple[RuleChange, ...]) -> dict[str, Any]:
    """Return the chapters before and after by their digests, and the versions."""
    sides = [
        [chapter.digest, registry.words(chapter).digest, digest(dict(chapter.sections))]
        for chapter in before_and_after(change, changes)
    ]
    versions = [period.version.pk for period in versions_on_trial(change)]
    return {"chapter": change.number, "effective": change.effective.isoformat(), "sides": sides, "versions": versions}


def _current_key(rulemaking: Rulemaking) -> str:
    return _key(rulemaking, rulemaking.trial_sha256 or trial_digest(rulemaking))


def _key(rulemaking: Rulemaking, sha256: str) -> str:
    return f"trial:{rulemaking.number}:{sha256}"
