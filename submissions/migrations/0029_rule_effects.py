"""Two kinds of jobs: what published changes mean for a version approved later, and the trial of a rulemaking as PDF."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0028_errata_answers"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="kind",
            field=models.CharField(
                choices=[
                    ("simulate", "Simulation"),
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
                ],
                max_length=12,
            ),
        ),
    ]
