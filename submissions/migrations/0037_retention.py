"""Files are stored packed, also those that are there already; legal holds.

A file's digest is of its unpacked bytes and its seal of that digest: neither changes. The trigger that refuses changes
of the table steps aside while the files are packed, in the same transaction.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from submissions.core.packing import PLAIN, pack, unpack
from submissions.models import append_only

FILES = ("submissions_storedfile",)


def pack_files(apps, editor):
    """One after the other: a file is at most some megabytes, all together may be more than the memory."""
    _change_files(apps, editor, lambda row: pack(bytes(row.packed)))


def unpack_files(apps, editor):
    _change_files(apps, editor, lambda row: (unpack(row.packed, row.packing, row.size), PLAIN))


def _change_files(apps, editor, change):
    files = apps.get_model("submissions", "StoredFile").objects
    append_only.drop(editor.connection, FILES)
    for key in list(files.order_by("pk").values_list("pk", flat=True)):
        row = files.get(pk=key)
        packed, packing = change(row)
        if packing != row.packing:
            files.filter(pk=key).update(packed=packed, packing=packing)
    append_only.create(editor.connection, FILES)


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0036_watch"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("storedfile", "content", "packed"),
                migrations.AlterField("storedfile", "packed", models.BinaryField(db_column="content")),
            ]
        ),
        migrations.AddField(
            model_name="storedfile",
            name="packing",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.CreateModel(
            name="LegalHold",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.CharField(max_length=20, unique=True)),
                ("reason", models.TextField()),
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
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.organization",
                    ),
                ),
                (
                    "submission",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="submissions.submission",
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.CreateModel(
            name="LegalHoldEnd",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "legal_hold",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="end", to="submissions.legalhold"
                    ),
                ),
            ],
            options={"ordering": ("pk",)},
        ),
        migrations.AddConstraint(
            model_name="legalhold",
            constraint=models.CheckConstraint(
                condition=models.Q(("organization", None), ("submission", None), _connector="OR"),
                name="legal_hold_has_one_scope",
            ),
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.LEGAL_HOLDS),
            lambda apps, editor: append_only.drop(editor.connection, append_only.LEGAL_HOLDS),
        ),
        migrations.RunPython(pack_files, unpack_files),
    ]
