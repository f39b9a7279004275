"""The Celery application: how workers are woken. That a job survives is `submissions.jobs.leases`."""

import os
import warnings
from typing import Any

from celery import Celery, signals
from celery.exceptions import CPendingDeprecationWarning, SecurityWarning

from portal.processes.child import die_with_parent
from submissions.jobs import drain

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

from django.conf import settings

warnings.simplefilter("ignore", SecurityWarning)  # whose user the worker runs as is the operator's choice
warnings.simplefilter("ignore", CPendingDeprecationWarning)  # about late acknowledgement, which is not used

app = Celery("portal", broker=settings.REDIS_URL, include=["submissions.tasks"])
app.set_default()
app.conf.update(
    task_ignore_result=True,
    task_acks_late=False,  # a message is a hint: what a dead worker had is due again by the sweeper
    task_time_limit=30 * 60,  # a step that hangs is killed, and its lease runs out
    task_publish_retry=False,
    worker_prefetch_multiplier=1,
    worker_pool="prefork",
    worker_hijack_root_logger=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_connection_timeout=2,
    broker_transport_options={
        "visibility_timeout": 60 * 60,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,  # of a wake-up that is sent; a silent link would hold the request or the sweeper for ever
        "socket_keepalive": True,
        "health_check_interval": 5,  # a worker whose broker has not answered for longer connects again
        "max_retries": 0,  # publishing gives up at once: a request does not wait for a broker
    },
)


def _no_orphan(**_: Any) -> None:
    die_with_parent()


def _give_back(**_: Any) -> None:
    drain.request_stop()


def _own_logging(**_: Any) -> None:
    """Celery configures no logging where something receives this signal: Django's settings have done it."""


signals.worker_process_init.connect(_no_orphan)
signals.worker_shutting_down.connect(_give_back)
signals.setup_logging.connect(_own_logging)
