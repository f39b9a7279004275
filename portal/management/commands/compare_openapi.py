"""`manage.py compare_openapi EARLIER.yaml LATER.yaml`: exit status 0 compatible, 1 breaking changes, 2 bad use."""

import lzma
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand

from submissions.api.framework.description_changes import as_markdown, changes_between


class Command(BaseCommand):
    help = "Compare two descriptions of the API, and print the changes as Markdown."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("earlier", type=Path, metavar="EARLIER.yaml", help="as it was; .xz is read, too")
        parser.add_argument("later", type=Path, metavar="LATER.yaml", help="as it is now")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            before, after = (yaml.load(_text(options[name]), yaml.CSafeLoader) for name in ("earlier", "later"))
            changes = changes_between(before, after)
        except (OSError, lzma.LZMAError, yaml.YAMLError, KeyError, TypeError, AttributeError) as error:
            self.stderr.write(f"The descriptions cannot be read: {error}. Give two OpenAPI files as YAML.")
            sys.exit(2)
        self.stdout.write(as_markdown(changes))
        sys.exit(any(change.breaking for change in changes))


def _text(path: Path) -> str:
    """Return the file's text; that of a release is stored compressed."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        return file.read()
