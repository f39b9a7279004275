"""Drop the requests of signed errata reports and their PDFs, with the triggers of both tables, and their kind of job."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0044_remark_state_index"),
    ]

    operations = [
        migrations.DeleteModel(name="ErrataDocument"),
        migrations.DeleteModel(name="ErrataRequest"),
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
                    ("trial", "Trial of a rulemaking"),
                    ("trial-pdf", "Trial of a rulemaking (PDF)"),
                    ("rule-effects", "Changes after an approval"),
                    ("export", "Export"),
                ],
                max_length=12,
            ),
        ),
    ]
