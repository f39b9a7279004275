"""Answers that a program on any website may read in its visitor's browser: the public description of the API.

Not here: the websites that may call every address (`PORTAL_API_ORIGINS`), and the headers (django-cors-headers).
"""

import re
from typing import Any

from corsheaders.signals import check_request_enabled
from django.http import HttpRequest

DESCRIPTION = re.compile(r"/api/v1/(?:schema/|errors/|chapters/[0-9a-z]+/schema/|data-dictionary\.csv)")


def is_description(request: HttpRequest, **_: Any) -> bool:
    """Return whether any website may have the answer; nothing there depends on the caller."""
    return DESCRIPTION.match(request.path_info) is not None


def allow_description() -> None:
    """Have the middleware ask."""
    check_request_enabled.connect(is_description, dispatch_uid="submissions.api.description")
