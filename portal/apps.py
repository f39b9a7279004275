"""Django's view of this package: at start the Celery application and the start-up checks are loaded."""

from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutting_down
from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        from portal import celery, checks, logs  # noqa: F401  each registers itself
        from portal.processes import sweeper

        logs.begin_error_reports()
        worker_ready.connect(sweeper.begin_worker_reports, dispatch_uid="portal.begin_worker_reports")
        worker_shutting_down.connect(sweeper.end_worker_reports, dispatch_uid="portal.end_worker_reports")
        worker_init.connect(check_worker, dispatch_uid="portal.check_worker")


def check_worker(**_: Any) -> None:
    """Stop a worker whose settings a service must not have. Celery only logs other exceptions of a signal."""
    from portal.checks import require_service_settings  # needs the applications, which are loaded before a worker is

    try:
        require_service_settings()
    except ImproperlyConfigured as refusal:
        raise SystemExit(str(refusal)) from None
