"""What a chapter's analyses and simulations run, compiled before anyone waits for it: up to half a minute a chapter.

Not here: how compiled code is kept (`games.maths`), the figures that are shipped (`shipped_figures`).
"""

import os
import platform
from pathlib import Path

import numba

from games import registry
from games.rules.model import Chapter
from games.rules.wagers_in_play import covering
from games.runs.engine import computed_wagers

SEED, ROUNDS = 1, 1_000


def compile_chapter(chapter: Chapter) -> bool:
    """Compile all that a configuration with every wager needs. False if nothing was done: it is compiled, or nothing
    can be kept where the compiled code lies."""
    mark = _mark(chapter.number)
    if mark.exists() or not _creates(mark.parent):
        return False
    answers, play = covering(chapter)[0], registry.play(chapter.number)
    computed_wagers(chapter, answers)
    if play.deals_rounds:
        play.simulate_block(chapter, answers, SEED, 0, ROUNDS)
    mark.touch()
    return True


def _mark(number: str) -> Path:
    """Of this source (the folder's name is its digest), this Python and this compiler."""
    name = f"{number}-python-{platform.python_version()}-numba-{numba.__version__}.compiled"
    return Path(os.environ["NUMBA_CACHE_DIR"]) / name


def _creates(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
