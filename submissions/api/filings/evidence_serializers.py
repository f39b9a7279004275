"""An analysis and a simulation, and a frozen filing, as they are stored.

Rows of earlier releases have fewer members: only those are required that every release wrote.
"""

from typing import Any

from rest_framework import serializers as of

from submissions.api.filings.answer_fields import ANSWER
from submissions.api.framework.plain_fields import plain
from submissions.api.framework.read_views import ReadSerializer

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}


def an_object(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object; members that are not named here may be there as well."""
    properties = {**required, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": True}


def an_array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def or_null(shape: Schema) -> Schema:
    return {**shape, "type": [shape["type"], "null"]}


def texts(*names: str) -> dict[str, Schema]:
    return dict.fromkeys(names, TEXT)


ANALYZED_WAGER = an_object(
    {
        **texts("wager", "paytable"), "method": {"type": "string", "enum": ["exact", "estimate"]},
        "hold_pct": NUMBER, "hold_fraction": or_null(TEXT), "standard_error_pct": or_null(NUMBER),
        "hit_frequency_pct": NUMBER, "standard_deviation": NUMBER, "largest_win": NUMBER,
        "published": an_array(an_object({"figure": TEXT, "reproduced": FLAG, "note": TEXT})),
    },
    {"spot": TEXT, "average_wagered": NUMBER, "loss_per_ante_pct": NUMBER, "loss_per_total_wagered_pct": NUMBER},
)  # fmt: skip
ANALYSIS = an_object({**texts("chapter", "rules_digest", "engine"), "wagers": an_array(ANALYZED_WAGER)})
SIMULATED_WAGER = an_object(
    {
        **texts("wager", "paytable"), "rounds": COUNT, "hold": NUMBER, "standard_error": NUMBER, "low": NUMBER,
        "high": NUMBER, "exact_hold": or_null(NUMBER), "z": or_null(NUMBER), "chi_square": or_null(NUMBER),
        "degrees": or_null(COUNT), "p_value": or_null(NUMBER), "passed": FLAG,
    }
)  # fmt: skip
SIMULATED = an_object(
    {
        **texts("chapter", "rules_digest", "engine", "generator"), "seed": COUNT, "rounds": COUNT, "passed": FLAG,
        "wagers": an_array(SIMULATED_WAGER),
    }
)  # fmt: skip
FROZEN_FINDING = an_object({**texts("rule", "severity", "message", "fix", "citation"), "options": an_array(TEXT)})
FROZEN_PAYTABLE = an_object(
    {
        **texts("wager", "wager_name", "name", "citation"), "columns": an_array(TEXT),
        "rows": an_array(an_array(TEXT)), "envy": an_array(TEXT), "facts": an_array(an_array(TEXT)),
    }
)  # fmt: skip
FROZEN_CONFIGURATION = an_object(
    {
        **texts("name", "tables", "pit"), "answers": {"type": "object", "additionalProperties": ANSWER},
        "lines": an_array(an_object(texts("key", "citation", "group", "question", "basis", "answer"))),
        "findings": an_array(FROZEN_FINDING), "offered": an_array(TEXT),
        "wagers": an_array(an_object({**texts("key", "name", "citation", "size"), "required": FLAG})),
        "paytables": an_array(FROZEN_PAYTABLE),
        "layout": an_array(an_object(texts("key", "citation", "element", "kind", "wording"))),
        "readings": an_array(an_object(texts("id", "citation", "printed", "reading", "evidence"))),
    },
    {"group": COUNT, "evidence_as": COUNT},
)  # fmt: skip
FROZEN_FILING = an_object(
    {
        "format": COUNT, **texts("receipt", "submission"), "revision": COUNT,
        "licensee": an_object(texts("name", "slug")),
        "chapter": an_object(texts("number", "title", "status", "source")),
        **texts("rules_digest", "engine"),
        "filed": an_object({"at": {"type": "string", "format": "date-time"}, "by": an_object(texts("name", "role"))}),
        "attestation": TEXT, "configurations": an_array(FROZEN_CONFIGURATION),
        "attachments": an_array(
            an_object({**texts("option", "name", "sha256"), "size": COUNT, "media_type": TEXT})
        ),
    },
    {"rules_on": {"type": "string", "format": "date"}, "takes_effect": {"type": ["string", "null"], "format": "date"}},
)  # fmt: skip


class EvidenceFields(ReadSerializer):
    """The exact figures of a configuration, and what was dealt."""

    analysis = plain(ANALYSIS, "Analysis", source="run.analysis", allow_null=True, help_text="The exact figures")
    result = plain(
        SIMULATED, "SimulationResult", source="run.result", allow_null=True, help_text="What was dealt, beside them"
    )


def frozen_filing_field() -> of.Field[Any, Any, Any, Any]:
    return plain(FROZEN_FILING, "FrozenFiling", help_text="Everything that was filed, as it was frozen")
