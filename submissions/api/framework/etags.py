"""Tags of answers: ETag, and 304 where nothing changed since the one that was sent."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.decorators import decorator_from_middleware

RATE_LIMIT_HEADERS = ("RateLimit", "RateLimit-Policy")  # it was a request as others are


class ETagMiddleware(ConditionalGetMiddleware):
    """As Django does it, but 304 keeps the rate headers, and an answer with a credential has a tag too.

    `no-store` is for caches on the way; the program that keeps its own copy asks with the tag whether it is current.
    """

    def needs_etag(self, response: HttpResponseBase) -> bool:
        return True

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer: HttpResponseBase = super().process_response(request, response)
        for name in RATE_LIMIT_HEADERS:
            if name in response:
                answer[name] = response[name]
        return answer


with_etag = decorator_from_middleware(ETagMiddleware)
