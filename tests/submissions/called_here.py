"""Isolated functions called in the test's own process, where the child process is not what is tested.

A child for each file takes up to a second of the processor. That files are read in a child, and what its limits are, is
held by `core.test_isolated_process`, `bulk.test_read_xlsx`, `documents.test_verify`, `layouts.recognition.test_limits`
and the tests of `verification`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from submissions.core.isolated_process import IsolatedFunction


def called_here(isolated: IsolatedFunction[Any]) -> Callable[..., Any]:
    """Return its function; the result is read from JSON, as that of a child is."""

    def call(content: bytes, *arguments: str) -> Any:
        return json.loads(json.dumps(isolated.function(content, *arguments)))

    return call
