"""The file in which a chapter says the best play in words of its own, `strategy.toml`, beside its `play.py`.

Such words are those of certain odds, which the file states. Under other odds they are not used: the family computes its
sentences then. Not here: what the words are of (`streets.words`, `turns.sentences`).
"""

import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from games.maths.parameters import ParameterError

FILE = "strategy.toml"


def read_strategy(play_file: str, odds: Mapping[str, Sequence[Fraction]]) -> Mapping[str, Any] | None:
    """What the file says, if it is one for these odds (name → nets, the highest row first), else None; `play_file`: the
    chapter's, "" without such a file. `ParameterError` where it is no TOML or has no odds."""
    if not play_file:
        return None
    try:
        data = tomllib.loads(Path(play_file).with_name(FILE).read_text("utf-8"))
        stated = {name: [Fraction(net) for net in nets] for name, nets in data["odds"].items()}
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise ParameterError(FILE, f"{type(error).__name__}: {error}") from error
    return data if all(stated.get(name) == list(nets) for name, nets in odds.items()) else None
