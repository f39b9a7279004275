"""Variants of the reference drawings: what is changed on which chapter's drawing, and what the inspection must say.

`texts.toml` has words that are printed in addition, in a strip of felt below the table; `changes.toml` has changes of
the drawing itself. A variant that breaks a rule must not be complete; a harmless one must be. `probes.toml` names those
that every run inspects.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tests.submissions.layouts.inspection.test_round_trip import drawn

HERE = Path(__file__).parent
STRIP = 500  # height, in the drawing's units
TEXT = '<text x="{x}" y="{y}" {size}fill="#ffffff" {attributes}>{words}</text>'
FIGURE = re.compile(r"<(circle|rect|path|ellipse|polygon)[^>]*/>")
MOVE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")
LETTERS = re.compile(r">([^<>{}@]+)<")
Change = tuple[str, Any]  # a key of `CHANGES`, with its values


@dataclass(frozen=True)
class Variant:
    """A change of a chapter's reference drawing. `breaks_rule`: it must not be complete."""

    chapter: str
    kind: str
    name: str
    breaks_rule: bool
    changes: tuple[Change, ...]
    needs_review: bool = False  # it breaks no rule, but only a person can know that

    @property
    def content(self) -> str:
        svg = drawn(self.chapter)
        for key, values in self.changes:
            changed = CHANGES[key](svg, *values)
            assert changed != svg or key == "strip", f"{self.chapter}, {self.name}: {key} changes nothing"
            svg = changed
        return svg


@cache
def variants() -> tuple[Variant, ...]:
    return (*_texts(), *_changes())


def _texts() -> Iterator[Variant]:
    """Each text alone in the strip."""
    for row in _rows("texts.toml", "texts"):
        for text in row["printed"]:
            change = ("strip", [[[200, 200, text]]])
            review = text in row.get("needs_review", ())
            yield Variant(row["chapter"], row["kind"], text, row["breaks_rule"], (change,), review)


def _changes() -> Iterator[Variant]:
    for row in _rows("changes.toml", "changes"):
        for name, *steps in row["each"]:
            changes = tuple((key, values) for step in steps for key, values in step.items())
            review = name in row.get("needs_review", ())
            for chapter in row["chapters"]:
                yield Variant(chapter, row["kind"], name, row["breaks_rule"], changes, review)


def _rows(file: str, key: str) -> list[Mapping[str, Any]]:
    rows: list[Mapping[str, Any]] = tomllib.loads((HERE / file).read_text(encoding="utf-8"))[key]
    return rows


def strip(svg: str, lines: Sequence[Any]) -> str:
    """With a strip of felt below the drawing that has these lines: (x, y, words, attributes) or SVG."""
    high = float(re.search(r'viewBox="0 0 2600 ([\d.]+)"', svg)[1])  # type: ignore[index]
    svg = svg.replace(f'viewBox="0 0 2600 {high:g}"', f'viewBox="0 0 2600 {high + STRIP:g}"')
    svg = svg.replace(f'height="{high:g}mm"', f'height="{high + STRIP:g}mm"')
    shown = "".join(line if isinstance(line, str) else _text(*line) for line in lines)
    felt = f'<rect x="0" y="0" width="2600" height="{STRIP}" fill="#1f5c3f"/>'
    return svg.replace("</svg>", f'<g transform="translate(0 {high:g})">{felt}{shown}</g></svg>')


def _text(x: float, y: float, words: str, attributes: str = "") -> str:
    size = "" if "font-size" in attributes else 'font-size="24" '
    words = words if words.startswith("<") else escape(words)
    return TEXT.format(x=x, y=y, size=size, attributes=attributes, words=words)


def replace(svg: str, old: str, new: str) -> str:
    return svg.replace(old, new)


def replace_first(svg: str, old: str, new: str) -> str:
    return svg.replace(old, new, 1)


def pattern(svg: str, old: str, new: str) -> str:
    return re.sub(old, new, svg, flags=re.DOTALL)


def pattern_first(svg: str, old: str, new: str) -> str:
    return re.sub(old, new, svg, count=1, flags=re.DOTALL)


def beside(svg: str, words: str, added: str) -> str:
    """With this SVG after the text that has the words, in the same group."""
    return re.sub(rf"<text [^>]*>{re.escape(words)}</text>", lambda text: text[0] + added, svg)


def rewrite(svg: str, words: str, new: str) -> str:
    """With this SVG for the text that has the words."""
    return re.sub(rf"<text [^>]*>{re.escape(words)}</text>", lambda _: new, svg)


def styled(svg: str, words: str, attributes: str) -> str:
    """With these attributes of the text that has the words."""
    return re.sub(rf"<text ([^>]*>{re.escape(words)}</text>)", lambda text: f"<text {attributes} {text[1]}", svg)


def capitals(svg: str) -> str:
    return LETTERS.sub(lambda text: text[0] if "font-face" in text[1] else f">{_upper(text[1])}<", svg)


def _upper(text: str) -> str:
    return text.upper().replace("&AMP;", "&amp;")


def drop_area(svg: str, key: str, positions: Sequence[int]) -> str:
    return _each(svg, key, positions, lambda _: "")


def drop_figure(svg: str, key: str, positions: Sequence[int]) -> str:
    return _each(svg, key, positions, lambda group: FIGURE.sub("", group))


def relabel(svg: str, key: str, positions: Sequence[int], old: str, new: str) -> str:
    return _each(svg, key, positions, lambda group: group.replace(old, new))


def copy_area(
    svg: str, key: str, positions: Sequence[int], right: float, down: float, old: str = "", new: str = ""
) -> str:
    """With another area beside the one at these seats; with `new` for `old` in it."""

    def twin(group: str) -> str:
        moved = MOVE.sub(lambda at: f"translate({float(at[1]) + right:g} {float(at[2]) + down:g})", group, count=1)
        return group + (moved.replace(old, new) if old else moved)

    return _each(svg, key, positions, twin)


def move_area(svg: str, key: str, positions: Sequence[int], x: float, y: float) -> str:
    return _each(svg, key, positions, lambda group: MOVE.sub(f"translate({x:g} {y:g})", group, count=1))


def _each(svg: str, key: str, positions: Sequence[int], changed: Callable[[str], str]) -> str:
    """With the areas of the element changed at these positions, from 1; at all of them if none is named."""
    number = 0

    def one_area(group: re.Match[str]) -> str:
        nonlocal number
        number += 1
        return changed(group[0]) if not positions or number in positions else group[0]

    return re.sub(rf'<g data-element="{re.escape(key)}".*?</g>', one_area, svg, flags=re.DOTALL)


CHANGES: Mapping[str, Callable[..., str]] = {
    change.__name__: change
    for change in (
        strip, replace, replace_first, pattern, pattern_first, beside, rewrite, styled, capitals, drop_area,
        drop_figure, relabel, copy_area, move_area,
    )
}  # fmt: skip
