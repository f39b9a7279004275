"""`manage.py demo`: the demonstration's people, and one example filing carried through to its signed PDF."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal import demo
from portal.checks import SERVICE_TAG
from submissions.core.errors import Refusal


class Command(BaseCommand):
    help = (
        "Create the demo organizations and people, and carry one filing to its signed PDF. It is safe to run it again."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="", help="where the portal listens, to be shown with the sign-ins")
        parser.add_argument("--people-only", action="store_true", help="create the people, file nothing")

    def handle(self, *args: Any, address: str, people_only: bool, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError(
                "PORTAL_DEMO is 0. Set it to 1 to create demo people: they could sign in to a real portal."
            )
        self._introduce(address)
        if people_only:
            return
        demo.enter_table_lists()
        try:
            pdf = demo.carry_example(self._say)
        except (demo.Stuck, Refusal) as reason:
            self._say(f"the example filing cannot continue: {reason}")
            sys.exit(1)
        self._say(f"signed PDF: {pdf}")
        if address:
            self._say(f"ready: http://{address}")

    def _introduce(self, address: str) -> None:
        people = demo.create_cast()
        width = max(len(person.email) for person in people)
        lines = [f"  {person.email:<{width}}  {person.name}" for person in people]
        where = f"The portal is at http://{address} (Ctrl-C stops it). " if address else ""
        lines += [f"  passphrase: {settings.DEMO_PASSPHRASE}", *(self._first_call(address) if address else [])]
        self.stdout.write("\n".join(["", f"{where}Demo sign-ins:", *lines, ""]))

    def _first_call(self, address: str) -> list[str]:
        """Return a command that can be copied and asks who the caller of the API is."""
        try:
            token = demo.issue_api_key()
        except Refusal as reason:  # someone changed who administers the casino
            return ["", f"No API key of Demo Casino East: {reason}"]
        key = "API key of Demo Casino East, valid until the next start, at most 30 days. A first call:"
        return ["", key, f'  curl -H "Authorization: Bearer {token}" http://{address}/api/v1/me/']

    def _say(self, message: str) -> None:
        self.stdout.write(f"demo      {message}")
        self.stdout.flush()
