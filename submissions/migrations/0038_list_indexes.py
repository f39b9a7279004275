"""Indexes in the order of the lists: a page of them is read without sorting all that was ever filed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0037_retention"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(fields=["-changed_at", "-id"], name="submission_changed"),
        ),
        migrations.AddIndex(
            model_name="version",
            index=models.Index(fields=["-made_at", "-id"], name="version_made"),
        ),
    ]
