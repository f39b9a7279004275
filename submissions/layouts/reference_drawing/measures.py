"""Lengths as a layout states them: in inches, with millimeters beside.

The drawing itself is in millimeters. Not here: the size of a table (`table_shape`).
"""

MM = 25.4  # in an inch


def length_text(length: float) -> str:
    """A length in millimeters in words: `20 in (508 mm)`."""
    return f"{_inches(length)} in ({length:,.0f} mm)"


def size_text(wide: float, high: float) -> str:
    """A size in millimeters in words: `84 × 42 in (2,134 × 1,067 mm)`."""
    return f"{_inches(wide)} × {_inches(high)} in ({wide:,.0f} × {high:,.0f} mm)"


def _inches(length: float) -> str:
    """To a hundredth of an inch, without zeros at the end."""
    return f"{length / MM:,.2f}".rstrip("0").rstrip(".")
