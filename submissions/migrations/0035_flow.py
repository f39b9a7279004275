"""Queues and urgency of jobs, simulations in parts, one sweep at a time."""

import django.db.models.deletion
from django.db import migrations, models


def clear_times_of_sending(apps, schema_editor):
    """A job that waits has no lease; earlier versions noted there until when its message was on its way."""
    apps.get_model("submissions", "Job").objects.filter(state="due").update(lease_until=None)


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0034_exports"),
    ]

    operations = [
        migrations.CreateModel(
            name="SimulationPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("first", models.PositiveIntegerField()),
                ("count", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="SweepTurn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveIndex(
            model_name="job",
            name="job_due",
        ),
        migrations.AddField(
            model_name="job",
            name="parent",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="submissions.job"
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="queue",
            field=models.CharField(default="long", max_length=12),
        ),
        migrations.AddField(
            model_name="job",
            name="urgency",
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("simulate", "Simulation"),
                    ("deal", "Part of a simulation"),
                    ("document", "Signed document"),
                    ("mail", "Mail"),
                    ("inspect", "Inspection of a drawing"),
                    ("papers", "Signed layout, sign and guide"),
                    ("check", "Check of a batch"),
                    ("bulk", "Bulk update"),
                    ("webhook", "Webhook"),
                    ("analyze", "Exact figures of a chapter"),
                    ("replay", "Replayed round"),
                    ("verify", "Verification of a file"),
                    ("reverify", "Verification of a signed document again"),
                    ("draft", "Draft (PDF)"),
                    ("errata-holds", "Holds that interpretation notes change"),
                    ("errata", "Signed errata report"),
                    ("trial", "Trial of a rulemaking"),
                    ("trial-pdf", "Trial of a rulemaking (PDF)"),
                    ("rule-effects", "Changes after an approval"),
                    ("export", "Export"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="job",
            name="state",
            field=models.CharField(
                choices=[
                    ("due", "Waiting"),
                    ("running", "Running"),
                    ("divided", "Running in parts"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("errored", "Stopped by an error"),
                ],
                default="due",
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                condition=models.Q(("state", "due")), fields=["queue", "urgency", "not_before", "id"], name="job_due"
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(condition=models.Q(("state", "running")), fields=["lease_until"], name="job_running"),
        ),
        migrations.AddField(
            model_name="simulationpart",
            name="simulation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="parts", to="submissions.simulation"
            ),
        ),
        migrations.AddConstraint(
            model_name="simulationpart",
            constraint=models.UniqueConstraint(fields=("simulation", "first"), name="one_part_per_first_block"),
        ),
        migrations.RunPython(clear_times_of_sending, migrations.RunPython.noop),
    ]
