"""Where a sealed document stands today (in force, scheduled, superseded): what an inspector asks first.

A Rules Submission stands by its term. A layout, sign or guide holds as long as the version in force calls for exactly
what it shows, and no later one was approved for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from submissions import following
from submissions.actions import versions
from submissions.documents.about import Sealed, about
from submissions.models import Document, Paper, Part, Version
from submissions.terms import State, Term, in_words, term, with_ends


@dataclass(frozen=True, slots=True)
class Standing:
    """`state` on the day, `label` says it, `detail` since when or by what; `successor` took or takes its place."""

    state: State
    detail: str
    successor: Sealed | None = None

    @property
    def label(self) -> str:
        return str(self.state.label)


def standing(document: Sealed, day: date | None = None) -> Standing:
    """The document's place among those of its licensee's game, today or on another day."""
    day = day or timezone.localdate()
    found = term(with_ends(Version.objects.all()).get(revision=about(document).revision))
    return _of_rules(found, day) if isinstance(document, Document) else _of_paper(document, found, day)


def _of_rules(found: Term, day: date) -> Standing:
    successor = Document.objects.filter(revision__receipt=found.successor).select_related("revision").first()
    return Standing(found.state(day), found.words(day), successor)


def _of_paper(paper: Paper, made_for: Term, day: date) -> Standing:
    """By the version that holds on the day, which need not be the one that the paper was made for."""
    version = made_for.version
    holds = versions.in_force(version.organisation, version.chapter, day)
    if holds is None or holds.revision is None:
        return Standing(made_for.state(day), made_for.words(day))
    groups = following.of_revision(holds.revision)
    receipt = holds.revision.receipt
    if where := [one for one in groups if _at(one, paper).paper == paper]:
        names = ", ".join(one.tables or one.name.lower() for one in where)
        at = f", at {names}" if len(groups) > 1 else ""
        return Standing(
            State.IN_FORCE, f"It shows what {receipt}, in force since {in_words(holds.from_day)}, calls for{at}."
        )
    if made_for.state(day) is State.SCHEDULED:
        return Standing(State.SCHEDULED, made_for.words(day))
    own = next((one for one in groups if one.group == paper.layout_revision.filing.group), groups[0])
    return _superseded(_at(own, paper), receipt)


def _superseded(instead: following.Following, receipt: str) -> Standing:
    """By a later paper for the same answers, or by answers that call for another one."""
    kind = str(instead.part.label).lower()
    if instead.paper:
        return Standing(State.SUPERSEDED, f"{instead.paper.name} was approved in its place.", instead.paper)
    why = f" {'; '.join(instead.why)}." if instead.why else ""
    return Standing(State.SUPERSEDED, f"{receipt}, in force today, calls for another {kind}.{why}")


def _at(group: following.Group, paper: Paper) -> following.Following:
    return next(one for one in group.parts if one.part is Part(paper.part))
