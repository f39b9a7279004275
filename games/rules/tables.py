"""Table numbers as a licensee writes them, "12, 14-16", and the set that they name."""

import re

_PART = re.compile(r"(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?")


def table_numbers(text: str) -> frozenset[int]:
    """The tables named; `ValueError` says in words what cannot be read."""
    numbers: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match:
            raise ValueError(f"{part.strip()!r} is not a table number or a range of them")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise ValueError(f"the range {part.strip()!r} runs backwards")
        numbers.update(range(first, last + 1))
    return frozenset(numbers)


def in_ranges(numbers: frozenset[int]) -> str:
    """The numbers in order, neighbors as a range: "12, 14-16"."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in parts)
