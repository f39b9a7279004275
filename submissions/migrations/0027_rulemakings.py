"""Rulemakings, their changes and the versions that they affect; what is published the database refuses to change."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0026_planned_days"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("simulate", "Simulation"),
                    ("document", "Signed document"),
                    ("mail", "Mail"),
                    ("inspect", "Inspection of a drawing"),
                    ("papers", "Signed layout, sign and guide"),
                    ("check", "Check of a batch"),
                    ("bulk", "Bulk update"),
                    ("webhook", "Webhook"),
                    ("analyze", "Exact figures of a chapter"),
                    ("replay", "Replayed round"),
                    ("verify", "Verification of a file"),
                    ("reverify", "Verification of a signed document again"),
                    ("draft", "Draft (PDF)"),
                    ("trial", "Trial of a rulemaking"),
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="Rulemaking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("source", models.CharField(max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "Draft"), ("published", "Published"), ("withdrawn", "Withdrawn")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField()),
                ("written_at", models.DateTimeField()),
                ("published_at", models.DateTimeField(null=True)),
                ("trial_sha256", models.CharField(blank=True, max_length=64)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "written_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="RulemakingChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("chapter", models.CharField(max_length=8)),
                ("effective", models.DateField()),
                ("text", models.TextField()),
                ("published_at", models.DateTimeField(db_index=True, null=True)),
                (
                    "rulemaking",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="changes", to="submissions.rulemaking"
                    ),
                ),
            ],
            options={
                "ordering": ("chapter", "effective"),
            },
        ),
        migrations.CreateModel(
            name="ChangeEffect",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("effects", models.JSONField()),
                ("notified_at", models.DateTimeField()),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.version"
                    ),
                ),
                (
                    "change",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="affected",
                        to="submissions.rulemakingchange",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AddConstraint(
            model_name="rulemakingchange",
            constraint=models.UniqueConstraint(
                fields=("rulemaking", "chapter", "effective"), name="one_change_per_day"
            ),
        ),
        migrations.AddConstraint(
            model_name="changeeffect",
            constraint=models.UniqueConstraint(fields=("change", "version"), name="one_row_per_change_and_version"),
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.RULEMAKINGS),
            lambda apps, editor: append_only.drop(editor.connection, append_only.RULEMAKINGS),
        ),
    ]
