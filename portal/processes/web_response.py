"""How gunicorn writes the head of a response: without naming the server.

gunicorn has no setting for it (benoitc/gunicorn#825). It creates each response from its public class
`gunicorn.http.wsgi.Response`, which the processes of the web replace by the one here (`portal.processes.web`). A test
asks the running portal, so that a gunicorn that does it otherwise is noticed.
"""

from gunicorn.http import wsgi


class PlainResponse(wsgi.Response):
    """gunicorn's response with another head."""

    def default_headers(self) -> list[str]:
        """The lines of the head that are the server's own, without its name."""
        lines: list[str] = super().default_headers()
        return [line for line in lines if not line.lower().startswith("server:")]


def install() -> None:
    """Use it for every response of this process."""
    wsgi.Response = PlainResponse
