"""`manage.py inspect_layout DRAWING 683a [--config FILE] [--licensee NAME] [--json]`: 0 complete, 1 not, 2 bad use.

Compares a drawing with the elements that the chapter and the answers require. Without a licensee, the words that
`draw_layout` prints in place of the name count as the name, and the result says that it was not compared.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from games.commands import BadUse
from games.commands.inputs import read_answers, read_chapter
from portal.checks import SERVICE_TAG
from submissions.core.errors import Refusal
from submissions.layouts.drawing_model import Drawing, PagePlace
from submissions.layouts.inspection.findings import ElementFinding, Inspection, to_json, words_of_report
from submissions.layouts.inspection.inspector import inspect
from submissions.layouts.recognition.drawing_files import read_drawing
from submissions.layouts.required_elements import NAME_OR_LOGO, NO_LICENSEE, ElementStatus, required_elements

_NAME = "licensee's name"
_NOT_COMPARED = "  not compared: {}. Give it with --licensee NAME."
_STATUS_WORDS = {
    ElementStatus.PRESENT: "found",
    ElementStatus.MISSING: "MISSING",
    ElementStatus.TOO_FEW: "TOO FEW",
    ElementStatus.DIFFERENT: "DIFFERENT",
    ElementStatus.TO_BE_JUDGED: "to be judged",
}


class Command(BaseCommand):
    help = "Inspect a drawing of a layout: what it shows of what the chapter and the answers call for."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("drawing", type=Path, help="the drawing: SVG, PDF, PNG or JPEG")
        parser.add_argument("chapter", help="number of the chapter, 683a")
        parser.add_argument("--config", default="", metavar="FILE", help="the answers, as JSON; default: none")
        parser.add_argument("--positions", type=int, default=0, help="at the table; default: as many as are allowed")
        parser.add_argument(
            "--licensee", default="", help="the name that may stand in the place of a logo; not compared without it"
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            read_as, inspection = _inspect(**options)
        except BadUse as problem:
            self._stop(str(problem))
        except Refusal as refusal:
            self._stop(f"{refusal} {refusal.fix} ({refusal.code})")
        not_compared = [] if options["licensee"] else [_NAME]
        if options["json"]:
            report = to_json(inspection) | {"words": words_of_report(read_as), "not_compared": not_compared}
            self.stdout.write(json.dumps(report, indent=2, ensure_ascii=False))
        else:
            lines = [*_lines(options["drawing"].name, inspection), *map(_NOT_COMPARED.format, not_compared)]
            self.stdout.write("\n".join(lines))
        sys.exit(0 if inspection.complete else 1)

    def _stop(self, problem: str) -> None:
        self.stderr.write(problem)
        sys.exit(2)


def _inspect(*, drawing: Path, chapter: str, config: str, **options: Any) -> tuple[Drawing, Inspection]:
    rules = read_chapter(chapter)
    answers = read_answers(config) if config else {}
    if not drawing.is_file():
        raise BadUse(f"{drawing} is not a file. Use: manage.py inspect_layout DRAWING 683a")
    if not 0 <= options["positions"] <= rules.max_positions:
        raise BadUse(f"--positions {options['positions']}: the chapter allows up to {rules.max_positions}")
    needed = required_elements(rules, answers, positions=options["positions"], licensee=options["licensee"])
    if not options["licensee"]:  # other words are for a person to judge, as a logo is: they may be the name
        needed = tuple(
            replace(element, suggested=NO_LICENSEE) if element.key == NAME_OR_LOGO else element for element in needed
        )
    read_as = read_drawing(drawing.name, drawing.read_bytes())
    return read_as, inspect(read_as, needed, rules, answers, licensee=options["licensee"] or NO_LICENSEE)


def _lines(name: str, inspection: Inspection) -> Iterator[str]:
    if not inspection.readable:
        yield f"{name}: cannot be read. There is no text in it; everything is to be judged."
        return
    yield f"{name}: {_verdict(inspection)}."
    wide = max((len(element.required.citation) for element in inspection.elements), default=0)
    for element in inspection.elements:
        yield (
            f"  {_STATUS_WORDS[element.status]:<12}  {element.required.citation:<{wide}}  "
            f"{element.required.element}{_where(element)}"
        )
        if element.explanation:
            yield f"  {'':<12}  {element.explanation}"
    for difference in inspection.differences:
        place = f", {_place(difference.place)}" if difference.place else ""
        yield f"  {difference.kind.replace('_', ' ')}: {difference.message} ({difference.citation}{place})"


def _verdict(inspection: Inspection) -> str:
    if inspection.complete:
        return "complete"
    count = len(inspection.to_be_judged)
    return f"NOT complete, {count} to be judged by a person" if count else "NOT complete"


def _where(element: ElementFinding) -> str:
    if not element.places:
        return ""
    counted = f", {element.times} of {element.required.times}" if element.required.times > 1 else ""
    return f" [{_place(element.places[0])}{counted}]"


def _place(place: PagePlace) -> str:
    x, y = place.box.center
    return f"page {place.page + 1} at {x:.0%} from the left, {y:.0%} from the top"
