"""Rounds of a filed simulation, replayed by a job: the same cards and decisions, step by step.

Not here: how a round is dealt and replayed (`games.runs.replay`), the page (`web.evidence`).
"""

from dataclasses import dataclass
from typing import Any

from games.runs.engine import ENGINE, analyze
from games.runs.exact_json import reader, to_data
from games.runs.replay import Replay, replay_round
from submissions.core.errors import Refusal
from submissions.evidence.computations import ComputationStopped, run_computation, stored_result
from submissions.jobs.leases import Lease
from submissions.models import Computation, Job, Simulation
from submissions.rules.rules_day import filed_chapter

_read_round = reader(Replay)


@dataclass(frozen=True, slots=True)
class RoundIndex:
    """The position of a round in the whole run: rounds are counted from 0, as blocks and the rounds in them are."""

    number: int
    block: int
    index: int


def round_index(simulation: Simulation, number: int) -> RoundIndex:
    """The position of this round; a `Refusal` if the run has no such round."""
    if not 0 <= number < simulation.rounds:
        raise Refusal("no-such-round", number=number, last=simulation.rounds - 1)
    return RoundIndex(number, *divmod(number, simulation.block_rounds))


def replayed_round(simulation: Simulation, place: RoundIndex) -> Replay | None:
    """The round, or None until it is dealt. A `Refusal` if it cannot be replayed, or not yet."""
    _refuse_other_rules(simulation)
    arguments = {"simulation": simulation.pk, "round": place.number}
    try:
        data = stored_result(Job.Kind.REPLAY, f"round:{simulation.pk}:{place.number}", arguments)
    except ComputationStopped:
        raise Refusal("round-not-told") from None
    return None if data is None else _read_round(data)


def run_replay(lease: Lease) -> None:
    """The job of one round."""
    run_computation(lease, _replay)


def _refuse_other_rules(simulation: Simulation) -> None:
    revision = simulation.revision
    if simulation.result is None:
        raise Refusal("no-rounds-yet")
    if filed_chapter(revision).digest != revision.rules_digest or simulation.result["engine"] != ENGINE:
        raise Refusal("other-rules", rules_digest=revision.rules_digest[:12], engine=simulation.result["engine"])


def _replay(row: Computation) -> Any:
    simulation = Simulation.objects.select_related("revision__submission").get(pk=row.arguments["simulation"])
    _refuse_other_rules(simulation)
    place = round_index(simulation, row.arguments["round"])
    content = simulation.revision.content
    chapter = filed_chapter(simulation.revision, content)
    answers = content["configurations"][simulation.configuration]["answers"]
    return to_data(replay_round(chapter, answers, analyze(chapter, answers), simulation.seed, place.block, place.index))
