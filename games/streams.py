"""The random numbers of a simulation: a stream follows from (seed, block) alone.

SplitMix64 (Steele, Lea and Flood, 2014): the state walks by a constant, each draw is a mix of the state. A kernel
keeps the state as a scalar: `state = advance(state)`, then `below(state, n)` for a number from 0 to n − 1.
Reducing 32 bits to n favours no number by more than n in 2³² (8 in 10⁸ for a shoe of 312 cards).

The walk passes every state once before the first comes again. A run begins where its seed says, and each of its blocks
`DRAWS` steps after the one before: the draws of two blocks of a run cannot be the same.
"""

import numpy as np

from games.compiled import helper

GENERATOR = "SplitMix64/2"
SEED_LIMIT = 2**63
DRAWS, BLOCKS = 2**44, 2**20
"""What a block may draw at most, and how many blocks a run may have: together the whole walk."""

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@helper
def mixed(state: np.uint64) -> np.uint64:
    """Return 64 bits that look like chance, a bijection of the state."""
    bits = (state ^ (state >> _30)) * _MIX_1
    bits = (bits ^ (bits >> _27)) * _MIX_2
    return bits ^ (bits >> _31)


@helper
def start(seed: int, block: int) -> np.uint64:
    """Return the state before the first draw of stream (seed, block), below `SEED_LIMIT` and below `BLOCKS`."""
    return mixed(np.uint64(seed) + _GAMMA) + np.uint64(block) * np.uint64(DRAWS) * _GAMMA


@helper
def advance(state: np.uint64) -> np.uint64:
    """Return the state of the next draw."""
    return state + _GAMMA


@helper
def below(state: np.uint64, limit: int) -> np.int64:
    """Return the draw of this state as a number from 0 to limit − 1, for limits up to some thousands."""
    return np.int64(((mixed(state) >> _32) * np.uint64(limit)) >> _32)
