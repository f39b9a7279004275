"""The exact figures of a chapter's paytables, kept in the cache: a page never waits for an analysis.

One entry per rules digest and engine, so that changed rules are computed anew. `warm_analyses` fills it at
start; what is missing all the same is computed by a thread, once, while the page says so.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from threading import Thread

from django.core.cache import cache
from django.db import connection

from games.maths.results import WagerAnalysis
from games.maths.run import ENGINE, analyze
from games.rules.model import Chapter

log = logging.getLogger(__name__)

Figures = Mapping[tuple[str, str], WagerAnalysis]
"""(key of a wager's analysis, paytable) → it; empty where the mathematics failed."""

KEPT = None  # for ever: the key names the rules and the engine
LONGEST = 300  # seconds after which a computation is taken for dead


def of_every_paytable(chapter: Chapter) -> Figures | None:
    """Every paytable of every wager; None while somebody computes it."""
    found: tuple[WagerAnalysis, ...] | None = cache.get(_key(chapter))
    if found is None:
        if cache.add(f"{_key(chapter)}:begun", True, LONGEST):
            Thread(target=_compute_apart, args=(chapter,), name=f"analysis-of-{chapter.number}", daemon=True).start()
        return None
    return {(row.key, row.paytable): row for row in found}


def compute(chapter: Chapter) -> Figures:
    """Compute and keep, here and now."""
    found = analyze(chapter, None).wagers
    cache.set(_key(chapter), found, KEPT)
    return {(row.key, row.paytable): row for row in found}


def is_kept(chapter: Chapter) -> bool:
    return cache.get(_key(chapter)) is not None


def _compute_apart(chapter: Chapter) -> None:
    try:
        compute(chapter)
    except Exception:
        log.exception("analysis of chapter %s", chapter.number)
        cache.set(_key(chapter), (), LONGEST)  # pages say that there are no figures, and it is tried again later
    finally:
        connection.close()


def _key(chapter: Chapter) -> str:
    return f"analysis:{chapter.number}:{chapter.digest[:32]}:{ENGINE}".replace(" ", "-")
