"""An index of when each submission was filed: a row of the table holds the whole snapshot before that moment."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0040_program_keys"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="revision",
            index=models.Index(fields=["submission", "number", "filed_at"], name="filing_times"),
        ),
    ]
