"""One configuration of each chapter that nothing blocks, and changes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.checking.chapter_files import EXAMPLE
from games.registry import folder_of


def example_file(number: str) -> Path:
    return folder_of(number) / EXAMPLE


def example(number: str, **changes: Any) -> dict[str, Any]:
    """The chapter's example answers with these changes; None takes an answer away."""
    answers = json.loads(example_file(number).read_text(encoding="utf-8")) | changes
    return {key: answer for key, answer in answers.items() if answer is not None}
