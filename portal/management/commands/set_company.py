"""`manage.py set_company SLUG [COMPANY]`: which company owns a licensee, as the Board says; without a name, none.

People of a licensee can get memberships at the others of its company. Leaving one ends those across its border.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.checks import SERVICE_TAG
from submissions.accounts.members import set_company
from submissions.core.errors import Refusal


class Command(BaseCommand):
    help = "Name the company that owns a licensee."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the licensee's short name")
        parser.add_argument("company", nargs="?", default="", help="spelled alike for each of its licensees")

    def handle(self, *args: Any, slug: str, company: str, **options: Any) -> None:
        try:
            same = set_company(slug, company)
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix}".strip()) from None
        names = ", ".join(str(organization) for organization in same) or "none"
        self.stdout.write(f"Other licensees of this company: {names}.")
