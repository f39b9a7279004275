"""How gunicorn serves the pages: several processes, each with a few threads.

A thread waits for the database or for a slow upload while the others go on; but two that compute hold each other up, so
there are more processes rather than more threads. What they load is loaded once, before they are forked.

A process takes connections only while one of its threads is free. gunicorn's own worker takes every connection at once,
so that under load a request waits in one process while another has nothing to do. Here it waits in the one line before
all processes, and the first that is free takes it. A process whose threads are all taken closes the connections that it
has answered: their next requests go to whichever process is free first, and not to this one again.

The head of a response does not name the server, and a connection is closed after a refused body. gunicorn has no
setting for either (benoitc/gunicorn#825), and drops an application's own `Connection: close`. It makes each response
from its public class `gunicorn.http.wsgi.Response`, which `install` replaces in each process. Tests ask the running
portal, so that a gunicorn that does it otherwise is noticed.
"""

import gc
import os
import shutil
import sys
from concurrent.futures import Future
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from time import monotonic
from typing import Any

from django.conf import settings
from django.utils import timezone
from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import TConn, ThreadWorker

from games.registry import chapter_or_none, folders
from portal.processes.child import die_with_parent
from submissions.web.load_limits import THREADS

worker_class = "portal.processes.web.FairWorker"
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
    install(worker)
    sys.setswitchinterval(SWITCH)


class FairWorker(ThreadWorker):
    """gunicorn's worker with threads. All of this runs in the thread that takes connections."""

    requests = 0  # taken and not yet answered

    @property
    def is_full(self) -> bool:
        """Whether a further request would wait here."""
        return self.requests >= int(self.cfg.threads)

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take new connections or leave them to another process. gunicorn asks for it again and again."""
        super().set_accept_enabled(enabled and not self.is_full)

    def enqueue_req(self, conn: TConn) -> None:
        """Give a request to a thread."""
        self.requests += 1
        if self.is_full:
            self.set_accept_enabled(False)
        super().enqueue_req(conn)

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        """Keep the connection or close it, as the response said."""
        self.requests -= 1
        super().finish_request(conn, fs)


SHORT_BODY = 64 * 1024  # bytes: gunicorn discards so many that nobody read, and takes the next request
MOST_DISCARDED = 64 << 20  # bytes of a refused body, so that the client gets to the answer
LONGEST_DISCARD = 5.0  # seconds


class PlainResponse(wsgi.Response):
    """gunicorn's response with another head and another end."""

    worker: FairWorker  # of this process

    def default_headers(self) -> list[str]:
        """The lines of the head that are the server's own, without its name."""
        lines: list[str] = super().default_headers()
        return [line for line in lines if not line.lower().startswith("server:")]

    def should_close(self) -> bool:
        """Also if this process is full, and after a refusal of a long body, of which a rest may be unread."""
        return bool(super().should_close()) or self._comes_from_full_process or self._refuses_long_body()

    @cached_property
    def _comes_from_full_process(self) -> bool:
        """As found first: what the head says of the connection must be what is done with it."""
        return self.worker.is_full

    def close(self) -> None:
        """End the response. A connection closed on unread bytes is reset, and the client might never see the answer."""
        super().close()
        if self._refuses_long_body():
            with suppress(OSError, ParseException):
                self._discard_body()

    def _refuses_long_body(self) -> bool:
        refuses = self.status is not None and self.status_code >= 400
        return refuses and _body_length(self.req.headers) > SHORT_BODY

    def _discard_body(self) -> None:
        end, discarded = monotonic() + LONGEST_DISCARD, 0
        self.sock.settimeout(LONGEST_DISCARD)
        while discarded < MOST_DISCARDED and monotonic() < end and (piece := self.req.body.read(SHORT_BODY)):
            discarded += len(piece)


def _body_length(headers: list[tuple[str, str]]) -> float:
    """Bytes, as the request's head states them; infinite for a body in chunks. gunicorn's names are in capitals."""
    stated = dict(headers)
    return float("inf") if "TRANSFER-ENCODING" in stated else int(stated.get("CONTENT-LENGTH", 0))


def install(worker: FairWorker) -> None:
    """Use it for every response of this process."""
    PlainResponse.worker = worker
    wsgi.Response = PlainResponse
