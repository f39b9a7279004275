"""How a downloaded row remembers what its cells said: what comes back tells which of them a person changed.

The column holds eight signs of the SHA-256 of each cell's text, by the name of its column. It protects nothing: what
may be changed is asked when it is changed. Not here: what a cell's text is (`xlsx_rows`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

COLUMN = "(as downloaded)"


def stamp(texts: Mapping[str, str]) -> str:
    """What stands in the column: the cells by the names of their columns."""
    return json.dumps({name: _digest(text) for name, text in texts.items()}, separators=(",", ":"))


def changed(stamped: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The cells that say something else now, those that were cleared too.

    Raises:
        ValueError, RecursionError: the stamp is none.
    """
    digests = json.loads(stamped)
    if not isinstance(digests, dict):
        raise ValueError("not a stamp")
    return {name: text for name, text in texts.items() if _digest(text) != digests.get(name, _digest(""))}


def _digest(text: str) -> str:
    return sha256(text.strip().encode()).hexdigest()[:8]
