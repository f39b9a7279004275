"""The generator against its published numbers; draws that do not depend on each other; streams that do not overlap.

Not found here: a dependence of more than two draws.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import chdtrc

from games.compiled import kernel
from games.streams import BLOCKS, DRAWS, advance, below, mixed, start


@kernel
def _draws(seed, block, limit, counts):
    state = start(seed, block)
    for _ in range(1_000_000):
        state = advance(state)
        counts[below(state, limit)] += 1


@kernel
def _states(seed, block, found):
    state = start(seed, block)
    for place in range(len(found)):
        found[place] = state
        state = advance(state)


@kernel
def _published(found):
    state = np.uint64(0)
    for place in range(len(found)):
        state = advance(state)
        found[place] = mixed(state)


def test_splitmix_gives_its_published_numbers():
    found = np.zeros(3, np.uint64)
    _published(found)
    assert [hex(number) for number in found] == ["0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f"]


@pytest.mark.parametrize("limit", [2, 53, 312])
def test_below_favours_no_number(limit):
    counts = np.zeros(limit, np.int64)
    _draws(7, 3, limit, counts)
    expected = counts.sum() / limit
    assert chdtrc(limit - 1, ((counts - expected) ** 2 / expected).sum()) > 0.0001


def test_streams_differ_by_seed_and_by_block():
    starts = set()
    for seed in (0, 1, 2, 2**63 - 1):
        for block in range(50):
            found = np.zeros(1, np.uint64)
            _states(seed, block, found)
            starts.add(int(found[0]))
    assert len(starts) == 200


@kernel
def _pairs(seed, block, later, ahead, limit, counts):
    """Count pairs: the draw, and one that comes `later` in the stream that is so many blocks `ahead`."""
    state, paired = start(seed, block), start(seed, block + ahead)
    for _ in range(later):
        paired = advance(paired)
    for _ in range(2_000_000):
        state, paired = advance(state), advance(paired)
        counts[below(state, limit), below(paired, limit)] += 1


# The next draws; those of the next round, with 4 or 14 cards; the same draw of later blocks.
@pytest.mark.parametrize(
    ("later", "ahead"), [(1, 0), (2, 0), (3, 0), (4, 0), (14, 0), (0, 1), (0, 2), (1, 1), (0, 2**10), (0, 2**19)]
)
@pytest.mark.parametrize("limit", [13, 52])
def test_draws_do_not_depend_on_each_other(later, ahead, limit):
    counts = np.zeros((limit, limit), np.int64)
    _pairs(38, 5, later, ahead, limit, counts)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    assert chdtrc((limit - 1) ** 2, ((counts - expected) ** 2 / expected).sum()) > 0.0001


def test_blocks_of_a_run_cannot_overlap():
    """Every state is so many steps after the first: blocks begin `DRAWS` steps apart, and these fill the whole walk."""
    walk = 2**64
    step = (int(advance(np.uint64(0))) % walk, -1, walk)
    for seed in (0, 1, 2**63 - 1):
        with np.errstate(over="ignore"):  # the walk is a circle
            starts = [int(start(seed, block)) for block in (0, 1, 2, 1_000, BLOCKS - 1)]
        places = [(begun - starts[0]) * pow(*step) % walk for begun in starts]
        assert places == [0, DRAWS, 2 * DRAWS, 1_000 * DRAWS, (BLOCKS - 1) * DRAWS]
    assert walk == BLOCKS * DRAWS
