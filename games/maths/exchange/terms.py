"""The stakes with what combinations pay on the Bet Wager: what the player's decisions and every end depend on.

Not here: what a first hand is paid at once, on the Ante Wager (`ends`).
"""

from dataclasses import dataclass

from games.maths.exchange.combinations import COMBINATIONS, NOTHING, THREE
from games.maths.exchange.rules import NEVER, Stakes
from games.maths.wagers import net_of
from games.rules.model import Paytable


@dataclass(frozen=True, slots=True)
class Terms:
    """`odds[combination]`, to 1; `ValueError` for odds for which the family's strategy does not say when to force."""

    odds: tuple[int, ...]
    stakes: Stakes

    def __post_init__(self) -> None:
        if len(self.odds) != len(COMBINATIONS) or self.odds[NOTHING]:
            raise ValueError(f"the odds are {self.odds}; there is one for each of {', '.join(COMBINATIONS)}, 0 first")
        least = self.stakes.least_forcing
        for name, odds in zip(COMBINATIONS[THREE + 1 :], self.odds[THREE + 1 :], strict=True):
            if odds < least != NEVER:
                raise ValueError(
                    f"{name} pays {odds} to 1; above three-of-a-kind it takes {least} to 1 or more, "
                    "so that a hand with which the dealer is never forced beats pairs only"
                )


def odds_of(table: Paytable) -> tuple[int, ...]:
    """What each combination pays by the paytable of the Bet Wager, to 1; nothing pays nothing."""
    pays = {line.outcome: net_of(line.pays[0], table) for line in table.rows}
    if wrong := [name for name, net in pays.items() if name not in COMBINATIONS or net.denominator > 1]:
        allowed = ", ".join(COMBINATIONS[1:])
        raise ValueError(f"{table.wager} {table.name} pays {wrong[0]!r}; it pays whole odds on {allowed}")
    return tuple(int(pays.get(name, 0)) for name in COMBINATIONS)
