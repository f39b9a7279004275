"""`manage.py demo_history`: some months of filings, in a demo that has none yet."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from portal.checks import TAG
from portal.demo import history
from portal.demo.history_steps import Incomplete
from submissions.core.errors import Refusal


class Command(BaseCommand):
    help = "Fill a new demo with some months of filings in every status. Does nothing if the portal already has users."
    requires_system_checks = [TAG]

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("This portal is not a demo (PORTAL_DEMO is 0). Nothing was written.")
        try:
            steps = history.write(self._say)
        except (Incomplete, Refusal) as reason:
            raise CommandError(
                f"The demo's history ends here: {reason} What was written is consistent; the portal can start with it. "
                "To begin again, delete the folder that PORTAL_VAR names."
            ) from None
        if not steps:
            self._say("the portal already has users; nothing was added")

    def _say(self, message: str) -> None:
        self.stdout.write(f"history   {message}")
        self.stdout.flush()
