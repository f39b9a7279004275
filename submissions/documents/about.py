"""What a sealed document is about: a Rules Submission, or the layout, sign or guide of a layout filing.

For the verification page and for the job that makes the papers. Not here: whether it holds today (`standing`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from submissions.models import Decision, Document, LayoutDecision, LayoutRevision, Organisation, Paper, Part, Revision
from submissions.places import place_of
from submissions.tables import in_words

Sealed = Document | Paper


@dataclass(frozen=True, slots=True)
class About:
    """`revision` is the Rules Submission as filed: the document itself, or what the paper was made for."""

    kind: str  # Rules Submission, Layout, Payout sign, Gaming guide
    is_paper: bool  # one of the latter three
    receipt: str
    filed_at: datetime
    approved_at: datetime
    licensee: str
    organisation: Organisation
    game: str
    chapter: str
    tables: str  # which ones, where it is not all of them
    revision: Revision


def about(document: Sealed) -> About:
    """As it was frozen."""
    if isinstance(document, Document):
        approved_at = document.revision.decisions.get(kind=Decision.Kind.APPROVE).at
        return _about("Rules Submission", document.revision, document.revision, approved_at)
    filed = document.layout_revision
    revision, place = approved_for(filed)
    approved_at = filed.decisions.get(kind=LayoutDecision.Kind.APPROVE).at
    return _about(str(Part(document.part).label), filed, revision, approved_at, tables_at(revision.content, place))


def _about(
    kind: str, filed: Revision | LayoutRevision, revision: Revision, approved_at: datetime, tables: str = ""
) -> About:
    content = revision.content
    return About(
        kind=kind,
        is_paper=isinstance(filed, LayoutRevision),
        receipt=filed.receipt,
        filed_at=filed.filed_at,
        approved_at=approved_at,
        licensee=content["licensee"]["name"],
        organisation=revision.submission.organisation,
        game=content["chapter"]["title"],
        chapter=content["chapter"]["number"],
        tables=tables,
        revision=revision,
    )


def approved_for(filed: LayoutRevision) -> tuple[Revision, int]:
    """The filing of rules that an approved layout filing goes with, and the place of its configuration there.

    Both were approved for each other, and nothing is filed after an approval: it is the last one.
    """
    revision = filed.filing.submission.revisions.select_related("submission__organisation").latest("number")
    place = place_of(revision.content, filed.filing.group)
    if place is None:
        raise LookupError(f"{revision.receipt} has no group {filed.filing.group}, which {filed.receipt} is for")
    return revision, place


def tables_at(content: dict[str, Any], place: int) -> str:
    """ "tables 3, 7-9, pit 2"; "all other tables"; "" where one configuration is for all."""
    row = content["configurations"][place]
    if row["tables"]:
        return in_words(row["tables"], row.get("pit", ""))
    name: str = row["name"]
    return name.lower() if len(content["configurations"]) > 1 else ""
