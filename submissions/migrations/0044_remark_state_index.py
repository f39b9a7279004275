"""An index of the Board's remarks by state: after years, nearly all are resolved, and only the others are asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0043_job_state"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="remark",
            index=models.Index(fields=["state"], name="remark_state"),
        ),
    ]
