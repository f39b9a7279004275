"""Payout odds as they are printed: each wager's below its name, in columns.

Of a paytable with one column, every outcome is one line of text with its payout; other paytables are small tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from submissions.layouts.reference_drawing import shapes
from submissions.layouts.required_elements import ENVY, STATED_ODDS, PostedOdds
from submissions.layouts.typeface import text_width

HEAD, PITCH, AIR = 1.2, 1.45, 1.5  # in the size of the letters: a title's size, from line to line, after a block
GAP = 2.4  # between columns
NEAR, FAR = 0.4, 1.2  # from an outcome to its payout: in a line, in addition to the space; in columns


@dataclass(frozen=True, slots=True)
class PayoutBlock:
    """One wager's payouts; measures are in the size of its letters."""

    title: str
    heads: tuple[str, ...]  # of the columns, "" if there is one
    lines: tuple[tuple[str, tuple[str, ...]], ...]  # outcome, its payout in each column

    def stops(self) -> list[float]:
        """Return the places where each column begins, and where the last one ends."""
        stops = [max(text_width(outcome, 1) for outcome, _ in self.lines) + FAR]
        for place, head in enumerate(self.heads):
            texts = (head, *(pays[place] for _, pays in self.lines))
            stops.append(stops[-1] + max(text_width(text, 1) for text in texts) + FAR)
        return stops

    @property
    def wide(self) -> float:
        if len(self.heads) > 1:
            return max(text_width(self.title, HEAD), self.stops()[-1])
        rows = [text_width(f"{outcome} {pays[0]}", 1) + NEAR for outcome, pays in self.lines]
        return max([text_width(self.title, HEAD), *rows])

    @property
    def high(self) -> float:
        return HEAD + PITCH * (len(self.lines) + (len(self.heads) > 1)) + AIR


@dataclass(frozen=True, slots=True)
class PayoutColumns:
    """Blocks in columns, from left to right in their order."""

    columns: tuple[tuple[PayoutBlock, ...], ...]
    gap: float = GAP

    @property
    def wide(self) -> float:
        return sum(self.widths()) + self.gap * (len(self.columns) - 1)

    @property
    def high(self) -> float:
        return max(self.heights())

    def widths(self) -> list[float]:
        return [max(block.wide for block in column) for column in self.columns]

    def heights(self) -> list[float]:
        return [sum(block.high for block in column) for column in self.columns]

    def hanging(self) -> PayoutColumns:
        """Return the columns with the highest in the middle, where a round table has most room."""
        ordered = sorted(self.columns, key=lambda column: sum(block.high for block in column))
        return replace(self, columns=(*ordered[::2], *reversed(ordered[1::2])))

    def fits(self, size: float, y: float, half: Callable[[float], float]) -> bool:
        """Return whether the lower corners of all columns, centered, are within `half` the width at their height."""
        left = -self.wide * size / 2
        for wide, high in zip(self.widths(), self.heights(), strict=True):
            if max(-left, left + wide * size) > half(y + high * size):
                return False
            left += (wide + self.gap) * size
        return True


def columns(of: Sequence[PayoutBlock], most: int) -> PayoutColumns:
    """Return the blocks in at most that many columns, as low as possible."""
    high = max(block.high for block in of)
    while len(filled := _filled(of, high)) > most:
        high += PITCH / 2
    return PayoutColumns(tuple(filled))


def draw_columns(of: PayoutColumns, size: float, x: float, y: float) -> str:
    """Draw the columns from the upper left corner."""
    parts = []
    for column in of.columns:
        foot = y
        for block in column:
            parts.append(_drawn(block, size, x, foot))
            foot += block.high * size
        x += (max(block.wide for block in column) + of.gap) * size
    return "".join(parts)


def _filled(of: Sequence[PayoutBlock], high: float) -> list[tuple[PayoutBlock, ...]]:
    filled: list[tuple[PayoutBlock, ...]] = []
    for block in of:
        if filled and sum(part.high for part in (*filled[-1], block)) <= high:
            filled[-1] = (*filled[-1], block)
        else:
            filled.append((block,))
    return filled


def payout_block(odds: PostedOdds) -> PayoutBlock:
    named = odds.table not in (STATED_ODDS, "Paytable") and ":" not in odds.table  # a name, not a remark
    title = f"{odds.wager_name}, {odds.table}" if named else odds.wager_name
    pays = {(outcome, column): said for outcome, column, said in odds.rows}
    outcomes = dict.fromkeys(outcome for outcome, _, _ in odds.rows)
    fullest = max(outcomes, key=lambda outcome: sum(of == outcome for of, _ in pays))  # it has every column, in order
    heads = tuple(column for outcome, column in pays if outcome == fullest and column != ENVY)
    return PayoutBlock(title, heads, tuple((outcome, _paid(outcome, heads, pays)) for outcome in outcomes))


def _paid(outcome: str, heads: Sequence[str], pays: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    """Return the payouts of the outcome, column by column; an Envy Bonus follows the last."""
    cells = tuple(pays.get((outcome, head), "") for head in heads)
    envy = pays.get((outcome, ENVY))
    return (*cells[:-1], f"{cells[-1]}, {ENVY} {envy}") if envy else cells


def _drawn(block: PayoutBlock, size: float, x: float, y: float) -> str:
    title = shapes.text(x, y + size, size * HEAD, block.title, fill=shapes.GOLD, bold=True, anchor="start")
    first = y + size * (HEAD + PITCH * 0.8)
    feet = [first + size * PITCH * place for place in range(len(block.lines) + 1)]
    if len(block.heads) > 1:
        return title + _tabular(block, size, x, feet)
    rows = (
        shapes.payout_line(x, foot, size, outcome, pays[0], gap=NEAR)
        for foot, (outcome, pays) in zip(feet, block.lines, strict=False)
    )
    return title + "".join(rows)


def _tabular(block: PayoutBlock, size: float, x: float, feet: Sequence[float]) -> str:
    """Draw outcomes and columns of their payouts, below the columns' heads."""
    stops = [x + stop * size for stop in block.stops()]
    parts = [
        shapes.text(stop, feet[0], size, head, anchor="start")
        for stop, head in zip(stops, block.heads, strict=False)
        if head
    ]
    for foot, (outcome, pays) in zip(feet[1:], block.lines, strict=True):
        parts.append(shapes.text(x, foot, size, outcome, anchor="start"))
        cells = zip(stops, pays, strict=False)
        parts += [shapes.text(stop, foot, size, said, bold=True, anchor="start") for stop, said in cells if said]
    return "".join(parts)
