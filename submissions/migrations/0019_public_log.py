"""The public log: entries, tiles and checkpoints, which the database refuses to change."""

from django.db import migrations, models

from submissions.models import append_only


class Migration(migrations.Migration):
    dependencies = [("submissions", "0018_events_seal_rows")]
    operations = [
        migrations.CreateModel(
            "LogEntry",
            [
                ("sequence", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("salt", models.CharField(max_length=64)),
                ("entry", models.CharField(max_length=64)),
            ],
            options={"ordering": ("sequence",)},
        ),
        migrations.CreateModel(
            "LogTile",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("index", models.PositiveBigIntegerField()),
                ("hashes", models.BinaryField()),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("level", "index"), name="one_tile_per_place")]},
        ),
        migrations.CreateModel(
            "LogCheckpoint",
            [
                ("size", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("root", models.CharField(max_length=64)),
                ("note", models.TextField()),
                ("made_at", models.DateTimeField()),
            ],
            options={"ordering": ("size",)},
        ),
        migrations.RunPython(
            lambda apps, editor: append_only.create(editor.connection, append_only.PUBLIC_LOG),
            lambda apps, editor: append_only.drop(editor.connection, append_only.PUBLIC_LOG),
        ),
    ]
