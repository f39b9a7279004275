"""Indexes of the queue: what has a status, and when a submission took its last step, however many events it has."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0038_list_indexes"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(fields=["status"], name="submission_status"),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["submission", "verb", "sequence"], name="event_steps"),
        ),
    ]
