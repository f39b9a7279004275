"""The filings of a submission: its revisions, the configurations and findings, the simulations, the documents.

While its own side prepares it, configurations and findings are those of the draft; else those of the latest filing. Of
a submission that was withdrawn before it was ever filed, there is only the draft. Analyses, simulations and frozen
filings are described as they are stored: rows of earlier releases have fewer members, and only those are required that
every release wrote.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from rest_framework import serializers as of
from rest_framework.generics import ListAPIView, RetrieveAPIView

from games.rules.export import finding_data
from submissions.api.framework.pagination import RowPagination
from submissions.api.framework.serializers import plain
from submissions.api.framework.views import BaseView
from submissions.core.configurations import group_at
from submissions.filings.api.chapters import ANSWER, AnswersField
from submissions.filings.api.judgment import FindingSerializer
from submissions.filings.api.submissions import Row, first_or_not_found, submission_at
from submissions.filings.evidence.computations import figures_of
from submissions.filings.hold_findings import filed_hold_findings, with_hold_findings
from submissions.filings.judging import judge_draft
from submissions.jobs.progress import Progress
from submissions.models import Document, Job, Paper, Person, Revision, Simulation, Submission
from submissions.rules import draft_chapter, filed_day

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}


def an_object(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """Return the schema of an object that may have further members."""
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
    },
    {
        "least_p": NUMBER, "disagrees": an_array(TEXT), "pays_differ": an_array(TEXT), "settled": FLAG,
        "finds": or_null(NUMBER), "rounds_for_a_hundredth": or_null(NUMBER),
    },
)  # fmt: skip
SIMULATED = an_object(
    {
        **texts("chapter", "rules_digest", "engine", "generator"), "seed": COUNT, "rounds": COUNT, "passed": FLAG,
        "wagers": an_array(SIMULATED_WAGER),
    },
    {"first": or_null(an_object({"seed": COUNT, "rounds": COUNT, "suspected": an_array(TEXT)}))},
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


UNREAD = ("revision__snapshot", "revision__attestation", "verification")  # what is long, and not part of the answer


class RevisionSerializer(of.Serializer[Any]):
    number = of.IntegerField()
    receipt = of.CharField()
    sha256 = of.CharField(help_text="SHA-256 of the frozen canonical JSON")
    rules_digest = of.CharField(help_text="The digest of the rules that applied")
    rules_on = of.SerializerMethodField(help_text="The day whose rules applied")
    engine = of.CharField()
    filed_by = of.CharField(source="filed_by.name")
    filed_at = of.DateTimeField()

    def get_rules_on(self, row: Revision) -> date:
        return filed_day(row.content)


class WholeRevisionSerializer(RevisionSerializer):
    attestation = of.CharField()
    content = plain(FROZEN_FILING, "FrozenFiling", help_text="Everything that was filed, as it was frozen")


class ConfigurationSerializer(of.Serializer[Any]):
    group = of.IntegerField(help_text="0 = all tables, or all that no other group names")
    name = of.CharField()
    tables = of.CharField(help_text="`3, 7-9`; empty = all, or all others")
    pit = of.CharField()
    version = of.IntegerField(
        allow_null=True,
        help_text="One higher with each change. Every update sends it. null: filed, not a draft",
    )
    answers = AnswersField(help_text="Key of a line → answer")


class FindingOfSerializer(FindingSerializer):
    group = of.IntegerField(help_text="Of the configuration concerned")


class RoundsSerializer(of.Serializer[Any]):
    words = of.CharField(help_text="What is being done")
    done = of.IntegerField(help_text="Rounds")
    total = of.IntegerField(help_text="Rounds")
    left = of.CharField(help_text="The estimated time left; empty if it is not known")
    stopped = of.BooleanField(help_text="Whether it has stopped and needs the operator")


class SimulationSerializer(of.Serializer[Any]):
    """The exact figures of a configuration, and what was dealt."""

    analysis = plain(ANALYSIS, "Analysis", source="run.analysis", allow_null=True, help_text="The exact figures")
    result = plain(
        SIMULATED, "SimulationResult", source="run.result", allow_null=True, help_text="What was dealt, beside them"
    )
    receipt = of.CharField(source="run.revision.receipt")
    configuration = of.IntegerField(source="run.configuration", help_text="Its place in the filing, from 0")
    seed = of.IntegerField(source="run.seed", help_text="Follows from the filing's digest")
    rounds = of.IntegerField(source="run.rounds")
    dealt = of.IntegerField(help_text="Rounds so far")
    progress = RoundsSerializer(allow_null=True, help_text="null once it has ended")
    under_way = of.BooleanField()
    words = of.CharField(help_text="The status, in the words of the page")
    passed = of.BooleanField(source="run.passed", allow_null=True, help_text="null until it has ended")
    finished_at = of.DateTimeField(source="run.finished_at", allow_null=True)


class SignedSerializer(of.Serializer[Any]):
    """A signed PDF of any kind."""

    sha256 = of.CharField(source="signed_id", help_text="Of the signed PDF")
    unsigned_sha256 = of.CharField(help_text="Of its reproducible part")
    pages = of.IntegerField()
    signer = of.CharField()
    signed_at = of.DateTimeField()
    demo = of.BooleanField(help_text="Signed for a demonstration: it is not proof of anything")
    verify = of.SerializerMethodField(help_text="Address where anyone can verify and download it")
    address = of.SerializerMethodField(help_text="Of itself; with `Accept: application/pdf`, or at `file/`, of the PDF")

    def get_verify(self, row: Document | Paper) -> str:
        return verify_address(row.signed_id)


class DocumentSerializer(SignedSerializer):
    receipt = of.CharField(source="revision.receipt")

    def get_address(self, row: Document) -> str:
        return file_address("document", row.revision.submission.number, row.signed_id)


class RevisionsView(BaseView, ListAPIView[Any]):
    """The filings of a submission, the first one first."""

    serializer_class = RevisionSerializer
    pagination_class = RowPagination

    def get_queryset(self) -> QuerySet[Revision]:
        return submission_at(self).revisions.select_related("filed_by").defer("attestation")


class RevisionDetailView(BaseView, RetrieveAPIView[Any]):
    """One filing with everything that was frozen."""

    serializer_class = WholeRevisionSerializer

    def get_object(self) -> Revision:
        rows = submission_at(self).revisions.select_related("filed_by").filter(number=self.kwargs["place"])
        return first_or_not_found(rows, "filing")


class ConfigurationsView(BaseView, ListAPIView[Any]):
    """The configurations: for all tables, and for groups of them."""

    serializer_class = ConfigurationSerializer

    def get_queryset(self) -> Any:
        return configurations(self.reader, submission_at(self))


class FindingsView(BaseView, ListAPIView[Any]):
    """What is wrong with the configurations, by which section, and how to mend it."""

    serializer_class = FindingOfSerializer

    def get_queryset(self) -> Any:
        for row in configurations(self.reader, submission_at(self)):
            yield from ({**finding, "group": row["group"]} for finding in row["findings"])


class SimulationsView(BaseView, ListAPIView[Any]):
    """The test of each filed configuration by simulation, with its progress."""

    serializer_class = SimulationSerializer

    def get_queryset(self) -> Any:
        rows = Simulation.objects.filter(revision__submission=submission_at(self)).select_related("revision")
        return _runs(list(rows.order_by("pk")))


class DocumentsView(BaseView, ListAPIView[Any]):
    """The signed documents of the approved filings."""

    serializer_class = DocumentSerializer

    def get_queryset(self) -> Any:
        return documents_of(self).defer("signed__packed", *UNREAD).order_by("pk")


def documents_of(view: BaseView) -> QuerySet[Document]:
    """Return the documents of the submission that the address names."""
    rows = Document.objects.filter(revision__submission=submission_at(view))
    return rows.select_related("revision__submission", "signed").defer(*UNREAD)


def file_address(name: str, number: str, sha256: str) -> str:
    """Return the address of a file in the API."""
    return f"{settings.PUBLIC_URL}{reverse(f'api:{name}', args=[number, sha256])}"


def configurations(reader: Person, submission: Submission) -> list[Row]:
    """Return `{group, name, tables, pit, version, answers, findings}` of each, as the reader may know them."""
    filed = submission.revisions.order_by("number").last()
    if filed is None or (submission.editable and not reader.at_regulator):
        return list(_drafted(submission))
    content, on_holds = filed.content, filed_hold_findings(filed)
    return [
        {
            "pit": "",
            **row,
            "group": group_at(content, place),
            "version": None,
            "findings": [*row["findings"], *map(finding_data, on_holds[place])],
        }
        for place, row in enumerate(content["configurations"])
    ]


def verify_address(digest: str) -> str:
    return f"{settings.PUBLIC_URL}/verify/{digest}"


def _drafted(submission: Submission) -> Iterator[Row]:
    """Yield the configurations as the checklist judges: by the rules of the day on which the draft takes effect."""
    chapter = draft_chapter(submission)
    rows = list(submission.configurations.all())
    for row in rows:
        judgment = judge_draft(chapter, row, rows)
        judgment = with_hold_findings(chapter, judgment, row.answers, figures_of(chapter, row.answers))
        yield {
            "group": row.position,
            "name": row.display_name(several=len(rows) > 1),
            "tables": row.tables,
            "pit": row.pit,
            "version": row.version,
            "answers": row.answers,
            "findings": [finding_data(finding) for finding in judgment.findings],
        }


def _runs(rows: Sequence[Simulation]) -> Iterator[Row]:
    """Each simulation with its progress."""
    jobs = {
        job.subject: job for job in Job.objects.filter(kind=Job.Kind.SIMULATE, subject__in=[row.pk for row in rows])
    }
    for row in rows:
        if row.finished_at:
            words = "It matches the exact figures." if row.passed else "It does not match the exact figures."
            yield {"run": row, "dealt": row.rounds, "progress": None, "under_way": False, "words": words}
            continue
        job = jobs.get(row.pk)
        progress = Progress.of([job] if job else [])
        yield {
            "run": row,
            "dealt": job.done_units if job else 0,
            "progress": progress,
            "under_way": not progress.stopped,
            "words": " ".join(filter(None, (progress.words, progress.left))),
        }
