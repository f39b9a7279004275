"""The table lists of the licensees: a table that the database refuses to change."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0029_rule_effects"),
    ]

    operations = [
        migrations.CreateModel(
            name="TableEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=12)),
                ("pit", models.CharField(blank=True, max_length=80)),
                ("chapter", models.CharField(max_length=8)),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "Open"), ("closed", "Closed"), ("removed", "Removed from the list")],
                        max_length=8,
                    ),
                ),
                ("from_day", models.DateField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables",
                        to="submissions.organization",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["organization", "number", "from_day"], name="table_on_a_day")],
            },
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.TABLE_LISTS),
            lambda apps, editor: append_only.drop(editor.connection, append_only.TABLE_LISTS),
        ),
    ]
