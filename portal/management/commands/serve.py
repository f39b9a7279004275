"""`manage.py serve`: the whole portal under one supervisor. Ctrl-C or SIGTERM stops all of it, in order."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.checks import SERVICE_TAG
from portal.processes import supervisor
from portal.processes.child import Child

NICENESS = 10  # of what runs once: the first page and the first job do not wait for it


class Command(BaseCommand):
    help = "Start web, workers, sweeper and (unless REDIS_URL names one) the embedded broker, and keep them running."
    requires_system_checks = [SERVICE_TAG]  # chapters that cannot be loaded are named by `warm_analyses`, beside it

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
        parser.add_argument(
            "--only",
            choices=supervisor.SERVICES,
            default="",
            help="start one service: on a machine of its own, or under a supervisor such as systemd",
        )
        parser.add_argument("--demo", action="store_true", help="carry the demo's example filing to its signed PDF")
        parser.add_argument("--cold", action="store_true", help="do not compute the chapters' figures in advance")

    def handle(self, *args: Any, host: str, port: int, only: str, demo: bool, cold: bool, **options: Any) -> None:
        os.environ.setdefault("PORTAL_URL", f"http://127.0.0.1:{port}")  # what documents and mail print
        if only and settings.EMBEDDED_BROKER:
            raise CommandError("--only needs REDIS_URL: the embedded broker is for a whole portal on one machine.")
        if not settings.SIGNS and only != "web":
            raise CommandError("PORTAL_SIGNS is 0: without a seal only `serve --only web` can start.")
        try:
            with supervisor.only_one(supervisor.locks(only)):
                if only in ("", "web"):
                    supervisor.demand_free(host, port)
                once = _once(host, port, only, demo=demo, cold=cold)
                supervisor.Supervisor(supervisor.children(host, port, only), once, (host, port)).run()
        except supervisor.AlreadyRunning as reason:
            raise CommandError(str(reason)) from None


def _once(host: str, port: int, only: str, *, demo: bool, cold: bool) -> list[Child]:
    """Return what runs once beside the services: the chapters' figures with the workers, the demo with all of them."""
    manage = [sys.executable, "-u", str(settings.BASE_DIR / "manage.py")]
    analyses = Child("analyses", [*manage, "warm_analyses"], grace=3, niceness=NICENESS)
    example = Child("demo", [*manage, "demo", "--address", f"{host}:{port}"], grace=3, niceness=NICENESS)
    return [*([] if cold or only not in ("", "worker") else [analyses]), *([example] if demo and not only else [])]
