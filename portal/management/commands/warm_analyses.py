"""`manage.py warm_analyses [CHAPTER …]`: compute the exact figures that pages show, before anyone asks for them.

Also compile what other answers will need.
"""

from argparse import ArgumentParser
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import localdate

from games.registry import UnknownChapter
from games.runs.engine import compile_chapter
from portal.checks import TAG
from submissions.filings.evidence import computations
from submissions.rules import chapter_on, chapters_on


class Command(BaseCommand):
    help = (
        "Compute the exact figures of the chapters' paytables that are not computed yet, and compile their mathematics."
    )
    requires_system_checks = [TAG]  # every chapter is loaded here, so here it is said which cannot be

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="687a; all of them if none is named")

    def handle(self, *arguments: Any, **options: Any) -> None:
        try:
            today = localdate()
            chosen = [chapter_on(number, today) for number in options["chapters"]] or chapters_on(today)
        except UnknownChapter as error:
            raise CommandError(str(error)) from None
        for missing in (each for each in chosen if not computations.has_figures(each)):
            begun = perf_counter()
            count = len(computations.compute_figures(missing))
            seconds = perf_counter() - begun
            self.stdout.write(f"Chapter {missing.number}: {count} wagers and paytables in {seconds:.1f} s")
        for chapter in chosen:
            begun = perf_counter()
            if compile_chapter(chapter):
                self.stdout.write(f"Chapter {chapter.number}: compiled in {perf_counter() - begun:.1f} s")
