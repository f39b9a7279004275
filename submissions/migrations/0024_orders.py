"""Orders, waivers and conditions of the Board, and their early ends: two tables that the database refuses to change."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0023_access_records"),
    ]

    operations = [
        migrations.CreateModel(
            name="Order",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("order", "Order"), ("waiver", "Waiver"), ("condition", "Condition")], max_length=10
                    ),
                ),
                ("docket", models.CharField(blank=True, max_length=80)),
                ("citation", models.CharField(max_length=80)),
                ("all_licensees", models.BooleanField(default=False)),
                ("chapter", models.CharField(blank=True, max_length=8)),
                ("tables", models.CharField(blank=True, max_length=400)),
                ("option", models.CharField(blank=True, max_length=60)),
                ("rule", models.CharField(blank=True, max_length=120)),
                (
                    "chapter_effect",
                    models.CharField(
                        blank=True,
                        choices=[("continues", "The chapter continues"), ("ends", "The chapter ends")],
                        max_length=10,
                    ),
                ),
                ("first_day", models.DateField()),
                ("last_day", models.DateField(null=True)),
                ("text", models.TextField()),
                ("document_name", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "decision",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conditions",
                        to="submissions.decision",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.storedfile",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="orders",
                        to="submissions.organization",
                    ),
                ),
                (
                    "replaces",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="submissions.order",
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "indexes": [models.Index(fields=["chapter", "kind"], name="order_of_chapter")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("all_licensees", True), ("organization", None)),
                            models.Q(("all_licensees", False), ("organization__isnull", False)),
                            _connector="OR",
                        ),
                        name="order_has_a_scope",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderEnd",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("outcome", models.CharField(choices=[("ended", "Ended"), ("met", "Met")], max_length=6)),
                ("from_day", models.DateField()),
                ("reason", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "order",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="end", to="submissions.order"
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.ORDERS),
            lambda apps, editor: append_only.drop(editor.connection, append_only.ORDERS),
        ),
    ]
