"""Digests: of JSON with sorted keys and fixed separators, and of the program's own files, naming a stored result."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings

Content = Mapping[str, Any]
"""The frozen JSON of a filing (its shape: `filings.snapshot`), or a part of it."""


def canonical_json(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: Any) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()


@cache
def program_digest(folders: tuple[str, ...]) -> str:
    """Return the SHA-256 of all files in these folders of the project: modules, templates, styles, fonts."""
    files = (path for folder in folders for path in sorted((settings.BASE_DIR / folder).rglob("*.*")))
    return sha256(b"".join(path.read_bytes() for path in files if path.suffix != ".pyc")).hexdigest()
