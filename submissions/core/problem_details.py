"""What a program gets for a refusal: problem details (RFC 9457), the same codes and words as the pages.

Not here: which exceptions are which refusals (`api.framework.problem_details`).
"""

from typing import Any

from django.conf import settings

from games.rules.export import finding_data
from submissions.core.error_catalog import error_codes
from submissions.core.errors import Refusal
from submissions.core.log_context import request_id

MEDIA_TYPE = "application/problem+json"


def problem_details(refusal: Refusal, path: str) -> dict[str, Any]:
    """The members of RFC 9457, and ours; what does not apply is left out."""
    known = error_codes().get(refusal.code)
    optional = {
        "fix": refusal.fix,
        "section": refusal.citation,
        "option": refusal.option,
        "findings": [finding_data(finding) for finding in refusal.findings],
        "request_id": request_id.get(),
    }
    return {
        "type": f"{settings.PUBLIC_URL}/api/v1/errors/{refusal.code}/",
        "title": known.title if known else "Refused",
        "status": refusal.status,
        "detail": refusal.message,
        "instance": path,
        "code": refusal.code,
        **{name: value for name, value in optional.items() if value},
    }
