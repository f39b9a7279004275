"""The parts of a long simulation: ranges of blocks of some seconds' work, so that more urgent jobs come in between.

Not here: dealing them (`simulations`), what becomes of a job with parts (`jobs.division`).
"""

from collections.abc import Collection

from submissions.jobs import division
from submissions.models import Job, Simulation, SimulationPart

WHOLE_BLOCKS = 10  # so many are dealt in one job
PART_BLOCKS = 5


def missing_blocks(simulation: Simulation) -> list[int]:
    """The indexes of the blocks that are not dealt, in order."""
    stored = set(simulation.blocks.values_list("index", flat=True))
    return [index for index in range(simulation.blocks_needed) if index not in stored]


def enqueue_parts(job: Job, simulation: Simulation, missing: Collection[int]) -> None:
    """A job for each part with a missing block, in the caller's transaction. The parts are the same at each call."""
    firsts = sorted({index - index % PART_BLOCKS for index in missing})
    last = simulation.blocks_needed
    parts = (
        SimulationPart(simulation=simulation, first=first, count=min(PART_BLOCKS, last - first)) for first in firsts
    )
    SimulationPart.objects.bulk_create(parts, ignore_conflicts=True)
    rows = SimulationPart.objects.filter(simulation=simulation, first__in=firsts).order_by("first")
    division.enqueue_parts(job, Job.Kind.DEAL, list(rows.values_list("pk", flat=True)))
