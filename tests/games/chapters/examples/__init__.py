"""One configuration of each chapter that nothing blocks, and changes of it."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def example(number: str, **changes: Any) -> dict[str, Any]:
    """The chapter's example answers with these changes; None takes an answer away."""
    answers = json.loads((FOLDER / f"{number}.json").read_text(encoding="utf-8")) | changes
    return {key: answer for key, answer in answers.items() if answer is not None}
