"""The job that tries a rulemaking, and its stored result.

The key of a result names everything that it depends on: the texts, the rules without them, the versions, the engine. A
result is therefore never out of date; after a change there is none until the rulemaking is tried again. Not here: the
trial itself (`trial`).
"""

from typing import Any

from games import registry
from games.rules.changes import RuleChange
from games.runs.engine import ENGINE
from games.runs.exact_json import to_data
from submissions import permissions
from submissions.core.canonical_json import digest
from submissions.core.errors import Refusal
from submissions.evidence.computations import run_computation, stored_result
from submissions.jobs import leases
from submissions.models import Computation, Job, Person, Rulemaking
from submissions.rulemakings.change_text import before_and_after
from submissions.rulemakings.trial import run_trial, versions_on_trial
from submissions.rulemakings.trial_result import Trial, to_trial
from submissions.rules.effective_rules import rule_change


def changes_of(rulemaking: Rulemaking) -> tuple[RuleChange, ...]:
    """The changes of the rulemaking, by chapter and day."""
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
    """The result for the rulemaking as it is now, or of a published one as it was confirmed; None if there is none."""
    row = Computation.objects.filter(key=_current_key(rulemaking), result__isnull=False).first()
    return to_trial(row.result) if row else None


def trial_job_of(rulemaking: Rulemaking) -> Job | None:
    """The job of the trial as it is now, if it was started."""
    row = Computation.objects.filter(key=_current_key(rulemaking)).values_list("pk", flat=True).first()
    return Job.objects.filter(kind=Job.Kind.TRIAL, subject=row).first() if row else None


def trial_digest(rulemaking: Rulemaking) -> str:
    """SHA-256 of everything that the trial depends on."""
    changes = changes_of(rulemaking)
    return digest({"engine": ENGINE, "changes": [_depends_on(change, changes) for change in changes]})


def result_digest(rulemaking: Rulemaking, sha256: str) -> str:
    """SHA-256 of the stored result itself, for the history; "" if there is none."""
    result = Computation.objects.filter(key=_key(rulemaking, sha256)).values_list("result", flat=True).first()
    return digest(result) if result is not None else ""


def run_trial_job(lease: leases.Lease) -> None:
    """The job."""

    def compute(row: Computation) -> Any:
        rulemaking = Rulemaking.objects.get(pk=row.arguments["rulemaking"])
        if row.key != _key(rulemaking, trial_digest(rulemaking)):
            raise Refusal("trial-outdated", number=rulemaking.number)
        return to_data(run_trial(rulemaking.number, changes_of(rulemaking), lease.beat))

    run_computation(lease, compute)


def _depends_on(change: RuleChange, changes: tuple[RuleChange, ...]) -> dict[str, Any]:
    """Chapters before and after by their digests, and the versions."""
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
