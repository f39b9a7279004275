"""How gunicorn serves the pages: threads, since a page waits for the database more than it computes."""

from __future__ import annotations

import os
from typing import Any

from portal.processes.orphans import die_with_parent

worker_class = "gthread"
loglevel = "warning"
timeout = 60
graceful_timeout = 5
max_requests = 0
control_socket_disable = True
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")


def post_fork(server: Any, worker: Any) -> None:
    die_with_parent(worker.ppid)
