"""`manage.py demo_history`: some months of filings, in a demo that has none yet."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from portal import demo
from portal.checks import SERVICE_TAG, TAG
from submissions.core.errors import Refusal


class Command(BaseCommand):
    help = "Fill a new demo with some months of filings in every status. Does nothing if the portal already has users."
    requires_system_checks = [SERVICE_TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This portal is not a demo (PORTAL_DEMO is 0). Nothing was written.")
        if demo.has_people():
            call_command("prepare", verbosity=0)
            self._say("the portal already has users; nothing was added")
        else:
            self.check(tags=[TAG])
            self._write()

    def _write(self) -> None:
        from portal import demo_history  # Start-up cost: 0.5 s of each start, for what is written once
        from portal.demo_history import Incomplete  # Start-up cost: the same libraries

        try:
            demo_history.write_history(self._say)
        except (Incomplete, Refusal) as reason:
            raise CommandError(
                f"The demo's history ends here: {reason} What was written is consistent; the portal can start with it. "
                "To begin again, delete the folder that PORTAL_VAR names."
            ) from None

    def _say(self, message: str) -> None:
        self.stdout.write(f"history   {message}")
        self.stdout.flush()
