"""What collecting the tests touches: nothing is to be computed, loaded or started before the first test runs.

An audit hook notes it in every process that collects, from the first conftest to the end of the collection.
`tests/health/test_collection.py` holds the list to be empty.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = str(ROOT / "games" / "chapters")
COMPILED = (".nbi", ".nbc")  # numba opens them when a compiled function is first called
STARTED = {"subprocess.Popen", "os.fork", "os.posix_spawn", "sqlite3.connect", "socket.connect"}

touched: list[str] = []
_collecting = False


def begin() -> None:
    """Note what is touched from now on."""
    global _collecting
    if not _collecting:
        sys.addaudithook(_note)
    _collecting = True


def end() -> None:
    global _collecting
    _collecting = False


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if not _collecting:
        return
    path = arguments[0] if event == "open" and isinstance(arguments[0], str) else ""
    if path.startswith(CHAPTERS) and path.endswith((".toml", ".md")):
        touched.append(f"{path.removeprefix(CHAPTERS)} loaded by {_importing() or 'pytest'}")
    elif (event in STARTED or path.endswith(COMPILED)) and _importing().startswith("tests"):
        touched.append(f"{event} {arguments[0]} by {_importing()}")


def _importing() -> str:
    """The module that is being imported; what a library or the product does for its own import is not a test's."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        if frame.f_code.co_name == "<module>":
            return str(frame.f_globals.get("__name__", ""))
    return ""
