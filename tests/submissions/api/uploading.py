"""Files as programs send them: as the body, or in a form; and what a draft with files answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.games.chapters.examples import example

SUBMISSIONS = "/api/v1/submissions/"


def post(client: Client, address: str, body: Any, **headers: str) -> Any:
    return client.post(address, body, content_type="application/json", headers=headers)


def raw(client: Client, address: str, content: bytes, media_type: str, headers: Any = None, **query: object) -> Any:
    return client.generic("POST", f"{address}?{urlencode(query)}", content, media_type, headers=headers)


def form(client: Client, address: str, content: bytes, headers: Any = None, **fields: object) -> Any:
    """As a browser or a library sends a form; each time with another boundary, if the client invents one."""
    name = str(fields.pop("name", "house rules.pdf"))
    return client.post(address, {**fields, "file": SimpleUploadedFile(name, content)}, headers=headers)


def started(client: Client, chapter: str) -> tuple[dict[str, Any], list[str]]:
    """A draft with the chapter's example: what was made, and the lines that still need their files."""
    answers = example(chapter)
    files = [key for key, answer in answers.items() if isinstance(answer, dict)]
    given = {key: answer for key, answer in answers.items() if key not in files}
    answer = post(client, SUBMISSIONS, {"chapter": chapter, "answers": given})
    assert answer.status_code == 201, answer.content
    return answer.json()["made"], files
