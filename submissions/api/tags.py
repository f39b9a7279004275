"""Tags of answers: ETag, and 304 where nothing changed since the one that was sent."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.decorators import decorator_from_middleware

KEPT = ("RateLimit", "RateLimit-Policy")  # it was a request as others are


class Tagged(ConditionalGetMiddleware):
    """As the framework does it, but 304 tells what is left of the minute, too."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer: HttpResponseBase = super().process_response(request, response)
        for name in KEPT:
            if name in response:
                answer[name] = response[name]
        return answer


tagged = decorator_from_middleware(Tagged)
