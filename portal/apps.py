"""Django's view of this package: at start the start-up checks and the receivers of workers' signals are registered."""

import warnings
from typing import Any

from celery import signals
from celery.exceptions import SecurityWarning
from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        from portal import checks, logs  # noqa: F401  checks registers itself
        from portal.processes import child, sweeper
        from submissions.jobs import leases

        logs.begin_error_reports()
        warnings.simplefilter("ignore", SecurityWarning)  # whose user a worker runs as is the operator's choice
        for signal, receiver in (
            (signals.setup_logging, keep_logging),
            (signals.worker_init, check_worker),
            (signals.worker_ready, sweeper.begin_worker_reports),
            (signals.worker_process_init, child.die_with_parent),
            (signals.worker_shutting_down, leases.request_stop),
            (signals.worker_shutting_down, sweeper.end_worker_reports),
        ):
            signal.connect(receiver)


def keep_logging(**_: Any) -> None:
    """Do nothing: where something receives this signal, Celery leaves the logging as Django's settings have it."""


def check_worker(**_: Any) -> None:
    """Stop a worker whose settings a service must not have. Celery only logs other exceptions of a signal."""
    from portal.checks import require_service_settings  # needs the applications, which are loaded before a worker is

    try:
        require_service_settings()
    except ImproperlyConfigured as refusal:
        raise SystemExit(str(refusal)) from None
