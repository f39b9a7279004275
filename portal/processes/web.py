"""Serve the pages by several processes with a few threads each.

`python -m portal.processes.web HOST PORT`

waitress reads a request whole before a thread has it, and keeps what the client has not read yet: one that is idle or
slow takes no thread. A thread waits for the database while the others go on; but two that compute hold each other up,
so there are more processes rather than more threads. What they load is loaded once, before they are forked.
"""

import errno
import gc
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import time
from importlib import import_module
from multiprocessing import connection
from multiprocessing.context import ForkProcess
from typing import Any

import waitress
from django.conf import settings
from django.utils import timezone

from games.registry import chapter_or_none, folders
from portal.processes.child import die_with_parent
from submissions.web.load_limits import THREADS

SWITCH = 0.001  # seconds after which a thread that computes lets another one answer; Python's own 5 ms add up
GRACE = max(1, settings.STOP_SECONDS - 2)  # seconds to answer what was read; the supervisor kills 2 seconds later
PAUSE = 0.2  # seconds until a process that ended is replaced
FULL = 0.002  # seconds until a process whose threads are taken looks again
OPTIONS = {
    "threads": THREADS,
    "ident": "",  # no header names the server
    "connection_limit": 330,  # of a process: each has up to three files, and 1,024 is a usual limit
    "asyncore_use_poll": True,
    "log_socket_errors": False,
    "max_request_header_size": 64 << 10,  # bytes, the address included: the API itself answers those that are too long
    "max_request_body_size": max(64 << 20, 2 * settings.ATTACHMENT_LIMIT),  # below, views say what is too large
    "trusted_proxy": os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1") or "nobody",  # as to the scheme
    "trusted_proxy_headers": "x-forwarded-proto",
    "clear_untrusted_proxy_headers": False,
}


class Listener(socket.socket):
    """The listening socket, whose next connection is taken by the first process with a free thread.

    A process whose threads are taken leaves new connections to the others, and one that took a connection reads it
    before it takes the next.
    """

    server: Any  # of this process
    has_taken = is_closed = False

    def accept(self) -> tuple[socket.socket, Any]:
        if self.is_closed or sum(bool(each.requests) for each in self.server.active_channels.values()) >= THREADS:
            time.sleep(FULL)
        elif not self.has_taken:
            self.has_taken = True
            return super().accept()
        self.has_taken = False
        raise BlockingIOError(errno.EAGAIN, "left to another process")

    def close_when_answered(self, *_: object) -> None:
        """Handle SIGTERM: take no connection, and end when all that was read is answered."""
        self.is_closed = True
        if not any(each.requests or each.writable() for each in self.server.active_channels.values()):
            sys.exit()
        signal.setitimer(signal.ITIMER_REAL, FULL)  # SIGALRM: look again


def work(application: Any, listener: Listener, parent: int) -> None:
    """Answer requests, in a process of its own."""
    die_with_parent(parent)
    sys.setswitchinterval(SWITCH)
    listener.server = waitress.create_server(application, sockets=[listener], **OPTIONS)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, listener.close_when_answered)
    listener.server.run()


def load() -> Any:
    """Return the application with all that its first request would load, kept from the collector (150 ms)."""
    application = import_module("portal.wsgi").application
    import_module(settings.ROOT_URLCONF)
    today = timezone.localdate()  # without rulemakings: those are read from the database, after the fork
    for number in folders():
        chapter_or_none(number, today)
    gc.collect()
    gc.freeze()
    return application


def main(host: str, port: int) -> None:
    """Keep the processes running until SIGTERM. Counts begin at zero: an earlier start's are not theirs."""
    # Where the processes count together (`operations.prometheus_figures`); set before the application imports that.
    counts = os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(settings.METRICS_FOLDER))
    shutil.rmtree(counts, ignore_errors=True)
    os.makedirs(counts, mode=0o700)
    application = load()
    listener = Listener(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    fork = multiprocessing.get_context("fork")
    processes: list[ForkProcess] = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        while True:
            for _ in range(settings.WEB_PROCESSES - len(processes)):
                processes.append(fork.Process(target=work, args=(application, listener, os.getpid())))
                processes[-1].start()
            connection.wait([process.sentinel for process in processes])
            time.sleep(PAUSE)
            processes = [process for process in processes if process.is_alive()]
    finally:
        for process in processes:
            process.terminate()
        end = time.monotonic() + GRACE
        for process in processes:
            process.join(max(0, end - time.monotonic()))
            process.kill()
        shutil.rmtree(counts, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
