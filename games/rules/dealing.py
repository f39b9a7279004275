"""How the answers say that cards are dealt: by hand from a shoe, from the dealer's hand, by an automated shoe."""

from collections.abc import Mapping
from typing import TypeVar

from games.rules.model import Answers

Way = TypeVar("Way")


def way_dealt(ways: Mapping[str, Way], answers: Answers) -> Way:
    """Of `ways`, by the option that asks for it, the first answered with yes; else the first of all."""
    first, *_ = ways
    return ways[next((option for option in ways if answers.get(option)), first)]
