"""Lists as programs read them: as a stream of lines, and page by page."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from submissions.api.framework import pagination
from submissions.api.framework.bodies import NDJSON

SUBMISSIONS, FEED = "/api/v1/submissions/", "/api/v1/events/"
STREAM = {"Accept": NDJSON}


def streamed(client: Client, address: str, **headers: str) -> tuple[list[Any], dict[str, Any]]:
    """The rows, and what the last line says."""
    answer = client.get(address, headers=STREAM | headers)
    assert (answer.status_code, answer["Content-Type"]) == (200, NDJSON), answer.content
    *rows, end = map(json.loads, answer.getvalue().splitlines())
    return rows, end[pagination.END]


def paged(client: Client, address: str) -> list[Any]:
    rows, following = [], f"{address}{'&' if '?' in address else '?'}limit=2"
    while following:
        answer = client.get(following)
        assert answer.status_code == 200, answer.content
        rows += answer.json()["results"]
        following = answer.json()["next"]
    return rows
