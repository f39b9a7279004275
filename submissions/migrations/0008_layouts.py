"""The filings of layouts, signs and guides (§ 601a.10): drawings, inspections, notices, decisions, signed papers."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0007_where_the_chain_ends"),
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
                ],
                max_length=12,
            ),
        ),
        migrations.CreateModel(
            name="LayoutFiling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20, unique=True)),
                ("group", models.PositiveSmallIntegerField(default=0)),
                ("parts", models.JSONField(default=list)),
                ("positions", models.PositiveSmallIntegerField(default=0)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("filed", "Filed"),
                            ("deficient", "Deficient"),
                            ("recommended", "Reported to the Executive Director"),
                            ("approved", "Approved"),
                            ("withdrawn", "Withdrawn"),
                            ("rejected", "Rejected"),
                        ],
                        default="draft",
                        max_length=12,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="layout_filings",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={
                "ordering": ("-changed_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="LayoutDrawing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=8)),
                ("by_portal", models.BooleanField(default=False)),
                ("uploaded_at", models.DateTimeField()),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.revision"
                    ),
                ),
                (
                    "stored",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.storedfile"
                    ),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "filing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="drawings",
                        to="submissions.layoutfiling",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="LayoutInspection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("report", models.JSONField(default=dict)),
                ("previews", models.JSONField(default=list)),
                ("refused", models.CharField(blank=True, max_length=40)),
                ("message", models.TextField(blank=True)),
                ("fix", models.TextField(blank=True)),
                ("made_at", models.DateTimeField()),
                (
                    "drawing",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="inspection",
                        to="submissions.layoutdrawing",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LayoutMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("element", models.CharField(max_length=80)),
                ("page", models.PositiveSmallIntegerField()),
                ("left", models.FloatField()),
                ("top", models.FloatField()),
                ("width", models.FloatField()),
                ("height", models.FloatField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "drawing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="marks",
                        to="submissions.layoutdrawing",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="LayoutRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("receipt", models.CharField(max_length=30, unique=True)),
                ("place", models.PositiveSmallIntegerField()),
                ("marks", models.JSONField(default=list)),
                ("shown", models.JSONField(default=dict)),
                ("note", models.TextField(blank=True)),
                ("filed_at", models.DateTimeField()),
                (
                    "drawing",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.layoutdrawing",
                    ),
                ),
                (
                    "filed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "filing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="revisions",
                        to="submissions.layoutfiling",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="layout_revisions",
                        to="submissions.revision",
                    ),
                ),
            ],
            options={
                "ordering": ("-number",),
            },
        ),
        migrations.CreateModel(
            name="LayoutJudgement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("element", models.CharField(max_length=80)),
                ("accepted", models.BooleanField()),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "layout_revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgements",
                        to="submissions.layoutrevision",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="LayoutDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("notice", "Deficiency notice"),
                            ("recommend", "Reported to the Executive Director"),
                            ("approve", "Approved"),
                            ("reject", "Rejected"),
                        ],
                        max_length=12,
                    ),
                ),
                ("elements", models.JSONField(default=list)),
                ("reason", models.TextField(blank=True)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "layout_revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="submissions.layoutrevision",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Paper",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "part",
                    models.CharField(
                        choices=[("layout", "Layout"), ("sign", "Payout sign"), ("guide", "Gaming guide")], max_length=8
                    ),
                ),
                ("unsigned_sha256", models.CharField(max_length=64)),
                ("pages", models.PositiveSmallIntegerField()),
                ("signer", models.CharField(max_length=200)),
                ("signed_at", models.DateTimeField()),
                ("verification", models.JSONField()),
                ("demo", models.BooleanField()),
                (
                    "layout_revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="papers",
                        to="submissions.layoutrevision",
                    ),
                ),
                (
                    "signed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="submissions.storedfile"
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AddConstraint(
            model_name="layoutrevision",
            constraint=models.UniqueConstraint(fields=("filing", "number"), name="one_layout_revision_per_number"),
        ),
        migrations.AddConstraint(
            model_name="layoutdecision",
            constraint=models.UniqueConstraint(
                fields=("layout_revision", "kind"), name="one_layout_decision_of_a_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="paper",
            constraint=models.UniqueConstraint(fields=("layout_revision", "part"), name="one_paper_of_a_part"),
        ),
    ]
