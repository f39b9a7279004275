"""The request that made a job, reports of processes, alerts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0035_flow"),
    ]

    operations = [
        migrations.CreateModel(
            name="Alert",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("job", "Job that stopped"),
                            ("sweep", "Sweeper late"),
                            ("checkpoint", "Checkpoint late"),
                            ("certificate", "Certificate near its end"),
                        ],
                        max_length=12,
                    ),
                ),
                ("key", models.CharField(max_length=120)),
                ("message", models.TextField()),
                ("at", models.DateTimeField()),
                ("mailed_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="ProcessReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("process", models.CharField(max_length=40)),
                ("host", models.CharField(max_length=120)),
                ("at", models.DateTimeField()),
                ("stopped", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("process", "host"),
            },
        ),
        migrations.AddField(
            model_name="job",
            name="request_id",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["finished_at"], name="job_finished"),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(fields=("kind", "key"), name="one_alert_of_an_occurrence"),
        ),
        migrations.AddConstraint(
            model_name="processreport",
            constraint=models.UniqueConstraint(fields=("process", "host"), name="one_report_of_a_process"),
        ),
    ]
