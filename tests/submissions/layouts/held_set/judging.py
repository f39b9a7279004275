"""The drawings of the held set, and what the inspection says of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from games.registry import chapter
from submissions.layouts.drawing_model import Drawing
from submissions.layouts.inspection.findings import DifferenceKind, Inspection
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.recognition import pdf, picture, svg
from submissions.layouts.required_elements import DEFICIENT, ElementStatus, required_elements
from tests.soak import SOAK
from tests.submissions.layouts.held_set import pdf_styles, picture_styles, svg_styles
from tests.submissions.layouts.held_set.composition import Item, compose
from tests.submissions.layouts.held_set.sheets import complete, customary, filing, law, numbers
from tests.submissions.layouts.held_set.violations import VIOLATIONS

Style = Callable[[Sequence[Item]], bytes]
Reader = Callable[[bytes], Drawing]
VECTOR: dict[str, Style] = {**svg_styles.STYLES, **pdf_styles.STYLES}
RECOGNIZED: dict[str, Style] = {**svg_styles.OUTLINED, **picture_styles.STYLES}  # their letters are recognized
CUSTOMARY: dict[str, Style] = {
    "SVG customary words": svg_styles.by_hand,
    "PDF customary words": pdf_styles.report_lab,
    "SVG other customary words": svg_styles.by_hand,
}
WORDS = {style: "other_customary" if "other" in style else "customary" for style in CUSTOMARY}  # parts of `law.toml`
STYLES: dict[str, Style] = VECTOR | CUSTOMARY | RECOGNIZED
BEGINS: dict[bytes, Reader] = {b"%PDF": pdf.read, b"\x89PNG": picture.read, b"\xff\xd8": picture.read}
COMPLETE = ""
FOR_REVIEW = (DifferenceKind.UNCLEAR, DifferenceKind.UNEXPLAINED)  # nobody is accused; a person decides


@dataclass(frozen=True, slots=True)
class HeldDrawing:
    """`violation` is empty if the layout is complete."""

    style: str
    number: str
    violation: str

    def content(self) -> bytes:
        sheet = complete(self.number)
        changed = VIOLATIONS[self.violation](sheet) if self.violation else sheet
        assert changed, f"{self.number} has nothing that {self.violation} breaks"
        return STYLES[self.style](compose(customary(changed, words) if (words := WORDS.get(self.style)) else changed))


@dataclass(frozen=True, slots=True)
class Judgment:
    """`missing` and `different`: statements that the layout lacks something or is wrong. `unsure`: to be judged."""

    drawing: HeldDrawing
    complete: bool
    missing: tuple[str, ...]
    different: tuple[str, ...]
    unsure: tuple[str, ...]

    @property
    def all_findings(self) -> frozenset[str]:
        return frozenset((*self.missing, *self.different, *self.unsure))

    @property
    def accuses(self) -> bool:
        return bool(self.missing or self.different)


def drawings(styles: Sequence[str] = tuple(STYLES), *, whole: bool = bool(SOAK)) -> Iterator[HeldDrawing]:
    """Each style with every chapter complete, and with every violation once, the chapters in turn.

    Pictures take time: of them, each violation is in every third style, unless the `whole` set is wanted.
    """
    for offset, style in enumerate(STYLES):
        if style in styles:
            yield from (HeldDrawing(style, number, COMPLETE) for number in numbers())
            for place, name in enumerate(VIOLATIONS):
                if whole or style not in RECOGNIZED or (place + offset) % 3 == 0:
                    yield HeldDrawing(style, _breakable(name, place + 5 * offset), name)


def _breakable(name: str, first: int) -> str:
    """The first chapter from that place on in which the violation is possible."""
    every = numbers()
    candidates = (every[place % len(every)] for place in count(first))
    return next(number for number in candidates if VIOLATIONS[name](complete(number)))


def judge_drawing(drawing: HeldDrawing) -> Judgment:
    """Read by the reader of its kind, without the isolated process, which takes a second to start; and inspected."""
    content, answers, rules = drawing.content(), filing(drawing.number), chapter(drawing.number)
    licensee = law()["licensee"]
    needed = required_elements(rules, answers, licensee=licensee)
    read = next((kind for begin, kind in BEGINS.items() if content.startswith(begin)), svg.read)
    return _judgment(drawing, inspect(read(content), needed, rules, answers, licensee=licensee))


def _judgment(drawing: HeldDrawing, result: Inspection) -> Judgment:
    differences = [(each.kind, f"{each.kind} {each.message}") for each in result.differences]
    unsure = (*result.to_be_judged, *(() if result.readable else result.elements))
    return Judgment(
        drawing=drawing,
        complete=result.complete,
        missing=tuple(
            f"{element.required.key} {element.status}" + f" {element.times}"
            for element in result.of(*DEFICIENT)
            if element.status != ElementStatus.DIFFERENT
        ),
        different=tuple(said for kind, said in differences if kind not in FOR_REVIEW),
        unsure=(
            *(f"{element.required.key} {element.explanation}" for element in unsure),
            *(said for kind, said in differences if kind in FOR_REVIEW),
        ),
    )
