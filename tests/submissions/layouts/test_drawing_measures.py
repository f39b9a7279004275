"""Lengths on a reference layout: inches, with millimeters beside."""

from __future__ import annotations

import re

import pytest

from games.registry import chapter
from submissions.layouts.reference_drawing.drawing_sheet import layout_svg
from submissions.layouts.reference_drawing.table_shape import length_text, size_text


@pytest.mark.parametrize(
    ("millimeters", "text"), [(508, "20 in (508 mm)"), (6, "0.24 in (6 mm)"), (2540, "100 in (2,540 mm)")]
)
def test_length_is_in_inches_with_millimeters_beside(millimeters: float, text: str) -> None:
    assert length_text(millimeters) == text


def test_size_is_in_inches_with_millimeters_beside() -> None:
    assert size_text(2133.6, 1066.8) == "84 × 42 in (2,134 × 1,067 mm)"


@pytest.mark.parametrize("number", ["683a", "637a"])
def test_no_size_on_a_drawing_is_metric_alone(number: str) -> None:
    texts = re.findall(r">([^<]*\d mm[^<]*)<", layout_svg(chapter(number), {}, licensee="Casino East"))
    assert texts
    assert [text for text in texts if not re.search(r"\d in \([\d,]+( × [\d,]+)? mm\)", text)] == []
