"""Requests of errata reports and their signed PDFs: two tables that the database refuses to change."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from submissions.models import append_only

TABLES = ("submissions_erratarequest", "submissions_erratadocument")


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0027_rulemakings"),
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
                    ("errata-holds", "Holds that interpretation notes change"),
                    ("errata", "Signed errata report"),
                    ("trial", "Trial of a rulemaking"),
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="ErrataRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20, unique=True)),
                ("chapters", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "by",
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
            name="ErrataDocument",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digests", models.JSONField()),
                ("record_sha256", models.CharField(max_length=64)),
                ("unsigned_sha256", models.CharField(db_index=True, max_length=64)),
                ("pages", models.PositiveSmallIntegerField()),
                ("signer", models.CharField(max_length=200)),
                ("signed_at", models.DateTimeField()),
                ("verification", models.JSONField()),
                ("demo", models.BooleanField()),
                (
                    "signed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.storedfile"
                    ),
                ),
                (
                    "request",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="document",
                        to="submissions.erratarequest",
                    ),
                ),
            ],
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, TABLES),
            lambda apps, editor: append_only.drop(editor.connection, TABLES),
        ),
    ]
