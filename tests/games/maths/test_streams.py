"""The generator against its published numbers; streams that differ."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import chdtrc

from games.compiled import kernel
from games.streams import advance, below, mixed, start


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
