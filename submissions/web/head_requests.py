"""HEAD requests are answered as GET, without the body.

Django makes the body and leaves it to the server to drop it. The server then reports each one as a fault of the
portal's, and a stream is made in full for no one.
"""

from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

View = Callable[[HttpRequest], HttpResponseBase]


def without_body(get_response: View) -> View:
    """The middleware, outside of all that reads or measures the body. `Content-Length` stays that of GET."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method == "HEAD" and response.streaming:
            cast(StreamingHttpResponse, response).streaming_content = ()
        elif request.method == "HEAD":
            cast(HttpResponse, response).content = b""
        return response

    return respond
