"""A rulemaking tried on every approved version in the state before anyone is bound by it.

For each change: the versions in effect or scheduled on its first day; for each of their table groups the holds before
and after, the findings that would block, the lines not answered yet, and the layouts, signs and guides to update. Equal
configurations of several licensees are computed once. Reads versions, changes nothing. Not here: the job and its stored
result (`trial_job`).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, cast

from games.rules.changes import RuleChange
from games.rules.chapter_diff import RuleDifference
from games.rules.evaluate import judge
from games.rules.model import Answers, Chapter
from submissions.core.canonical_json import canonical_json
from submissions.core.table_ranges import tables_of
from submissions.filings.effective_periods import EffectivePeriod, VersionState, effective_periods
from submissions.layouts.required_facts import facts_shown
from submissions.layouts.staleness import updates_between
from submissions.models import Organization, Revision, Version
from submissions.rulemakings.change_text import before_and_after, differences
from submissions.rulemakings.trial_figures import changed_wagers, figure_key, hold_changes, without_mathematics
from submissions.rulemakings.trial_result import (
    ChangeTrial,
    DifferenceRow,
    PaperChange,
    Trial,
    TrialRow,
    WagerTrial,
)

CORES = 2  # changes of different chapters at a time: the kernels let go of the interpreter
Beat = Callable[[int, int], None]
"""Called with the table groups that are done, and all of them."""


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
            differences=tuple(map(_difference, self.rule_differences)),
            rows=tuple(rows),
            computed=len(self.figures),
            problem=self.problem or without_mathematics(self.before, self.after),
        )

    def _rows(self, period: EffectivePeriod, done: Callable[[], None]) -> list[TrialRow]:
        revision = cast(Revision, period.version.revision)
        content, rows = revision.content, []
        for place, configuration in enumerate(content["configurations"]):
            rows.append(self._row(period.version, content, place, configuration))
            done()
        return rows

    def _row(self, version: Version, content: dict[str, Any], place: int, configuration: dict[str, Any]) -> TrialRow:
        answers = configuration["answers"]
        findings, questions = self._findings(content, place)
        revision = cast(Revision, version.revision)
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
        """What blocks under the change and did not before: the findings, and the lines that are not answered."""
        rows = content["configurations"]
        answers, tables = rows[place]["answers"], tables_of(place, [row["tables"] for row in rows])
        was = {finding.rule for finding in judge(self.before, answers, tables=tables).blocking}
        now = [finding for finding in judge(self.after, answers, tables=tables).blocking if finding.rule not in was]
        words = [(finding.unanswered, f"{finding.message} {finding.citation}") for finding in now]
        return tuple(text for unanswered, text in words if not unanswered), tuple(
            text for unanswered, text in words if unanswered
        )

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


def run_trial(number: str, changes: Sequence[RuleChange], beat: Beat) -> Trial:
    """The trial of the rulemaking's changes; `beat` is called about once a second."""
    trials = [chapter_trial(change, changes) for change in changes]
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


def chapter_trial(change: RuleChange, also: Sequence[RuleChange]) -> ChapterTrial:
    """The change with the chapter of both sides and the versions that it is tried on."""
    before, after = before_and_after(change, also)
    return ChapterTrial(change, before, after, differences(change, also), versions_on_trial(change))


def versions_on_trial(change: RuleChange) -> list[EffectivePeriod]:
    """The versions of the chapter in effect or scheduled on the change's first day, by licensee."""
    licensees = {"organization__kind": Organization.Kind.LICENSEE, "organization__sandbox_of": None}
    rows = Version.objects.filter(chapter=change.number, revision__isnull=False, **licensees)
    rows = rows.select_related("organization", "revision__submission").order_by("organization__name", "from_day", "pk")
    counted = (VersionState.IN_FORCE, VersionState.SCHEDULED)
    return [period for period in effective_periods(rows) if period.state(change.effective) in counted]


def paper_changes(before: Chapter, after: Chapter, answers: Answers) -> tuple[PaperChange, ...]:
    """The papers of these answers that show something else; a layout may repeat the odds of the sign."""
    silent = updates_between(
        facts_shown(before, answers, odds_repeated=False), facts_shown(after, answers, odds_repeated=False)
    )
    certain = {update.part for update in silent}
    updates = updates_between(facts_shown(before, answers), facts_shown(after, answers))
    return tuple(PaperChange(str(update.part.value), update.why, update.part not in certain) for update in updates)


def _content(period: EffectivePeriod) -> dict[str, Any]:
    return cast(Revision, period.version.revision).content


def _difference(row: RuleDifference) -> DifferenceRow:
    return DifferenceRow(row.kind_name, row.citation, row.subject, row.part, row.before, row.after)
