"""The index over what was filed: every answered line of a filing as a row that can be looked up.

Made with the filing, from its snapshot; the snapshot stays the truth. Looking up is `submissions.search`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from games.rules.model import Answer
from submissions.models import IndexedAnswer, Revision

LONGEST = 200  # characters of a value; longer text is cut
_NUMBER = re.compile(r"\d+(\.\d+)?")


def index_answers(revision: Revision) -> list[IndexedAnswer]:
    """Store the rows of a revision that was just frozen, inside its transaction."""
    return IndexedAnswer.objects.bulk_create(
        IndexedAnswer(revision=revision, configuration=configuration, option=option, value=value)
        for configuration, option, value in answer_rows(revision.content)
    )


def answer_rows(content: Mapping[str, Any]) -> Iterator[tuple[int, str, str]]:
    """(configuration, option, value) of every line of a snapshot that was answered."""
    for place, configuration in enumerate(content["configurations"]):
        for option, answer in configuration["answers"].items():
            if value := indexed_value(answer):
                yield place, option, value


def indexed_value(answer: Answer) -> str:
    """An answer in the one form in which it is looked up: $50,000.00 is 50000, a file is its name."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    if isinstance(answer, Mapping):
        return str(answer.get("name", ""))[:LONGEST]
    text = "" if answer is None else str(answer).strip()
    if _NUMBER.fullmatch(text) and "." in text:
        return text.rstrip("0").rstrip(".")[:LONGEST]
    return text[:LONGEST]
