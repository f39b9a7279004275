"""`manage.py draw_layout 683a OUT.svg [--config FILE] [--licensee NAME]`: offline; exit status 0 drawn, 2 bad use."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.timezone import localdate

from games.commands import BadUse
from games.commands.inputs import read_answers
from games.registry import UnknownChapter, chapter
from games.rules.model import Answers, Chapter
from portal.checks import SERVICE_TAG
from submissions.core.dates import date_text
from submissions.layouts.reference_drawing.drawing_sheet import Caption, layout_svg
from submissions.layouts.required_elements import NO_LICENSEE

LARGEST = 1_000_000  # bytes of a configuration


class Command(BaseCommand):
    help = "Draw the reference layout of a game's table as SVG, without network or database."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("chapter", help="683a")
        parser.add_argument("out", type=Path, metavar="OUT.svg", help="the file to write")
        parser.add_argument(
            "--config", type=Path, metavar="FILE", help="the options as JSON; none are chosen without it"
        )
        parser.add_argument("--licensee", default=NO_LICENSEE, metavar="NAME", help="the name on the felt")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        try:
            game = chapter(options["chapter"], localdate())
            answers = configuration(options["config"], game) if options["config"] else {}
            caption = Caption("Draft", date_text(localdate()))
            svg = layout_svg(game, answers, licensee=options["licensee"], caption=caption)
            out.write_text(svg, "utf-8")
        except (UnknownChapter, BadUse) as error:
            self._refuse(str(error))
        except OSError as error:
            self._refuse(f"{out} cannot be written: {error.strerror}.")
        self.stdout.write(f"{out}: the layout of {game.title}, chapter {game.number}")

    def _refuse(self, message: str) -> None:
        self.stderr.write(message)
        sys.exit(2)


def configuration(path: Path, of: Chapter) -> Answers:
    """Return the options in that file; `BadUse` if the chapter does not have them."""
    if path.is_file() and path.stat().st_size > LARGEST:
        raise BadUse(f"{path}: is too large to be a configuration")
    answers = read_answers(str(path))
    if unknown := sorted(answers.keys() - {option.key for option in of.options}):
        raise BadUse(f"{path}: chapter {of.number} has no option {', '.join(unknown)}.")
    return answers
