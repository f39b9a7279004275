"""Tags of answers: ETag, and 304 where nothing changed since the one that was sent."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.decorators import decorator_from_middleware

RATE_LIMIT_HEADERS = ("RateLimit", "RateLimit-Policy")  # it was a request as others are


class ETagMiddleware(ConditionalGetMiddleware):
    """As Django does it, but 304 keeps the rate headers."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer: HttpResponseBase = super().process_response(request, response)
        for name in RATE_LIMIT_HEADERS:
            if name in response:
                answer[name] = response[name]
        return answer


with_etag = decorator_from_middleware(ETagMiddleware)
