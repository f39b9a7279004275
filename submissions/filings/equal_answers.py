"""When two filings are equal: nothing differs but licensee, number, day of filing, and which tables they are for.

Equal are the chapter and its rules, the day whose rules judged them, the planned effective day, and of each
configuration in order all answers and findings. Table numbers, pits, names of table groups and the lines that list
tables may differ: they say where the same game is played. A filing with a waived finding is equal to none, since a
waiver is one licensee's own.
"""

from collections.abc import Mapping
from typing import Any

from submissions.core.canonical_json import digest
from submissions.models import AnswersDigest, Revision


def store_answers_digest(revision: Revision) -> None:
    """Store the digest of a revision that was just frozen, inside its transaction."""
    if sha256 := answers_digest(revision.content):
        AnswersDigest.objects.create(revision=revision, sha256=sha256)


def answers_digest(content: Mapping[str, Any]) -> str:
    """SHA-256 of what equal filings share; "" for a filing that is equal to none."""
    configurations = content["configurations"]
    if any("waiver" in finding for row in configurations for finding in row["findings"]):
        return ""
    return digest(
        {
            "chapter": content["chapter"]["number"],
            "rules_digest": content["rules_digest"],
            "rules_on": content.get("rules_on"),
            "takes_effect": content.get("takes_effect"),
            "configurations": [_shared(row) for row in configurations],
        }
    )


def table_answers(configuration: Mapping[str, Any]) -> dict[str, str]:
    """Question → answer of the lines that list tables: the answers that may differ."""
    lines = configuration["lines"]
    return {line["question"]: line["answer"] for line in lines if line["lists_tables"] and line["answer"]}


def _shared(configuration: Mapping[str, Any]) -> dict[str, Any]:
    own = {line["key"] for line in configuration["lines"] if line["lists_tables"]}
    return {
        "answers": {key: answer for key, answer in configuration["answers"].items() if key not in own},
        "findings": sorted((finding["rule"], finding["severity"]) for finding in configuration["findings"]),
        "group": configuration["group"],
    }
