"""What was filed of a submission: its revisions, the configurations and findings, the simulations, the documents.

While its own side prepares it, configurations and findings are those of the draft; else those of the latest filing. Of
what was withdrawn before it was ever filed, the draft is all that there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers as of

from games.rules.evaluate import effective, judge
from games.rules.export import finding_data
from games.rules.registry import chapter as chapter_of
from submissions.api.judging import FindingShape
from submissions.api.reading import One, Rows, Shape, Whole
from submissions.api.submissions import only, submission_at
from submissions.models import Document, Job, Paper, Person, Revision, Simulation, Submission
from submissions.places import group_of
from submissions.progress import Progress

Content = dict[str, Any]


class RevisionShape(Shape):
    number = of.IntegerField()
    receipt = of.CharField()
    sha256 = of.CharField(help_text="Of the canonical JSON that was frozen")
    rules_digest = of.CharField(help_text="Of the rules that it was judged by")
    engine = of.CharField()
    filed_by = of.CharField(source="filed_by.name")
    filed_at = of.DateTimeField()


class WholeRevisionShape(RevisionShape):
    attestation = of.CharField()
    content = of.DictField(help_text="Everything that was filed, as it was frozen")


class ConfigurationShape(Shape):
    group = of.IntegerField(help_text="0 = all tables, or all that no other group names")
    name = of.CharField()
    tables = of.CharField(help_text="`3, 7-9`; empty = all, or all others")
    pit = of.CharField()
    version = of.IntegerField(
        allow_null=True,
        help_text="One more at each change; an update names the one that it saw. null: filed, not drafted",
    )
    answers = of.DictField(help_text="Key of a line → answer")


class FindingOfShape(FindingShape):
    group = of.IntegerField(help_text="Of the configuration concerned")


class RoundsShape(Shape):
    words = of.CharField(help_text="What is being done")
    done = of.IntegerField(help_text="Rounds")
    total = of.IntegerField(help_text="Rounds")
    left = of.CharField(help_text="The time that is left, at the rate so far; empty as long as none is known")
    stopped = of.BooleanField(help_text="Whether it goes on by itself no more")


class SimulationShape(Shape):
    receipt = of.CharField(source="run.revision.receipt")
    configuration = of.IntegerField(source="run.configuration", help_text="Its place in the filing, from 0")
    seed = of.IntegerField(source="run.seed", help_text="Follows from the filing's digest")
    rounds = of.IntegerField(source="run.rounds")
    dealt = of.IntegerField(help_text="Rounds so far")
    progress = RoundsShape(source="standing", allow_null=True, help_text="null once it has ended")
    under_way = of.BooleanField()
    words = of.CharField(help_text="Where it stands, as the page says it")
    passed = of.BooleanField(source="run.passed", allow_null=True, help_text="null until it has ended")
    finished_at = of.DateTimeField(source="run.finished_at", allow_null=True)
    analysis = of.DictField(source="run.analysis", allow_null=True, help_text="The exact figures")
    result = of.DictField(source="run.result", allow_null=True, help_text="What was dealt, held against them")


class SignedShape(Shape):
    """A signed PDF of any kind."""

    sha256 = of.CharField(source="signed_id", help_text="Of the signed PDF")
    unsigned_sha256 = of.CharField(help_text="Of its reproducible part")
    pages = of.IntegerField()
    signer = of.CharField()
    signed_at = of.DateTimeField()
    demo = of.BooleanField(help_text="Signed for a demonstration: it proves nothing")
    verify = of.SerializerMethodField(help_text="Where anybody verifies and downloads it")

    def get_verify(self, row: Document | Paper) -> str:
        return verify_address(row.signed_id)


class DocumentShape(SignedShape):
    receipt = of.CharField(source="revision.receipt")


class Revisions(Rows):
    """The filings of a submission, the first one first."""

    serializer_class = RevisionShape

    def rows(self) -> QuerySet[Revision]:
        return submission_at(self).revisions.select_related("filed_by").defer("snapshot", "attestation")


class OneRevision(One):
    """One filing with everything that was frozen."""

    serializer_class = WholeRevisionShape

    def thing(self) -> Revision:
        rows = submission_at(self).revisions.select_related("filed_by").filter(number=self.kwargs["place"])
        found: Revision = only(rows, "filing")
        return found


class Configurations(Whole):
    """The configurations: for all tables, and for groups of them."""

    serializer_class = ConfigurationShape

    def things(self) -> Iterable[Content]:
        return configurations(self.reader, submission_at(self))


class Findings(Whole):
    """What is wrong with the configurations, by which section, and how to mend it."""

    serializer_class = FindingOfShape

    def things(self) -> Iterable[Content]:
        for row in configurations(self.reader, submission_at(self)):
            yield from ({**finding, "group": row["group"]} for finding in row["findings"])


@dataclass(frozen=True, slots=True)
class Run:
    """A simulation, and where it stands."""

    run: Simulation
    dealt: int
    standing: Progress | None

    @property
    def under_way(self) -> bool:
        return self.standing is not None and not self.standing.stopped

    @property
    def words(self) -> str:
        if self.standing:
            return " ".join(filter(None, (self.standing.words, self.standing.left)))
        return "It agrees with the exact figures." if self.run.passed else "It does not agree."


class Simulations(Whole):
    """The test of each filed configuration by simulation, with its progress."""

    serializer_class = SimulationShape

    def things(self) -> Iterable[Run]:
        rows = Simulation.objects.filter(revision__submission=submission_at(self)).select_related("revision")
        return list(_runs(list(rows.order_by("pk"))))


class Documents(Whole):
    """The signed documents of the approved filings."""

    serializer_class = DocumentShape

    def things(self) -> Iterable[Document]:
        rows = Document.objects.filter(revision__submission=submission_at(self)).select_related("revision")
        return rows.defer("revision__snapshot", "revision__attestation", "verification").order_by("pk")


def configurations(reader: Person, submission: Submission) -> list[Content]:
    """`{group, name, tables, pit, version, answers, findings}` of each, as the reader may know them."""
    filed = submission.revisions.order_by("number").last()
    if filed is None or (submission.editable and not reader.at_regulator):
        return list(_drafted(submission))
    content = filed.content
    return [
        {"pit": "", **row, "group": group_of(content, place), "version": None}
        for place, row in enumerate(content["configurations"])
    ]


def verify_address(digest: str) -> str:
    return f"{settings.PUBLIC_URL}/verify/{digest}"


def _drafted(submission: Submission) -> Iterator[Content]:
    """As the checklist judges: by the rules of today, and what is not asked is kept, not used."""
    chapter, today = chapter_of(submission.chapter), timezone.localdate()
    rows = list(submission.configurations.all())
    for row in rows:
        found = judge(chapter, effective(chapter, row.answers, today), today)
        yield {
            "group": row.position,
            "name": row.called(several=len(rows) > 1),
            "tables": row.tables,
            "pit": row.pit,
            "version": row.version,
            "answers": row.answers,
            "findings": [finding_data(one) for one in found.findings],
        }


def _runs(rows: Sequence[Simulation]) -> Iterator[Run]:
    jobs: dict[int, Job] = {
        job.subject: job for job in Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=[row.pk for row in rows])
    }
    for row in rows:
        job = jobs.get(row.pk)
        dealt = row.rounds if row.finished_at else job.done_units if job else 0
        yield Run(row, dealt, None if row.finished_at else Progress.of([job] if job else []))
