"""Long enumerations: one set of cards for all renamings of suits, work divided between threads, results kept on disk.

A set of cards and what a renaming of the four suits makes of it count alike wherever suits only have to be equal: a
walk over all sets, and the weight of the one that represents its orbit. Compiled loops let other threads run, and the
result is the same. Results lie beside the compiled code, in the directory named by the digest of every source of this
package (`games.maths`), so a changed source never meets an old result. Anything but the sources that a name's arrays
are computed from must be part of the name.
"""

import os
import threading
import zipfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from games.compiled import kernel
from games.maths.cards import JOKER, JOKER_DECK

RENAMINGS = 24
_SUIT = 0x1FFF  # the ranks of one suit, as bits


@kernel
def next_cards(chosen: NDArray[np.int64], deck: int = JOKER_DECK) -> bool:
    """Move on to the next set of rising cards of a deck, in place; return False after the last."""
    size = len(chosen)
    place = size - 1
    while place >= 0 and chosen[place] == deck - size + place:
        place -= 1
    if place < 0:
        return False
    chosen[place] += 1
    for after in range(place + 1, size):
        chosen[after] = chosen[after - 1] + 1
    return True


@kernel
def orbit_size(shared: NDArray[np.int64]) -> int:
    """Return the number of sets that a renaming of the four suits turns this one into, itself included.

    It is 0 unless the set is the canonical one of its orbit, whose suits are in falling order of their ranks taken as
    bits.
    """
    suits = 0  # four times 13 bits
    for card in shared:
        if card < JOKER:
            suits |= 1 << (13 * (card & 3) + (card >> 2))
    size, run = RENAMINGS, 1
    for suit in range(1, 4):
        ranks, before = suits >> 13 * suit & _SUIT, suits >> 13 * (suit - 1) & _SUIT
        if ranks > before:
            return 0
        run = run + 1 if ranks == before else 1
        size //= run
    return size


SHARES: Final = 2  # as many as the smallest machine for the portal has cores
Part = TypeVar("Part")


def in_shares(work: Callable[[int], Part]) -> list[Part]:
    """Return `work(share)` of every share from 0 to `SHARES` − 1, computed side by side."""
    with ThreadPoolExecutor(SHARES) as pool:
        return list(pool.map(work, range(SHARES)))


Arrays = dict[str, NDArray[np.generic]]

_COMPUTING = threading.RLock()  # two threads that ask at once shall not both compute; one result may need another


def cached_arrays(name: str, compute: Callable[[], Mapping[str, NDArray[np.generic]]]) -> Arrays:
    """Return the arrays kept under the name; else they are computed and kept.

    A file that cannot be read is computed again, a directory that cannot be written is done without.
    """
    path = Path(os.environ["NUMBA_CACHE_DIR"]) / f"{name}.npz"
    with _COMPUTING:
        arrays = _read(path)
        if arrays is None:
            arrays = dict(compute())
            _write(path, arrays)
        return arrays


def _read(path: Path) -> Arrays | None:
    try:
        with np.load(path) as arrays:  # each array is checked against its CRC
            return {key: arrays[key] for key in arrays}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        return None


def _write(path: Path, arrays: Arrays) -> None:
    """Write the whole file or nothing: other processes never see a part of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            try:
                np.savez(file, allow_pickle=False, **arrays)
                file.close()
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError:
        pass  # nothing is lost but the time to compute it again
