"""`manage.py serve`: the whole portal under one supervisor. Ctrl-C or SIGTERM stops all of it, in order."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.checks import TAG
from portal.processes import supervisor
from portal.processes.child import Child


class Command(BaseCommand):
    help = "Start web, workers, sweeper and (unless REDIS_URL names one) the embedded broker, and keep them running."
    requires_system_checks = [TAG]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
        parser.add_argument("--demo", action="store_true", help="carry the demo's example filing to its signed PDF")
        parser.add_argument("--cold", action="store_true", help="do not compute the chapters' figures in advance")

    def handle(self, *args: Any, host: str, port: int, demo: bool, cold: bool, **options: Any) -> None:
        os.environ.setdefault("PORTAL_URL", f"http://127.0.0.1:{port}")  # what documents and mail print
        manage = [sys.executable, "-u", str(settings.BASE_DIR / "manage.py")]
        once = [] if cold else [Child("analyses", [*manage, "warm_analyses"], grace=3)]
        if demo:
            once.append(Child("demo", [*manage, "demo", "--address", f"{host}:{port}"], grace=3))
        try:
            with supervisor.only_one(settings.VAR / "serve.lock"):
                supervisor.demand_free(host, port)
                supervisor.Supervisor(supervisor.children(host, port), once).run()
        except supervisor.AlreadyRunning as reason:
            raise CommandError(str(reason)) from None
