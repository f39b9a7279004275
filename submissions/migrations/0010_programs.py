"""What programs need: credentials with their seats and sandboxes, batches, keyed calls, webhooks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0009_append_only_layouts"),
    ]

    operations = [
        migrations.AddField(
            model_name="configuration",
            name="version",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="organisation",
            name="sandbox_of",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sandbox",
                to="submissions.organisation",
            ),
        ),
        migrations.AddField(
            model_name="person",
            name="is_system",
            field=models.BooleanField(default=False),
        ),
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
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="Credential",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80)),
                ("scopes", models.JSONField(default=list)),
                ("live", models.BooleanField()),
                ("prefix", models.CharField(max_length=12, unique=True)),
                ("secret_sha256", models.CharField(max_length=64)),
                ("networks", models.JSONField(default=list)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("last_used_at", models.DateTimeField(null=True)),
                ("overlap_until", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="credentials",
                        to="submissions.organisation",
                    ),
                ),
                (
                    "replaced_by",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaces",
                        to="submissions.credential",
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="credentials",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20, unique=True)),
                (
                    "mode",
                    models.CharField(choices=[("validate", "Say what would happen"), ("live", "Do it")], max_length=8),
                ),
                ("together", models.BooleanField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("checking", "Being checked"),
                            ("waiting", "Waiting for confirmation"),
                            ("running", "Being carried out"),
                            ("done", "Done"),
                            ("discarded", "Discarded"),
                        ],
                        max_length=9,
                    ),
                ),
                ("form", models.CharField(max_length=4)),
                ("name", models.CharField(blank=True, max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                ("total", models.PositiveIntegerField()),
                ("signs", models.BooleanField()),
                ("asks", models.BooleanField()),
                ("attestation", models.TextField(blank=True)),
                ("signed_at", models.DateTimeField(null=True)),
                ("note", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="batches",
                        to="submissions.organisation",
                    ),
                ),
                (
                    "signer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "credential",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.credential",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "batches",
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.URLField(max_length=500)),
                ("verbs", models.JSONField(default=list)),
                ("secret", models.TextField()),
                ("made_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="webhooks",
                        to="submissions.organisation",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=32, unique=True)),
                ("body", models.TextField()),
                ("made_at", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("attempted_at", models.DateTimeField(null=True)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("note", models.TextField(blank=True)),
                ("delivered_at", models.DateTimeField(null=True)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.event"
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="deliveries", to="submissions.webhook"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField()),
                ("row", models.CharField(blank=True, max_length=60)),
                ("given", models.JSONField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("passed", "Would be done"),
                            ("done", "Done"),
                            ("refused", "Refused"),
                            ("undone", "Not done, because of others"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("code", models.CharField(blank=True, max_length=60)),
                ("message", models.TextField(blank=True)),
                ("fix", models.TextField(blank=True)),
                ("section", models.CharField(blank=True, max_length=200)),
                ("option", models.CharField(blank=True, max_length=60)),
                ("findings", models.JSONField(default=list)),
                ("made", models.JSONField(default=dict)),
                ("changes", models.JSONField(default=list)),
                ("at", models.DateTimeField(null=True)),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="items", to="submissions.batch"
                    ),
                ),
            ],
            options={
                "ordering": ("place",),
                "indexes": [models.Index(fields=["batch", "state"], name="items_by_state")],
                "constraints": [models.UniqueConstraint(fields=("batch", "place"), name="one_item_per_place")],
            },
        ),
        migrations.CreateModel(
            name="KeyedCall",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=255)),
                ("request_sha256", models.CharField(max_length=64)),
                ("holder", models.CharField(max_length=32)),
                ("begun_at", models.DateTimeField()),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.TextField(blank=True)),
                ("headers", models.JSONField(default=dict)),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["begun_at"], name="keyed_calls_by_age")],
                "constraints": [models.UniqueConstraint(fields=("seat", "key"), name="one_call_per_key")],
            },
        ),
    ]
