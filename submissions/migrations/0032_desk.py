"""Assignments of filings to people of the Board, digests that find equal filings, and saved views of the queue."""

import json
from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from submissions.filings.equal_answers import answers_digest


def index_open_filings(apps: Any, editor: Any) -> None:
    """The digests of the filings that can still be decided; others are never looked for."""
    revisions, digests = apps.get_model("submissions", "Revision"), apps.get_model("submissions", "AnswersDigest")
    rows = revisions.objects.filter(submission__status__in=("filed", "recommended"))
    for revision in rows.only("pk", "snapshot").iterator(100):
        if sha256 := answers_digest(json.loads(revision.snapshot)):
            digests.objects.create(revision=revision, sha256=sha256)


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0031_handover"),
    ]

    operations = [
        migrations.AddField(
            model_name="savedfilter",
            name="page",
            field=models.CharField(choices=[("search", "Search"), ("queue", "Queue")], default="search", max_length=8),
        ),
        migrations.CreateModel(
            name="AnswersDigest",
            fields=[
                (
                    "revision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="answers_digest",
                        serialize=False,
                        to="submissions.revision",
                    ),
                ),
                ("sha256", models.CharField(db_index=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "layout_filing",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignment",
                        to="submissions.layoutfiling",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "submission",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignment",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("layout_filing__isnull", False), ("submission", None))
                        | Q(("layout_filing", None), ("submission__isnull", False)),
                        name="assignment_of_one_filing",
                    )
                ],
            },
        ),
        migrations.RunPython(index_open_filings, migrations.RunPython.noop),
    ]
