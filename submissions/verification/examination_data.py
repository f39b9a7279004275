"""An examination as JSON, as a worker stores it and the page of the result reads it."""

from datetime import datetime
from typing import Any

from submissions.models import Document, Paper
from submissions.verification.examine import Examination, Identity
from submissions.verification.reverification import verification_of

MODELS: dict[str, type[Document] | type[Paper]] = {"document": Document, "paper": Paper}


def to_data(examination: Examination) -> dict[str, Any]:
    """JSON that `to_examination` reads."""
    document, verification = examination.document, examination.verification
    kind = "paper" if isinstance(document, Paper) else "document"
    return {
        "identity": examination.identity.name,
        "sha256": examination.sha256,
        "document": [kind, document.pk] if document else None,
        "verification": verification.as_json() if verification else None,
        "difference": examination.difference,
    }


def to_examination(data: dict[str, Any], verified_at: datetime | None) -> Examination:
    """The examination of `to_data`."""
    kind, key = data["document"] or ("", 0)
    document = MODELS[kind].objects.get(pk=key) if kind else None
    verification = verification_of(data["verification"]) if data["verification"] else None
    return Examination(
        Identity[data["identity"]],
        data["sha256"],
        document,
        verification,
        data["difference"],
        verified_at,
    )
