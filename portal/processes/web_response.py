"""How gunicorn writes the head of a response, without naming the server, and how it closes after a refused body.

gunicorn has no setting for either (benoitc/gunicorn#825), and drops an application's own `Connection: close`. It makes
each response from its public class `gunicorn.http.wsgi.Response`, which the web's processes replace by the one here
(`portal.processes.web`). Tests ask the running portal, so that a gunicorn that does it otherwise is noticed.

A process whose threads are all taken closes the connections that it has answered: their next requests go to whichever
process is free first (`portal.processes.web_worker`), and not to this one again.
"""

from contextlib import suppress
from functools import cached_property
from time import monotonic

from gunicorn.http import wsgi
from gunicorn.http.errors import ParseException

from portal.processes.web_worker import FairWorker

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
