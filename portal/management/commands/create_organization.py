"""`manage.py create_organization NAME …`: an organization with its first administrators, who are invited by mail.

Each link is printed as well: it works once, for a week, and is not stored.
"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.checks import SERVICE_TAG
from submissions.accounts.invitations import create_organization
from submissions.core.errors import Refusal
from submissions.models import Organization


class Command(BaseCommand):
    help = "Create an organization and invite its first administrators, two at least."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="as it is printed: “Casino East”")
        parser.add_argument("--kind", required=True, choices=Organization.Kind.values)
        parser.add_argument("--slug", required=True, help="its short name: letters, digits, hyphens")
        parser.add_argument("--company", default="", help="who owns the licensee, as the Board names it")
        parser.add_argument(
            "--administrator", required=True, action="append", metavar="ADDRESS", help="an e-mail address; two at least"
        )

    def handle(
        self, *args: Any, name: str, kind: str, slug: str, company: str, administrator: list[str], **options: Any
    ) -> None:
        try:
            invitations = create_organization(name, kind=kind, slug=slug, administrators=administrator, company=company)
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix}".strip()) from None
        for issued in invitations:
            how = "mailed" if issued.mailed else "NOT mailed: send the link yourself"
            self.stdout.write(f"{issued.invitation.email}  {how}  {issued.link}")
