"""Results of long enumerations, kept on disk beside the compiled code that computed them.

They lie in the directory named by the digest of every source of this package (`games.maths`), so a changed source
never meets an old result. Anything but the sources that a name's arrays are computed from must be part of the name.
"""

import os
import threading
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[np.generic]]

_COMPUTING = threading.RLock()  # two threads that ask at once shall not both compute; one result may need another


def cached_arrays(name: str, compute: Callable[[], Mapping[str, NDArray[np.generic]]]) -> Arrays:
    """The arrays kept under the name; else they are computed and kept. A file that cannot be read is computed again,
    a directory that cannot be written is done without."""
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
    """All or nothing: other processes see the whole file or none."""
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
