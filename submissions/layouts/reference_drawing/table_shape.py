"""The table's shape: its edge, the positions of the players, and the room in its middle.

Millimeters from the middle of the dealer's side, x to the right as the players see it, y towards them. As text, lengths
are in inches, with millimeters beside.
"""

import math
from dataclasses import dataclass

MM = 25.4  # in an inch


def length_text(length: float) -> str:
    """Return a length in millimeters in words: `20 in (508 mm)`."""
    return f"{_inches(length)} in ({length:,.0f} mm)"


def size_text(wide: float, high: float) -> str:
    """Return a size in millimeters in words: `84 × 42 in (2,134 × 1,067 mm)`."""
    return f"{_inches(wide)} × {_inches(high)} in ({wide:,.0f} × {high:,.0f} mm)"


def _inches(length: float) -> str:
    """Return inches to a hundredth, without zeros at the end."""
    return f"{length / MM:,.2f}".rstrip("0").rstrip(".")


RAIL = 90  # the padded edge on the players' side
SIDE = 175  # depth of the dealer's own strip


@dataclass(frozen=True, slots=True)
class HalfMoon:
    """A half circle: dealer on the straight side, players evenly along the arc."""

    positions: int
    wide: float = 84 * MM
    high: float = 42 * MM

    @property
    def radius(self) -> float:
        """Of the felt."""
        return self.wide / 2 - RAIL

    @property
    def between(self) -> float:
        """Degrees from one position to the next."""
        return 140 / self.positions

    def turns(self) -> list[float]:
        """Return the turn of each position in degrees, from the first at the dealer's left to the last at the right."""
        first = -70 + self.between / 2
        return [first + place * self.between for place in range(self.positions)]

    def across(self, inner: float) -> float:
        """Return the width of a position at that distance from the middle."""
        return 2 * inner * math.tan(math.radians(self.between / 2)) - 16

    def room(self, inner: float, y: float) -> float:
        """Return the width of the table's middle, a half circle of radius `inner`, at the height `y`."""
        return 2 * math.sqrt(max(inner**2 - y**2, 0)) - 30

    def edge(self, inset: float) -> str:
        """Return the outline; inset by the rail, which is on the players' side only, that of the felt."""
        radius, foot = self.wide / 2 - inset, self.high - self.wide / 2
        return f"M{-radius:.1f} 0V{foot:.1f}A{radius:.1f} {radius:.1f} 0 0 0 {radius:.1f} {foot:.1f}V0Z"

    def arc(self, radius: float, sweep: float) -> str:
        """Return an arc around the middle, `sweep` degrees to either side."""
        foot, angle = self.high - self.wide / 2, math.radians(sweep)
        x, y = radius * math.sin(angle), foot + radius * math.cos(angle)
        return f"M{-x:.1f} {y:.1f}A{radius:.1f} {radius:.1f} 0 0 0 {x:.1f} {y:.1f}"

    def position(self, turn: float) -> tuple[float, float]:
        """Return the middle of the rail before a position."""
        reach, angle = self.wide / 2 - RAIL / 2, math.radians(turn)
        return -reach * math.sin(angle), reach * math.cos(angle)


@dataclass(frozen=True, slots=True)
class Oval:
    """An oval: the dealer in the middle of one long side, the players around the rest."""

    positions: int
    wide: float = 96 * MM
    high: float = 44 * MM

    def turns(self) -> list[float]:
        return [(place + 0.5) / self.positions for place in range(self.positions)]

    def room(self, inner: float, y: float) -> float:
        """Return the width of the felt's straight part at the height `y`; 0 near the players."""
        return self.wide - self.high if y <= self.high - inner else 0

    def edge(self, inset: float) -> str:
        radius, flat = self.high / 2 - inset, (self.wide - self.high) / 2
        top, foot = inset, self.high - inset
        arc = f"A{radius:.1f} {radius:.1f} 0 0"
        return f"M{-flat:.1f} {top:.1f}{arc} 0 {-flat:.1f} {foot:.1f}H{flat:.1f}{arc} 0 {flat:.1f} {top:.1f}Z"

    def position(self, turn: float) -> tuple[float, float]:
        """Return the point at that share of the rail, from the dealer's left around, without the dealer's place."""
        radius, flat = self.high / 2 - RAIL / 2, (self.wide - self.high) / 2
        own = 330
        straight, bend, foot = flat - own, math.pi * radius, 2 * flat
        way = turn * (2 * straight + 2 * bend + foot)
        if way < straight:
            return own + way, RAIL / 2
        if way < straight + bend:
            return self._bend(flat, radius, (way - straight) / radius)
        if way < straight + bend + foot:
            return flat - (way - straight - bend), self.high - RAIL / 2
        if way < straight + 2 * bend + foot:
            x, y = self._bend(flat, radius, math.pi - (way - straight - bend - foot) / radius)
            return -x, y
        return -flat + (way - straight - 2 * bend - foot), RAIL / 2

    def _bend(self, flat: float, radius: float, angle: float) -> tuple[float, float]:
        return flat + radius * math.sin(angle), self.high / 2 - radius * math.cos(angle)


Table = HalfMoon | Oval
