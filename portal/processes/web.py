"""How gunicorn serves the pages: several processes, each with a few threads.

A thread waits for the database or for a slow upload while the others go on; but two that compute hold each other up, so
there are more processes rather than more threads. What they load is loaded once, before they are forked.
"""

import gc
import os
import shutil
import sys
from importlib import import_module
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.registry import chapter_or_none, folders
from portal.processes import web_response
from portal.processes.orphans import die_with_parent
from submissions.web.load_limits import THREADS

worker_class = "portal.processes.web_worker.FairWorker"
workers = settings.WEB_PROCESSES
threads = THREADS
preload_app = True
loglevel = "warning"
SWITCH = 0.001  # seconds after which a thread that computes lets another one answer; Python's own 5 ms add up
timeout = 60
graceful_timeout = max(1, settings.STOP_SECONDS - 2)  # its supervisor kills it 2 seconds later
max_requests = 0
limit_request_line = 8190  # bytes, the most that it takes: the API itself answers addresses that are too long
control_socket_disable = True
logconfig_dict = {  # gunicorn's own lines look like ours; requests are logged by `web.request_log`
    **settings.LOGGING,
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {name: {"level": "WARNING", "propagate": True} for name in ("gunicorn.error", "gunicorn.access")},
}
# Where the processes count together (`operations.request_figures`); set before the application imports what counts.
COUNTS = os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(settings.METRICS_FOLDER))
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")


def on_starting(_server: Any) -> None:
    """Begin to count at zero: what processes of an earlier start counted is not theirs. Before it listens, load what
    the first request would, and keep it from the collector, which would walk over it for 150 ms."""
    shutil.rmtree(COUNTS, ignore_errors=True)
    os.makedirs(COUNTS, mode=0o700)
    import_module(settings.ROOT_URLCONF)
    today = timezone.localdate()  # without rulemakings: those are read from the database, after the fork
    for number in folders():
        chapter_or_none(number, today)
    gc.collect()
    gc.freeze()


def on_exit(_server: Any) -> None:
    """Leave nothing in memory."""
    shutil.rmtree(COUNTS, ignore_errors=True)


def post_fork(server: Any, worker: Any) -> None:
    die_with_parent(worker.ppid)
    web_response.install(worker)
    sys.setswitchinterval(SWITCH)
