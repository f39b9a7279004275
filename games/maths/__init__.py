"""Cards, hands, exact counts, optimal play, simulation, statistics: families of games, not games.

Numba keeps compiled kernels and renews one when its own file changes, but not when a constant or a helper
that it took from another file does: old machine code would then give wrong figures in silence. So compiled code
is kept under the digest of every source of this package, in NUMBA_CACHE_DIR or beside the sources.
"""

import hashlib
import os
from pathlib import Path

_HERE = Path(__file__).parent


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted(_HERE.rglob("*.py")):
        digest.update(path.relative_to(_HERE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _keep_compiled_code_apart() -> None:
    """Set the variable that Numba reads when it is first imported; a child process finds it set already."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or _HERE / "__pycache__")
    if folder.name != (digest := _digest()):
        os.environ["NUMBA_CACHE_DIR"] = str(folder / digest)


_keep_compiled_code_apart()
