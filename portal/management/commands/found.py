"""`manage.py found NAME …`: an organisation with its first administrators, who are invited by mail.

Each link is printed as well: it works once, for a week, and is kept nowhere.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from submissions.actions.founding import found
from submissions.errors import Refusal
from submissions.models import Organisation


class Command(BaseCommand):
    help = "Make an organisation and invite its first administrators, two at least."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="as it is printed: “Casino East”")
        parser.add_argument("--kind", required=True, choices=Organisation.Kind.values)
        parser.add_argument("--slug", required=True, help="its short name: letters, digits, hyphens")
        parser.add_argument(
            "--administrator", required=True, action="append", metavar="ADDRESS", help="an e-mail address; give two"
        )

    def handle(self, *args: Any, name: str, kind: str, slug: str, administrator: list[str], **options: Any) -> None:
        try:
            handed = found(name, kind=kind, slug=slug, administrators=administrator)
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix}".strip()) from None
        for one in handed:
            how = "mailed" if one.mailed else "NOT mailed: hand it over yourself"
            self.stdout.write(f"{one.invitation.email}  {how}  {one.link}")
