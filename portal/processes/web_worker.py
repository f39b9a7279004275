"""How a web process takes connections: only while one of its threads is free.

gunicorn's own worker takes every connection at once, so that under load a request waits in one process while another
has nothing to do. Here it waits in the one line before all processes, and the first that is free takes it.
"""

from concurrent.futures import Future
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker


class FairWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
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
