"""Alerts of a machine whose clock is wrong."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0041_filing_times"),
    ]

    operations = [
        migrations.AlterField(
            model_name="alert",
            name="kind",
            field=models.CharField(
                choices=[
                    ("job", "Job that stopped"),
                    ("sweep", "Sweeper late"),
                    ("checkpoint", "Checkpoint late"),
                    ("certificate", "Certificate near its end"),
                    ("clock", "Wrong clock of a machine"),
                ],
                max_length=12,
            ),
        ),
    ]
