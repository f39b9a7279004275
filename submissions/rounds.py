"""Rounds of a filed simulation, told as stories: dealt anew by a thread, kept in the cache, so that pages do not wait.

Not here: how a round is dealt and told (`games.maths.stories`), the page (`web.rounds`).
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection

from games.maths.run import ENGINE, analyze
from games.maths.stories import Story, tell
from games.rules import registry
from submissions.errors import Refusal
from submissions.models import Simulation

log = logging.getLogger(__name__)

PATIENCE = 4  # seconds that a page waits; later it asks again
KEPT = 86_400  # seconds
LONGEST = 300  # seconds after which a telling is taken for dead
_tellers = ThreadPoolExecutor(1, thread_name_prefix="rounds")  # however many ask, one core is busy with it


@dataclass(frozen=True, slots=True)
class Place:
    """Where a round of the whole run lies: rounds are counted from 0, as blocks and the rounds in them are."""

    number: int
    block: int
    index: int


def place_of(simulation: Simulation, number: int) -> Place:
    """`Refusal` where the run has no such round."""
    if not 0 <= number < simulation.rounds:
        raise Refusal(
            "no-such-round",
            f"Round {number:,}: the simulation has rounds 0 to {simulation.rounds - 1:,}.",
            fix="Enter one of them.",
        )
    return Place(number, *divmod(number, simulation.block_rounds))


def told(simulation: Simulation, place: Place) -> Story | None:
    """The round's story; None while it is being dealt. `Refusal` where it cannot be told any more, or not yet."""
    _refuse_untellable(simulation)
    key = f"round:{simulation.seed}:{place.number}"  # the seed follows from the filing and its configuration
    found: Story | str | None = cache.get(key)
    if found is None and cache.add(f"{key}:begun", True, LONGEST):
        wait([_tellers.submit(_tell, key, simulation, place)], PATIENCE)
        found = cache.get(key)
    if isinstance(found, str):
        raise Refusal("round-not-told", found, fix="The portal's operator finds the reason in the log.")
    return found


def _refuse_untellable(simulation: Simulation) -> None:
    revision = simulation.revision
    number = revision.submission.chapter
    if simulation.result is None:
        raise Refusal("no-rounds-yet", "The simulation has not ended yet.", fix="Come back when it has.")
    if registry.chapter(number).digest != revision.rules_digest or simulation.result["engine"] != ENGINE:
        raise Refusal(
            "other-rules",
            f"The rounds were dealt by rules {revision.rules_digest[:12]}… and {simulation.result['engine']}, which "
            "this portal no longer holds: today's would tell another round.",
            fix="The figures stand as frozen; only single rounds can no longer be told.",
        )


def _tell(key: str, simulation: Simulation, place: Place) -> None:
    try:
        chapter = registry.chapter(simulation.revision.submission.chapter)
        answers = simulation.revision.content["configurations"][simulation.configuration]["answers"]
        found = tell(chapter, answers, analyze(chapter, answers), simulation.seed, place.block, place.index)
        cache.set(key, found, KEPT)
    except Exception:
        log.exception("round %s of simulation %s", place.number, simulation.pk)
        cache.set(key, "The round could not be told.", LONGEST)
    finally:
        cache.delete(f"{key}:begun")
        connection.close()
