"""One way of writing JSON, so that a digest means something: sorted keys, fixed separators, UTF-8, no NaN."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

Content = Mapping[str, Any]
"""The frozen JSON of a filing (its shape: `filings.snapshot`), or a part of it."""


def canonical_json(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: Any) -> str:
    """SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()
